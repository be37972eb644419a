"""A metric, a solver, a format and a command that exactmatch finds by name."""
