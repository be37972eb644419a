"""What to change in a predicted graph, and what each change is worth."""
