"""The compiled search: bounds, assignment, climbing, branching, the proof log."""
