"""Changes that mend a predicted graph, and the worth of each."""
