"""Edit costs: numbers or networkx's functions, called once for every node and edge.

A cost is a number, zero or more; a substitution may also cost infinitely much, which
forbids it.  :class:`CostTable` holds the costs of one kind of thing, nodes or edges.

Solvers count in integers.  Costs that are written with few decimals or as simple
fractions, such as 1, 0.25 or 1/3, are multiples of some ``1 / scale`` and are not
rounded.  All others are rounded once, to multiples of a power of two far below the
largest cost, so that a sum of *n* costs is off by ``n / (2 * scale)`` at most.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from exactmatch.base.errors import (
    IgnoredAttributesWarning,
    InputError,
    callers_are_warned,
    shortened,
    suggestion,
    warn_caller,
)
from exactmatch.edit.cost_models import ELEMENT, ORDER, AttributeCost
from exactmatch.edit.options import Attributes, Costs, Match, Matching
from exactmatch.solvers.problem import BoolArray, FloatArray, IntArray

Thing: TypeAlias = tuple[Any, Attributes]
"""A node or an edge, and its attributes."""

SIMPLE_SCALES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 60, 100, 1000, 10**4, 10**5, 10**6)
"""Scales that are tried before costs are rounded."""

FINEST_BITS = 32
"""Rounded costs are multiples of the largest one's ``2**-32``, or a little finer."""

LARGEST_TOTAL = 2.0**50
"""The largest sum of costs that solvers meet, in units of ``1 / scale``."""


def cost_table(
    costs: Costs, kind: str, first: Sequence[Thing], second: Sequence[Thing]
) -> CostTable:
    """Return the costs of all edits of nodes, or of edges, of two graphs."""
    substitution, deletion, insertion = getattr(costs, f"{kind}_costs")
    return CostTable(
        _costs(costs, f"{kind}_del_cost", deletion, first),
        _costs(costs, f"{kind}_ins_cost", insertion, second),
        _substitutions(costs, kind, substitution, first, second),
    )


class ComparedAttributes(NamedTuple):
    """Attributes by which nodes and edges are compared.

    Attributes:
        text: the attributes that are compared, in words, and those that are not.
        direction: whether edges are directed, in words.
        ignores_all: whether there are attributes, and none is compared.
        alone: the names without places in a drawing, if there are such places and all
            attributes are compared, or none; else empty.
    """

    text: str
    direction: str
    ignores_all: bool
    alone: str = ""

    def whole(self) -> str:
        """Return text and direction, and the option that leaves out places."""
        whole = self.text + self.direction
        if self.ignores_all or not self.alone:
            return whole
        option = f"--labels {self.alone}"
        if callers_are_warned():
            option = f"labels={self.alone!r}"
        return f"{whole}; without x and y, places in a drawing: {option}"


def compared_attributes(graphs: Sequence[Any], options: Matching) -> ComparedAttributes:
    """Return the attributes that are compared.

    Raises:
        InputError: if no node and no edge has an attribute of a name.
    """
    nodes = {
        str(name)
        for g in graphs
        for _, attributes in g.nodes(data=True)
        for name in attributes
    }
    edges = {
        str(name)
        for g in graphs
        for *_, attributes in g.edges(data=True)
        for name in attributes
    }

    def words_for(kind: str, names: set[str]) -> str:
        by = options.compared_by(kind)
        listed = shortened(", ".join(sorted(names)), 90)
        if by == "all":
            return f"all attributes ({listed or 'they have none'})"
        if by == "none":
            return f"nothing ({listed} ignored)" if names else "nothing"
        if by.startswith("function:"):
            return f"{kind}_match"
        is_idle = getattr(options, f"{kind}_subst_cost", None) is None
        is_idle &= names.isdisjoint(by.split(","))
        return f"{by} (they have none)" if is_idle else by

    by = options.compared_by("node"), options.compared_by("edge")
    if any(map(len, graphs)):
        for name in (options.node_match, options.edge_match):
            if isinstance(name, str):
                refuse_unknown(name.split(","), nodes | edges)
    text = f"nodes compared by {words_for('node', nodes)}, "
    text += f"edges by {words_for('edge', edges)}"
    if not nodes | edges and by == ("all", "all"):
        text = ONLY_SHAPES
    ways = {g.is_directed() for g in graphs}
    directions = ["directed" if way else "undirected" for way in ways]
    direction = f"; edges are {directions[0]}" if len(directions) == 1 else ""
    ignores_all = by == ("none", "none") and bool(nodes | edges)
    is_open = ignores_all or by == ("all", "all")
    alone = _without_places(nodes, edges) if is_open else ""
    return ComparedAttributes(text, direction, ignores_all, alone)


