"""What is shown of each answer, one file a question: library results as tables."""
