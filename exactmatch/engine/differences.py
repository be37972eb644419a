"""The fewest edits that turn a prediction into its reference, under an alignment.

A triple without a match is *deleted* from the prediction or *inserted* from the
reference.  A deleted and an inserted triple make one edit, a *substitution*, if they
differ in one thing: a concept, a role, a value, a direction, or one end.  As many as
possible are joined, the closest ones among these: an assignment problem.

Triples are those that the profile counts, compared as it compares them.  A triple that
occurs twice is to be matched twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from exactmatch.base import compiled as kernels
from exactmatch.engine.problem import CountedTriple, counted_triples, renamed
from exactmatch.graphs.drawing.drawing import TOP, DrawnSide, Mark
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.graphs.standardise import TOP_ROLE

if TYPE_CHECKING:  # importing it imports NumPy, which is slow
    from exactmatch.engine.problem import GraphProblem
    from exactmatch.solvers.problem import Alignment

_dense: Any = kernels.load("exactmatch.solvers.kernel.dense")

Change: TypeAlias = Literal[
    "concept", "value", "role", "direction", "attachment", "argument", "root"
]
"""The thing that a substitution changes: a concept; the value of a constant; a role; a
role's direction; the source of a triple; the target of a role; the root.
"""

_SUBSCRIPT_0 = 0x2080

_CLOSEST: tuple[Change, ...] = (
    *("concept", "root", "value", "role", "direction", "attachment", "argument"),
)
"""Changes from the smallest to the largest."""


class Statement(NamedTuple):
    """A triple of a graph that counts."""

    number: int  # among the graph's triples; TOP for the root's mark
    triple: CountedTriple  # normalised, in the variables of the graph itself
    written: CountedTriple  # the same triple as written


class Edit(NamedTuple):
    """One step from a prediction to its reference."""

    pred: Statement | None  # the triple to delete or to change; None to insert
    gold: Statement | None  # the one to insert or to end up with; None to delete
    change: Change | None = None  # what a substitution changes

    @property
    def size(self) -> int:
        """The number of differing triples that it accounts for."""
        return (self.pred is not None) + (self.gold is not None)


@dataclass(frozen=True, slots=True)
class Differences:
    """Differences of two graphs under an alignment."""

    alignment: Alignment
    matched: tuple[tuple[Statement, Statement], ...]  # equal ones, prediction's first
    edits: tuple[Edit, ...]  # they turn the prediction into the reference
    together: tuple[
        Edit, ...
    ] = ()  # triples that match where several nodes stand for one


def statements(graph: Graph, profile: Profile) -> list[Statement]:
    """Return the triples that count; of equal ones one, where the profile says so."""
    end = len(graph.instances) + len(graph.attributes)
    following = {"instance": 0, "attribute": len(graph.instances), "relation": end}
    statements_by_key: dict[object, Statement] = {}
    ways = (counted_triples(graph, profile, raw=raw) for raw in (False, True))
    for triple, written in zip(*ways, strict=True):
        number = following[triple.kind]
        if triple.kind == "attribute" and number == end:
            number = TOP  # the mark of the root comes after all other attributes
        else:
            following[triple.kind] += 1
        key = triple if profile.duplicates == "set" else number
        statements_by_key.setdefault(key, Statement(number, triple, written))
    return list(statements_by_key.values())


def differences(
    pred: Sequence[Statement], gold: Sequence[Statement], alignment: Alignment
) -> Differences:
    """Match equal triples under an alignment, and join the others to edits."""
    unmatched: defaultdict[CountedTriple, list[Statement]] = defaultdict(list)
    for statement in gold[::-1]:
        unmatched[statement.triple].append(statement)
    matched, extra = [], []
    for statement in pred:
        counterparts = unmatched.get(renamed(statement.triple, alignment))
        if counterparts:
            matched.append((statement, counterparts.pop()))
        else:
            extra.append(statement)
    unmatched_numbers = {
        entry.number for group in unmatched.values() for entry in group
    }
    missing = [statement for statement in gold if statement.number in unmatched_numbers]
    joined = _joined(extra, missing, alignment)
    edits = [
        Edit(statement, missing[joined[k][0]], joined[k][1])
        if k in joined
        else Edit(statement, None)
        for k, statement in enumerate(extra)
    ]
    inserted = set(range(len(missing))) - {number for number, _ in joined.values()}
    edits += [Edit(None, missing[number]) for number in sorted(inserted)]
    return Differences(alignment, tuple(matched), tuple(edits))


def without_groups(
    all_differences: Differences, graph_problem: GraphProblem, alignment: Alignment
) -> Differences:
    """Return the differences without those of nodes that together stand for one.

    Args:
        all_differences: the differences under one partner of each node.
        graph_problem: the two graphs.
        alignment: the alignment of the problem.
    """
    groups = graph_problem.together(alignment)
    if not groups:
        return all_differences
    nodes = [{u for group in groups for u in group[side]} for side in (0, 1)]
    ends = graph_problem.explained(alignment)

    def matches(side: int, statement: Statement | None) -> bool:
        if statement is None:
            return True
        kind, _, source, target = statement.triple
        if kind == "instance":
            return source in nodes[side]
        return kind == "relation" and (source, target) in ends[side]

    edits: list[Edit] = []
    grouped_edits: list[Edit] = []
    for edit in all_differences.edits:
        is_matched = matches(0, edit.pred) and matches(1, edit.gold)
        (grouped_edits if is_matched else edits).append(edit)
    return replace(all_differences, edits=tuple(edits), together=tuple(grouped_edits))


def _joined(
    extra: Sequence[Statement], missing: Sequence[Statement], alignment: Alignment
) -> dict[int, tuple[int, Change]]:
    """Return the triple that each of the prediction's is changed to, and the change.

    As many as possible are joined, and the closest among these.
    """
    places: defaultdict[object, list[int]] = defaultdict(list)
    for number, statement in enumerate(missing):
        for _, key in _keys(statement.triple):
            places[key].append(number)
    options: dict[tuple[int, int], Change] = {}
    for k, statement in enumerate(extra):
        for change, key in _keys(renamed(statement.triple, alignment), turned=True):
            for number in places.get(key, ()):
                options.setdefault((k, number), change)
    if len({k for k, _ in options}) == len({n for _, n in options}) == len(options):
        return {k: (number, change) for (k, number), change in options.items()}
    cells = memoryview(bytearray(8 * len(extra) * len(missing)))
    worth = cells.cast("d", (len(extra), len(missing)))
    per_joined_pair = len(_CLOSEST) * (min(len(extra), len(missing)) + 1)
    for pair_of_numbers, change in options.items():
        worth[pair_of_numbers] = (
            per_joined_pair + len(_CLOSEST) - _CLOSEST.index(change)
        )
    return {
        k: (number, options[k, number])
        for k, number in enumerate(_dense.assign(worth))
        if (k, number) in options
    }


def _keys(
    triple: CountedTriple, *, turned: bool = False
) -> Iterator[tuple[Change, object]]:
    """Yield each change of a triple with the parts that it keeps, the smallest first.

    The triple has the reference's variables; if *turned*, it may be turned round, too.
    """
    kind, role, source, target = triple
    if kind == "instance":
        yield "concept", (kind, source)
    elif kind == "attribute" and role.upper() == TOP_ROLE:
        yield "concept", (kind, TOP_ROLE, source)  # the same root, marked by another
        yield "root", (kind, TOP_ROLE)
    elif kind == "attribute":
        yield "value", (kind, source, role)
        yield "role", (kind, source, None, target)
        yield "attachment", (kind, role, target, None)
    else:
        yield "role", (kind, "role", source, target)
        if turned:
            yield "direction", (kind, "role", target, source)
        yield "attachment", (kind, "attachment", role, target)
        yield "argument", (kind, "argument", role, source)


def marks(edits: Iterable[Edit]) -> tuple[dict[int, Mark], dict[int, Mark]]:
    """Return the marks of a drawing's triples by number, the reference's first."""
    gold: dict[int, Mark] = {}
    pred: dict[int, Mark] = {}
    for edit in edits:
        if edit.gold is not None:
            gold[edit.gold.number] = "changed" if edit.change else "missing"
        if edit.pred is not None:
            pred[edit.pred.number] = "changed" if edit.change else "extra"
    return gold, pred


def drawn_sides(
    pred: Graph, gold: Graph, profile: Profile, alignment: Alignment
) -> tuple[DrawnSide, DrawnSide]:
    """Return the sides of a drawing, the reference first, their differences marked."""
    sides = statements(pred, profile), statements(gold, profile)
    missing, extra = marks(differences(*sides, alignment).edits)
    return DrawnSide(gold, (), missing), DrawnSide(pred, alignment, extra)


def gold_marks(
    comparisons: Sequence[Differences],
) -> tuple[dict[int, Mark], dict[int, str]]:
    """Return the marks of a reference that several graphs are compared with.

    With them come the numbers of the graphs, from 1, that a mark is about, as
    subscripts; a mark about all graphs has none.
    """
    mark_of: dict[int, Mark] = {}
    graphs_of: dict[int, str] = {}
    for graph, difference in enumerate(comparisons, 1):
        for number, mark in marks(difference.edits)[0].items():
            mark_of[number] = mark if mark_of.get(number, mark) == mark else "missing"
            graphs_of[number] = graphs_of.get(number, "") + chr(
                _SUBSCRIPT_0 + graph % 10
            )
    return mark_of, {
        n: graphs for n, graphs in graphs_of.items() if len(graphs) < len(comparisons)
    }