def _without_places(nodes: set[str], edges: set[str]) -> str:
    """Return the names without places in a drawing; of molecules, element and order.

    >>> _without_places({"chem", "symbol", "x", "y"}, {"valence"})
    'symbol,valence'
    >>> _without_places({"type", "x", "y"}, set())
    'type'
    """
    labels = nodes - PLACES
    if not {"x", "y"} <= nodes or not labels:
        return ""
    element = [name for name in ELEMENT if name in labels and name != "label"]
    order = [name for name in ORDER if name in edges]
    if element and order:
        return f"{element[0]},{order[0]}"
    return ",".join(sorted(labels | edges))


PLACES = {"x", "y", "z"}
"""Attributes of a node that say where a drawing has it."""


def is_labelled(compared: str) -> bool:
    """Return whether graphs had anything to compare, which a result then says first."""
    nothing = ("nodes compared by nothing, edges by nothing", ONLY_SHAPES)
    return bool(compared) and not compared.startswith(nothing)


ONLY_SHAPES = (
    "only shapes compared: no node and no edge has an attribute (names are none)"
)
"""Message about graphs without attributes."""


def refuse_unknown(names: Iterable[str], known_names: Collection[str]) -> None:
    """Raise an error for the name of an attribute that no node and no edge has.

    >>> refuse_unknown(["symbol", "all"], ["symbol", "charge"])
    """
    for name in names:
        if name not in known_names and name not in ("all", "none"):
            listed_names = shortened(", ".join(sorted(known_names)), 90) or "none"
            raise InputError(
                f"no node and no edge has the attribute {name!r}"
                f"{suggestion(name, known_names)} (known: {listed_names})"
            )


def warn_ignored(graphs: Sequence[Any], options: Matching) -> str:
    """Warn if all attributes are ignored, unless an option asks for that.

    Returns:
        By what the graphs are compared.
    """
    compared = compared_attributes(graphs, options)
    if compared.ignores_all and options.node_match is options.edge_match is None:
        warn_caller(
            f"{compared.text}; to compare them: labels={compared.alone or 'all'!r}",
            IgnoredAttributesWarning,
        )
    return compared.whole()


@dataclass(frozen=True, slots=True, eq=False)
class CostTable:
    """Costs of editing things of one kind.

    Attributes:
        deletion: of each thing of the first graph, shape ``(m,)``.
        insertion: of each thing of the second graph, shape ``(n,)``.
        substitution: of each by each, shape ``(m, n)``; infinite where forbidden.
    """

    deletion: FloatArray
    insertion: FloatArray
    substitution: FloatArray

    def savings(self, scale: int) -> IntArray:
        """Return what substituting saves beside deleting and inserting.

        It is in units of ``1 / scale``; what may not be substituted saves nothing.
        """
        ends = _whole(self.deletion, scale), _whole(self.insertion, scale)
        saved: IntArray = np.add.outer(*ends)
        allowed = np.isfinite(self.substitution)
        saved -= _whole(np.where(allowed, self.substitution, 0.0), scale)
        return np.where(allowed, saved, 0)

    def of_replacing_all(self, scale: int) -> int:
        """Return the cost of deleting everything and inserting everything."""
        deletions = _whole(self.deletion, scale).sum()
        return int(deletions + _whole(self.insertion, scale).sum())

    @property
    def largest_total(self) -> float:
        """Upper bound on the absolute value of any sum of savings."""
        m, n = self.substitution.shape
        finite = self.substitution[np.isfinite(self.substitution)]
        return float(n * self.deletion.sum() + m * self.insertion.sum() + finite.sum())

    def values(self) -> FloatArray:
        """Return all finite costs."""
        tables = (self.deletion, self.insertion, self.substitution.ravel())
        costs: FloatArray = np.concatenate(tables)
        return costs[np.isfinite(costs)]


