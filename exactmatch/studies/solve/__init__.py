"""Graph matching problems."""
