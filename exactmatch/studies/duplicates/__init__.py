"""Graphs that say nearly the same."""
