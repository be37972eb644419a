"""What a profile changes in a graph between reading and counting."""

from __future__ import annotations

from typing import Any

import pytest

from exactmatch.formats.readings import as_graph
from exactmatch.formats.remarks import without_tags
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.graphs.standardise import (
    changes_nothing,
    smatchpp_reifications,
    standardise,
)

SMATCH, CLEAN = PROFILES["smatch"], PROFILES["clean"]
SMATCHPP = PROFILES["smatchpp"]


def after(text: str, start: Profile = CLEAN, **options: Any) -> Graph:
    profile = start.with_options(**options)
    return standardise(as_graph(text, profile), profile)


def same(text: str, wanted: str, **options: Any) -> None:
    assert after(text, **options) == as_graph(wanted, CLEAN)


def test_most_profiles_change_nothing() -> None:
    graph = as_graph("(a / x-01 :wiki -)", CLEAN)
    for profile in PROFILES.values():
        steps = {"smatchpp", "umr", "drs-lenient", "mrp"}
        assert changes_nothing(profile) == (profile.name not in steps)
        if profile.name not in {"drs-lenient", "mrp"}:
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


# All that smatchpp 1.8.0 undoes: each concept of penman's model and 88 more, with
# each two of the roles ARG0 to ARG6, were run through its amr standardisation.
UNDONE_BY_SMATCHPP = """
    accompany-01 age-01 be-destined-for-91 be-from-91 be-located-at-91
    be-temporally-at-91 benefit-01 concern-02 exemplify-01 have-concession-91
    have-condition-91 have-degree-91 have-extent-91 have-frequency-91
    have-instrument-91 have-li-91 have-manner-91 have-mod-91 have-name-91 have-ord-91
    have-part-91 have-polarity-91 have-purpose-91 have-quant-91 have-subevent-91
    have-value-91 last-01 own-01
"""


def test_what_smatchpp_undoes() -> None:
    table = smatchpp_reifications("unquoted")
    assert sorted(table) == UNDONE_BY_SMATCHPP.split()
    assert table["own-01"] == ("poss", "arg1", "arg0")
    assert table["have-degree-91"] == ("degree", "arg1", "arg2")


@pytest.mark.parametrize("concept", UNDONE_BY_SMATCHPP.split())
def test_smatchpp_undoes_each_reification(concept: str) -> None:
    role, source, target = smatchpp_reifications("unquoted")[concept]
    wanted = as_graph(f"(a / x :{role} (b / y))", SMATCHPP)
    upper = source.upper(), target.upper(), concept.upper()
    for text in (
        f"(a / x :{source}-of (r / {concept} :{target} (b / y)))",
        f"(a / x :{upper[0]}-OF (r / {upper[2]} :{upper[1]} (b / y)))",
        f"(a / x :{source}-of (r / {concept} :{target} b) :{role} (b / y))",
    ):
        found = {tuple(t) for t in after(text, SMATCHPP).triples()}
        assert found == {tuple(t) for t in wanted.triples()}


@pytest.mark.parametrize(
    ("reified", "plain"),
    [
        ("(a / x :ARG1-of (r / age-01 :ARG2 3))", "(a / x :age 3)"),
        ('(a / x :ARG1-of (r / "Age-01" :ARG2 3))', "(a / x :age 3)"),
        ("(a / x :ARG2-of (r / age-01 :ARG1 3))", "(a / x :age-of 3)"),
        ("(a / x :ARG1-of (r / own-01 :ARG0 a))", "(a / x :poss a)"),
        (
            "(a / x :ARG1-of (r / age-01 :ARG2 (s / own-01 :ARG1 a :ARG0 7)))",
            "(a / x :age (s / own-01 :ARG1 a :ARG0 7))",
        ),
        (
            "(a / x :ARG1-of (r / age-01 :ARG2 3) :ARG1-of (s / own-01 :ARG0 (b / y)))",
            "(a / x :age 3 :poss (b / y))",
        ),
    ],
)
def test_smatchpps_dereification(reified: str, plain: str) -> None:
    assert after(reified, SMATCHPP) == as_graph(plain, SMATCHPP)


@pytest.mark.parametrize(
    "text",
    [
        "(r / own-01 :ARG1 (a / x) :ARG0 (b / y))",  # the root
        "(a / x :ARG1-of (r / own-01 :ARG0 (b / y)) :time r)",  # something points at it
        "(a / x :ARG1-of (r / own-01 :ARG0 (b / y) :ARG3-of 5))",  # a constant does
        "(a / x :ARG1-of (r / own-01 :ARG0 (b / y) :polarity -))",  # it has more
        "(a / x :ARG1-of (r / own-01 :ARG0 (b / y) :ARG0 b))",  # one role twice
        "(a / x :ARG1-of (r / own-01))",  # one role is missing
        "(a / x :ARG1-of (r / own-01 :ARG2 (b / y)))",  # another role
        "(a / x :ARG1-of (r / own-01 :ARG0 r))",  # it has itself
        "(a / x :ARG1-of (r / own-01) :op1 (b / y :ARG0-of (r / own-01)))",  # two
        "(a / x :ARG1-of (c / cause-01 :ARG0 (b / y)))",  # not in the table
        "(a / x :ARG1-of (h / have-degree-92 :ARG2 (b / y)))",
        "(a / x :ARG0-of (h / have-org-role-91 :ARG2 (b / y)))",
    ],
)
def test_what_smatchpp_leaves_as_it_is(text: str) -> None:
    assert after(text, SMATCHPP) == as_graph(text, SMATCHPP)


def test_a_node_between_constants_stays() -> None:
    """No reader makes one that is not the root, but a graph from Python may."""
    triples = [
        ("a", "instance", "x"),
        ("r", "instance", "own-01"),
        ("r", "ARG1", "1"),
        ("r", "ARG0", "2"),
    ]
    graph = Graph.from_triples(triples)
    assert standardise(graph, SMATCHPP) == graph


def test_the_options_take_the_place_of_smatchpps_step() -> None:
    text = "(a / x :ARG1-of (c / cause-01 :ARG0 (b / y)))"
    plain = as_graph("(a / x :cause (b / y))", SMATCHPP)
    assert after(text, SMATCHPP, reification="dereify") == plain
    assert (
        len(after("(a / x :poss (b / y))", SMATCHPP, reification="reify").variables)
        == 3
    )
