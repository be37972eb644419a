"""The metric of the task beside this file."""

from exactmatch.adapters.lm_eval import functions

results, _, f1 = functions(
    "graph", count="edges", node_similarity="lcs", gold="triples", name="exact_triples"
)
