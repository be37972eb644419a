"""K-grams that SemBleu compares."""
