"""Scores of sentences."""
