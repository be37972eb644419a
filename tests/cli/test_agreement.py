"""``exactmatch agreement``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files
from support.samples import UMR

ANN = "# ::id a\n(b / bark-01 :ARG0 (d / dog))\n\n# ::id b\n(s / sleep-01)\n"
BOB = ANN.replace("dog", "cat")
CEM = "# ::id b\n(s / sleep-02)\n\n# ::id c\n(g / go-02)\n"


@pytest.fixture
def pair(files: Files) -> list[Any]:
    files.enter()
    for name, text in (("ann.amr", ANN), ("bob.amr", BOB), ("cem.amr", CEM)):
        files.one(name, text)
    return ["ann.amr", "bob.amr"]


def test_text_shows_pairs_roles_units_and_alpha(cli: Cli, pair: Any) -> None:
    out = cli.out("agreement", *pair, "--names", "Ann,Bob")
    assert "every two annotators" in out
    assert "by kind" in out
    assert "Relations" in out
    assert "by role" in out
    assert "least alike" in out
    assert "1 (a)" in out
    assert "mean F1 of 1 pair of annotators: 0.8333\n" in out
    assert "\nalpha 0." in out
    assert "every alignment proven optimal" in out


def test_json_has_everything(cli: Cli, pair: Any) -> None:
    found = cli.json("agreement", *pair)
    assert found["annotators"] == ["ann", "bob"]
    (pair,) = found["pairs"]
    assert (pair["units"], pair["matched"], pair["first_total"]) == (2, 5, 6)
    assert found["alpha"] == 1 - found["observed"] / found["expected"]
    assert found["disagreements"][0]["unit"] == "1 (a)"
    roles = {role["role"]: role for role in found["roles"]}
    assert roles["concept"]["matched"] == 2
    assert found["kinds"][1] == {
        "kind": "relations",
        "title": "Relations",
        "matched": 1,
        "total": 2,
        "f1": 1.0,
    }
    assert found["signatures"][0].startswith("metric:smatch|profile:smatch|")


def test_annotators_of_different_graphs_are_paired_by_id(cli: Cli, pair: Any) -> None:
    cli.out("agreement", *pair, "cem.amr")
    arguments = ["agreement", *pair, "cem.amr", "--by-id", "--format", "json"]
    found = json.loads(cli.out(*arguments))
    assert [pair["units"] for pair in found["pairs"]] == [2, 1, 1]


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "latex", "html"])
def test_every_format(cli: Cli, pair: Any, form: str) -> None:
    assert "ann" in cli.out("agreement", *pair, "--format", form)


def test_a_page_has_kinds(cli: Cli, pair: Any) -> None:
    assert "by kind" in cli.out("agreement", *pair, "--format", "html")


def test_documents_and_their_sentences(
    cli: Cli, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    second = UMR.index("#" * 80, 1)
    files.one("a.umr", UMR)
    files.one("b.umr", UMR[:second])
    arguments = ["agreement", "a.umr", "b.umr", "--format", "json"]
    (pair,) = json.loads(cli.out(*arguments, "--profile", "umr"))["pairs"]
    assert pair["f1"] == 1
    sentences = ["--format-in", "umr-sentences", "--profile", "umr"]
    found = json.loads(cli.out(*arguments, *sentences))
    assert found["pairs"][0]["units"] == 1
    files.one("twice.umr", UMR + UMR)
    assert "--format-in umr-file" in cli.refusal("agreement", "a.umr", "twice.umr")
    # sentences of several documents repeat their ids, and are paired by position
    same = ("agreement", "twice.umr", "twice.umr", *sentences)
    assert cli.json(*same)["pairs"][0]["units"] == 2 * UMR.count("# sentence level")


def test_graphs_that_cannot_be_paired_by_id_are_left_out_where_that_is_asked_for(
    cli: Cli, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files.one("ids.amr", "# ::id a\n(a / b)\n\n# ::id c\n(c / d)\n")
    files.one("some.amr", "# ::id a\n(a / b)\n\n(c / d)\n\n# ::id a\n(e / f)\n")
    by_id = ("agreement", "ids.amr", "some.amr", "--by-id")
    assert "--on-error skip" in cli.refusal(*by_id)
    found = cli("agreement", *by_id[1:], "--on-error", "skip", "--format", "json")
    assert json.loads(found.out)["pairs"][0]["units"] == 1
    assert "has no '# ::id'" in found.err
    assert "repeats the id of line" in found.err


def test_frameworks_are_not_paired_with_each_other(
    cli: Cli, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [
        json.dumps({"id": "1", "framework": name, "tops": [0], "nodes": [node]})
        for name, node in (
            ("dm", {"id": 0, "label": "cat"}),
            ("eds", {"id": 0, "label": "dog"}),
        )
    ]
    files.one("both.mrp", "\n".join(lines) + "\n")
    files.one("eds.mrp", lines[1] + "\n")
    found = cli.json("agreement", "eds.mrp", "both.mrp", "--by-id")
    assert (found["pairs"][0]["units"], found["pairs"][0]["f1"]) == (1, 1)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ann.amr"], "only one annotator is named"),
        (["ann.amr", "bob.amr", "--names", "a"], "gives 1 name to 2 annotators"),
        (["ann.amr", "bob.amr", "--metric", "wlk"], "does not align variables"),
        (["ann.amr", "bob.amr", "--metric", "smatch,s2match"], "name one"),
        (["ann.amr", "-"], "which standard input cannot be"),
        (["ann.amr", "short.amr"], "--by-id cannot pair them either, because"),
        (["ann.amr", "nameless.amr", "--by-id"], "has no '# ::id'"),
    ],
)
@pytest.mark.usefixtures("pair")
def test_mistakes_are_explained(
    cli: Cli, files: Files, arguments: list[str], message: str
) -> None:
    files.one("short.amr", "(a / b)\n")
    files.one("nameless.amr", "(a / b)\n\n(c / d)\n")
    assert message in cli.refusal("agreement", *arguments)


def test_intervals_stand_beneath_the_scores(cli: Cli, files: Files) -> None:
    ours = [f"(b / bark-0{1 + k % 2} :ARG0 (d / dog))" for k in range(24)]
    theirs = ["(b / bark-01 :ARG0 (d / dog))"] * 24
    paths = files.graphs("ours.amr", ours), files.graphs("theirs.amr", theirs)
    plain = cli.json("agreement", *paths)
    assert not {"confidence", "alpha_low", "mean_low"} & plain.keys()
    arguments = ("agreement", *paths, "--confidence", "90", "--samples", "200")
    found = cli.json(*arguments)
    score = cli.record(*paths, "--confidence", "90", "--samples", "200")
    (pair,) = found["pairs"]
    for end in ("low", "high"):
        assert pair[f"f1_{end}"] == pytest.approx(score[f"score_{end}"])
        assert found[f"mean_{end}"] == pair[f"f1_{end}"]
    assert found["confidence"] == 0.9
    assert "interval:halves,200,seed:0,level:90%" in found["signatures"][0]
    shown = cli.out(*arguments, "--significant", "3")
    ends = f"[{score['score_low']:.3f}, {score['score_high']:.3f}]"
    assert shown.count(ends) == 3  # twice in the table, and the mean's
    assert f"alpha {found['alpha']:.3f} [" in shown
    assert "random halves of 24 units" in shown
    few = cli("agreement", *(files.graphs(n, ours[:3]) for n in "ab"), "--confidence")
    assert "no confidence intervals: two annotators share 3 units" in few.err
    assert "24 units" not in few.out


def test_what_cannot_be_read_is_left_out_or_empty(cli: Cli, files: Files) -> None:
    """One slip of one annotator costs one graph, and not the study."""
    files.enter()
    good = "(a / x :r (b / y))\n\n(c / z)\n"
    files.one("a.amr", good)
    files.one("b.amr", good.replace("z)", "z))"))
    paths = ("a.amr", "b.amr")
    assert "b.amr:3" in cli.refusal("agreement", *paths)
    kept = cli.json("agreement", *paths, "--on-error", "skip")
    assert [pair["units"] for pair in kept["pairs"]] == [1]
    empty = cli.json("agreement", *paths, "--on-error", "empty")
    assert [pair["units"] for pair in empty["pairs"]] == [2]
    assert empty["mean"] < kept["mean"] == 1


@pytest.mark.parametrize("metric", ["graph", "smatch", "s2match", "mrp"])
@pytest.mark.parametrize("more", [(), ("--confidence", "0.9")])
def test_metrics_that_align_take_graphs_of_nodes_and_edges(
    metric: str, more: tuple[str, ...], tmp_path: Path, cli: Cli
) -> None:
    texts = '[["a","r","b"]]\n[["a","r","b"],["b","s","c"]]\n'
    (tmp_path / "a.json").write_text(texts, "utf-8")
    (tmp_path / "b.json").write_text(texts.replace('"c"', '"d"'), "utf-8")
    both = tmp_path / "a.json", tmp_path / "b.json"
    found = cli.json("agreement", *both, "--metric", metric, *more)
    assert 0 < found["mean"] < 1
