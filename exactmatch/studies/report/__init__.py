"""The page on which every pair can be browsed."""
