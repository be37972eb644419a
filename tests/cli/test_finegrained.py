"""``exactmatch finegrained``."""

import json
import re

import pytest
from support.samples import UMR

from exactmatch.cli.main import main

PRED = (
    "# ::id 1\n(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))\n\n"
    "# ::id 2\n(s / see-01 :polarity - :ARG0 (b / boy))\n"
)
GOLD = (
    "# ::id 1\n(w / want-01 :ARG0 (b / boy) :ARG1 (l / leave-11 :ARG0 b))\n\n"
    "# ::id 2\n(s / see-01 :polarity - :ARG0 (g / girl))\n"
)


@pytest.fixture
def files(tmp_path):
    pred, gold = tmp_path / "pred.amr", tmp_path / "gold.amr"
    pred.write_text(PRED)
    gold.write_text(GOLD)
    return [str(pred), str(gold)]


def test_text_has_a_row_for_each_score(capsys, files):
    assert main(["finegrained", *files]) == 0
    out = capsys.readouterr().out
    rows = {line[2:19].strip(): line[19:].split() for line in out.splitlines()}
    assert out.startswith("2 pairs\n")
    assert rows["Frames"][:3] == ["2", "3", "3"]
    assert rows["Negation"] == ["1", "1", "1", "1.0000", "1.0000", "1.0000"]
    assert rows["Wikification"] == ["0", "0", "0", "-", "-", "-"]
    assert "every alignment proven optimal\n" in out
    assert "signature: profile:clean|" in out


@pytest.mark.parametrize("style", ["exact", "amrlib", "damonte"])
def test_json_has_the_stable_names(capsys, files, style):
    arguments = ["--style", style, "--format", "json", "--per-pair", "--quiet"]
    assert main(["finegrained", *files, *arguments]) == 0
    found = {record["metric"]: record for record in json.loads(capsys.readouterr().out)}
    negation = found["negation"]
    assert (negation["matched"], negation["pairs"], negation["proven"]) == (1, 2, None)
    assert found["srl"]["proven"] == 2
    assert [pair["id"] for pair in negation["per_pair"]] == ["1", "2"]
    assert ("frames" in found) == (style != "damonte")
    assert "|version:" in negation["signature"]


def test_pairs_have_a_row_each_beneath_the_corpus(capsys, files):
    given = ["finegrained", *files, "--only", "srl,concepts", "--per-pair"]
    assert main([*given, "--format", "json", "-q"]) == 0
    found = {score["metric"]: score for score in json.loads(capsys.readouterr().out)}
    assert main(given) == 0
    out = capsys.readouterr().out
    lines = [re.split("  +", line.strip()) for line in out.splitlines()]
    scores = [found["concepts"], found["srl"]]
    assert lines[0] == ["F1", "Concepts", "SRL"]
    assert lines[1] == ["corpus", *(f"{score['f1']:.4f}" for score in scores)]
    for k, name in enumerate(("pair 0 (1)", "pair 1 (2)")):
        row = [f"{score['per_pair'][k]['f1']:.4f}" for score in scores]
        assert lines[2 + k] == [name, *row]
    assert "Frames" not in out


def test_aspects_show_ranges(capsys, tmp_path):
    pred, gold = tmp_path / "p", tmp_path / "g"
    pred.write_text("(a / and :op1 (b / boy :polarity -) :op2 (c / boy :wiki -))\n")
    gold.write_text("(x / boy :polarity - :wiki -)\n")
    arguments = ["finegrained", str(pred), str(gold), "--aspects", "main"]
    assert main([*arguments, "--only", "polarity"]) == 0
    out = capsys.readouterr().out
    assert "0.0000..1.0000" in out
    assert "where optimal ones differ; pairs: Polarity 1\n" in out
    assert "|aspects:main|" in out
    assert main([*arguments, "--only", "polarity", "--require-optimal"]) == 1
    capsys.readouterr()
    assert main([*arguments[:-1], "realign", "--only", "polarity"]) == 0
    assert ".." not in capsys.readouterr().out


