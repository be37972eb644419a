"""Results of the library as tables, one file a question."""
