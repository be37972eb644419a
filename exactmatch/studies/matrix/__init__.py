"""The scores of every graph with every graph."""
