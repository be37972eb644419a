"""Agreement of metrics with people."""
