"""The score of two graphs for every cutoff of similarity."""
