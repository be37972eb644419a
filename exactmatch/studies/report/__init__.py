"""Page on which every pair can be browsed."""
