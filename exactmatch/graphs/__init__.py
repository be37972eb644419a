"""The graph, its other forms, and the rules of which triples count."""
