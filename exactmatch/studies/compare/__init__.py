"""Significance of the differences of systems."""
