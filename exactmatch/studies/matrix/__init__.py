"""Scores of every graph with every graph."""
