"""Bare scripts, each run in a process of its own by the interpreter it measures.

They import nothing from this package: the interpreter may be one in which it is
not importable.  Each writes one JSON object a line to standard output.
"""
