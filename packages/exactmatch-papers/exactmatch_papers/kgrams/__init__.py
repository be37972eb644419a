"""Which k-grams SemBleu compares."""
