"""From two graphs to an alignment problem, and from an alignment back to triples.

A graph is coded once, under a profile: each distinct label is normalised by the
profile's ``comparison``, and equal triples are merged and counted.  The result is one
array of integers, which can be compared with many others.

The problem's weights are the triples that match if two variables are aligned (unary),
or two pairs of variables at once (pair terms).  The profile's ``duplicates`` says how
often a repeated triple counts: once for each pair of equal triples (``product``, as in
smatch 1.0.4, so that F1 can exceed 1), or as often as both graphs have it.

Source: Cai and Knight (2013), "Smatch", section 3; smatch 1.0.4, ``compute_pool``.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import CertificationError, InputError
from exactmatch.base.limits import MAX_TERMS
from exactmatch.base.records import NamedTuple, dataclass, field
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import NORMALISERS, Profile, as_written
from exactmatch.graphs.standardise import TOP_ROLE, TOP_VALUE

if TYPE_CHECKING:  # these import NumPy, which sentences do not need
    from exactmatch.engine.candidates import Allowed
    from exactmatch.solvers.problem import Alignment, AlignmentProblem
    from exactmatch.solvers.solution import Solution

_coding: Any = kernels.load("exactmatch.engine._coding")
_statement: Any = kernels.load("exactmatch.engine._statement")


LARGE = 20_000
"""A pair with more pair terms, or more pairs of variables, goes to a solver."""


class CountedTriple(NamedTuple):
    """A triple that counts, in normalised strings."""

    kind: str  # instance, attribute or relation
    role: str  # empty for an instance
    source: int  # number of the variable it starts from
    target: int | str  # number of a variable (a relation), or a concept or constant


class CodedGraph(NamedTuple):
    """A graph's counted triples, the mark of the root included, as integers."""

    graph: Graph
    n_variables: int
    total: int  # triples that count, duplicates as the profile counts them
    cells: array[int]  # the triples in 32-bit numbers; _coding.py has their layout
    unary_keys: dict[Any, int]  # numbers of concepts, and of roles with constants
    role_keys: dict[Any, int]  # numbers of the roles of relations
    start_keys: dict[Any, int]  # numbers of the concepts as written
    instances: tuple[tuple[int, int], ...]
    attributes: tuple[tuple[int, int, int], ...]
    relations: tuple[tuple[int, int, int], ...]
    labels: list[str]  # normalised


def encode(graph: Graph, profile: Profile) -> CodedGraph:
    """Code a graph that the profile's reader read, so that it can be compared."""
    normalise = NORMALISERS[profile.comparison]
    written = graph.labels
    labels = _coding.plain_labels(written, normalise)
    instances, attributes, relations = _counted(graph, profile)
    mark = _top_mark(graph, profile)
    if mark is not None:
        attributes = (*attributes, (mark[0], len(labels), len(labels) + 1))
        labels += (normalise(TOP_ROLE), normalise(mark[1]))
    triples = (instances, attributes, relations, labels)
    cells, unary, roles, starts, repeated = _coding.code(
        *triples, graph.instances, written, profile.duplicates == "set"
    )
    total = len(instances) + len(attributes) + len(relations) - repeated
    keys = (unary, roles, starts)
    return CodedGraph(graph, len(graph.variables), total, cells, *keys, *triples)


def matches(
    left: CodedGraph, right: CodedGraph, profile: Profile, alignment: tuple[int, ...]
) -> int:
    """Count the triples that an alignment matches.

    The count uses neither the problem nor its weights, so every solution's value is
    checked against it.
    """
    kernel: Any = kernels.load("exactmatch.engine._matched")
    product = profile.duplicates == "product"
    counted: int = kernel.aligner().count(left, right, product, alignment)
    return counted


def _counted(graph: Graph, profile: Profile) -> tuple[Any, Any, Any]:
    """Return the graph's instances, attributes and relations that count."""
    just = profile.just
    if just is None:
        return graph.instances, graph.attributes, graph.relations
    return (
        graph.instances if just == "instance" else (),
        graph.attributes if just == "attribute" else (),
        graph.relations if just == "relation" else (),
    )


def _top_mark(graph: Graph, profile: Profile) -> tuple[int, str] | None:
    """Return the root and the value that marks it, where such a mark counts."""
    top = None if profile.top == "none" else graph.top
    if top is None or profile.just not in (None, "attribute"):
        return None
    concept = graph.concept(top) if profile.top == "concept" else None
    return top, concept or TOP_VALUE


def counted_triples(
    graph: Graph, profile: Profile, *, raw: bool = False
) -> Iterator[CountedTriple]:
    """Yield the triples that count, one by one and in the reader's order.

    With *raw* their labels stay as written, for people.
    """
    normalise = as_written if raw else NORMALISERS[profile.comparison]
    labels = [normalise(label) for label in graph.labels]
    instances, attributes, relations = _counted(graph, profile)
    for v, concept in instances:
        yield CountedTriple("instance", "", v, labels[concept])
    for v, role, value in attributes:
        yield CountedTriple("attribute", labels[role], v, labels[value])
    if mark := _top_mark(graph, profile):
        top, value = mark
        yield CountedTriple("attribute", normalise(TOP_ROLE), top, normalise(value))
    for source, role, target in relations:
        yield CountedTriple("relation", labels[role], source, target)


