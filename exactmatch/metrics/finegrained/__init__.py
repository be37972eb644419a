"""Scores of single aspects of meaning."""
