"""The C types of ``_packing.py``."""

cdef int HEAD
