"""Texts whose reading is stopped at random: never half a graph, and never silence.

The clock of limits is a second later at each look.  Whoever reads a text under a limit
gets the whole graph, as without one, or the error that names the file.
"""

from __future__ import annotations

import io
import os
import random
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from support.mutations import mutated_text

from exactmatch.base import deadline
from exactmatch.base.deadline import (
    OutOfTimeError,
    ReadingLimits,
    reading,
    reading_within,
)
from exactmatch.base.errors import ExactmatchError
from exactmatch.formats.formats import get_format
from exactmatch.formats.machine.answer_texts import graph_in

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "300"))
UNITS = {
    "mermaid": ("graph TD\n", "a{k} --> b{k}\n"),
    "dot": ("digraph {{", "a{k} -> b{k};\n"),
    "relations": ("", "r{k}(a, b{k})\n"),
    "table": ("subject,relation,object\n", "a,r,b{k}\n"),
    "triples": ("", "a{k}\tr\tb\n"),
    "clauses": ("", "b1 REF x{k}\n"),
    "sbn": ("", "person.n.01\n"),
    "gspan": ("t # 0\n", "v {k} C\n"),
    "worfbench": ("Node:\n", "{k}. a\n"),
    "gml": ("graph [\n", "node [ id {k} ]\n"),
    "edge-list": ("", "a{k} b{k}\n"),
    "answer": ("Here:\n", "(A{k})-[:r]->(B)\n"),
    "chart in an answer": ("```\ngraph TD\n", "a{k} --> b{k}\n"),
}
ENDS = {"dot": "}", "gml": "]", "worfbench": "Edges: (START,1)\n"}
WORDS = ("\n", " ", "{", "(", '"', "->", "--", ";", ",", "\t")


def read(name: str, text: str) -> list[Any]:
    """Return what a text holds, as data."""
    if name not in UNITS or "answer" in name:
        block = graph_in(text, "repair", path="file")
        return [block.lines, block.faults]
    blocks = get_format(name).blocks(io.StringIO(text, newline=None), "file")
    graphs = [
        get_format(block.format or "penman").read(block).graph for block in blocks
    ]
    return [[*map(tuple, graph.triples())] for graph in graphs]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_reading_is_whole_or_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def outcome(name: str, text: str) -> Any:
        try:
            with reading("file"):
                return read(name, text)
        except OutOfTimeError:
            return None
        except ExactmatchError as error:
            return str(error)

    seconds = count()
    fake: Any = SimpleNamespace(
        perf_counter=lambda: float(next(seconds)), time=lambda: 0.0
    )
    monkeypatch.setattr(deadline, "time", fake)
    stopped = 0
    for seed in range(CASES):
        rng = random.Random(seed)
        name = rng.choice([*UNITS])
        begin, unit = UNITS[name]
        rows = (unit.format(k=k + 1) for k in range(rng.randrange(1, 400)))
        text = begin.format() + "".join(rows) + ENDS.get(name, "")
        if rng.random() < 0.5:
            text = mutated_text(rng, text, WORDS)
        whole = outcome(name, text)
        with reading_within(ReadingLimits(each=float(rng.randrange(1, 12)))):
            found = outcome(name, text)
        stopped += found is None
        assert found is None or found == whole, (seed, name)
    assert CASES / 20 < stopped < CASES
