"""Counter's clause F: by hand, by trying every mapping, and by its laws."""

from __future__ import annotations

import itertools
from collections import Counter as Multiset
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.command import Cli, record_in
from support.examples import examples

from exactmatch.base.errors import GraphError, InputError
from exactmatch.formats.formats import FORMATS
from exactmatch.formats.readings import read_anything
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.drs.counter import Counter
from exactmatch.metrics.score import Score
from exactmatch.solvers import get_solver

GOLD = """\
b1 REF x1               % He
b1 male "n.02" x1       % He
b2 REF t1               % painted
b2 TPR t1 "now"         % painted
b2 time "n.08" t1       % painted
b0 REF e1               % painted
b0 Agent e1 x1          % painted
b0 Patient e1 x2        % painted
b0 Time e1 t1           % painted
b0 paint "v.03" e1      % painted
b0 REF x2               % a
b0 dog "n.01" x2        % dog
"""

PRED = """\
b4 REF x7
b4 person "n.01" x7
b5 REF t1
b5 TPR t1 "now"
b5 time "n.08" t1
b3 REF e1
b3 Agent e1 x7
b3 Patient x8 e1
b3 Time e1 t1
b3 paint "v.03" e1
b3 REF x8
b3 dog "n.01" x8
"""


def graph_of(text: str) -> Graph:
    (block,) = FORMATS["clauses"].blocks(text.splitlines(keepends=True), None)
    return FORMATS["clauses"].read(block).graph


def scored(
    pred: Any,
    gold: Any,
    profile: Any = PROFILES["drs"],
    solver: Any = "auto",
    **options: Any,
) -> Score:
    metric = Counter(profile, solver, **options)
    return metric.scores(metric.measure(graph_of(pred), graph_of(gold)).statistics)


def counts(found: Any) -> tuple[Any, Any, Any]:
    return found.matched, found.pred_total, found.gold_total


def test_clauses_of_three_variables_match_as_a_whole_or_not_at_all() -> None:
    """TPR, time, Agent, Time, paint and dog; Patient has its arguments exchanged."""
    found = scored(PRED, GOLD)
    assert counts(found) == (6, 8, 8)
    assert found.proven
    assert tuple(found.parts["operators"]) == (1, 1, 1)
    assert tuple(found.parts["roles"]) == (2, 3, 3)
    assert tuple(found.parts["concepts"]) == (3, 4, 4)


def test_needless_refs_and_senses_are_options() -> None:
    assert counts(scored(PRED, GOLD, include_ref=True)) == (10, 12, 12)
    other = GOLD.replace('"v.03"', '"v.01"')
    assert counts(scored(GOLD, other)) == (7, 8, 8)
    assert counts(scored(GOLD, other, PROFILES["drs-lenient"])) == (8, 8, 8)


def test_a_ref_counts_where_its_box_says_nothing_else_of_the_variable() -> None:
    text = 'b1 REF x1\nb2 male "n.02" x1\n'
    assert counts(scored(text, text)) == (2, 2, 2)
    assert counts(scored("b1 REF x1\n", "b1 REF x1\n")) == (1, 1, 1)


