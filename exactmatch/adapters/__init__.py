"""Shows exactmatch as other programs expect it."""
