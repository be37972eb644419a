"""How wrong a hill-climber is."""
