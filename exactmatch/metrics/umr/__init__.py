"""Scores of UMR documents, by kind and as the first shared task counted them."""
