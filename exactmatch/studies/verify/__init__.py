"""Checks of certificates of optimality against the graphs."""
