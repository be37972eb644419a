"""What a graph is, what of it counts, and its other forms."""
