"""Semantic aspects: Smatch on the part of the graphs that speaks of one thing.

An aspect is a set of roles, or of concepts, with the meaning that the AMR guidelines
give them.  Its part of a graph is made of the triples with those roles (or around
those concepts) and the concepts of the variables these touch.  Graphs are read as in
profile ``clean``, and reified roles count as the roles they stand for
(``be-located-at-91`` as ``:location``), by penman's AMR model.

Each aspect is scored in one of two ways:

* ``realign``: the variables are aligned anew for the aspect alone, so the score says
  how well the aspect could be matched at best;
* ``main``: the aspect is read off the alignment of the whole graphs.  Where several
  alignments of the whole are optimal and differ in the aspect, its score is the
  range over all of them: the least number of matched triples is ``matched``, the
  greatest is ``bound``, and the pair counts as *proven* if they are the same.

Source: Opitz (2023), "SMATCH++: Standardized and Extended Evaluation of Semantic
Graphs", for the idea; what belongs to each aspect, and so the numbers, are our own,
after the AMR 1.2.6 specification (Banarescu et al.) and ``penman.models.amr``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from exactmatch.errors import InputError
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.base import Measurement, Metric
from exactmatch.metrics.finegrained import parts
from exactmatch.metrics.smatch import AlignmentMetric
from exactmatch.solvers.linear.optima import Optima

if TYPE_CHECKING:
    from exactmatch.alignment.coding import CodedGraph
    from exactmatch.graphs.graph import Graph
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.solution import Limits

Reading: TypeAlias = Literal["realign", "main"]


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing that graphs speak of.

    Attributes:
        name: what its score is called.
        title: the same for tables.
        what: what belongs to it, in words.
        part: makes the part of a graph.
        roles: the roles that belong to it.
    """

    name: str
    title: str
    what: str
    part: Callable[[Graph], Graph]
    roles: tuple[str, ...] = ()


def with_roles(*roles: str) -> Callable[[Graph], Graph]:
    """The part of the edges that have one of some roles."""
    wanted = frozenset(roles)

    def part(graph: Graph) -> Graph:
        return parts.part(graph, [e for e in parts.edges(graph) if e[1] in wanted])

    return part


def with_concepts(*concepts: str) -> Callable[[Graph], Graph]:
    """The part of the variables that have one of some concepts, and their edges."""
    wanted = frozenset(concepts)

    def part(graph: Graph) -> Graph:
        found = {v for v, c in graph.instances if graph.labels[c] in wanted}
        chosen = [e for e in parts.edges(graph) if e[0] in found or e[2] in found]
        return parts.part(graph, chosen, alone=found)

    return part


def concepts_only(graph: Graph) -> Graph:
    """The part of the concepts."""
    return replace(graph, attributes=(), relations=(), top=None)


def focus(graph: Graph) -> Graph:
    """The mark of the root and its concept."""
    kept = tuple(row for row in graph.instances if row[0] == graph.top)
    return replace(graph, instances=kept, attributes=(), relations=())


def names(graph: Graph) -> Graph:
    """The names of named entities: ``:name`` and the ``:opN`` behind it."""
    named = {e[2] for e in parts.edges(graph) if e[1] == "name"}
    return parts.part(
        graph,
        [
            edge
            for edge in parts.edges(graph)
            if edge[1] == "name" or (edge[0] in named and edge[1].startswith("op"))
        ],
    )


def _by_roles(name: str, title: str, *roles: str) -> Aspect:
    listed = ", ".join(f":{role}" for role in roles)
    return Aspect(name, title, listed, with_roles(*roles), roles)


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
        Aspect(
            "question",
            "Question",
            "amr-unknown, amr-choice",
            with_concepts("amr-unknown", "amr-choice"),
        ),
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
"""Every aspect by name, in the order in which they are shown."""


