"""Parts that stand for one node, on copies of workflows and on answers of models.

The tables of ``docs/papers/machine.md`` about ``--parts``: what a split and a merged
step score with and without, and whether a missing or a foreign step is excused.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

import exactmatch

Workflow: TypeAlias = dict[str, Any]
Change: TypeAlias = Callable[[Workflow], "Workflow | None"]

SECONDS = 1.0
"""The limit of a pair."""

SHARES, EVERY = (0.0, 0.1, 0.2, 0.3), 10
"""Shares of words that are replaced, in every tenth workflow."""


def inner(graph: Workflow) -> list[int]:
    """Return the numbers of the steps, without START and END."""
    return [k for k, n in enumerate(graph["nodes"]) if n not in ("START", "END")]


def missing(draw: random.Random, bridged: bool) -> Change:
    """Leave a step out; *bridged*, its neighbours are joined."""

    def change(graph: Workflow) -> Workflow | None:
        steps = inner(graph)
        if len(steps) < 2:
            return None
        k = draw.choice(steps)
        edges = [(a, b) for a, b in graph["edges"] if k not in (a, b)]
        if bridged:
            before = [a for a, b in graph["edges"] if b == k]
            after = [b for a, b in graph["edges"] if a == k]
            edges += [(a, b) for a in before for b in after]
        rest = [n for n in range(len(graph["nodes"])) if n != k]
        place = {n: number for number, n in enumerate(rest)}
        return {
            "nodes": [graph["nodes"][n] for n in rest],
            "edges": [[place[a], place[b]] for a, b in dict.fromkeys(edges)],
        }

    return change


def foreign(draw: random.Random, golds: list[Workflow]) -> Change:
    """Put a step of another workflow on an edge."""

    def change(graph: Workflow) -> Workflow | None:
        steps = inner(other := draw.choice(golds))
        if not steps or not graph["edges"]:
            return None
        label = other["nodes"][draw.choice(steps)]
        at, new = draw.randrange(len(graph["edges"])), len(graph["nodes"])
        edges = [list(edge) for edge in graph["edges"]]
        a, b = edges.pop(at)
        return {
            "nodes": [*graph["nodes"], label],
            "edges": [*edges, [a, new], [new, b]],
        }

    return change


class Measured(NamedTuple):
    """Scores of pairs one to one and with parts."""

    one: list[float]
    parts: list[float]
    seconds: tuple[float, float]
    slowest: float
    unproven: int

    @property
    def gains(self) -> int:
        """Number of pairs that score higher with parts."""
        pairs = zip(self.one, self.parts, strict=True)
        return sum(b > a + 1e-9 for a, b in pairs)

    def with_others(self, others: Measured) -> Measured:
        """Return these pairs and others."""
        return Measured(
            [*self.one, *others.one],
            [*self.parts, *others.parts],
            (
                self.seconds[0] + others.seconds[0],
                self.seconds[1] + others.seconds[1],
            ),
            max(self.slowest, others.slowest),
            self.unproven + others.unproven,
        )

    def share_row(self) -> tuple[object, ...]:
        """How many score 0.9 or more, how many gain, and their share."""
        count = len(self.one)
        high = sum(score >= 0.9 for score in self.parts)
        share = f"{100 * self.gains / max(count, 1):.1f} %"
        return count, high, self.gains, share, f"{self.slowest:.2f} s", self.unproven

    def row(self) -> tuple[object, ...]:
        """Means, how many gain, milliseconds a pair, and the slowest."""
        count = max(len(self.one), 1)
        ms = [f"{1000 * seconds / count:.2f}" for seconds in self.seconds]
        means = float(np.mean(self.one)), float(np.mean(self.parts))
        slowest = f"{self.slowest:.2f} s"
        return (len(self.one), *means, self.gains, *ms, slowest, self.unproven)


COLUMNS = (
    *("pairs", "one to one", "parts 2", "gain", "ms", "ms, parts"),
    *("slowest", "not proven"),
)


def copies(
    golds: list[Workflow],
    others: dict[str, Change],
    is_same: Callable[[Any, Any], bool],
) -> dict[str, list[tuple[Workflow, Workflow]]]:
    """Make copies of workflows, those that are not the same, by what was done."""
    draw = random.Random(0)
    made = {
        **others,
        "a step missing": missing(draw, bridged=False),
        "a step missing, its neighbours joined": missing(draw, bridged=True),
        "a foreign step": foreign(draw, golds),
    }
    pairs_of: dict[str, list[tuple[Workflow, Workflow]]] = {}
    for name, change in made.items():
        pairs = ((change(gold), gold) for gold in golds)
        pairs_of[name] = [
            (p, g) for p, g in pairs if p is not None and not is_same(p, g)
        ]
    return pairs_of


def _reword(near: Callable[[str], str], share: float) -> Callable[[str], str]:
    """Return what replaces a share of the words of labels."""
    draw = random.Random(7)

    def other(label: str) -> str:
        words = label.split()
        return " ".join(near(w) if draw.random() < share else w for w in words)

    return other


def reworded(
    golds: list[Workflow], others: dict[str, Change], near: Callable[[str], str]
) -> list[tuple[object, ...]]:
    """Count the copies that gain where a share of their words is another one."""
    kept = ("a step split", "two steps merged")
    made = {
        **{name: others[name] for name in kept},
        "a step missing": missing(random.Random(5), bridged=False),
        "a foreign step": foreign(random.Random(6), golds),
    }
    rows = []
    for share in SHARES:
        cells: list[object] = [f"{share:.0%}"]
        for change in made.values():
            draw = random.Random(7)

            def other(
                label: str, draw: random.Random = draw, share: float = share
            ) -> str:
                words = label.split()
                return " ".join(near(w) if draw.random() < share else w for w in words)

            pairs = []
            for gold in golds[::EVERY]:
                copy = change(gold)
                if copy is not None:
                    ends = ("START", "END")
                    nodes = [n if n in ends else other(n) for n in copy["nodes"]]
                    pairs.append(({"nodes": nodes, "edges": copy["edges"]}, gold))
            figures = measured(pairs)
            cells.append(f"{figures.gains} of {len(pairs)}")
        rows.append(tuple(cells))
    return rows


def measured(pairs: list[tuple[Any, Any]], **options: Any) -> Measured:
    """Score pairs one to one and with parts; time is that of comparing."""
    metrics: list[Any] = [
        exactmatch.make_metric("graph", parts=parts, **options) for parts in (1, 2)
    ]
    limits = exactmatch.Limits(seconds=SECONDS)
    f1_scores: tuple[list[float], list[float]] = ([], [])
    spent, slowest, unproven = [0.0, 0.0], 0.0, 0
    for pair in pairs:
        for which, metric in enumerate(metrics):
            sides = [metric.prepare(metric.read(graph).item) for graph in pair]
            begin = time.process_time()
            statistics = metric.compare(*sides, limits=limits).statistics
            seconds = time.process_time() - begin
            spent[which] += seconds
            score = metric.scores(statistics)
            f1_scores[which].append(score.score)
            if which:
                slowest = max(slowest, seconds)
                unproven += not score.proven
    return Measured(*f1_scores, (spent[0], spent[1]), slowest, unproven)
