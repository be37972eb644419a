"""The solvers that can be used on this machine."""
