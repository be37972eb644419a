"""Edit costs by name: the cost models of published distances.

Each model gives networkx's six cost functions, for the attributes that the files of the
data sets have.  The constants are the defaults of GEDLIB (Blumenthal and others 2019,
"GEDLIB: A C++ library for graph edit distance computation").

``mces`` is the distance of molecules by their maximum common edge subgraph (Kretschmer
and others 2025, "Coverage bias in small molecule machine learning"): atoms of different
elements are never substituted, atoms cost nothing, and a bond costs its order.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.formats.network_texts import AS_READ

Attributes = Mapping[str, Any]
Functions = dict[str, Callable[..., float]]


def _value(name: str, attributes: Attributes) -> Any:
    if name in attributes:
        return attributes[name]
    has = ", ".join(map(str, attributes)) or "none"
    needed = f"these costs need the attribute {name!r}"
    raise InputError(f"{needed}, and a node or edge has {has}")


def _real(name: str, attributes: Attributes) -> float:
    value = _value(name, attributes)
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"these costs need numbers of the attribute {name!r}, which is {value!r}"
        ) from None


def _constant(cost: float, *_: Attributes) -> float:
    return cost


def _unequal(name: str, cost: float, first: Attributes, second: Attributes) -> float:
    return 0.0 if _value(name, first) == _value(name, second) else cost


def _share(name: str, part: float, attributes: Attributes) -> float:
    return part * _real(name, attributes)


def _apart(name: str, part: float, first: Attributes, second: Attributes) -> float:
    return part * abs(_real(name, first) - _real(name, second))


def _far(part: float, first: Attributes, second: Attributes) -> float:
    across, up = (_real(axis, first) - _real(axis, second) for axis in "xy")
    return part * math.hypot(across, up)


def _far_or_unlike(
    part: float, cost: float, first: Attributes, second: Attributes
) -> float:
    return _unequal("type", cost, first, second) or _far(part, first, second)


def _spelt_or_unlike(
    part: float, cost: float, first: Attributes, second: Attributes
) -> float:
    words = (str(_value("sequence", attributes)) for attributes in (first, second))
    return _unequal("type", cost, first, second) or part * _edits(*words)


@lru_cache(maxsize=2**16)
def _edits(word: str, other_word: str) -> int:
    """Count the edits of letters that turn one word into another."""
    row = list(range(len(other_word) + 1))
    for i, letter in enumerate(word, 1):
        last, row[0] = row[0], i
        for j, other_letter in enumerate(other_word, 1):
            changed = last + (letter != other_letter)
            last, row[j] = row[j], min(changed, row[j] + 1, row[j - 1] + 1)
    return row[-1]


def _strokes(part: float, first_node: Attributes, second_node: Attributes) -> float:
    """Return the cost of turning the strokes of an edge into those of another."""

    def strokes(attributes: Attributes) -> Counter[Any]:
        number = int(_real("frequency", attributes))
        return Counter(_value(f"type{k}", attributes) for k in range(number))

    first, second = strokes(first_node), strokes(second_node)
    return part * ((first - second).total() + (second - first).total())


ELEMENT = ("atom", "element", "symbol", "chem", "label")
"""Names of the attribute for an atom's element; the first that is there counts."""

ORDER = ("weight", "order", "valence", "label")
"""Names of the attribute for a bond's order."""

_ORDERS = {"SINGLE": 1.0, "DOUBLE": 2.0, "TRIPLE": 3.0, "AROMATIC": 1.5}
"""Orders by RDKit's names of the types of bonds."""


def _first(names: tuple[str, ...], attributes: Attributes) -> str:
    """Return the first name that is there."""
    for name in names:
        if name in attributes:
            return name
    has = ", ".join(map(str, attributes)) or "none"
    *all_but_last, last = map(repr, names)
    needed = f"these costs need an attribute {', '.join(all_but_last)} or {last}"
    raise InputError(f"{needed}, and a node or edge has {has}")


def element(attributes: Attributes) -> Any:
    """Return the element of an atom."""
    return attributes[_first(ELEMENT, attributes)]


def order(attributes: Attributes) -> float:
    """Return the order of a bond."""
    name = _first(ORDER, attributes)
    by_name = _ORDERS.get(str(attributes[name]).upper())
    return _real(name, attributes) if by_name is None else by_name


def _other_element(first: Attributes, second: Attributes) -> float:
    return 0.0 if element(first) == element(second) else math.inf


def _orders_apart(first: Attributes, second: Attributes) -> float:
    return abs(order(first) - order(second))


