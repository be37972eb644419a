"""Edit distances of graphs of any kind."""
