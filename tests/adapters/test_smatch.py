"""The drop-in for smatch 1.0.4: its functions, arguments and results.

Expected values were written down from runs of smatch 1.0.4 where its climb finds
the optimum.
"""

from __future__ import annotations

import inspect
import io
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from support.examples import examples
from support.graph_strategies import Parts, best_match, parts

from exactmatch.adapters import amr, smatch
from exactmatch.base.errors import GraphError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES

ONE = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-01 :ARG0 b) :polarity -)"
TWO = "(w / want-01 :ARG0 (g / girl) :ARG1 (x / go-01 :ARG0 g))"
FILE1 = f"# ::id 1\n{ONE}\n\n\n# no graph\n\n# ::id 2\n(a / x\n   :quant 5\n6)\n"
FILE2 = f"{TWO}\n\n(b / x :quant 56)"


def test_signatures_begin_as_those_of_smatch() -> None:
    """Positional arguments, by name, order and default."""
    wanted = {
        "get_amr_match": "cur_amr1, cur_amr2, sent_num=1, justinstance=False, "
        "justattribute=False, justrelation=False",
        "score_amr_pairs": "f1, f2, justinstance=False, justattribute=False, "
        "justrelation=False",
        "compute_f": "match_num, test_num, gold_num",
        "get_best_match": "instance1, attribute1, relation1, instance2, attribute2, "
        "relation2, prefix1, prefix2, doinstance=True, doattribute=True, "
        "dorelation=True",
        "generate_amr_lines": "f1, f2",
        "print_alignment": "mapping, instance1, instance2",
    }
    for name, arguments in wanted.items():
        parameters = inspect.signature(getattr(smatch, name)).parameters.values()
        found = [
            p.name if p.default is p.empty else f"{p.name}={p.default}"
            for p in parameters
            if p.kind is p.POSITIONAL_OR_KEYWORD
        ]
        assert ", ".join(found) == arguments


def test_two_amrs() -> None:
    assert smatch.get_amr_match(ONE, TWO, solver="brute") == (6, 8, 7)
    assert smatch.get_amr_match(TWO, ONE, 7, solver="brute") == (6, 7, 8)


def test_the_default_solver_proves_the_same() -> None:
    assert smatch.get_amr_match(ONE, TWO) == (6, 8, 7)
    assert list(smatch.score_amr_pairs([ONE], [TWO])) == [smatch.compute_f(6, 8, 7)]


@pytest.mark.parametrize(
    ("just", "wanted"),
    [
        ({"justinstance": True}, (2, 3, 3)),
        ({"justattribute": True}, (1, 2, 1)),
        ({"justrelation": True}, (3, 3, 3)),
        ({"justinstance": True, "justrelation": True}, (0, 3, 3)),
        ({"justattribute": True, "justrelation": True}, (0, 2, 1)),
    ],
)
def test_one_kind_of_triple(just: Any, wanted: tuple[int, ...]) -> None:
    """Two kinds at once match nothing and count the first."""
    assert smatch.get_amr_match(ONE, TWO, **just, solver="brute") == wanted


def test_an_amr_is_one_line_whose_line_ends_are_characters() -> None:
    """As in smatch, whose callers join the lines with ``get_amr_line``."""
    assert smatch.get_amr_match("(a / x\n)", "(a / x)", solver="brute") == (1, 2, 2)


def test_a_malformed_amr_is_an_error_that_says_which() -> None:
    with pytest.raises(GraphError, match=r"'AMR 2 of pair 3' has a '\)' without"):
        smatch.get_amr_match(ONE, "(a))", 3)
    with pytest.raises(GraphError, match="'AMR 1 of pair 1' has no node"):
        smatch.get_amr_match("", ONE)


def test_lines_of_files() -> None:
    pairs = list(smatch.generate_amr_lines(io.StringIO(FILE1), io.StringIO(FILE2)))
    assert pairs == [(ONE, TWO), ("(a / x:quant 56)", "(b / x :quant 56)")]


def test_lines_of_lists() -> None:
    pairs = list(smatch.generate_amr_lines([ONE, "", ONE], [TWO, "", TWO]))
    assert pairs == [(ONE, TWO)] * 2


