"""Certificates of optimality, checked against the graphs."""
