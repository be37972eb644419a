"""Alignments of two graphs."""
