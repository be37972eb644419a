"""How alike two concepts or words are, in [0, 1]: by letters, vectors or models."""