@pytest.mark.parametrize(
    ("pred", "gold", "matched"),
    [
        ("b1 EQU x1 x2", "b1 EQU x2 x1", 1),  # says the same in either order
        ('b1 EQU "now" t1', 'b1 EQU t1 "now"', 1),
        ("b1 LES x1 x2\nb1 LES x1 x3", "b1 LES x2 x1\nb1 LES x3 x1", 1),
        ("b1 NOT b2", "b1 POS b2", 0),
        ("b1 NOT b2\nb2 NOT b3", "b3 NOT b1\nb1 NOT b2", 2),
        ('b1 male "n.02" x1\nb1 NOT x1', 'b1 male "n.02" x1\nb1 NOT b2', 1),
        ("b1 CONTINUATION b2 b3", "b1 CONTINUATION b2 b3", 1),
        ("b1 PRP p1 b2", "b1 PRP p1 b2", 1),
        ('b1 PartOf "speaker" "hearer"', 'b9 PartOf "speaker" "hearer"', 1),
        ('b1 PartOf "speaker" x1', 'b9 PartOf x1 "speaker"', 0),
        ("b1 Role x1 x1", "b1 Role x1 x2", 0),
        ("b1 Role x1 x1", "b2 Role x9 x9", 1),
        ("b1 Role x1 x2\nb1 Role x1 x2", "b1 Role x1 x2", 1),  # stated twice
        ("b1 AttributeOf s1 x1\nb1 dog x1", "b1 Attribute x1 s1\nb1 dog x1", 2),
        ("b1 AttributeOf s1 x1\nb1 dog x1", "b1 Attribute s1 x1\nb1 dog x1", 1),
        ('b1 PartOf "speaker" x1', 'b9 Part x1 "speaker"', 1),
        ('b1 Of x1 "speaker"', 'b1 Of "speaker" x1', 0),  # no role stands before Of
        ('b1 kindOf "n.01" x1', 'b1 kind x1 "n.01"', 0),  # a concept
    ],
)
def test_what_matches_what(pred: str, gold: str, matched: int) -> None:
    assert scored(pred, gold).matched == matched


def test_a_role_that_is_stated_from_both_sides_counts_once() -> None:
    text = "b1 AttributeOf s1 x1\nb1 Attribute x1 s1\n"
    assert counts(scored(text, text)) == (1, 1, 1)
    profile = PROFILES["drs"].with_options(only=("attribute",))
    assert counts(scored(text, text, profile)) == (1, 1, 1)


def test_roles_and_concepts_that_count() -> None:
    profile = PROFILES["drs"].with_options(only=("agent", "concept"))
    assert counts(scored(PRED, GOLD, profile)) == (4, 5, 5)
    profile = PROFILES["drs"].with_options(leave_out=("concept",))
    assert counts(scored(PRED, GOLD, profile)) == (3, 4, 4)


VARIABLES = st.sampled_from(("x1", "x2", "x3"))
BOXES = st.sampled_from(("b1", "b2"))


@st.composite
def structures(draw: st.DrawFn) -> list[Any]:
    """Draw up to six clauses over two boxes and three entities."""
    kinds = st.one_of(
        st.tuples(BOXES, st.just("REF"), VARIABLES),
        st.tuples(BOXES, st.just("NOT"), BOXES),
        st.tuples(BOXES, st.just("IMP"), BOXES, BOXES),
        st.tuples(BOXES, st.sampled_from(("EQU", "LES")), VARIABLES, VARIABLES),
        st.tuples(BOXES, st.sampled_from(("EQU", "TPR")), VARIABLES, st.just('"now"')),
        st.tuples(
            BOXES, st.sampled_from(("Agent", "AgentOf", "Theme")), VARIABLES, VARIABLES
        ),
        st.tuples(BOXES, st.sampled_from(("Of", "PartOf")), VARIABLES, st.just('"a"')),
        st.tuples(BOXES, st.just("Part"), st.just('"a"'), VARIABLES),
        st.tuples(BOXES, st.sampled_from(("cat", "dog")), st.just('"n.01"'), VARIABLES),
        st.tuples(BOXES, st.just("Of"), st.just('"a"'), st.just('"b"')),
    )
    return draw(st.lists(kinds, min_size=1, max_size=6))


def written(clauses: Any) -> str:
    return "\n".join(map(" ".join, clauses)) + "\n"


TURNED = {"AgentOf": "Agent", "PartOf": "Part"}


def kept(clauses: Any) -> list[Any]:
    """The distinct clauses without needless REFs, straight from Counter's rules."""
    clauses = [
        (c[0], TURNED[c[1]], c[3], c[2]) if c[1] in TURNED else c for c in clauses
    ]
    found = [
        clause
        for place, clause in enumerate(clauses)
        if clause[1] != "REF"
        or not any(
            other != place and c[0] == clause[0] and clause[2] in c[-2:]
            for other, c in enumerate(clauses)
        )
    ]
    return list(dict.fromkeys(found))


