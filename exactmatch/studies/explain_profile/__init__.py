"""Effect of each choice of what counts on the score."""
