"""``exactmatch ged``: how far apart graphs of any kind are."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.numbers import several
from exactmatch.base.values import positive_float
from exactmatch.base.version import __version__
from exactmatch.cli.answer import shown_score, write_answer
from exactmatch.cli.lists import Listing
from exactmatch.cli.options import add_max_bytes, add_output
from exactmatch.views.progress import progress
from exactmatch.views.tables import FORMATS

if TYPE_CHECKING:
    from exactmatch.edit.distance_view import GraphPair
    from exactmatch.formats.network_texts import NamedGraph
    from exactmatch.solvers.base import Solver


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    from exactmatch.formats.networks import READERS

    del arguments
    parser.add_argument(
        "first",
        metavar="A",
        help="node-link JSON, GraphML, GXL, GML, DOT or triples, one graph or many; a "
        "folder, .gz, or - for standard input",
    )
    parser.add_argument("second", metavar="B", help="as many graphs, paired in order")
    parser.add_argument(
        "--format-in",
        choices=tuple(READERS),
        metavar="NAME",
        help="their format (default: what each surely is)",
    )
    add_max_bytes(parser)
    group = parser.add_argument_group("what edits cost")
    for kind in ("node", "edge"):
        group.add_argument(
            f"--{kind}-match",
            action=Listing,
            default="all",
            metavar="KEY[,KEY…]",
            help=f"{kind}s are equal if they agree in these attributes; all (default) "
            "or none",
        )
        group.add_argument(
            f"--{kind}-costs",
            type=_three_costs,
            default=(1.0, 1.0, 1.0),
            metavar="S,D,I",
            help=f"costs of substituting unequal {kind}s, of deleting and of inserting "
            "(default: 1,1,1)",
        )
    group.add_argument(
        "--triples",
        action="store_true",
        help="show also the F1 of triples (head, relation, tail): equal, alike, and "
        "equal with blank nodes aligned",
    )
    group = parser.add_argument_group("solving")
    group.add_argument(
        "--solver",
        metavar="NAME[:option=value,…]",
        help="see 'exactmatch solvers' (default: auto, with more branch and bound)",
    )
    group.add_argument(
        "--time-limit",
        type=positive_float,
        metavar="SECONDS",
        help="for each pair; what is not proven in time is reported as an interval",
    )
    group.add_argument(
        "--require-optimal",
        action="store_true",
        help="exit with 1 unless every distance is proven",
    )
    group.add_argument(
        "--certify",
        action="store_true",
        help="have each proof checked by an independent checker; exit with 1 if one is "
        "rejected",
    )
    group.add_argument(
        "--proof",
        metavar="FILE.pbp",
        help="of one pair: write the problem as FILE.opb, and the proof for VeriPB",
    )
    parser.add_argument(
        "--paths",
        action="store_true",
        help="list the edits of every pair (default: if there is one pair)",
    )
    add_output(parser, FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """Compute edit distances: the least cost of turning graphs of A into those of B.

    Every distance is proven to be the least, or is reported with a bound below it.

    Example:
      exactmatch ged a.graphml b.graphml
      exactmatch ged parsed.tsv gold.tsv --triples
      exactmatch ged first/ second/ --node-match symbol --edge-match valence
      exactmatch ged a.json b.json --node-costs 2,4,4 --edge-costs 1,1,1
    """
    from exactmatch.edit.costs import compared_attributes
    from exactmatch.edit.distance_view import distance_tables
    from exactmatch.formats.networks import read_graphs
    from exactmatch.studies.score.proof import check_proof_path, write_proof_files

    if args.proof is not None:
        check_proof_path(args.proof)
    solver = _solver(args)
    if [args.first, args.second] == ["-", "-"]:
        raise InputError("standard input can be only one of the files")
    first, second = (
        read_graphs(path, args.format_in) for path in (args.first, args.second)
    )
    if len(first) != len(second):
        raise InputError(
            f"{args.first} holds {several(len(first), 'graph')} but {args.second} "
            f"{several(len(second), 'graph')}; they are paired in order"
        )
    if args.proof is not None and len(first) != 1:
        raise InputError(f"--proof is of one pair, and there are {len(first)}")
    with atomic_output(args.output) as stream:
        pairs = []
        with progress("comparing", len(first), args.quiet) as advance:
            for index, graphs in enumerate(zip(first, second, strict=True)):
                pairs.append(_compared(args, index, graphs, solver))
                advance()
        proven = sum(pair.result.proven for pair in pairs)
        signature = _signature(args, solver, f"{proven}/{len(pairs)}")
        with_paths = args.paths or len(pairs) == 1
        graphs_of = [found.graph for found in (*first, *second)]
        compared, _ = compared_attributes(graphs_of, args.node_match, args.edge_match)
        number = shown_score(args)
        shown = distance_tables(pairs, signature, compared, with_paths, number)
        write_answer(args, stream, shown)
    if args.proof is not None:
        found = pairs[0].result
        write_proof_files(args.proof, found.problem, found.solution)
    rejected = _rejected(args, pairs) if args.certify else 0
    unproven = len(pairs) - proven if args.require_optimal else 0
    if unproven and not args.quiet:
        print(
            f"exactmatch: {unproven} of {len(pairs)} distances are not proven",
            file=sys.stderr,
        )
    return 1 if rejected or unproven else 0


def _solver(args: argparse.Namespace) -> Solver:
    """The solver, made to record proofs if that is wanted.

    Raises:
        SolverError: if it is unknown or cannot.
    """
    from exactmatch.edit.distance import SOLVER, solver_named

    return solver_named(args.solver or SOLVER, args.certify or args.proof is not None)


def _compared(
    args: argparse.Namespace,
    index: int,
    graphs: tuple[NamedGraph, NamedGraph],
    solver: Solver,
) -> GraphPair:
    from exactmatch.edit.distance import ged
    from exactmatch.edit.distance_view import GraphPair
    from exactmatch.edit.triples import WAYS, shared_triples

    g, h = (found.graph for found in graphs)
    if g.is_directed() != h.is_directed():
        directed, other = args.first, args.second
        if h.is_directed():
            directed, other = other, directed
        raise InputError(
            f"pair {index}: the graph of {directed} is directed and that of {other} is "
            "not; make both the same ('directed' in JSON, 'edgedefault' in GraphML, "
            "'edgemode' in GXL, 'digraph' in DOT, --format-in directed-edge-list; "
            "triples are directed)"
        )
    node_subst, node_del, node_ins = args.node_costs
    edge_subst, edge_del, edge_ins = args.edge_costs
    try:
        result = ged(
            g,
            h,
            node_subst_cost=_substitution(args.node_match, node_subst),
            node_del_cost=_each(node_del),
            node_ins_cost=_each(node_ins),
            edge_subst_cost=_substitution(args.edge_match, edge_subst),
            edge_del_cost=_each(edge_del),
            edge_ins_cost=_each(edge_ins),
            timeout=args.time_limit,
            solver=solver,
            record_proof=args.certify or args.proof is not None,
        )
        shared = {
            way: shared_triples(g, h, way, args.time_limit)
            for way in (WAYS if args.triples else ())
        }
    except InputError as error:
        raise InputError(f"pair {index}: {error}") from None
    return GraphPair(index, (graphs[0].name, graphs[1].name), result, shared)


def _rejected(args: argparse.Namespace, pairs: Sequence[GraphPair]) -> int:
    """Have all proofs checked, and say how many are rejected and why."""
    from exactmatch.solvers.certificate import CertificateError
    from exactmatch.solvers.solution import check_solution

    rejected = 0
    for pair in pairs:
        result = pair.result
        try:
            check_solution(result.problem, result.solution)
        except CertificateError as error:
            rejected += 1
            print(f"exactmatch: pair {pair.index}: {error}", file=sys.stderr)
    if not args.quiet or rejected:
        print(
            f"exactmatch: {several(len(pairs), 'certificate')} checked, {rejected} "
            "rejected",
            file=sys.stderr,
        )
    return rejected


def _substitution(keys: str, cost: float) -> Callable[[Any, Any], float] | None:
    """What substituting costs by the attributes that must agree."""
    if keys == "none":
        return None
    if keys == "all":
        return lambda a, b: 0.0 if a == b else cost
    names = keys.split(",")
    return lambda a, b: 0.0 if all(a.get(n) == b.get(n) for n in names) else cost


def _each(cost: float) -> Callable[[Any], float]:
    return lambda _: cost


def _three_costs(text: str) -> tuple[float, float, float]:
    """Convert three costs, separated by commas."""
    try:
        substituting, deleting, inserting = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not three numbers, of substituting, deleting and inserting"
        ) from None
    return substituting, deleting, inserting


def _signature(args: argparse.Namespace, solver: Solver, proven: str) -> str:
    """What determines the distances."""
    costs = [",".join(f"{c:g}" for c in k) for k in (args.node_costs, args.edge_costs)]
    return (
        f"metric:ged|node-match:{args.node_match}|node-costs:{costs[0]}|"
        f"edge-match:{args.edge_match}|edge-costs:{costs[1]}|"
        f"solver:{solver.signature()}|proven:{proven}|version:{__version__}"
    )
