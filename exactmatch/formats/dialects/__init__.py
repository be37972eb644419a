"""Readers of published programs where they differ from penman, one file for each."""
