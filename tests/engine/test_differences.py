"""Edits turn the prediction into the reference, and no fewer could."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.graph_strategies import aligned_graphs, graphs

from exactmatch.engine.differences import differences, statements
from exactmatch.engine.problem import counted_triples, renamed
from exactmatch.graphs.drawing.drawing import TOP
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES

COUNTING = [
    PROFILES["clean"],
    PROFILES["smatch"],
    PROFILES["smatchpp"],
    PROFILES["clean"].with_options(top="concept"),
    PROFILES["clean"].with_options(just="relation"),
]


laws = settings(deadline=None)


def compared(pair: Any, profile: Any) -> Any:
    pred, gold, alignment = pair
    sides = statements(pred, profile), statements(gold, profile)
    return sides, differences(*sides, alignment)


def applied(edits: Any, pred: Any, alignment: Any) -> Counter[Any]:
    """Apply edits to a prediction's triples, in the reference's variables."""
    result = Counter(renamed(statement.triple, alignment) for statement in pred)
    for edit in edits:
        if edit.pred is not None:
            result[renamed(edit.pred.triple, alignment)] -= 1
        if edit.gold is not None:
            result[edit.gold.triple] += 1
    return +result


def differ_in_one_thing(one: Any, other: Any) -> Any:
    """Whether two triples, in the same variables, are one change apart."""
    kind, role, source, target = one
    if kind != other.kind:
        return False
    if kind == "instance":
        return source == other.source
    if "top" in (role.lower(), other.role.lower()) and kind == "attribute":
        return role == other.role
    same = (role == other.role) + (source == other.source) + (target == other.target)
    turned = kind == "relation" and (source, target) == (other.target, other.source)
    return same == 2 or turned


def most_pairs(extra: Any, missing: Any) -> Any:
    """How many of two lists can be joined at most, by trying."""
    if not extra:
        return 0
    first, *rest = extra
    best = most_pairs(rest, missing)
    for k, other in enumerate(missing):
        if differ_in_one_thing(first, other):
            best = max(best, 1 + most_pairs(rest, missing[:k] + missing[k + 1 :]))
    return best


@pytest.mark.slow
@pytest.mark.parametrize("profile", COUNTING, ids=lambda p: f"{p.name} {p.just}")
@laws
@given(pair=aligned_graphs())
def test_edits_turn_one_graph_into_the_other(profile: Any, pair: Any) -> None:
    (pred, gold), found = compared(pair, profile)
    wanted = Counter(statement.triple for statement in gold)
    assert applied(found.edits, pred, found.alignment) == wanted


@pytest.mark.parametrize("profile", COUNTING, ids=lambda p: f"{p.name} {p.just}")
@laws
@given(pair=aligned_graphs())
def test_what_is_equal_is_matched(profile: Any, pair: Any) -> None:
    (pred, gold), found = compared(pair, profile)
    ours = Counter(renamed(s.triple, found.alignment) for s in pred)
    common = (ours & Counter(s.triple for s in gold)).total()
    assert len(found.matched) == common
    for one, other in found.matched:
        assert renamed(one.triple, found.alignment) == other.triple
    changed = sum(edit.change is not None for edit in found.edits)
    assert len(found.edits) + changed == len(pred) + len(gold) - 2 * common


@laws
@given(pair=aligned_graphs())
def test_no_fewer_edits_would_do(pair: Any) -> None:
    profile = PROFILES["clean"]
    _, found = compared(pair, profile)
    extra = [renamed(e.pred.triple, found.alignment) for e in found.edits if e.pred]
    missing = [e.gold.triple for e in found.edits if e.gold]
    joined = sum(edit.change is not None for edit in found.edits)
    for edit in found.edits:
        if edit.change:
            one = renamed(edit.pred.triple, found.alignment)
            assert differ_in_one_thing(one, edit.gold.triple)
    if len(extra) <= 6 and len(missing) <= 6:
        assert joined == most_pairs(extra, missing)


@laws
@given(graph=graphs(), profile=st.sampled_from(COUNTING))
def test_statements_are_the_triples_that_count(graph: Any, profile: Any) -> None:
    found = statements(graph, profile)
    every = list(counted_triples(graph, profile))
    if profile.duplicates == "set":
        every = list(dict.fromkeys(every))
    assert [statement.triple for statement in found] == every
    numbers = [statement.number for statement in found]
    assert len(set(numbers)) == len(numbers)
    triples = list(graph.triples())
    for number, triple, written in found:
        assert triple.source == written.source
        if number == TOP:
            assert written.role == "TOP"
            continue
        source, role, target = triples[number]
        assert graph.variables[written.source] == source
        assert role == (written.role or "instance")
        end = written.target
        assert target == (graph.variables[end] if isinstance(end, int) else end)


def edits(pred: Any, gold: Any, alignment: Any) -> Counter[Any]:
    sides = [
        Graph.from_triples([tuple(text.split()) for text in side.split("; ")])
        for side in (pred, gold)
    ]
    profile = PROFILES["clean"].with_options(top="none")
    said = [statements(side, profile) for side in sides]
    return Counter(
        edit.change or ("insert" if edit.pred is None else "delete")
        for edit in differences(said[0], said[1], alignment).edits
    )


NODES = "a instance x; b instance y; c instance z"


@pytest.mark.parametrize(
    ("pred", "gold", "change"),
    [
        ("a r b", "a s b", "role"),
        ("a r b", "b r a", "direction"),
        ("a r b", "b s a", "direction"),
        ("a r b", "c r b", "attachment"),
        ("a r b", "a r c", "argument"),
        ("a p 1", "a p 2", "value"),
        ("a p 1", "a q 1", "role"),
        ("a p 1", "b p 1", "attachment"),
    ],
)
def test_one_change_is_one_edit(pred: str, gold: str, change: str) -> None:
    found = edits(f"{NODES}; {pred}", f"{NODES}; {gold}", (0, 1, 2))
    assert found == {change: 1}


def test_a_smaller_change_is_preferred() -> None:
    """``a r b`` could become either; as ``a s b`` only its role changes."""
    found = edits(f"{NODES}; a r b", f"{NODES}; a s b; a r c", (0, 1, 2))
    assert found == {"role": 1, "insert": 1}


def test_more_changes_are_preferred_to_smaller_ones() -> None:
    """``a r b`` gives way to ``a t b``, which can only become ``a s b``."""
    found = edits(f"{NODES}; a r b; a t b", f"{NODES}; a s b; a r c", (0, 1, 2))
    assert found == {"role": 1, "argument": 1}


def test_another_concept_and_another_root() -> None:
    profile = PROFILES["clean"]
    pred, gold = (
        Graph.from_triples([("a", "instance", c), ("b", "instance", "y")], top=top)
        for c, top in (("x", "a"), ("z", "b"))
    )
    said = [statements(side, profile) for side in (pred, gold)]
    found = differences(said[0], said[1], (0, 1)).edits
    assert sorted(edit.change for edit in found) == ["concept", "root"]


def test_what_has_no_partner_is_deleted_and_inserted() -> None:
    assert edits("a instance x", "a instance y", (-1,)) == {"insert": 1, "delete": 1}


def test_two_empty_graphs_need_no_edit() -> None:
    found = differences([], [], ())
    assert (found.matched, found.edits) == ((), ())


def test_large_differences_are_joined_at_once() -> None:
    """A hundred roles on each side, all different."""
    pred, gold = ("; ".join(f"a {letter}{k} b" for k in range(100)) for letter in "rs")
    found = edits(f"{NODES}; {pred}", f"{NODES}; {gold}", (0, 1, 2))
    assert found == {"role": 100}