def test_csv_and_latex(capsys, files):
    assert main(["finegrained", *files, "--format", "csv", "--only", "frames"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert dict(zip(head.split(","), row.split(","), strict=True))["matched"] == "2"
    assert main(["finegrained", *files, "--format", "latex", "--only", "frames"]) == 0
    out = capsys.readouterr().out
    assert r"Frames & 2 & 3 & 3 & 66.67 & 66.67 & 66.67 \\" in out


def test_a_bad_graph_is_named_or_left_out(capsys, files, tmp_path):
    (tmp_path / "pred.amr").write_text(PRED.replace("(s / see", "s / see"))
    assert main(["finegrained", *files]) == 2
    assert "pred.amr:5: graph '2'" in capsys.readouterr().err
    assert main(["finegrained", *files, "--on-error", "skip"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1 pair\n")
    assert "skipped: " in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "frmes"], "unknown score 'frmes'; did you mean 'frames'?"),
        (["--aspects", "--style", "amrlib"], "style 'amrlib' knows no aspects"),
        (["--align", "free"], "--align is for --style umr, not 'exact'"),
        (
            ["--style", "umatch", "--ignore-unannotated"],
            "--ignore-unannotated is for --style umr, not 'umatch'",
        ),
    ],
)
def test_mistakes_are_explained(capsys, files, arguments, message):
    assert main(["finegrained", *files, *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.fixture
def documents(tmp_path):
    pred, gold = tmp_path / "pred.umr", tmp_path / "gold.umr"
    pred.write_text(UMR.replace("performance", "state"), encoding="utf-8")
    gold.write_text(UMR, encoding="utf-8")
    return [str(pred), str(gold)]


def test_the_shared_tasks_table_of_two_files(capsys, documents):
    assert main(["finegrained", *documents, "--style", "umr"]) == 0
    out = capsys.readouterr().out
    rows = {line[2:24].strip(): line[24:].split() for line in out.splitlines()}
    assert rows[":aspect"] == ["0", "1", "1", "0.0000", "0.0000", "0.0000"]
    assert rows["Coreference"][:3] == rows["MUC"][:3] == ["1", "1", "1"]
    assert rows["B³"] == ["-", "2", "2", "1.0000", "1.0000", "1.0000"]
    assert rows["CoNLL"] == ["-", "2", "2", "-", "-", "1.0000"]
    assert "every alignment proven optimal\n" in out
    assert "|align:same-sentence|" in out


def test_the_table_by_the_shared_tasks_own_mapping(capsys, documents):
    arguments = ["--style", "umatch", "--format", "json", "-q"]
    assert main(["finegrained", *documents, *arguments]) == 0
    found = {record["metric"]: record for record in json.loads(capsys.readouterr().out)}
    assert main([*documents, "--metric", "umatch", "--format", "json", "-q"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert found["umatch"]["matched"] == whole["matched"]
    assert found["token-sets"]["matched"] == whole["pieces"]["aligned token sets"]["c"]
    assert found["aspect"]["matched"] == 0
    assert found["umatch"]["proven"] is None


@pytest.mark.parametrize("style", ["umr", "umatch"])
def test_any_role_has_a_row(capsys, documents, style):
    arguments = ["--style", style, "--only", ":ARG0,concepts", "--format", "csv", "-q"]
    assert main(["finegrained", *documents, *arguments]) == 0
    names = [line.split(",")[0] for line in capsys.readouterr().out.splitlines()]
    assert sorted(names[1:]) == ["arg0", "concepts"]


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "latex", "html"])
def test_documents_in_every_format(capsys, documents, form):
    arguments = ["--style", "umr", "--per-pair", "--format", form, "-q"]
    assert main(["finegrained", *documents, *arguments]) == 0
    assert "concepts" in capsys.readouterr().out.lower()
