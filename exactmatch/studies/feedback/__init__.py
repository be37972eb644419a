"""Changes that mend a predicted graph, with the price of each."""
