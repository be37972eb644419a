"""How two graphs are aligned."""
