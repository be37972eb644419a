"""Scores of files: the question, its answer and its tables."""
