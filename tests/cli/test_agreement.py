"""``exactmatch agreement``."""

from __future__ import annotations

import json

import pytest
from support.samples import UMR

from exactmatch.cli.main import main

ANN = "# ::id a\n(b / bark-01 :ARG0 (d / dog))\n\n# ::id b\n(s / sleep-01)\n"
BOB = ANN.replace("dog", "cat")
CEM = "# ::id b\n(s / sleep-02)\n\n# ::id c\n(g / go-02)\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("ann.amr", ANN), ("bob.amr", BOB), ("cem.amr", CEM)):
        (tmp_path / name).write_text(text)
    return ["ann.amr", "bob.amr"]


def test_text_shows_pairs_roles_units_and_alpha(capsys, files):
    assert main(["agreement", *files, "--names", "Ann,Bob"]) == 0
    out = capsys.readouterr().out
    assert "every two annotators" in out
    assert "by role" in out
    assert "least alike" in out
    assert "1 (a)" in out
    assert "mean F1 of 1 pairs of annotators: 0.8333\n" in out
    assert "\nalpha 0." in out
    assert "every alignment proven optimal" in out


def test_json_has_everything(capsys, files):
    assert main(["agreement", *files, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["annotators"] == files
    (pair,) = found["pairs"]
    assert (pair["units"], pair["matched"], pair["first_total"]) == (2, 5, 6)
    assert found["alpha"] == 1 - found["observed"] / found["expected"]
    assert found["disagreements"][0]["unit"] == "1 (a)"
    roles = {role["role"]: role for role in found["roles"]}
    assert roles["concept"]["matched"] == 2
    assert found["signatures"][0].startswith("metric:smatch|profile:smatch|")


def test_annotators_of_different_graphs_are_paired_by_id(capsys, files):
    assert main(["agreement", *files, "cem.amr"]) == 0  # as many, in another order
    capsys.readouterr()
    arguments = ["agreement", *files, "cem.amr", "--by-id", "--format", "json"]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert [pair["units"] for pair in found["pairs"]] == [2, 1, 1]


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "latex", "html"])
def test_every_format(capsys, files, form):
    assert main(["agreement", *files, "--format", form]) == 0
    assert "ann.amr" in capsys.readouterr().out


def test_documents_and_their_sentences(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    second = UMR.index("#" * 80, 1)
    (tmp_path / "a.umr").write_text(UMR, encoding="utf-8")
    (tmp_path / "b.umr").write_text(UMR[:second], encoding="utf-8")
    arguments = ["agreement", "a.umr", "b.umr", "--format", "json"]
    assert main([*arguments, "--profile", "umr"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert pair["f1"] == 1
    sentences = ["--format-in", "umr-sentences", "--profile", "umr"]
    assert main([*arguments, *sentences]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["pairs"][0]["units"] == 1


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ann.amr"], "only one system is named"),
        (["ann.amr", "bob.amr", "--metric", "wlk"], "searches for no alignment"),
        (["ann.amr", "bob.amr", "--metric", "smatch,s2match"], "name one"),
        (["ann.amr", "-"], "none can be '-'"),
        (["ann.amr", "short.amr"], "pair them with --by-id"),
        (["ann.amr", "nameless.amr", "--by-id"], "has no '# ::id'"),
    ],
)
def test_mistakes_are_explained(capsys, tmp_path, arguments, message):
    (tmp_path / "short.amr").write_text("(a / b)\n")
    (tmp_path / "nameless.amr").write_text("(a / b)\n\n(c / d)\n")
    assert main(["agreement", *arguments]) == 2
    assert message in capsys.readouterr().err
