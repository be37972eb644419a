"""Similarity of two concepts or words, in [0, 1]: by letters, vectors or models."""
