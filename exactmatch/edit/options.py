"""Options of edit distances and common subgraphs, for Python and the command line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from exactmatch.base import values
from exactmatch.base.errors import InputError, SolverError
from exactmatch.base.numbers import several
from exactmatch.base.options import Options, checked, flag, option, optional
from exactmatch.base.paths import path_of, refuse_name
from exactmatch.base.registry import imported
from exactmatch.base.signed import signed_function
from exactmatch.base.version import __version__
from exactmatch.edit.cost_models import COST_MODELS, LEFT_OUT
from exactmatch.formats.network_texts import is_foreign, network_of
from exactmatch.solvers.proof_lines import VERSIONS

if TYPE_CHECKING:
    from exactmatch.solvers.base import Solver

Attributes: TypeAlias = dict[Any, Any]
Match: TypeAlias = Callable[[Attributes, Attributes], Any]
PairCost: TypeAlias = Callable[[Attributes, Attributes], float]
Cost: TypeAlias = Callable[[Attributes], float]

SOLVER = "auto:nodes=20000,rings=1"
"""The default solver.

Relaxations are slow if every node may become any other, and help little if labels are
few, so branch and bound gets more nodes.  Rings of molecules give cuts.
"""

UNIT = (1.0, 1.0, 1.0)


def _network(value: Any, format_in: str | None = None) -> Any:
    if isinstance(value, Mapping) and not hasattr(value, "adj"):
        from exactmatch.formats.sets import graph_of

        return graph_of(dict(value), "the graph")
    if (path := path_of(value)) is not None:
        graphs = imported("exactmatch.formats.networks:read_graphs")(path, format_in)
        return _only(graphs, path)
    if isinstance(value, str):
        if format_in is not None:
            graphs = imported("exactmatch.formats.networks:graphs_in")(value, format_in)
            return _only(graphs, "the text")
        refuse_name(value, is_unreadable=True)
    return network_of(value) if is_foreign(value) else value


def _only(graphs: list[Any], place: str) -> Any:
    """Return the one graph of a file or a text."""
    if len(graphs) != 1:
        raise ValueError(
            f"{place} holds {several(len(graphs), 'graph')}, and one is needed; score "
            "whole files with exactmatch.studies.ged"
        )
    return graphs[0].graph


def _match(value: Any) -> Any:
    if callable(value) or isinstance(value, str):
        return value
    if not isinstance(value, Iterable):
        raise ValueError(f"{value!r} is neither a function nor a name of an attribute")
    return ",".join(map(str, value))


def _names(value: Any) -> str | None:
    if callable(value):
        raise ValueError(
            f"{value!r} is a function; labels are names, all or none, and node_match "
            "and edge_match take functions"
        )
    return None if value is None else str(_match(value))


def _model(value: Any) -> Any:
    if not isinstance(value, str) or value not in COST_MODELS:
        known_models = ", ".join(COST_MODELS)
        raise ValueError(f"{value!r} is not a cost model (known: {known_models})")
    return value


def _cost(value: Any) -> Any:
    if not callable(value):
        raise ValueError(f"{value!r} is not a function")
    return value


def _three(value: Any) -> tuple[float, float, float]:
    parts = value.split(",") if isinstance(value, str) else value
    try:
        if isinstance(value, int | float) or (
            isinstance(value, str) and len(parts) < 2
        ):
            parts = [value] * 3
        substitution, deletion, insertion = map(float, parts)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"{value!r} is not three numbers, of substituting, deleting and inserting, "
            "or one for all"
        ) from None
    if not (substitution >= 0 and 0 <= deletion < math.inf > insertion >= 0):
        raise ValueError(
            f"{value!r} holds what is not a cost; costs are 0 or more, and only that "
            "of substituting may be inf"
        )
    return substitution, deletion, insertion


def _two(value: Any) -> tuple[Any, Any]:
    parts = value.split(",") if isinstance(value, str) else value
    pair = tuple(parts) if isinstance(parts, Iterable) else ()
    if len(pair) != 2:
        raise ValueError(f"{value!r} is not two nodes, one of each graph")
    return pair


def _seconds(value: Any) -> float | None:
    return None if value == math.inf else values.positive_float(value)


def _solver(value: Any) -> Any:
    from exactmatch.solvers.base import Solver

    if not isinstance(value, str | Solver):
        raise ValueError(f"{value!r} is neither a name nor a Solver")
    return value


class TwoGraphs(Options, purpose="opens"):
    """Two graphs and their format."""

    g1: Any = option(
        "a networkx graph, Data of PyTorch Geometric, a molecule of RDKit, a mapping, "
        "the Path of a file that holds one graph, or a text in the format format_in",
        flags=(),
        kw_only=False,
    )
    g2: Any = option(
        "another one; both must be directed, or both undirected",
        flags=(),
        kw_only=False,
    )
    format_in: str | None = optional(
        "the format of texts and files, such as smiles (default of files: by how they "
        "begin)",
        flags=(),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        read = partial(_network, format_in=self.format_in)
        for name in ("g1", "g2"):
            declared = self.DECLARED[name]._replace(read=read)
            vars(self)[name] = checked(name, declared, vars(self)[name])


_FUNCTIONS = (
    *("node_match", "edge_match"),
    *("node_subst_cost", "node_del_cost", "node_ins_cost"),
    *("edge_subst_cost", "edge_del_cost", "edge_ins_cost"),
)
"""Options that are functions in networkx, which then compares nothing else."""


class Matching(Options, purpose="measures"):
    """Equality of nodes and edges, by attributes or functions."""

    TITLE = "what edits cost"

    labels: str | Iterable[str] | None = optional(
        "attributes by which nodes and edges are equal: names, all (default) or none",
        read=_names,
        metavar="KEY[,KEY…]",
        is_list=True,
    )
    node_match: Match | str | Iterable[str] | None = option(
        "the same for nodes only; in Python also a function",
        default=None,
        read=_match,
        metavar="KEY[,KEY…]",
        is_list=True,
        kw_only=False,
    )
    edge_match: Match | str | Iterable[str] | None = option(
        "edges likewise",
        default=None,
        read=_match,
        metavar="KEY[,KEY…]",
        is_list=True,
        kw_only=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        values = vars(self)
        labels = self.labels
        if labels is None and not any(callable(values.get(n)) for n in _FUNCTIONS):
            labels = "all"
        for name in ("node_match", "edge_match"):
            if values[name] is None:
                values[name] = labels

    def compared_by(self, kind: str) -> str:
        """Return the attributes or the function by which two things are compared."""
        match = getattr(self, f"{kind}_match")
        return signed_function(match) if callable(match) else match or "none"


class Costs(Matching, purpose="measures"):
    """Options of the costs of edits, and of the edit paths that count.

    Functions of attributes take the place of ``node_match``, ``edge_match`` and of what
    the three numbers say; that of a substitution may be ``math.inf``, which forbids it.
    """

    node_subst_cost: PairCost | None = option(
        "cost of substituting a node", default=None, read=_cost, flags=(), kw_only=False
    )
    node_del_cost: Cost | None = option(
        "cost of deleting a node", default=None, read=_cost, flags=(), kw_only=False
    )
    node_ins_cost: Cost | None = option(
        "cost of inserting a node", default=None, read=_cost, flags=(), kw_only=False
    )
    edge_subst_cost: PairCost | None = option(
        "cost of substituting an edge",
        default=None,
        read=_cost,
        flags=(),
        kw_only=False,
    )
    edge_del_cost: Cost | None = option(
        "cost of deleting an edge", default=None, read=_cost, flags=(), kw_only=False
    )
    edge_ins_cost: Cost | None = option(
        "cost of inserting an edge", default=None, read=_cost, flags=(), kw_only=False
    )
    roots: tuple[Any, Any] | None = option(
        "a node of each graph, to be substituted",
        default=None,
        read=_two,
        metavar="U,V",
        kw_only=False,
    )
    upper_bound: float | None = option(
        "consider only edit paths that cost at most this",
        default=None,
        read=values.real,
        metavar="COST",
        kw_only=False,
    )
    node_costs: tuple[float, float, float] | str = option(
        "costs to substitute, delete, insert nodes; or one",
        default=UNIT,
        read=_three,
        metavar="S,D,I",
    )
    edge_costs: tuple[float, float, float] | str = option(
        "the same for edges (both default: 1,1,1)",
        default=UNIT,
        read=_three,
        metavar="S,D,I",
    )
    costs: str | None = optional(
        f"a cost model: {', '.join(COST_MODELS)}", read=_model, metavar="NAME"
    )
    triples: bool = flag(
        "also count shared triples: equal ones, similar ones, and equal ones after "
        "blank nodes are aligned"
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        values = vars(self)
        if self.costs is None:
            return
        functions = COST_MODELS[self.costs]
        if self.costs in LEFT_OUT:
            for name in {"g1", "g2"} & values.keys():
                values[name] = LEFT_OUT[self.costs](values[name])
        twice = [name for name in ("node_costs", "edge_costs") if values[name] != UNIT]
        twice += [
            n
            for n, model_function in functions.items()
            if values[n] not in (None, model_function)
        ]
        if twice:
            raise InputError(f"costs={self.costs!r} has its own {twice[0]}; give one")
        values.update(functions)
        if not functions:
            for name in ("node_match", "edge_match"):
                values[name] = values[name] or "all"

    def compared_by(self, kind: str) -> str:
        if self.costs and COST_MODELS[self.costs]:
            return f"the costs {self.costs}"
        if getattr(self, f"{kind}_subst_cost") is not None:
            return f"{kind}_subst_cost"
        return super().compared_by(kind)

    def signature_with(
        self, solver: Solver, proven: str = "", limit: float | None = None
    ) -> str:
        """Return what determines distances, *proven* how many of several.

        The time *limit* of a pair is in seconds.
        """
        parts = ["metric:ged"]
        has_model = bool(self.costs and COST_MODELS[self.costs])
        parts += [f"costs:{self.costs}"] if has_model else []
        for kind in () if has_model else ("node", "edge"):
            parts.append(f"{kind}-match:{self.compared_by(kind)}")
            costs = getattr(self, f"{kind}_costs")
            if proven or costs != UNIT:
                parts.append(f"{kind}-costs:{','.join(f'{cost:g}' for cost in costs)}")
        if self.roots is not None:
            parts.append(f"roots:{','.join(map(str, self.roots))}")
        if self.upper_bound is not None:
            parts.append(f"upper-bound:{self.upper_bound:g}")
        parts.append(f"solver:{solver.signature()}")
        if proven:
            parts.append(f"proven:{proven}")
        if limit is not None:
            parts.append(f"limit:{limit:g}s")
        return "|".join([*parts, f"version:{__version__}"])


class Limited(Options, purpose="runs", waits=True):
    """Time limit of a search."""

    TITLE = "solving"

    timeout: float | None = option(
        "networkx's name of time_limit",
        default=None,
        read=_seconds,
        flags=(),
        kw_only=False,
    )
    time_limit: float | None = optional(
        "seconds for each pair, with the construction of its problem; a pair that "
        "is not proven in time is reported as an interval",
        read=_seconds,
        flags=("--time-limit", "--timeout"),
        metavar="SECONDS",
    )

    @property
    def seconds(self) -> float | None:
        """Time limit, by either name; an error if both are given."""
        if self.timeout is not None and self.time_limit is not None:
            raise InputError("timeout and time_limit mean the same; give one of them")
        return self.timeout if self.time_limit is None else self.time_limit


class Searching(Limited, purpose="runs", waits=True):
    """Solver and its time."""

    solver: Solver | str = option(
        "see 'exactmatch solvers' (default: auto, with more branch and bound)",
        default=SOLVER,
        read=_solver,
        metavar="NAME[:option=value,…]",
        registry="solver",
        brief=("NAME", "default: {default}; see 'exactmatch help solvers'"),
    )

    def chosen_solver(self, records: bool = False) -> Solver:
        """Return the solver; raise an error if it must record proofs and cannot."""
        from exactmatch.solvers import get_solver

        made = self.solver
        made = get_solver(made) if isinstance(made, str) else made
        if records and not made.records_proofs:
            raise SolverError(f"solver {made.name!r} records no certificates; use auto")
        return made


class Proving(Searching, purpose="runs", waits=True):
    """Solver, its time, and its proof."""

    record_proof: bool = flag("keep the evidence for the bound", flags=())
    certify: bool = flag("check each proof by an independent checker")
    proof_version: str = option(
        "format of the proof: 1.2 for VeriPB 0.3, 2.0 for VeriPB 2 and CakePB, 3.0 for "
        "VeriPB 3",
        default="2.0",
        choices=VERSIONS,
    )
    proof: str | None = optional(
        "for one pair: write the problem as FILE.opb, and the proof for VeriPB; a "
        "file whose name ends in .gz is compressed",
        metavar="FILE.pbp",
        purpose="writes",
    )

    @property
    def records(self) -> bool:
        """True if the solver must record the proof."""
        return self.record_proof or self.certify or self.proof is not None


class GedOptions(Proving, Costs, TwoGraphs):
    """Options of the edit distance of two graphs."""


class Connected(Options, purpose="measures"):
    """Option that common subgraphs are connected."""

    connected: bool = flag(
        "the subgraph must be connected, regardless of the directions of edges"
    )


class CommonEdgesOptions(Connected, Searching, Matching, TwoGraphs):
    """Options of the common subgraph with the most edges."""


class CommonNodesOptions(Connected, Limited, Matching, TwoGraphs):
    """Options of the common induced subgraph with the most nodes."""


class ContainedAndContaining(Options, purpose="opens"):
    """Small graph, and the large one that may contain it."""

    small: Any = option("a networkx graph", read=_network, kw_only=False)
    large: Any = option(
        "the networkx graph that may contain it", read=_network, kw_only=False
    )


class ContainsOptions(Limited, Matching, ContainedAndContaining, purpose="measures"):
    """Options of the search for an embedding."""

    induced: bool = flag(
        "nodes that are not adjacent in the small graph must not be adjacent in the "
        "large one"
    )
