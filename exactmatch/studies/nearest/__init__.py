"""Most similar graphs of a bank."""
