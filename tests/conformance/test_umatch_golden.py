"""juːmæʧ against the published program: 46 documents in five settings.

Totals and what is aligned are equal everywhere but in one file that holds two
documents, whose names the program confuses.  The mapping was worked out from values, so
on four documents a few nodes are mapped otherwise; the differences are listed.  They
are all of one kind: a node with several words may be mapped to one of several nodes,
of which none, or more than one, has its concept.  On each of the four, choosing
otherwise for one to four of 5 to 25 such nodes gives all figures of the program.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path
from typing import Any

import pytest

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.metrics.umr.umatch import Annotated, Umatch, candidates, mapped_nodes
from exactmatch.reading.formats import FORMATS

FOLDER = os.environ.get("EXACTMATCH_DATA")

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

UMR = PROFILES["umr"]
SETTINGS: dict[str, Profile] = {
    "default": UMR,
    "top": UMR.with_options(top="constant"),
    "no-document-level": UMR.with_options(beside="nothing"),
    "except-aspect": UMR.with_options(leave_out=("aspect", "modal-strength")),
    "only-concept": UMR.with_options(only=("concept",)),
}

TWO_DOCUMENTS = "umatch-pcedt-gold-conv-0-16"

FURTHEST = {
    "umatch-pdt-gold-conv-9-14": 1,
    "umatch-pdt-gold-conv-0-25": 2,
    "umatch-pcedt-gold-conv-11-16": 1,
    TWO_DOCUMENTS: 5,
}
"""How many equal values more or fewer there are at most, where nodes are mapped
otherwise than the program maps them."""

Pairs = list[tuple[int, int]]


def records() -> list[Any]:
    if not FOLDER:
        return []
    path = Path(FOLDER) / "golden/umatch.dev.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]


def graph_of(text: str) -> Graph:
    umr = FORMATS["umr-file"]
    (block,) = umr.blocks(text.splitlines(keepends=True), None)
    return umr.read(block).graph


def row(stated: Any, matched: str = "correct") -> list[float]:
    return [stated[matched], stated["total_system"], stated["total_gold"]]


@pytest.mark.parametrize("record", records(), ids=lambda record: record["id"])
def test_document(record: Any) -> None:
    pred, gold = graph_of(record["system"]), graph_of(record["gold"])
    for setting, profile in SETTINGS.items():
        metric = Umatch(profile)
        found = metric.scores(metric.measure(pred, gold).statistics)
        values = [found.matched, found.pred_total, found.gold_total]
        parts = {kind: list(part) for kind, part in found.parts.items()}
        stated = record["umatch"][setting]
        expected = row(stated["umatch"])
        assert parts["aligned token sets"] == row(stated["aligned token sets"])
        nodes = row(stated["node projections"], "mapped_gold")
        assert parts["mapped nodes"][1:] == nodes[1:]
        if record["id"] in FURTHEST:
            most = FURTHEST[record["id"]]
            assert values[0] == pytest.approx(expected[0], abs=most)
            assert parts["mapped nodes"][0] == pytest.approx(nodes[0], abs=1)
            if record["id"] != TWO_DOCUMENTS:
                assert values[1:] == expected[1:]
            continue
        assert values == expected
        assert parts["mapped nodes"] == nodes
        assert parts["mapped nodes' values"] == row(stated["triples in mapped nodes"])
        assert found.f1 == pytest.approx(stated["umatch"]["f"] or 0.0, abs=1e-12)


def apart(pairs: Pairs) -> list[Pairs]:
    """The pairs that share no node with one another."""
    parts: list[Pairs] = []
    for pair in pairs:
        near = [p for p in parts if any(pair[0] == v or pair[1] == w for v, w in p)]
        parts = [p for p in parts if p not in near] + [[pair, *chain(*near)]]
    return parts


def ways(pairs: Pairs, chosen: Pairs, rest: Pairs) -> Iterator[Pairs]:
    """The ways to map nodes one to one so that no further pair can be added."""
    if not rest:
        if all(any(v == a or w == b for a, b in chosen) for v, w in pairs):
            yield chosen
        return
    v, w = rest[0]
    if all(v != a and w != b for a, b in chosen):
        yield from ways(pairs, [*chosen, (v, w)], rest[1:])
    yield from ways(pairs, chosen, rest[1:])


def choices(gold: Annotated, pred: Annotated, part: Pairs, ours: Pairs) -> list[Pairs]:
    """The ways that leave as many nodes as possible with their concepts.

    Nodes without words are mapped as we map them.
    """
    if not all(gold.words[v] for v, _ in part):
        return [ours]

    def same(way: Pairs) -> int:
        return sum(gold.concepts[v] == pred.concepts[w] for v, w in way)

    every = list(ways(part, [], part))
    most = max(map(same, every))
    return [way for way in every if same(way) == most]


Figures = tuple[float, ...]

WITHIN = ("no-document-level", "only-concept", "except-aspect", "top")
"""The settings that tell of values of mapped nodes; ``default`` repeats the first."""

EXPLAINED = {
    "umatch-pdt-gold-conv-9-14": (5, 1),
    "umatch-pdt-gold-conv-0-25": (20, 2),
    "umatch-pcedt-gold-conv-11-16": (9, 1),
    TWO_DOCUMENTS: (25, 4),
}
"""How many choices there are, and for how many the program's differ from ours."""


def stated_figures(record: Any) -> Figures:
    return tuple(
        number
        for setting in WITHIN
        for number in (
            *row(record["umatch"][setting]["triples in mapped nodes"]),
            record["umatch"][setting]["node projections"]["mapped_gold"],
        )
    )


@pytest.mark.parametrize(
    "record",
    [r for r in records() if r["id"] in FURTHEST],
    ids=lambda record: record["id"],
)
def test_differences_are_a_few_choices_among_several_nodes(record: Any) -> None:
    """All 16 figures at once, sentence by sentence, with the fewest choices changed."""
    metrics = [Umatch(SETTINGS[setting]) for setting in WITHIN]
    graphs = graph_of(record["gold"]), graph_of(record["system"])
    sides = [tuple(map(metric.prepare, graphs)) for metric in metrics]

    def figures(pairs: Pairs) -> Figures:
        found: list[float] = []
        for metric, (gold, pred) in zip(metrics, sides, strict=True):
            parts = metric.scores(metric.counts(pred, gold, dict(pairs)).statistics)
            found += [*parts.parts["mapped nodes' values"]]
            found.append(parts.parts["mapped nodes"].matched)
        return tuple(found)

    gold, pred = sides[0]
    known = mapped_nodes(gold, pred)
    fewest: dict[Figures, int] = {(0.0,) * 4 * len(WITHIN): 0}
    open_ones = 0
    for pairs in candidates(gold, pred):
        options = []
        for part in apart(pairs):
            ours = [(v, w) for v, w in part if known.get(v) == w]
            every = choices(gold, pred, part, ours)
            options.append([(way, int(set(way) != set(ours))) for way in every])
            open_ones += len(every) > 1
        found: dict[Figures, int] = {}
        for chosen in product(*options):
            sums = figures([*chain(*(way for way, _ in chosen))])
            changes = sum(changed for _, changed in chosen)
            found[sums] = min(changes, found.get(sums, changes))
        before, fewest = fewest, {}
        for (a, m), (b, n) in product(before.items(), found.items()):
            both = tuple(x + y for x, y in zip(a, b, strict=True))
            fewest[both] = min(m + n, fewest.get(both, m + n))
    assert (open_ones, fewest[stated_figures(record)]) == EXPLAINED[record["id"]]
