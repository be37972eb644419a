"""Turns two graphs into a problem, has it solved, and counts what matches."""
