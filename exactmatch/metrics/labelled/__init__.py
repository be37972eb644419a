"""The graph metric: labelled nodes and edges of any graphs, under one best mapping."""
