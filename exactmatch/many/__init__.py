"""Many graphs with many: matrices, neighbours, consensus and clusters, all exact."""
