"""What lint finds: each rule broken once, and nothing where nothing is wrong."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from exactmatch.base.errors import GraphError, InputError
from exactmatch.formats.formats import FORMATS
from exactmatch.formats.readings import load
from exactmatch.graphs.profile import PROFILES
from exactmatch.studies.lint.results import RULES
from exactmatch.studies.lint.study import findings_in as lint

UMR = """\
# meta-info :: sent_id = one
# :: snt1
Index: 1 2
Words: Mary ran

# sentence level graph:
(s1r / run-02
    :ARG0 (s1p / person :refer-number singular)
    :aspect performance
    :modal-strength full-affirmative)

# alignment:
s1r: 2-2
s1p: 1-1

# document level annotation:
(s1s0 / sentence
    :temporal ((document-creation-time :before s1r))
    :modal ((root :modal author)
            (author :full-affirmative s1r))
    :coref ((s1p :same-entity s1p)))

# :: snt2
Index: 1
Words: Rain

# sentence level graph:
(s2r / rain-01 :aspect state)

# alignment:
s2r: 1-1

# document level annotation:
(s2s0 / sentence)
"""

MRP = (
    '{"id": "1", "framework": "eds", "flavor": 1, "version": 1.1, "tops": [0], '
    '"input": "x", "nodes": [{"id": 0, "label": "a"}%s], "edges": [%s]}\n'
)


def found(path: Path, text: str, **options: Any) -> list[tuple[str, int | None]]:
    """The rules that a file breaks, with lines."""
    path.write_text(text, encoding="utf-8")
    findings = list(lint(str(path), **options))
    assert all(f.rule in RULES and f.path == str(path) for f in findings)
    return [(f.rule, f.line) for f in findings]


def test_nothing_is_wrong_with_the_sample() -> None:
    for name in ("pred.amr", "gold.amr"):
        assert not list(lint(str(files("exactmatch") / "sample" / name)))


def test_nothing_is_wrong_with_a_document_that_keeps_the_rules(tmp_path: Path) -> None:
    assert found(tmp_path / "a.umr", UMR) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a / b", [("unreadable", 1)]),
        ("# ::id x\n(a / b)\n\n# ::id x\n(a / c)", [("repeated-id", 5)]),
        ("(a / b :ARG0 (c))", [("no-concept", 1)]),
        ("(a / b :ARG0 (c / d) :ARG0 c)", [("repeated-triple", 1)]),
        ("(a / b :ARG0 c)", [("undefined", 1)]),
        ("(a / b~e.1 :ARG0~e.2 c~e.3 :ARG1 a)", [("undefined", 1)]),
        ("(a / b~e.1 :ARG0~e.2 (c / d) :ARG1~e.3 c~e.4)", [("undefined", 1)]),
        ("(a / b~e.1 :mode~e.2 imperative :q 1 :polarity - :u s3)", [("undefined", 1)]),
        ('(a / b~e.1 :op1 "New"~e.2 :op2 "c" :mode imperative~e.3 :quant 1)', []),
        ("# ::id 1\n\n# ::id 2\n(a / b)", [("unreadable", 1)]),
        ("(a / b)\n\n(c / d", [("unreadable", 3)]),
        ("(a / b)\n\n(c / d\n\n(e / f", [("unreadable", 3), ("unreadable", 5)]),
        ("", [("broken-file", None)]),
        ("# only a comment\n", [("broken-file", None)]),
        ("<xml></xml>", [("broken-file", None)]),
        ("(o / open-01 :ARG1 24/7)", [("refused", 1)]),
        ("(b / and/or)", [("refused", 1)]),
        ("(b / x :quant 1/2)", [("refused", 1)]),
        ("(b / x :time 10:30)", [("refused", 1)]),
        ("(b / x :li 450:8730)", [("refused", 1)]),
        ("(b / x\n   :source http://a.b/c)", [("refused", 2)]),
        ("(b / http://a.b)", [("refused", 1)]),
        ("(b / x\t:ARG0\t(c / d))", [("lenient", 1)]),
        ('(b / "x y")', [("lenient", 1)]),
        ('(b / x :source "http://a.b/c" :time "10:30" :op1 "24/7")', []),
        ("(b / x\xa0y)", [("unreadable", 1), ("character", 1)]),
        ('(b / x :op1 "New\xa0York")', [("character", 1)]),
        ("(b / x\u200b)", [("character", 1)]),
        ("(b / x :op1 \ufefff)", [("character", 1)]),
        ('(b / x :op1 "a\u00adb")', [("character", 1)]),
        ('(b / x :op1 "Cafe\u0301")', [("character", 1)]),
        ('(b / x :op1 "Caf\u00e9" :op2 "\u0645\u06cc\u200c\u062e\u0648\u0631")', []),
        ("(a / b)\n\n(c / \x00)", [("broken-file", 3)]),
    ],
)
def test_what_is_wrong_with_penman(
    text: str, expected: list[tuple[str, int | None]], tmp_path: Path
) -> None:
    assert found(tmp_path / "a.amr", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": [1, 1], "b": {"c": "x", "d": null}}', []),
        ('{"a": 1}\n{"a": [1, 2}\n', [("unreadable", 2)]),
        ('{"a": "x\xa0y"}', [("character", 1)]),
        ('{"a": 1, "a": 2}', [("lenient", 1)]),
    ],
)
def test_json_documents_are_read_as_they_are_scored(
    text: str, expected: list[tuple[str, int | None]], tmp_path: Path
) -> None:
    assert found(tmp_path / "a.jsonl", text) == expected


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("snt2", "snt3", "umr-number"),
        ("s2r", "r2", "umr-variable"),
        ("s1p: 1-1\n", "", "umr-alignment"),
        ("s1p: 1-1", "s1p: 1-3", "umr-alignment"),
        (":aspect performance", ":aspect ASP", "umr-value"),
        ("number singular", "number 3rd", "umr-value"),
        (":before", ":earlier", "umr-document"),
        (":coref", ":reference", "umr-document"),
        ("(author :full-aff", "(writer :full-aff", "umr-document"),
        ("(s1r / run-02", "(s1r", "no-concept"),
        ("(s1r / run-02", "(s1r / run-02)", "lenient"),
    ],
)
def test_each_rule_of_umr_documents(
    old: str, new: str, rule: str, tmp_path: Path
) -> None:
    assert old in UMR
    rules = {name for name, _ in found(tmp_path / "a.umr", UMR.replace(old, new))}
    expected = {rule}
    if new in ("snt3", "r2"):  # the number is also that of the variables
        expected |= {"umr-variable"}
    if rule == "lenient":
        assert rules
    else:
        assert rules == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.mrp", MRP % ("", ""), []),
        ("a.mrp", MRP % (', {"id": 0}', ""), [("lenient", 1)]),
        ("a.mrp", MRP % ("", "1"), [("unreadable", 1)]),
        ("a.sbn", "person.n.01 Agent +7\n", [("lenient", 1)]),
        ("a.sbn", "person.n.01 Agent\n", [("unreadable", 1)]),
        ("a.tsv", "a\tinstance\tb\n", []),
        ("a.tsv", "a\tr\tb\na\tr\tb\n", [("repeated-triple", 1)]),
        ("a.tsv", "_:a\tr\t_:b\n_:c\tr\t_:d\n", [("not-connected", 1)]),
    ],
)
def test_other_formats(
    name: str, text: str, expected: list[tuple[str, int | None]], tmp_path: Path
) -> None:
    assert found(tmp_path / name, text) == expected


def test_a_profile_says_what_its_reader_loses(tmp_path: Path) -> None:
    text = '(a / b :op1 "New York")\n'
    assert found(tmp_path / "a.amr", text) == []
    profile = PROFILES["smatch"]
    assert found(tmp_path / "a.amr", text, profiles=[profile]) == [("left-out", 1)]


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        list(lint(str(tmp_path / "nowhere.amr")))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_asked_for(name: str, tmp_path: Path) -> None:
    assert isinstance(found(tmp_path / "a", "\n", format_in=name), list)


def test_who_reads_an_undefined_variable_is_said(tmp_path: Path) -> None:
    """Those profiles whose reader ends in an error are the ones that are named."""
    path = tmp_path / "a.amr"
    path.write_text("(a / b :ARG0 c)")
    (finding,) = lint(str(path))
    for name in PROFILES:
        try:
            (graph,) = load(path, name)
            expected = "constant"
            assert len(graph.variables) == 1
        except GraphError:
            expected = "error"
        _, constant, error = re.split("a constant|an error", finding.message)
        named = re.findall(r"[\w-]+", {"constant": constant, "error": error}[expected])
        assert name in named
    assert "variable 'c', to which :ARG0 leads" in finding.message
    assert finding.message.endswith("an error under sembleu")
