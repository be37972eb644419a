"""How much each choice of what counts moves the score."""
