"""How far apart any two graphs are: edit distance and common subgraphs, proven.

Graphs are those of networkx, of any kind; nothing here knows what they mean.
"""
