"""Semantic aspects: Smatch on the part of the graphs about one topic.

An aspect is a set of roles, or of concepts, by their meaning in the AMR guidelines.  It
is aligned by itself (``realign``), or counted in the alignment of the whole graphs
(``main``).  Where optimal alignments of the whole differ in the aspect, its score is
the range over all of them: ``matched`` is the least number of matched triples,
``bound`` the greatest, and a pair is *proven* if they are equal.

Source: Opitz (2023), "SMATCH++: Standardized and Extended Evaluation of Semantic
Graphs", for the idea; what belongs to each aspect, and so the numbers, are our own,
after the AMR 1.2.6 specification (Banarescu et al.) and ``penman.models.amr``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

from exactmatch.base.errors import InputError
from exactmatch.engine.align import Want
from exactmatch.engine.problem import CodedGraph, GraphProblem, encode
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.aligning import PartScore
from exactmatch.metrics.base import Metric, Pair
from exactmatch.metrics.finegrained import parts
from exactmatch.metrics.smatch import Smatch
from exactmatch.solvers.base import Solver
from exactmatch.solvers.enumeration import OptimalFace
from exactmatch.solvers.solution import Limits

Way: TypeAlias = Literal["realign", "main"]


@dataclass(frozen=True, slots=True)
class Aspect:
    """One topic of graphs: in words, and as a part of a graph."""

    name: str
    title: str
    what: str
    part: Callable[[Graph], Graph]
    roles: tuple[str, ...] = ()


def questions(graph: Graph) -> Graph:
    """Return the part of a graph with questioned nodes and their edges."""
    questioned = ("amr-unknown", "amr-choice")
    nodes = {v for v, c in graph.instances if graph.labels[c] in questioned}
    attributes = [row for row in graph.attributes if row[0] in nodes]
    edges = [row for row in graph.relations if row[0] in nodes or row[2] in nodes]
    return parts.part(graph, attributes, edges, alone=nodes)


concepts_only = partial(Graph.revised, attributes=(), relations=(), top=None)


def focus(graph: Graph) -> Graph:
    """Return the part of a graph that holds the root's mark and concept."""
    root = tuple(row for row in graph.instances if row[0] == graph.top)
    return graph.revised(instances=root, attributes=(), relations=())


def names(graph: Graph) -> Graph:
    """Return the names of named entities: ``:name`` and the ``:opN`` behind it."""
    labels = graph.labels
    named = {target for _, role, target in graph.relations if labels[role] == "name"}

    def counts(row: parts.Row) -> bool:
        role = labels[row[1]]
        return role == "name" or (row[0] in named and role.startswith("op"))

    chosen = filter(counts, graph.attributes), filter(counts, graph.relations)
    return parts.part(graph, *chosen)


def _by_roles(name: str, title: str, *roles: str) -> Aspect:
    listed = ", ".join(f":{role}" for role in roles)
    part = partial(parts.with_roles, chosen=roles.__contains__)
    return Aspect(name, title, listed, part, roles)


_DATE = (
    *("calendar", "century", "day", "dayperiod", "decade", "era", "month"),
    *("quarter", "season", "timezone", "weekday", "year", "year2"),
)

