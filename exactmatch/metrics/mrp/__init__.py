"""Scores of graphs as the shared tasks on meaning representation parsing count them."""
