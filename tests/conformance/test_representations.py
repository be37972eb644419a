"""One graph, one score, whatever it came as, on 300 graphs that people made."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.representations import WRITTEN, forms

import exactmatch
from exactmatch.formats.blocks import read_blocks
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.profile import PROFILES

DATA = os.environ.get("EXACTMATCH_DATA")
pytestmark = pytest.mark.skipif(DATA is None, reason="EXACTMATCH_DATA is not set")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Graphs of the Little Prince."""
    blocks = read_blocks(Path(DATA or "", "data", "lp", "gold.amr"))
    return ["\n".join(block.lines) for block in itertools.islice(blocks, 300)]


@pytest.mark.parametrize("name", PROFILES)
def test_every_form_against_every_form(
    name: str, texts: list[str], note: Callable[[str], None]
) -> None:
    """All counts are those of the text against itself.

    Under three profiles it counts how a relation is written, which triples alone do
    not say; there they must count as the text does that is written of them.
    """
    profile = PROFILES[name]
    metric = exactmatch.make_metric(
        "sembleu" if name == "sembleu" else "smatch", profile=profile
    )
    otherwise = 0
    for text in texts:
        graphs = [as_graph(form, profile) for _, form in forms(text, profile)]
        whole = metric.measure(graphs[0], graphs[0]).statistics
        for pred, gold in itertools.product(graphs, repeat=2):
            assert metric.measure(pred, gold).statistics == whole, text
        otherwise += len(graphs) == 4
    assert otherwise <= (len(texts) // 100 if name in WRITTEN else 0)
    if otherwise:
        note(f"{name}: {otherwise} of {len(texts)} graphs are written otherwise")
