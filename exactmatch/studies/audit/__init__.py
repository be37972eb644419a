"""Search error of a hill-climber."""
