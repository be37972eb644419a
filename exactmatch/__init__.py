"""Exact, proven metrics for meaning-representation graphs."""
