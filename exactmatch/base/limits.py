"""Limits of size: a problem above them is refused before it fills the memory."""

MAX_TERMS = 20_000_000  # pair terms of a problem: default of --max-terms
PLACE_TERMS = 4  # pair terms that take as much room as one pair of nodes or variables
