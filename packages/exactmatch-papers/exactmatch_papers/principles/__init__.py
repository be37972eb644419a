"""Principles of good metrics, measured."""
