"""Graphs of one format in another."""
