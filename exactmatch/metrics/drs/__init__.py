"""Metrics of discourse representation structures."""
