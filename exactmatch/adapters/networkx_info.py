"""Description of the backend, which networkx reads whenever it is imported."""

from typing import Any

_EXACT = "Solved to the proven optimum, in milliseconds for most graphs of 30 nodes."
_DOCS = {
    "graph_edit_distance": f"{_EXACT} After a timeout, the best found so far.",
    "optimal_edit_paths": _EXACT,
    "optimize_graph_edit_distance": "The last distance is proven to be the least.",
    "optimize_edit_paths": "The last path is proven to be the cheapest.",
}


def info() -> dict[str, Any]:
    """Return the backend's name and functions, and the differences of each."""
    return {
        "backend_name": "exactmatch",
        "project": "exactmatch",
        "package": "exactmatch",
        "short_summary": "Exact graph edit distance with proofs.",
        "description": "Exact graph edit distance and edit paths, proven optimal.",
        "functions": {name: {"additional_docs": docs} for name, docs in _DOCS.items()},
    }
