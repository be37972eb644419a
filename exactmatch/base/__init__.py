"""Words, numbers, errors, files and provenance: imports nothing of ours."""
