"""Types of errors, and their costs."""
