"""Scores inside other programs: trainers and libraries of metrics.

None of these modules imports the package that it serves; each keeps to the protocol
that the package documents, so that it works with or without it.
"""
