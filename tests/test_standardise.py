"""What a profile changes in a graph between reading and counting."""

from __future__ import annotations

from typing import Any

import pytest

from exactmatch.graph import Graph
from exactmatch.networks import as_graph
from exactmatch.profile import PROFILES, Profile
from exactmatch.reading import without_tags
from exactmatch.standardise import changes_nothing, standardise

SMATCH, CLEAN = PROFILES["smatch"], PROFILES["clean"]


def after(text: str, start: Profile = CLEAN, **options: Any) -> Graph:
    profile = start.with_options(**options)
    return standardise(as_graph(text, profile), profile)


def same(text: str, wanted: str, **options: Any) -> None:
    assert after(text, **options) == as_graph(wanted, CLEAN)


def test_most_profiles_change_nothing() -> None:
    graph = as_graph("(a / x-01 :wiki -)", CLEAN)
    for profile in PROFILES.values():
        assert changes_nothing(profile)
        assert standardise(graph, profile) is graph
    assert not changes_nothing(CLEAN.with_options(wiki=False))
    assert not changes_nothing(CLEAN.with_options(sense=False))
    assert not changes_nothing(CLEAN.with_options(reification="reify"))


def test_wiki_goes_whatever_its_case_and_kind() -> None:
    text = '(a / x :wiki "Q1" :WIKI - :wiki (b / y) :wikis 1 :ARG0 b)'
    same(text, "(a / x :wikis 1 :ARG0 (b / y))", wiki=False)
    plain = as_graph("(a / x)", CLEAN)
    assert standardise(plain, CLEAN.with_options(wiki=False)) is plain


@pytest.mark.parametrize(
    ("concept", "bare"),
    [
        ("want-01", "want"),
        ("have-org-role-91", "have-org-role"),
        ("x-1", "x-1"),
        ("x-001", "x"),
        ("date-entity", "date-entity"),
        ("-01", "-01"),
        ("go-02-03", "go-02"),
    ],
)
def test_senses_go_from_concepts_alone(concept: str, bare: str) -> None:
    found = after(f"(a / {concept} :op1 run-01)", sense=False)
    assert list(found.triples()) == [("a", "instance", bare), ("a", "op1", "run-01")]


def test_reified_and_plain_become_one() -> None:
    plain = "(m / man :accompanier (c / cat))"
    reified = "(m / man :ARG1-of (a / accompany-01 :ARG0 (c / cat)))"
    one = after(plain, reification="reify")
    assert sorted(one.labels) == sorted(after(reified, reification="reify").labels)
    assert len(one.variables) == 3
    assert one.variables[one.top or 0] == "m"
    same(reified, plain, reification="dereify")
    same(plain, plain, reification="dereify")


def test_reifying_keeps_metadata_and_repetitions() -> None:
    text = "# ::id 1\n(m / man :ARG9 (c / cat) :ARG9 c :op1 1 :op1 1)"
    found = after(text, reification="reify")
    assert found.id == "1"
    assert found == as_graph(text, CLEAN)


def test_a_reified_node_gets_a_name_of_its_own() -> None:
    found = after(
        "(_ / man :accompanier (c / cat) :time (d / day))", reification="reify"
    )
    assert len(set(found.variables)) == len(found.variables) == 5


@pytest.mark.parametrize(
    ("tagged", "bare"),
    [
        ("(a / x~e.1 :ARG0~e.2 (b / y~e.3,4))", "(a / x :ARG0 (b / y))"),
        ("(a / x~1 :op1 y~2,3)", "(a / x :op1 y)"),
        ('(a / x :op1 "b~e.1"~e.2)', '(a / x :op1 "b~e.1")'),
        ('(a / x :op1 "b\\"~e.1")', '(a / x :op1 "b\\"~e.1")'),
        ("(a / x~y :op1 ~)", "(a / x~y :op1 ~)"),
        ("(a / x)", "(a / x)"),
    ],
)
def test_tags_go_where_they_are_tags(tagged: str, bare: str) -> None:
    assert without_tags(tagged) == bare
