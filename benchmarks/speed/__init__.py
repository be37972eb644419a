"""Times of exactmatch, its solvers and its peers on the same files."""
