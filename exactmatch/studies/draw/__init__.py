"""Drawings of graphs and of pairs."""
