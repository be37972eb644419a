"""Graphs that belong together."""