class _Whole(AlignmentMetric):
    """Smatch of the whole graphs, which aspects have in common.

    It keeps the optimal alignments of the pair that was looked at last.
    """

    name = "whole"
    title = "Whole graphs"
    summary = "the alignment that aspects are read off"

    def __init__(self, solver: Solver | str, max_terms: int | None) -> None:
        profile = PROFILES["clean"].with_options(reification="dereify")
        super().__init__(profile, solver, max_terms)
        self._pair: tuple[Graph, Graph, Optima, Measurement] | None = None

    def optima(
        self, pred: Graph, gold: Graph, limits: Limits | None
    ) -> tuple[Optima, Measurement]:
        """All optimal alignments of a pair, and how one of them was found."""
        known = self._pair
        if known is not None and known[0] is pred and known[1] is gold:
            return known[2], known[3]
        measured = self.measure(pred, gold, limits=limits)
        assert measured.solution is not None
        assert measured.pairing is not None
        found = Optima(measured.pairing.problem, measured.solution.alignment)
        self._pair = (pred, gold, found, measured)
        return found, measured


class AspectScore(AlignmentMetric):
    """The score of one aspect."""

    aspect: Aspect

    def __init__(self, whole: _Whole, reading: Reading) -> None:
        super().__init__(whole.counting, whole.solver, whole.max_terms)
        self.whole = whole
        self.reading = reading

    def __reduce__(self) -> tuple[Callable[..., AspectScore], tuple[object, ...]]:
        """Send it to another process by its aspect's name: its class has no place."""
        parts = (self.aspect.name, self.whole, self.reading, self.check_certificates)
        return _aspect_score, parts

    def coded(self, graph: Graph) -> CodedGraph:
        """Code the aspect's part of a graph, with the variables of the whole."""
        from exactmatch.alignment.coding import encode

        whole = self.whole.coded(graph).graph
        return encode(self.aspect.part(whole), self.counting)

    def measure(
        self, pred: Graph, *golds: Graph, limits: Limits | None = None
    ) -> Measurement:
        """Align the parts anew, or read them off the alignment of the whole."""
        if self.reading == "realign" or len(golds) != 1:
            return super().measure(pred, *golds, limits=limits)
        pairing = self.pairing(pred, golds[0])
        self.whole.check_certificates = self.check_certificates
        optima, whole = self.whole.optima(pred, golds[0], limits)
        solution = whole.solution
        assert solution is not None
        least, most = optima.range(pairing.problem)
        statistics = (
            float(least),
            float(most),
            float(pairing.left.total),
            float(pairing.right.total),
            1.0,
            float(least == most and solution.is_optimal),
        )
        return Measurement(statistics, solution, whole.pairing, whole.rejected)

    def signature(self) -> list[tuple[str, str]]:
        """As Smatch, and how the aspect is read."""
        return [*super().signature(), ("aspects", self.reading)]


def aspects(
    reading: Reading = "realign",
    solver: Solver | str = "auto",
    max_terms: int | None = None,
) -> list[Metric]:
    """The aspects' scores, as metrics for one evaluation.

    Args:
        reading: whether each aspect is aligned anew or read off the alignment of the
            whole graphs.
        solver: who aligns the variables.
        max_terms: how large an alignment problem may become.

    Raises:
        InputError: if there is no such reading.
    """
    if reading not in ("realign", "main"):
        raise InputError(f"aspects are read by 'realign' or 'main', not {reading!r}")
    whole = _Whole(solver, max_terms)
    return [_score_class(aspect)(whole, reading) for aspect in ASPECTS.values()]


def _score_class(aspect: Aspect) -> type[AspectScore]:
    """The metric of one aspect; a metric's name belongs to its class."""
    named = {
        "name": aspect.name,
        "title": aspect.title,
        "summary": aspect.what,
        "aspect": aspect,
        "__doc__": f"The score of {aspect.title.lower()}: {aspect.what}.",
    }
    return type(f"{aspect.title.title().replace(' ', '')}Score", (AspectScore,), named)


def _aspect_score(
    name: str, whole: _Whole, reading: Reading, check_certificates: bool
) -> AspectScore:
    """The score of an aspect by its name."""
    score = _score_class(ASPECTS[name])(whole, reading)
    score.check_certificates = check_certificates
    return score