def classes(equal: BoolArray) -> tuple[list[int], list[int]] | None:
    """Number things of both sides so that exactly the equal ones have equal numbers.

    Returns:
        The numbers of both sides; ``None`` if equality is not an equivalence: if two
        things that equal a third are not equal to the same ones.
    """
    numbers: dict[bytes, int] = {}
    rows = [numbers.setdefault(row.tobytes(), len(numbers)) for row in equal]
    kinds = np.array([np.frombuffer(key, dtype=bool) for key in numbers])
    kinds = kinds.reshape(len(numbers), equal.shape[1])
    if (kinds.sum(axis=0) > 1).any():
        return None
    # columns without an equal have the next number; rows without one share a number
    columns = np.vstack([kinds, ~kinds.any(axis=0)]).argmax(axis=0)
    return rows, columns.tolist()


_LEAST = 2.0**-900
"""The largest cost is at least so much, so that its scale fits into a double."""


def scale_of(costs: FloatArray, total: float) -> tuple[int, bool]:
    """Return the scale that makes costs integers, and whether no cost is rounded.

    Args:
        costs: all costs, finite; a negative one is a reward.
        total: an upper bound on the absolute value of any sum in a solver.
    """
    values = np.unique(np.abs(costs))
    for scale in SIMPLE_SCALES:
        if total * scale >= LARGEST_TOTAL:
            break
        if np.array_equal(np.rint(values * scale) / scale, values):
            return scale, True
    if not np.all(values < LARGEST_TOTAL):
        raise InputError(f"a cost is {values.max():g}; costs stay below 2**50")
    largest = float(values.max())
    if 0 < largest < _LEAST:
        raise InputError(f"the largest cost is {largest:g}; multiply all costs")
    room = math.log2(LARGEST_TOTAL / max(total, largest))
    bits = min(FINEST_BITS - math.frexp(largest)[1], math.floor(room))
    if bits < 0:
        raise InputError(
            f"costs of up to {largest:g} cannot be told apart in these graphs; "
            "use smaller ones"
        )
    return 2**bits, False


def least_of(total: int, scale: int, rounding: float) -> float:
    """Return the least sum of costs that is *total* in units of ``1 / scale``.

    It is less than that by the most that rounding may change.
    """
    least = total / scale
    return math.nextafter(least - rounding, -math.inf) if rounding else least


def _whole(costs: FloatArray, scale: int) -> IntArray:
    integers: IntArray = np.rint(costs * scale).astype(np.int64)
    return integers


def _costs(
    costs: Costs, name: str, default: float, things: Sequence[Thing]
) -> FloatArray:
    function = getattr(costs, name)
    if function is None:
        return np.full(len(things), default)
    rows, things = _to_call(function, things)
    answers = [function(attributes) for _, attributes in things]
    numbers = _numbers(name, answers, [(thing,) for thing, _ in things])
    for position in np.flatnonzero(np.isinf(numbers)).tolist():
        raise InputError(
            f"{name} is infinite for {things[position][0]!r}; only a substitution may "
            "be forbidden, so use a large number"
        )
    return numbers[rows]


