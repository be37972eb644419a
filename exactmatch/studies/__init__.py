"""The questions, one folder each."""