def test_a_longer_file_is_cut_with_a_message(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert list(smatch.generate_amr_lines([ONE, "", ONE], [TWO])) == [(ONE, TWO)]
    assert "File 2 has less AMRs than file 1" in capsys.readouterr().err
    assert list(smatch.generate_amr_lines([ONE], [TWO, "", TWO])) == [(ONE, TWO)]
    assert "File 1 has less AMRs than file 2" in capsys.readouterr().err
    assert list(smatch.generate_amr_lines([], [])) == []
    assert capsys.readouterr().err == ""


def scores(**options: Any) -> Iterator[tuple[float, float, float]]:
    return smatch.score_amr_pairs(
        io.StringIO(FILE1), io.StringIO(FILE2), solver="brute", **options
    )


def test_a_corpus_or_each_pair() -> None:
    (total,) = scores()
    assert total == smatch.compute_f(6 + 3, 8 + 3, 7 + 3)
    assert list(scores(single_score=False)) == [
        smatch.compute_f(6, 8, 7),
        (1.0, 1.0, 1.0),
    ]
    assert list(scores(justrelation=True)) == [(1.0, 1.0, 1.0)]
    assert list(smatch.score_amr_pairs([], [])) == [(0.0, 0.0, 0.0)]


def test_the_module_says_what_the_default_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Callers of smatch assign ``single_score``; other switches do nothing."""
    assert smatch.single_score is True
    monkeypatch.setattr(smatch, "single_score", False)
    monkeypatch.setattr(smatch, "iteration_num", 1, raising=False)
    monkeypatch.setattr(smatch, "verbose", True, raising=False)
    assert len(list(scores())) == 2
    assert len(list(scores(single_score=True))) == 1


def test_nothing_is_remembered() -> None:
    smatch.get_amr_match(ONE, TWO, solver="brute")
    assert smatch.match_triple_dict == {}
    smatch.match_triple_dict.clear()


def test_f_score() -> None:
    assert smatch.compute_f(3, 4, 12) == (0.75, 0.25, 0.375)
    assert smatch.compute_f(0, 2, 4) == (0.0, 0.0, 0.0)
    assert smatch.compute_f(0, 0, 4) == (0.0, 0.0, 0.0)


def lists(text: str, prefix: str) -> amr.TripleLists:
    parsed = amr.AMR.parse_AMR_line(text)
    parsed.rename_node(prefix)
    return parsed.get_triples()


def test_triples_of_an_amr() -> None:
    instances, attributes, relations = lists(ONE, "a")
    assert instances == [
        ("instance", "a0", "want-01"),
        ("instance", "a1", "boy"),
        ("instance", "a2", "go-01"),
    ]
    assert attributes == [("polarity", "a0", "-"), ("TOP", "a0", "top")]
    assert relations == [
        ("ARG0", "a0", "a1"),
        ("ARG1", "a0", "a2"),
        ("ARG0", "a2", "a1"),
    ]


def test_an_amr_in_lists() -> None:
    parsed = amr.AMR.parse_AMR_line(ONE)
    assert (parsed.root, parsed.nodes) == ("w", ["w", "b", "g"])
    assert parsed.node_values == ["want-01", "boy", "go-01"]
    assert parsed.relations == [[["ARG0", "b"], ["ARG1", "g"]], [], [["ARG0", "b"]]]
    assert parsed.attributes == [[["polarity", "-"], ["TOP", "top"]], [], []]
    assert amr.AMR().get_triples() == ([], [], [])
    with pytest.raises(GraphError):
        amr.AMR.parse_AMR_line("(a))")


def test_a_node_in_the_concept_of_its_namesake() -> None:
    """What smatch 1.0.4 makes of it: two nodes of one name, each with all."""
    instances, attributes, relations = lists("(b /(b / y x :ARG0 b :q 1", "a")
    assert instances == [("instance", "a1", "yx")] * 2
    assert attributes == [("TOP", "a1", "top")]
    assert relations == [("ARG0", "a1", "a1")] * 2


def test_the_best_match_of_triple_lists() -> None:
    mapping, matched = smatch.get_best_match(
        *lists(ONE, "a"), *lists(TWO, "b"), "a", "b", solver="brute"
    )
    assert (mapping, matched) == ([0, 1, 2], 6)
    assert smatch.print_alignment(
        [0, -1, 2], lists(ONE, "a")[0], lists(TWO, "b")[0]
    ) == ("a0(want-01)-b0(want-01) a1(boy)-Null a2(go-01)-b2(go-01)")


def test_the_best_match_of_one_kind() -> None:
    sides = (*lists(ONE, "a"), *lists(TWO, "b"), "a", "b")
    mapping, matched = smatch.get_best_match(
        *sides, doattribute=False, dorelation=False, solver="brute"
    )
    assert (mapping, matched) == ([0, -1, 2], 2)
    assert smatch.get_best_match(*sides, False, False, False, solver="brute") == (
        [-1, -1, -1],
        0,
    )


def test_triples_of_unknown_nodes_are_refused() -> None:
    instances = [("instance", "a0", "x")]
    with pytest.raises(GraphError, match="triple of 'a1'; its nodes are a0 to a0"):
        smatch.get_best_match(instances, [("q", "a1", "1")], [], [], [], [], "a", "b")


def text_of(plain: Parts) -> str:
    """One line that smatch reads as the graph, roles written out."""
    inner = {v: [] for v in plain.concepts}  # type: dict[str, list[str]]
    for v, role, value in [*plain.attributes, *plain.relations]:
        inner[v].append(f":{role} {value}")
    lines = [f"({v} / {c} {' '.join(inner[v])})" for v, c in plain.concepts.items()]
    return "".join(lines)


@given(parts(4), parts(4))
@example(
    Parts({"v0": "boy"}, [("v0", "ARG0", "Ann_")], []),
    Parts({"v0": "boy"}, [("v0", "ARG0", '"Ann"')], []),
)
@settings(deadline=None, max_examples=examples(60))
def test_matches_are_the_optimum(left: Parts, right: Parts) -> None:
    """Of graphs written as smatch writes none: several roots in one line."""
    found = smatch.get_amr_match(text_of(left), text_of(right), solver="brute")
    wanted = best_match(turned(left), turned(right), PROFILES["smatch"])
    assert found[0] == wanted
    lists1, lists2 = lists(text_of(left), "a"), lists(text_of(right), "b")
    mapping, matched = smatch.get_best_match(*lists1, *lists2, "a", "b", solver="brute")
    assert matched == wanted
    assert len(mapping) == len(left.concepts)


def turned(plain: Parts) -> Graph:
    """What smatch reads: ``:mod`` turned, its constants dropped, ``"x"`` as ``x_``."""
    return Parts(
        plain.concepts,
        [
            (v, role, value.strip('"') + "_" if value.startswith('"') else value)
            for v, role, value in plain.attributes
            if role != "mod"
        ],
        [(t, "domain", s) if r == "mod" else (s, r, t) for s, r, t in plain.relations],
    ).graph()
