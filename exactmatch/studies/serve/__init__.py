"""The report of files that are still being written."""
