"""Graphs as programs and language models write them, and answers that hold graphs."""
