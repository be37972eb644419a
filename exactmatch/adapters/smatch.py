"""The functions of smatch 1.0.4's module ``smatch``, solved exactly.

Replace ``import smatch`` by ``from exactmatch.adapters import smatch``.  Names,
arguments and results are smatch's, and so are the triples that are counted; the
number of matched triples is the proven optimum instead of what a hill-climber
found.  Differences:

* A malformed AMR is a :class:`~exactmatch.base.errors.GraphError`, where smatch dies
  with an ``AttributeError`` of ``None``.
* Nothing is remembered between calls: ``match_triple_dict`` is always empty, and
  ``iteration_num`` and the like may be assigned without effect.
* Every function that aligns has a keyword ``solver``, such as ``"cpsat"``.
* A node whose partner would match nothing stays unaligned (``-1``).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from exactmatch.adapters import amr, hinted
from exactmatch.engine.align import align
from exactmatch.engine.problem import CodedGraph, GraphProblem, encode
from exactmatch.graphs.graph import NOWHERE, Graph, GraphCoder
from exactmatch.graphs.profile import Just, Profile
from exactmatch.metrics.score import f_score
from exactmatch.solvers import get_solver
from exactmatch.solvers.base import Solver

Triples = Sequence[tuple[str, str, str]]

single_score = True
"""Whether :func:`score_amr_pairs` yields one score for all pairs, not one each.

