"""``exactmatch finegrained``."""

import re
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files
from support.samples import UMR

PRED = (
    "# ::id 1\n(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))\n\n"
    "# ::id 2\n(s / see-01 :polarity - :ARG0 (b / boy))\n"
)
GOLD = (
    "# ::id 1\n(w / want-01 :ARG0 (b / boy) :ARG1 (l / leave-11 :ARG0 b))\n\n"
    "# ::id 2\n(s / see-01 :polarity - :ARG0 (g / girl))\n"
)


@pytest.fixture
def pair(files: Files) -> list[str]:
    return files.pair(PRED, GOLD)


def test_text_has_a_row_for_each_score(cli: Cli, pair: list[str]) -> None:
    out = cli.out("finegrained", *pair)
    rows = {line[2:19].strip(): line[19:].split() for line in out.splitlines()}
    assert out.startswith("2 pairs\n")
    assert rows["Frames"][:3] == ["2", "3", "3"]
    assert rows["Negation"] == ["1", "1", "1", "1", "1.0000", "1.0000", "1.0000"]
    assert rows["Wikification"] == ["0", "0", "0", "0", "-", "-", "-"]
    assert "every alignment proven optimal\n" in out
    assert "signature: profile:clean|" in out


@pytest.mark.parametrize("style", ["exact", "amrlib", "damonte"])
def test_json_has_the_stable_names(cli: Cli, pair: list[str], style: str) -> None:
    arguments = ["--style", style, "--per-pair", "--quiet"]
    found = {
        record["metric"]: record
        for record in cli.json("finegrained", *pair, *arguments)["metrics"]
    }
    negation = found["negation"]
    assert (negation["matched"], negation["pairs"], negation["proven"]) == (1, 2, None)
    assert found["srl"]["proven"] == 2
    assert [pair["id"] for pair in negation["per_pair"]] == ["1", "2"]
    assert ("frames" in found) == (style != "damonte")
    assert "|version:" in negation["signature"]


def test_pairs_have_a_row_each_beneath_the_corpus(cli: Cli, pair: list[str]) -> None:
    given = ["finegrained", *pair, "--only", "srl,concepts", "--per-pair"]
    found = {score["metric"]: score for score in cli.json(*given, "-q")["metrics"]}
    out = cli.out(*given)
    lines = [re.split("  +", line.strip()) for line in out.splitlines()]
    scores = [found["concepts"], found["srl"]]
    assert lines[0] == ["F1", "Concepts", "SRL"]
    assert lines[1] == ["corpus", *(f"{score['f1']:.4f}" for score in scores)]
    for k, name in enumerate(("pair 1 (1)", "pair 2 (2)")):
        row = [f"{score['per_pair'][k]['f1']:.4f}" for score in scores]
        assert lines[2 + k] == [name, *row]
    assert "Frames" not in out


def test_aspects_show_ranges(cli: Cli, tmp_path: Path) -> None:
    pred, gold = tmp_path / "p", tmp_path / "g"
    pred.write_text("(a / and :op1 (b / boy :polarity -) :op2 (c / boy :wiki -))\n")
    gold.write_text("(x / boy :polarity - :wiki -)\n")
    arguments = ["finegrained", str(pred), str(gold), "--aspects", "main"]
    out = cli.out(*arguments, "--only", "polarity")
    assert "0.0000..1.0000" in out
    assert "where optimal ones differ; pairs: Polarity 1\n" in out
    assert "|aspects:main|" in out
    assert cli(*arguments, "--only", "polarity", "--require-optimal").code == 1
    assert ".." not in cli.out(*arguments[:-1], "realign", "--only", "polarity")


def test_csv_and_latex(cli: Cli, pair: list[str]) -> None:
    head, row = cli.out(
        "finegrained", *pair, "--format", "csv", "--only", "frames"
    ).splitlines()
    assert dict(zip(head.split(","), row.split(","), strict=True))["matched"] == "2"
    out = cli.out("finegrained", *pair, "--format", "latex", "--only", "frames")
    assert r"Frames & 2 & 3 & 3 & 2 & 66.67 & 66.67 & 66.67 \\" in out


def test_a_bad_graph_is_named_or_left_out(
    cli: Cli, pair: list[str], files: Files
) -> None:
    files.one("pred.amr", PRED.replace("(s / see", "s / see"))
    assert "pred.amr:5:1: graph '2'" in cli.refusal("finegrained", *pair)
    out = cli.out("finegrained", *pair, "--on-error", "skip")
    assert out.startswith("1 pair\n")
    assert "skipped: " in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "frmes"], "unknown score 'frmes'; did you mean 'frames'?"),
        (
            ["--aspects", "--style", "amrlib"],
            "--aspects is for --style exact, not 'amrlib'",
        ),
        (["--align", "free"], "--align is for --style umr, not 'exact'"),
        (
            ["--style", "amrlib", "--ignore-unannotated"],
            "--ignore-unannotated is for --style umr and umatch, not 'amrlib'",
        ),
        (["--node-cutoff", "0.3"], "--node-cutoff is for --style graph, not 'exact'"),
        (["--style", "graph", "--only", "names"], "unknown score 'names'"),
    ],
)
def test_mistakes_are_explained(
    cli: Cli, pair: list[str], arguments: list[str], message: str
) -> None:
    assert message in cli.refusal("finegrained", *pair, *arguments)


