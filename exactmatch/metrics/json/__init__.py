"""JSON documents: the F1 of their leaves under the best matching of list items."""
