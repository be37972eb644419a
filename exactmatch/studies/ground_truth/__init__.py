"""Edit distances of a whole set, proven or as intervals, kept in a folder."""
