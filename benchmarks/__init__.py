"""How fast exactmatch is, beside everything a user could pick instead.

``python -m benchmarks`` runs what :mod:`benchmarks.speed.registry` lists;
``README.md`` says what each one measures and how to repeat its figures.
"""