def test_parts_of_labelled_graphs_have_their_range(cli: Cli, files: Files) -> None:
    pair = [
        files.one(f"{name}.json", f'{{"nodes": ["a", "{name}"], "edges": [{edge}]}}')
        for name, edge in (("b", "[0, 1]"), ("c", "[1, 0]"))
    ]
    arguments = ["finegrained", *pair, "--style", "graph"]
    out = cli.out(*arguments)
    nodes, attributes, edges = (line.split() for line in out.splitlines()[2:5])
    assert nodes == ["Nodes", "0", "2", "2", "1", *["0.0000..0.5000"] * 3]
    assert attributes == ["Attributes", "0", "0", "0", "0", "-", "-", "-"]
    assert edges == ["Edges", "0", "1", "1", "1", *["0.0000..1.0000"] * 3]
    assert "|parts:main|" in out
    assert "0.0000..1.0000" not in cli.out(*arguments, "--count", "edges")


@pytest.fixture
def documents(files: Files) -> list[str]:
    return files.pair(UMR.replace("performance", "state"), UMR, ".umr")


def test_the_shared_tasks_table_of_two_files(cli: Cli, documents: list[str]) -> None:
    out = cli.out("finegrained", *documents, "--style", "umr")
    rows = {line[2:24].strip(): line[24:].split() for line in out.splitlines()}
    assert rows[":aspect"] == ["0", "1", "1", "1", "0.0000", "0.0000", "0.0000"]
    assert rows["Coreference"][:3] == rows["MUC"][:3] == ["1", "1", "1"]
    assert rows["B³"] == ["-", "2", "2", "1", "1.0000", "1.0000", "1.0000"]
    assert rows["CoNLL"] == ["-", "2", "2", "1", "-", "-", "1.0000"]
    assert "every alignment proven optimal\n" in out
    assert "|align:same-sentence|" in out


def test_the_table_by_the_shared_tasks_own_mapping(
    cli: Cli, documents: list[str]
) -> None:
    arguments = ["--style", "umatch", "-q"]
    found = {
        record["metric"]: record
        for record in cli.json("finegrained", *documents, *arguments)["metrics"]
    }
    whole = cli.record(*documents, "--metric", "umatch", "-q")
    assert found["umatch"]["matched"] == whole["matched"]
    assert found["token-sets"]["matched"] == whole["pieces"]["aligned token sets"]["c"]
    assert found["aspect"]["matched"] == 0
    assert found["umatch"]["proven"] is None


@pytest.mark.parametrize("style", ["umr", "umatch"])
def test_any_role_has_a_row(cli: Cli, documents: list[str], style: str) -> None:
    arguments = ["--style", style, "--only", ":ARG0,concepts", "--format", "csv", "-q"]
    names = [
        line.split(",")[0]
        for line in cli.out("finegrained", *documents, *arguments).splitlines()
    ]
    assert sorted(names[1:]) == ["arg0", "concepts"]


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "csv", "latex", "html"])
def test_documents_in_every_format(cli: Cli, documents: list[str], form: str) -> None:
    arguments = ["--style", "umr", "--per-pair", "--format", form, "-q"]
    assert "concepts" in cli.out("finegrained", *documents, *arguments).lower()


@pytest.mark.parametrize(
    ("style", "profile"), [("exact", "clean"), ("amrlib", "amrlib"), ("umr", "umr")]
)
def test_the_row_of_smatch_names_its_profile(
    style: str, profile: str, cli: Cli, files: Files
) -> None:
    """Quotes tell profile ``smatch`` from ``clean``; both are Smatch."""
    texts = ('(a / b :op1 "x y")', '(a / b :op1 "x z")')
    pair = files.pair(*texts) if style != "umr" else files.pair(UMR, UMR, ".umr")
    asked = ("finegrained", *pair, "--style", style, "--only", "smatch", "-q")
    assert f"\n  Smatch ({profile}) " in cli.out(*asked)
    if style == "exact":
        scores = [
            cli.record(*pair, "-q", "--profile", p)["f1"] for p in ("clean", "smatch")
        ]
        assert scores[0] == cli.record(*asked)["f1"] != scores[1]
