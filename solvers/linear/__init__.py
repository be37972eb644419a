"""The aggregated linear model, its relaxation, and what branches on it."""
