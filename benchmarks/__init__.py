"""Benchmarks of exactmatch beside its alternatives.

``python -m benchmarks`` runs what :mod:`benchmarks.speed.registry` lists;
``README.md`` says what each one measures and how to repeat its figures.
"""
