"""Effect on the score of each choice of a profile."""
