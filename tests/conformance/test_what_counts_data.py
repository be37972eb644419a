"""Options that choose what counts, on real pairs, against a count of the triples.

Reads ``data/lp`` under the folder ``EXACTMATCH_DATA``; ``--full-conformance`` takes
every pair instead of 200.  The oracle writes down in a few lines what counts
(``support/graph_strategies.py``), and shares no code with what is tested.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.graph_strategies import counted, matches

from exactmatch.formats.blocks import read_blocks
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.metrics.smatch import Smatch

FOLDER = os.environ.get("EXACTMATCH_DATA")
SAMPLE, SEED = 200, 1943
ROLES = ("ARG0", "ARG1", "polarity", "name", "op1", "wiki", "domain", "mod", "time")

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"top": "none"},
    {"top": "concept"},
    {"top": "concept", "leave_out": ("concept",)},
    {"top": "concept", "only": ("top",)},
    {"leave_out": ("top",)},
    {"only": ("ARG99",)},
    {"leave_out": ("ARG99",)},
    {"only": ("polarity",)},
    {"only": ("concept",)},
    {"only": ("concept", "ARG0", "ARG1"), "leave_out": ("ARG1",)},
    {"wiki": False},
    {"sense": False},
    {"sense": False, "top": "concept"},
    {"duplicates": "set"},
    {"duplicates": "multiset", "only": ("name", "op1")},
    {"duplicates": "product", "only": ("name", "op1")},
    {"just": "attribute"},
    {"just": "attribute", "leave_out": ("top",)},
    {"just": "relation"},
    {"ignore_unannotated": True},
)


def paths() -> list[str]:
    return [str(Path(FOLDER or "") / f"data/lp/{name}.amr") for name in NAMES]


NAMES = ("parsed", "gold")


@cache
def pairs(reader: str, full: bool) -> list[tuple[Graph, Graph]]:
    metric = Smatch(PROFILES[reader])
    sides = [[metric.read(b).item for b in read_blocks(path)] for path in paths()]
    both = list(zip(*sides, strict=True))
    return both if full else random.Random(SEED).sample(both, SAMPLE)


def erased(triples: list[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    """Triples without their variables: what is shared bounds what can match."""
    return Counter((t[0], *t[2:-1], "" if t[0] == "r" else t[-1]) for t in triples)


def scored(left: Graph, right: Graph, profile: Profile) -> int:
    """Score a pair; every number is held against the triples that count."""
    metric = Smatch(profile)
    pair = metric.compare(metric.prepare(left), metric.prepare(right))
    ours, theirs = counted(left, profile, right), counted(right, profile)
    if profile.duplicates == "set":
        ours, theirs = list(set(ours)), list(set(theirs))
    matched, bound, *totals, _, _ = pair.statistics
    assert totals == [len(ours), len(theirs)]
    names = pair.solution.alignment
    to = {left.variables[i]: right.variables[j] for i, j in enumerate(names) if j >= 0}
    assert matched == bound == matches(left, right, profile, to)
    shared = (erased(ours) & erased(theirs)).total()
    assert matched <= shared or profile.duplicates == "product"
    score = metric.scores(pair.statistics)
    if not ours and not theirs:
        assert score.is_defined is not bool(profile.only or profile.leave_out)
        assert score.f1 == 0
    return int(matched)


@pytest.mark.parametrize("profile", ["smatch", "clean", "smatchpp-none"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_what_counts_is_what_the_triples_say(
    profile: str, options: dict[str, Any], full: bool
) -> None:
    """``smatchpp-none`` compares labels as they are written, case included."""
    chosen = PROFILES[profile].with_options(nothing=0, **options)
    for left, right in pairs(profile, full):
        scored(left, right, chosen)


@pytest.mark.parametrize("duplicates", ["multiset", "set"])
def test_parts_match_no_less_than_the_whole(duplicates: Any, full: bool) -> None:
    """Each part has its own best alignment; more roles never match less."""
    rng = random.Random(SEED)
    profile = PROFILES["clean"].with_options(duplicates=duplicates)
    for left, right in pairs("clean", full):
        roles = tuple(rng.sample((*ROLES, "concept", "top"), rng.randint(1, 3)))
        part = scored(left, right, profile.with_options(only=roles))
        rest = scored(left, right, profile.with_options(leave_out=roles))
        more = scored(left, right, profile.with_options(only=(*roles, "ARG2")))
        same = scored(left, right, profile.with_options(only=(*roles, "nosuch")))
        whole = scored(left, right, profile)
        assert max(part, rest) <= whole <= part + rest
        assert part == same <= more


def test_the_command_line_counts_the_same(cli: Cli) -> None:
    for options, asked in (
        ({"only": ("polarity",)}, ["--only", "polarity"]),
        ({"leave_out": ("top", "arg0")}, ["--except", "TOP,:ARG0"]),
    ):
        profile = PROFILES["smatch"].with_options(**options)
        found = cli.record(*paths(), "--per-pair", *asked, "-q")
        for pair, (left, right) in zip(
            found["per_pair"], pairs("smatch", True), strict=True
        ):
            totals = len(counted(left, profile)), len(counted(right, profile))
            assert (pair["pred_total"], pair["gold_total"]) == totals
            assert (pair["score"] is None) is (totals == (0, 0))
        for name in ("matched", "pred_total", "gold_total"):
            assert found[name] == sum(pair[name] for pair in found["per_pair"])