def without_hydrogens(graph: Any) -> Any:
    """Return a networkx graph without the hydrogens that RDKit leaves out.

    These are bound to one atom of another element, and are not isotopes.

    >>> import networkx
    >>> water = networkx.star_graph(2)
    >>> networkx.set_node_attributes(water, {0: "O", 1: "H", 2: "H"}, "atom")
    >>> list(without_hydrogens(water))
    [0]
    """
    if AS_READ in getattr(graph, "graph", {}) or not hasattr(graph, "adj"):
        return graph
    hydrogens = {
        atom
        for atom, attributes in graph.nodes(data=True)
        if attributes.get("isotope", 0) in (0, None) and element(attributes) == "H"
    }

    def is_left_out(atom: Any) -> bool:
        around = {*graph.adj[atom], *getattr(graph, "pred", graph.adj)[atom]}
        return len(around) == 1 and not around & hydrogens

    left_out = {atom for atom in hydrogens if is_left_out(atom)}
    return graph.subgraph(set(graph) - left_out) if left_out else graph


def _turned(part: float, first: Attributes, second: Attributes) -> float:
    turn = abs(_real("orient", first) - _real("orient", second))
    return part * min(math.pi - turn, turn)


class AttributeCost(partial[float]):
    """Function of attributes alone, with its constants.

    It equals another one with the same, pickled or not.
    """

    def __eq__(self, other: object) -> bool:
        func_and_args = self.func, self.args
        return isinstance(other, AttributeCost) and func_and_args == (
            other.func,
            other.args,
        )

    def __hash__(self) -> int:
        return hash((self.func, self.args))


def _model(
    node: float,
    node_subst: Callable[..., float],
    edge: float | Callable[..., float],
    edge_subst: Callable[..., float],
) -> Functions:
    of_node = AttributeCost(_constant, node)
    of_edge = edge if callable(edge) else AttributeCost(_constant, edge)
    return {
        "node_subst_cost": node_subst,
        "node_del_cost": of_node,
        "node_ins_cost": of_node,
        "edge_subst_cost": edge_subst,
        "edge_del_cost": of_edge,
        "edge_ins_cost": of_edge,
    }


def _of_strokes(part: float) -> tuple[AttributeCost, AttributeCost]:
    return AttributeCost(_share, "frequency", part), AttributeCost(_strokes, part)


_FREE = AttributeCost(_constant, 0.0)
_SAME_ELEMENT = AttributeCost(_other_element)

COST_MODELS: dict[str, Functions] = {
    "uniform": {},
    "chem1": _model(
        4, AttributeCost(_unequal, "chem", 2), 1, AttributeCost(_unequal, "valence", 1)
    ),
    "chem2": _model(
        2.75,
        AttributeCost(_unequal, "chem", 5.5),
        0.825,
        AttributeCost(_unequal, "valence", 0.825),
    ),
    "letter": _model(0.675, AttributeCost(_far, 0.75), 0.425, _FREE),
    "letter-med": _model(0.525, AttributeCost(_far, 0.75), 0.475, _FREE),
    "letter-low": _model(0.075, AttributeCost(_far, 0.25), 0.075, _FREE),
    "grec": _model(45, AttributeCost(_far_or_unlike, 0.5, 90), *_of_strokes(7.5)),
    "protein": _model(
        8.25, AttributeCost(_spelt_or_unlike, 0.75, 16.5), *_of_strokes(0.25)
    ),
    "cmu": _model(
        50_000,
        _FREE,
        AttributeCost(_share, "dist", 0.5),
        AttributeCost(_apart, "dist", 0.5),
    ),
    "fingerprint": _model(0.525, _FREE, 0.125, AttributeCost(_turned, 0.25)),
    "mces": _model(
        0, _SAME_ELEMENT, AttributeCost(order), AttributeCost(_orders_apart)
    ),
    "mces-unit": _model(0, _SAME_ELEMENT, 1, _FREE),
}
"""networkx's functions, by the name of the model.

``uniform`` has none: each edit costs 1, and all attributes are compared.
"""

LEFT_OUT: dict[str, Callable[[Any], Any]] = dict.fromkeys(
    ("mces", "mces-unit"), without_hydrogens
)
"""Function that removes the nodes that a model leaves out, by its name."""

BOND_COSTS: dict[str, Callable[[Attributes], float]] = {
    "mces": order,
    "mces-unit": AttributeCost(_constant, 1.0),
}
"""Cost of an edge alone, by the name of the model.

In these models two edges cost the difference, and nodes of equal elements nothing."""
