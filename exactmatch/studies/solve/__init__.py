"""Graph matching problems in files."""
