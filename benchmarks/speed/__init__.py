"""What takes how long: exactmatch, its solvers and its peers on the same files."""
