"""Draws graphs as text and as SVG."""
