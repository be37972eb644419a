"""How far apart graphs of any kind are."""
