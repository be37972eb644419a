"""The graph, its other forms, and the rules that say which triples count."""
