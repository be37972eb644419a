"""Reads and writes graphs, one file for each format."""
