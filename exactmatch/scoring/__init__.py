"""Many pairs scored, summed and resampled, in one process or many."""