def renamed(clause: Any, names: Any) -> tuple[Any, ...]:
    box, relation, *arguments = (
        names.get(word, word) if place != 1 else word
        for place, word in enumerate(clause)
    )
    if relation == "EQU":
        arguments.sort()
    return (box, relation, *arguments)


def best_by_brute_force(pred: Any, gold: Any) -> int:
    """The most clauses that a mapping of boxes to boxes, others to others, matches."""
    theirs = Multiset(renamed(c, {}) for c in gold)
    best = 0
    for boxes in itertools.permutations(("b1", "b2", None)):
        for entities in itertools.permutations(("x1", "x2", "x3")):
            names = dict(zip(("b1", "b2"), boxes, strict=False))
            names |= zip(("x1", "x2", "x3"), entities, strict=True)
            ours = Multiset(
                renamed(c, {k: v or "none" for k, v in names.items()}) for c in pred
            )
            best = max(best, (ours & theirs).total())
    return best


@pytest.mark.slow
@given(pred=structures(), gold=structures())
@settings(max_examples=examples(60))
def test_the_optimum_is_that_of_trying_everything(pred: Any, gold: Any) -> None:
    found = scored(written(pred), written(gold))
    ours, theirs = kept(pred), kept(gold)
    assert (found.pred_total, found.gold_total) == (len(ours), len(theirs))
    assert found.matched == best_by_brute_force(ours, theirs)
    assert found.proven


@pytest.mark.parametrize("solver", ["bnb", "cpsat", "highs"])
def test_exact_solvers_agree(solver: str) -> None:
    assert counts(scored(PRED, GOLD, solver=solver, include_ref=True)) == (10, 12, 12)


@pytest.mark.slow
@given(pred=structures(), gold=structures())
@settings(max_examples=examples(30))
def test_heuristics_never_exceed_it_and_the_bound_holds(pred: Any, gold: Any) -> None:
    best = scored(written(pred), written(gold)).matched
    for solver in ("hillclimb", "hungarian"):
        found = scored(written(pred), written(gold), solver=solver)
        assert found.matched <= best <= found.bound


@given(pred=structures())
@example(pred=[("b1", "REF", "x1"), ("b1", "REF", "x1")])
@settings(max_examples=examples(30))
def test_a_structure_is_itself(pred: Any) -> None:
    """One of which nothing counts scores 0, as any two of that kind do."""
    found = scored(written(pred), written(pred))
    assert found.score == bool(kept(pred))


def test_certificates_of_costs_are_checked() -> None:
    metric = Counter(solver=get_solver("bnb:record_proof=1"))
    pred, gold = map(metric.prepare, map(graph_of, (PRED, GOLD)))
    found = metric.compare(pred, gold)
    assert found.solution.certificate is not None


def test_what_is_no_clause_is_refused() -> None:
    metric = Counter()
    with pytest.raises(GraphError, match="clauses cannot state"):
        metric.prepare(read_anything("(a / x :ARG0 (b / y))", PROFILES["drs"])[0])


def test_too_many_pair_terms_are_refused() -> None:
    with pytest.raises(InputError, match="--max-terms"):
        scored(GOLD, GOLD, max_terms=3)


def test_on_the_command_line(tmp_path: Path, cli: Cli) -> None:
    paths = [str(tmp_path / name) for name in ("pred.clf", "gold.clf")]
    for path, text in zip(paths, (PRED, GOLD), strict=True):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    arguments = ["--metric", "counter", "--certify", "--format", "json"]
    found = record_in(cli.out(*paths, *arguments, "-q"))
    assert (found["matched"], found["pred_total"], found["proven"]) == (6, 8, 1)
    assert found["pieces"]["roles"] == {"g": 3, "s": 3, "c": 2}
    assert "metric:counter|read:clauses|sense:yes|ref:needed|" in found["signature"]
    assert (
        record_in(cli.out(*paths, *arguments, "--include-ref", "-q"))["matched"] == 10
    )
    assert "x7" in cli.out("align", *paths, "--metric", "counter")
