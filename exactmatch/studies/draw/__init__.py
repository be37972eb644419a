"""A picture of a graph, or of a pair."""
