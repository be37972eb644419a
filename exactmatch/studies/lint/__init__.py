"""Faults of files of graphs."""
