"""Which errors there are, and what each costs."""