Read as the default of its keyword, because callers of smatch assign it.
"""

match_triple_dict: dict[Any, Any] = {}
"""Always empty; callers of smatch clear it after each pair."""

_PROFILE = amr.METRIC.profile


def get_amr_match(
    cur_amr1: str,
    cur_amr2: str,
    sent_num: int = 1,
    justinstance: bool = False,
    justattribute: bool = False,
    justrelation: bool = False,
    *,
    solver: Solver | str = "auto",
) -> tuple[int, int, int]:
    """Match two AMRs.

    Args:
        cur_amr1, cur_amr2: one AMR each, in one line.
        sent_num: the pair's number, for messages.
        justinstance, justattribute, justrelation: count one kind of triple
            only; two of them match nothing, as in smatch.
        solver: the solver that aligns, by name or as an object.

    Returns:
        The numbers of matched triples, triples of AMR 1 and triples of AMR 2.

    Example:
        >>> get_amr_match("(b / bark-01 :ARG0 (d / dog))", "(x / bark-01)")
        (2, 4, 2)
    """
    all_kinds: tuple[Just, ...] = ("instance", "attribute", "relation")
    flags = zip(all_kinds, (justinstance, justattribute, justrelation), strict=True)
    kinds = [kind for kind, is_counted in flags if is_counted]
    profile = _PROFILE.with_options(just=kinds[0] if kinds else None)
    left = encode(amr.read_line(cur_amr1, f"AMR 1 of pair {sent_num}"), profile)
    right = encode(amr.read_line(cur_amr2, f"AMR 2 of pair {sent_num}"), profile)
    matched = 0 if len(kinds) > 1 else _align(left, right, profile, solver)[1]
    return matched, left.total, right.total


def score_amr_pairs(
    f1: Iterable[str],
    f2: Iterable[str],
    justinstance: bool = False,
    justattribute: bool = False,
    justrelation: bool = False,
    *,
    single_score: bool | None = None,
    solver: Solver | str = "auto",
) -> Iterator[tuple[float, float, float]]:
    """Yield precision, recall and F1 of two files of AMRs.

    Args:
        f1, f2: open files, or other iterables of lines.
        justinstance, justattribute, justrelation: as in :func:`get_amr_match`.
        single_score: yield one score for all pairs (smatch's default), or one
            for each; default: the module's ``single_score``.
        solver: as in :func:`get_amr_match`.

    Example:
        >>> predicted, gold = ["(b / bark-01)"], ["(x / bark-01)"]
        >>> list(score_amr_pairs(predicted, gold))
        [(1.0, 1.0, 1.0)]
    """
    if single_score is None:
        single_score = globals()["single_score"]
    used = get_solver(solver) if isinstance(solver, str) else solver
    sums = [0, 0, 0]
    for number, (amr1, amr2) in enumerate(generate_amr_lines(f1, f2), 1):
        counts = get_amr_match(
            amr1, amr2, number, justinstance, justattribute, justrelation, solver=used
        )
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        if not single_score:
            yield compute_f(*counts)
    if single_score:
        yield compute_f(*sums)


def compute_f(
    match_num: float, test_num: float, gold_num: float
) -> tuple[float, float, float]:
    """Return precision, recall and F1 of summed counts; 0 where a side is empty.

    Args:
        match_num: number of matched triples.
        test_num, gold_num: numbers of triples on either side.

    Example:
        >>> compute_f(2, 4, 2)
        (0.5, 1.0, 0.6666666666666666)
    """
    return f_score(match_num, test_num, gold_num)


def get_best_match(
    instance1: Triples,
    attribute1: Triples,
    relation1: Triples,
    instance2: Triples,
    attribute2: Triples,
    relation2: Triples,
    prefix1: str,
    prefix2: str,
    doinstance: bool = True,
    doattribute: bool = True,
    dorelation: bool = True,
    *,
    solver: Solver | str = "auto",
) -> tuple[list[int], int]:
    """Find the alignment that matches most triples.

    Args:
        instance1, instance2: ``("instance", node, concept)`` triples, one a
            node; nodes are called by their prefix and number.
        attribute1, attribute2: ``(role, node, constant)`` triples, TOP included.
        relation1, relation2: ``(role, node, node)`` triples.
        prefix1, prefix2: what the names of either side's nodes begin with.
        doinstance, doattribute, dorelation: which kinds count.
        solver: as in :func:`get_amr_match`.

    Returns:
        The right node of every left node, ``-1`` for none, and the number of
        matched triples.

    Raises:
        GraphError: if a node is not called by its prefix and number.
    """
    profile = _PROFILE.with_options(top="none")
    counted = (doinstance, doattribute, dorelation)

    def coded(prefix: str, *triples: Triples) -> CodedGraph:
        kept = (
            of_kind if counts else ()
            for of_kind, counts in zip(triples, counted, strict=True)
        )
        return encode(_graph_of(prefix, len(triples[0]), *kept), profile)

    left = coded(prefix1, instance1, attribute1, relation1)
    right = coded(prefix2, instance2, attribute2, relation2)
    return _align(left, right, profile, solver)


def generate_amr_lines(
    f1: Iterable[str], f2: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of AMRs of two files, each AMR in one line.

    If one file ends before the other, the rest is left out, with smatch's message on
    stderr.
    """
    lines1, lines2 = iter(f1), iter(f2)
    while True:
        amr1 = amr.AMR.get_amr_line(lines1)
        amr2 = amr.AMR.get_amr_line(lines2)
        if not (amr1 and amr2):
            break
        yield amr1, amr2
    if amr1 or amr2:
        less, more = (2, 1) if amr1 else (1, 2)
        print(f"Error: File {less} has less AMRs than file {more}", file=sys.stderr)
        print("Ignoring remaining AMRs", file=sys.stderr)


def print_alignment(
    mapping: Sequence[int], instance1: Triples, instance2: Triples
) -> str:
    """Return an alignment as text, in smatch's format.

    Args:
        mapping: the right node of every left node, ``-1`` for none.
        instance1, instance2: ``("instance", node, concept)`` triples, one a node.

    Example:
        >>> left = [("instance", "a0", "boy"), ("instance", "a1", "girl")]
        >>> print_alignment([0, -1], left, [("instance", "b0", "boy")])
        'a0(boy)-b0(boy) a1(girl)-Null'
    """
    parts = []
    for (_, name, concept), j in zip(instance1, mapping, strict=False):
        partner = "Null" if j == -1 else f"{instance2[j][1]}({instance2[j][2]})"
        parts.append(f"{name}({concept})-{partner}")
    return " ".join(parts)


def _align(
    left: CodedGraph, right: CodedGraph, profile: Profile, solver: Solver | str
) -> tuple[list[int], int]:
    used = get_solver(solver) if isinstance(solver, str) else solver
    solution = align(GraphProblem(left, right, profile), used).solution
    assert solution is not None  # because an alignment is wanted
    return list(solution.alignment), solution.value


def _graph_of(
    prefix: str, n: int, instances: Triples, attributes: Triples, relations: Triples
) -> Graph:
    """Make a graph of smatch's triple lists, TOP being an attribute like others."""
    coder = GraphCoder(f"{prefix}{i}" for i in range(n))

    def number(name: str) -> int:
        if name in coder.numbers:
            return coder.numbers[name]
        nodes = f"its nodes are {prefix}0 to {prefix}{n - 1}"
        raise NOWHERE.error(f"has a triple of {name!r}; {nodes}")

    for _, name, concept in instances:
        coder.instances.append((number(name), coder.label(concept)))
    for role, name, value in attributes:
        coder.attributes.append((number(name), coder.label(role), coder.label(value)))
    for role, name, target in relations:
        coder.relations.append((number(name), coder.label(role), number(target)))
    return coder.graph(None, {}, NOWHERE)


__getattr__ = hinted(__name__)
