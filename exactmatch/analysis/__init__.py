"""What a score, a difference or a metric is worth: one file a question."""
