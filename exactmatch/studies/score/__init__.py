"""How the scores of files are shown."""
