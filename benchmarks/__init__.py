"""How fast exactmatch is, beside everything a user could pick instead.

``python -m benchmarks`` runs the benchmarks that :mod:`benchmarks.registry` lists;
``README.md`` says what each one measures and how to repeat its figures.
"""