ASPECTS: dict[str, Aspect] = {
    aspect.name: aspect
    for aspect in (
        _by_roles("agent", "Agent", "ARG0"),
        _by_roles("patient", "Patient", "ARG1"),
        Aspect("core-roles", "Core roles", ":ARG0, :ARG1, …", parts.core_roles),
        _by_roles("cause", "Cause", "cause"),
        _by_roles("condition", "Condition", "condition", "concession"),
        _by_roles("purpose", "Purpose", "purpose"),
        _by_roles("instrument", "Instrument", "instrument", "medium"),
        _by_roles("manner", "Manner", "manner"),
        _by_roles("company", "Company", "accompanier", "beneficiary"),
        _by_roles(
            "location",
            "Location",
            *("location", "source", "destination", "direction", "path"),
        ),
        _by_roles("time", "Time", "time", "duration", "frequency", *_DATE),
        _by_roles("possession", "Possession", "poss"),
        _by_roles("part", "Part and whole", "part", "consist-of", "subset", "superset"),
        _by_roles("topic", "Topic", "topic"),
        _by_roles("modification", "Modification", "mod"),
        _by_roles("quantity", "Quantity", "quant", "unit", "scale", "range", "value"),
        _by_roles("degree", "Degree", "degree", "extent"),
        _by_roles("polarity", "Polarity", "polarity"),
        _by_roles("mode", "Mode", "mode", "polite"),
        Aspect("question", "Question", "amr-unknown, amr-choice", questions),
        Aspect("names", "Names", ":name and its :opN", names, ("name",)),
        _by_roles("wiki", "Wiki", "wiki"),
        Aspect("focus", "Focus", "the root", focus),
        Aspect("all-concepts", "All concepts", "every concept", concepts_only),
        Aspect(
            "all-reentrancies",
            "All re-entrancies",
            "relations into variables that have several",
            parts.reentrant,
        ),
    )
}
"""All aspects by name, in the order of tables."""


@dataclass(frozen=True, slots=True, eq=False)
class AspectGraph:
    """A coded graph, and its parts as far as they were needed."""

    whole: CodedGraph
    _parts: dict[str, CodedGraph] = field(default_factory=dict, repr=False)

    def part(self, aspect: Aspect) -> CodedGraph:
        """Return the part of one aspect, coded at its first use."""
        if aspect.name not in self._parts:
            part = encode(aspect.part(self.whole.graph), _PROFILE)
            self._parts[aspect.name] = part
        return self._parts[aspect.name]


class AspectScore(PartScore[AspectGraph]):
    """Score of one aspect, aligned anew or counted in the whole's alignment."""

    def __init__(self, aspect: Aspect, smatch: Smatch, way: Way) -> None:
        super().__init__(smatch, aspect.name, aspect.title, aspect.what)
        self.aspect, self.whole, self.way = aspect, smatch, way

    @property
    def preparation_key(self) -> Hashable:
        return AspectScore

    @property
    def comparison_key(self) -> Hashable:
        return (AspectScore, self.whole) if self.way == "main" else self

    def prepare(self, item: Graph) -> AspectGraph:
        return AspectGraph(self.whole.prepare(item))

    def build_problem(self, left: AspectGraph, right: AspectGraph) -> GraphProblem:
        parts = left.part(self.aspect), right.part(self.aspect)
        return GraphProblem(*parts, self.profile, max_terms=self.max_terms)

    def compare_shared(
        self, sides: Sequence[Any], limits: Limits | None, want: Want
    ) -> Any:
        if self.way == "realign":
            return super().align(sides, limits, want)
        pred, gold = self.pred_and_gold(sides)
        pair = self.whole.compare(pred.whole, gold.whole, limits=limits)
        optima = OptimalFace(pair.problem.problem, pair.solution.alignment)
        return pred, gold, pair, optima

    def pair_of(self, comparison: Any) -> Pair:
        if self.way == "realign":
            return super().pair_of(comparison)
        pred, gold, pair, optima = comparison
        part = self.build_problem(pred, gold)
        least_matched, most_matched = optima.range(part.problem)
        return self.read_off(
            pair, least_matched, most_matched, part.left.total, part.right.total
        )

    def signature(self) -> list[tuple[str, str]]:
        return [*super().signature(), ("aspects", self.way)]


_PROFILE = PROFILES["clean"].with_options(reification="dereify")


def aspects(
    way: Way = "realign",
    solver: Solver | str = "auto",
    max_terms: int | None = None,
) -> list[Metric]:
    """Return the aspects' scores, as metrics for one evaluation.

    Args:
        way: ``realign`` aligns each aspect anew, ``main`` reads it off the alignment of
            the whole graphs.
        solver: the solver that aligns the variables.
        max_terms: largest size of an alignment problem.

    Raises:
        InputError: if there is no such way.
    """
    if way not in get_args(Way):
        raise InputError(f"aspects are scored by 'realign' or 'main', not {way!r}")
    smatch = Smatch(_PROFILE, solver, max_terms)
    return [AspectScore(aspect, smatch, way) for aspect in ASPECTS.values()]
