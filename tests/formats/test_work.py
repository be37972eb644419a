"""How much work reading is, counted in calls of Python functions, not in seconds."""

from __future__ import annotations

import io

import pytest
from support.work import calls_of

from exactmatch.formats.formats import get_format
from exactmatch.formats.readings import read_block
from exactmatch.graphs.profile import get_profile

REPEATED = {
    "clauses": ("b1 REF x1\n", "b1 Agent e1 x1\n", ""),
    "sbn": ("person.n.01 ", "Agent -1 ", "\n"),
    "triples": ("a\tinstance\tb\n", "a\tARG0\ta\n", ""),
    "node-link": (
        '{"directed": true, "multigraph": true, "graph": {"top": "a"}, "nodes": '
        '[{"id": "a", "concept": "b"}], "edges": [',
        '{"source": "a", "target": "a", "role": "R"},',
        '{"source": "a", "target": "a", "role": "R"}]}',
    ),
    "mrp": (
        '{"id": "1", "framework": "eds", "flavor": 1, "version": 1.1, "tops": [0], '
        '"input": "x", "nodes": [{"id": 0, "label": "a"}], "edges": [',
        '{"source": 0, "target": 0, "label": "A"},',
        '{"source": 0, "target": 0, "label": "A"}]}',
    ),
    "penman": ("(a / b ", ":ARG0 a ", ")\n"),
}
"""For each format the beginning of a graph, a role to repeat, and the end."""

MOST = 40
"""So many calls of Python functions one more role may cost."""


def _work(name: str, times: int) -> int:
    """The calls that reading one role, so many times over, takes under ``smatch``."""
    begins, repeated, ends = REPEATED[name]
    text = io.StringIO(begins + repeated * times + ends)
    (block,) = get_format(name).blocks(text, None)
    profile = get_profile("smatch")
    read_block(block, profile)  # imports what it needs
    return calls_of(lambda: read_block(block, profile))


@pytest.mark.parametrize("name", REPEATED)
def test_every_further_role_takes_as_much_work(name: str) -> None:
    """Twice as many roles are twice the work, in every format."""
    few, more, most = (_work(name, times) for times in (100, 200, 400))
    assert most - more <= 2 * (more - few) + 20
    assert (most - more) / 200 <= MOST
