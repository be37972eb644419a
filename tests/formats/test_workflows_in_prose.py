"""Workflows of WorFBench with headings in bold, and edges in lists and in prose."""

from __future__ import annotations

import pytest

from exactmatch.formats.machine.answer_texts import graph_in
from exactmatch.formats.machine.json_graphs import network_in

NODES = {
    "plain": "Node:\n1: open\n2: walk in\n",
    "bold": "**Nodes:**\n1. open\n2. walk in\n\n",
    "bold words": "**Nodes**:\n- 1: **open**\n- 2: `walk in`\n\n",
    "headings": "### Nodes\n1. **open**\n2. **walk in**\n\n",
    "alone": "**Node**\n**1.** open\n**2.** walk in\n",
}
EDGES = {
    "plain": "Edges: (START,1) (1,2) (2,END)",
    "bold": "**Edges:** (START,1), (1,2), (2,END)",
    "bold line": "**Edges:**\n(START,1)\n(1,2)\n(2,END)\n",
    "numbers": "Edges:\n1. (START,1)\n2. (1,2)\n3. (2,END)\n",
    "heading": "## Edges\n- `(START, 1)`\n- `(1, 2)`\n- `(2, END)`\n",
    "prose": (
        "To do so:\n\n1. **Edge**: (START, 1)\n   - You begin.\n2. **Edge**: (1, 2)\n"
        "   - You go.\n3. **Edge**: (2, END)\n\nSo (1, 2) is the heart of it.\n"
    ),
    "list": "The edges then are:\n- Edge (START, 1)\n- Edge (1, 2)\n- Edge (2, END)\n",
    "no heading": "1. (START,1)\n2. (1,2)\n3. (2,END)\n",
    "subtasks": (
        "As a diagram:\n\n1. **Start**:\n   - Begins.\n\n2. **Edges and Subtasks**:\n"
        "   - (START, 1): **open**\n   - (1, 2): **walk in**\n   - (2, END): end\n"
    ),
}


@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("edges", EDGES)
def test_edges_of_workflows_in_bold_and_numbered_prose(nodes: str, edges: str) -> None:
    text = NODES[nodes] + EDGES[edges]
    expected = [("START", "open"), ("open", "walk in"), ("walk in", "END")]
    for answer in (text, f"Sure! Here it is:\n\n{text}", f"```\n{text}\n```"):
        found = network_in(graph_in(answer, "repair"))
        label = {name: own for name, (own, _) in found.nodes.items()}
        assert [(label[s], label[t]) for s, _, t in found.edges] == expected, answer