@dataclass(eq=False)  # not frozen: every pair makes one, and frozen ones are slower
class GraphProblem:
    """The alignment of two coded graphs as a problem for a solver.

    *graded* is added to the unary weights: ``int64``, one number for each pair of
    variables, row by row.
    """

    left: CodedGraph
    right: CodedGraph
    profile: Profile  # how repeated triples count, which variables may be aligned
    scale: int = 1  # weight of one matched triple
    graded: Any = field(default=None, repr=False)
    max_terms: int | None = None  # the most pair terms; default: MAX_TERMS
    prebuilt: AlignmentProblem | None = None  # if it is not built from triples

    @property
    def ends(self) -> tuple[CodedGraph, CodedGraph]:
        """The two graphs whose triples are weighed."""
        return self.left, self.right

    @property
    def names(self) -> tuple[Sequence[Any], Sequence[Any]]:
        """The names of the nodes of both graphs."""
        return self.left.graph.variables, self.right.graph.variables

    @property
    def most(self) -> int:
        """The most pair terms, or pairs of variables, that the problem may have."""
        return MAX_TERMS if self.max_terms is None else self.max_terms

    @property
    def is_large(self) -> bool:
        """True if it takes long to build: a solver aligns it, not the kernel."""
        left, right = self.ends
        return left.n_variables * right.n_variables > LARGE

    @property
    def is_product(self) -> bool:
        """True if a triple that occurs *n* and *m* times counts ``n × m``."""
        return self.profile.duplicates == "product"

    @cached_property
    def allowed(self) -> Allowed | None:
        """The pairs of variables that may be aligned, or ``None`` for all."""
        left, right = (coded.graph for coded in self.ends)
        if left.document is None and right.document is None:
            return None
        from exactmatch.engine.candidates import allowed_pairs

        return allowed_pairs(left, right, self.profile.align, self.most)

    @cached_property
    def problem(self) -> AlignmentProblem:
        """The problem that a solver maximises.

        Raises:
            InputError: before memory is allocated, if there are more than *max_terms*
                pair terms, or more than a quarter as many pairs of variables.
        """
        if self.prebuilt is not None:
            return self.prebuilt
        from exactmatch.solvers.problem import AlignmentProblem

        left, right = self.ends
        size = (self.is_product, self.most, self.scale)
        arrays = _statement.state(left, right, *size, self.graded, self.allowed)
        if isinstance(arrays, int):
            raise InputError(
                f"graphs {_named(left.graph)} and {_named(right.graph)} are too large: "
                f"{arrays:,} pairs of relations (or pairs of variables, counted four "
                f"times) may match, more than {self.most:,}; "
                "raise --max-terms to allow them"
            )
        return AlignmentProblem.trusted(
            left.n_variables, right.n_variables, arrays, self.scale
        )

    def check_count(self, alignment: Alignment, value: int) -> float:
        """Count what an alignment matches, and check its value against the count.

        The count uses the triples, not the problem's weights.  The value is in units
        of ``1 / scale``; if it differs, the problem or the solver is wrong.
        """
        equal = matches(*self.ends, self.profile, alignment)
        if (worth := self.worth(alignment, equal)) != value:
            raise CertificationError(
                f"an alignment said to be worth {value} units is worth {worth}; "
                "please report the two graphs"
            )
        return self.matched(alignment, equal)

    def worth(self, alignment: Alignment, equal: int) -> int:
        """Return the worth, in units, of an alignment that matches *equal* triples."""
        del alignment
        return equal * self.scale

    def matched(self, alignment: Alignment, equal: int) -> float:
        """Return the matches of an alignment: *equal* triples, and grades if any."""
        del alignment
        return float(equal)

    def pairs(self, alignment: Alignment) -> list[tuple[int, int]]:
        """Return the numbers of the nodes that an alignment maps to each other."""
        return [(i, j) for i, j in enumerate(alignment) if j != -1]

    def images(self, alignment: Alignment) -> Alignment:
        """Return the right node of every left node, for showing an alignment."""
        return alignment

    def completed(self, alignment: Alignment) -> Alignment:
        """Return the alignment with more pairs, worth nothing, for showing it."""
        return alignment

    def together(
        self, alignment: Alignment
    ) -> Sequence[tuple[Sequence[int], Sequence[int]]]:
        """Return the (left, right) groups of nodes where several nodes match one."""
        del alignment
        return ()

    def explained(
        self, alignment: Alignment
    ) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
        """Return, for each side, the ends of edges that match, but not one to one."""
        del alignment
        return set(), set()

    @property
    def is_one_to_one(self) -> bool:
        """True if a node has one partner at most."""
        return True

    def bound_of(self, solution: Solution, matched: float) -> float:
        """Bound the matched triples from above; the solution matches *matched*."""
        if solution.is_optimal:
            return matched
        return max(matched, self.at_most(solution.bound))

    def at_most(self, units: int) -> float:
        """Return the most triples that can match, for a bound in units."""
        return units / self.scale


def _named(graph: Graph) -> str:
    origin = graph.origin
    place = f"{origin.path}:{origin.line}" if origin.path else None
    return repr(graph.id) if graph.id else (place or "without id")


def renamed(triple: CountedTriple, alignment: Alignment) -> CountedTriple:
    """Return a left triple in the right graph's variables.

    Variables without partner get negative numbers, each its own.
    """
    kind, role, source, target = triple
    if kind == "relation":
        target = _partner(int(target), alignment)
    return CountedTriple(kind, role, _partner(source, alignment), target)


def _partner(variable: int, alignment: Alignment) -> int:
    partner = alignment[variable]
    return partner if partner != -1 else -1 - variable
