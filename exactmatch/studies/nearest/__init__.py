"""The graphs of a bank that are most similar to others."""
