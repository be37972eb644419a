"""Whether systems differ, or it is chance."""
