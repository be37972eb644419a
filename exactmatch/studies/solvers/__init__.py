"""Solvers that can be used on this machine."""