def _substitutions(
    costs: Costs,
    kind: str,
    cost: float,
    first: Sequence[Thing],
    second: Sequence[Thing],
) -> FloatArray:
    name, by = f"{kind}_subst_cost", f"{kind}_match"
    function, match = getattr(costs, name), getattr(costs, by)
    if function is not None:
        return _answers(name, function, first, second)
    if match is None or match == "none":
        return np.zeros((len(first), len(second)))
    if callable(match):
        table = _answers(by, lambda a, b: _unequal(match(a, b)), first, second)
    else:
        equal = _equality(match)
        (rows, left), (columns, right) = alike(first), alike(second)
        try:
            unlike = np.array([[float(not equal(a, b)) for b in right] for a in left])
        except (TypeError, ValueError, RuntimeError):  # such as arrays, and tensors
            raise InputError(
                f"attributes of a {kind} cannot be compared by value; name others as "
                f"labels, such as 'none', or give a function as {by}"
            ) from None
        table = unlike.reshape(len(left), len(right))[np.ix_(rows, columns)]
    table[table > 0] *= cost
    return table


def _answers(
    name: str, function: Any, first: Sequence[Thing], second: Sequence[Thing]
) -> FloatArray:
    """Call a function for each thing of one graph with each of the other."""
    (rows, first), (columns, second) = (
        _to_call(function, side) for side in (first, second)
    )
    answers = [function(a, b) for _, a in first for _, b in second]
    named = [(u, v) for u, _ in first for v, _ in second]
    table = _numbers(name, answers, named).reshape(len(first), len(second))
    return table[np.ix_(rows, columns)]


def _to_call(
    function: Any, things: Sequence[Thing]
) -> tuple[list[int], Sequence[Thing]]:
    """Return the things for which a function is called, and the place of each thing.

    A function of a cost model is called once for things with equal attributes.
    """
    if not isinstance(function, AttributeCost):
        return list(range(len(things))), things
    numbers, _ = alike(things)
    backwards = zip(reversed(numbers), reversed(things), strict=True)
    firsts = dict(backwards)
    return numbers, [firsts[number] for number in range(len(firsts))]


def alike(things: Sequence[Thing]) -> tuple[list[int], list[Attributes]]:
    """Number things by their attributes; each has its own number if some have no hash.

    Returns:
        The number of each thing, and the attributes of each number.
    """
    numbers: dict[Any, int] = {}
    kinds: list[Attributes] = []
    kind_of_thing = []
    try:
        for _, attributes in things:
            key = frozenset((k, type(value), value) for k, value in attributes.items())
            number = numbers.setdefault(key, len(numbers))
            if number == len(kinds):
                kinds.append(attributes)
            kind_of_thing.append(number)
    except TypeError:
        return list(range(len(things))), [attributes for _, attributes in things]
    return kind_of_thing, kinds


def _equality(match: str) -> Match:
    if match == "all":
        return operator.eq
    names = match.split(",")
    return lambda a, b: all(a.get(name) == b.get(name) for name in names)


def _unequal(answer: Any) -> Any:
    try:
        return 1 - int(answer)
    except (TypeError, ValueError):  # not a cost: an error follows
        return answer
    except OverflowError:
        return -math.inf


def _numbers(
    name: str, answers: list[Any], things: Sequence[tuple[Any, ...]]
) -> FloatArray:
    """Convert the answers of a cost function to costs, or raise an error."""

    def number(answer: Any) -> float:
        try:
            return float(answer)
        except OverflowError:
            raise InputError(
                f"{name} gives a number of hundreds of digits; costs stay below 2**50"
            ) from None
        except (TypeError, ValueError):
            return math.nan

    costs = np.fromiter(map(number, answers), np.float64, len(answers))
    for position in np.flatnonzero(~(costs >= 0)).tolist():
        names = " and ".join(map(repr, things[position]))
        raise InputError(
            f"{name} gives {answers[position]!r} for {names}; a cost is a number of "
            "at least 0"
        )
    return costs
