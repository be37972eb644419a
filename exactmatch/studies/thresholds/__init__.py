"""Scores of two graphs at every cutoff of similarity."""
