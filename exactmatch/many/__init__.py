"""Many graphs compared exactly: matrices, nearest neighbours, consensus, clusters."""
