"""Two graphs as an alignment problem, and an alignment back as triples."""
