"""Scores of single aspects of graphs."""
