"""Graphs in another format."""
