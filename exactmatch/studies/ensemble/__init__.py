"""The parse that agrees most with several."""
