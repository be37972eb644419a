"""Parts of a corpus that were scored apart, added up to one answer."""
