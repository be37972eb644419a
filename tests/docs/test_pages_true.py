"""Sentences of the documentation that were once wrong, each held against a run."""

import json
import re
import sys
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

import exactmatch

DOCS = Path(__file__).parents[2] / "docs"
BARK = "(b / bark-01 :ARG0 (d / dog))"


def rows(page: str) -> list[str]:
    """Return the first cells of a page's tables, without their quotes."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"^\| `([^`]*)`", text, re.MULTILINE)


CAUSES: dict[str, list[str]] = {
    "lacks": ["broken.amr", "broken.amr", "--profile", "clean"],
    "predictions": ["two.amr", "one.amr"],
    "does not begin": ["prose.txt", "prose.txt", "--format-in", "penman"],
    "no such file": ["missing.amr", "one.amr"],
    "not a command": ["compar"],
    "too large": ["one.amr", "one.amr", "--max-terms", "1", "--solver", "bnb"],
    "not, so": ["sample", "--solver", "hillclimb", "-r", "0", "--require-optimal"],
    "rejected": ["verify", "proofs.jsonl", "one.amr", "one.amr"],
    "pip install": ["one.parquet", "one.amr"],
}
"""What brings about each message of the page of errors, by a part of it."""


@pytest.mark.parametrize("message", rows("reference/errors.md"))
def test_the_most_frequent_messages_are_said(
    message: str, cli: Cli, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.enter()
    files.one("broken.amr", "# ::id 1\n(w / want-01 :ARG0 (b / boy)\n")
    files.one("one.amr", f"{BARK}\n")
    files.one("two.amr", f"{BARK}\n\n{BARK}\n")
    files.one("prose.txt", "Dear reader,\nthis is text.\n")
    files.one("one.parquet", b"PAR1 and more")
    cli("one.amr", "one.amr", "--certificates", "proofs.jsonl")
    proofs = Path("proofs.jsonl")
    proofs.write_text(re.sub(r'"bound": ?\d+', '"bound":0', proofs.read_text()))
    (part,) = (part for part in CAUSES if part in message)
    if part == "pip install":
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = cli(*CAUSES[part])
    code = 1 if "exit code 1" in _row(message) else 2
    assert ran.code == code, ran
    pattern = ".*".join(re.escape(piece) for piece in message.split("…"))
    assert re.search(pattern, ran.out + ran.err), ran


def _row(message: str) -> str:
    text = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")
    return next(line for line in text.splitlines() if line.startswith(f"| `{message}`"))


def test_field_names_a_column_of_json_and_of_no_csv(cli: Cli, files: Files) -> None:
    files.enter()
    row = {"id": 1, "answer": {"text": BARK}, "gold": BARK}
    files.one("run.jsonl", json.dumps(row) + "\n")
    files.one("gold.amr", f"{BARK}\n")
    files.one("run.csv", "id,answer\n1,x\n")
    both = ("run.jsonl", "run.jsonl", "--field", "answer.text,gold", "-q")
    assert cli.out(*both) == "1.0000\n"
    assert (
        cli.out("run.jsonl", "gold.amr", "--field", "answer.text", "-q") == "1.0000\n"
    )
    for path in ("run.csv", "gold.amr"):
        refusal = cli.refusal(path, "gold.amr", "--field", "answer")
        assert "column of rows of JSON or Parquet" in refusal
    assert "CSV" not in cli.out("--help-all").partition("--field NAME")[2][:300]


@pytest.mark.parametrize("name", ["graphml", "pajek", "gml", "gxl", "gexf"])
def test_ged_reads_the_formats_by_their_names(
    name: str, cli: Cli, files: Files
) -> None:
    """Pajek was said to be refused, and ``graphml`` was."""
    import networkx as nx

    files.enter()
    for file, graph in (("a", nx.cycle_graph(4)), ("b", nx.path_graph(4))):
        if name == "gxl":
            edges = "".join(f'<edge from="{u}" to="{v}"/>' for u, v in graph.edges)
            nodes = "".join(f'<node id="{u}"/>' for u in graph.nodes)
            kind = '<graph id="g" edgemode="undirected">'
            files.one(file, f"<gxl>{kind}{nodes}{edges}</graph></gxl>")
        elif name == "pajek":
            nx.write_pajek(nx.MultiGraph(graph), file)
        else:
            getattr(nx, f"write_{name}")(graph, file)
    for more in ([], ["--format-in", name]):
        found = cli.json("ged", "a", "b", "--labels", "none", *more)
        assert found["pairs"][0]["distance"] == 1


def test_clean_counts_what_is_repeated_and_never_too_much() -> None:
    twice = "(a / x :q 1 :q 1)"
    score = exactmatch.smatch(twice, twice, profile="clean")
    assert (score.matched, score.pred_total, score.f1) == (4, 4, 1.0)
    once = exactmatch.smatch(twice, "(a / x :q 1)", profile="clean")
    assert (once.matched, once.pred_total, once.gold_total) == (3, 4, 3)


@pytest.mark.parametrize(
    "options", [["--profile", "smatchpp"], ["--metric", "wlk"], ["--metric", "wwlk"]]
)
def test_names_of_variables_that_decide_are_remarked(
    options: list[str], cli: Cli, files: Files
) -> None:
    files.enter()
    files.one("p.amr", '(b / x :op1 "b")\n')
    files.one("g.amr", '(c / x :op1 "b")\n')
    out = cli.out("p.amr", "g.amr", *options)
    assert "as read: 1 value taken for the variable of its name" in out
    assert "as read" not in cli.out("g.amr", "g.amr", *options)


def test_thresholds_of_the_readme_move(cli: Cli, files: Files) -> None:
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^exactmatch (thresholds .*?) *#", readme, re.MULTILINE)
    files.enter()
    files.one(
        "answers.jsonl", '{"response": "[[\\"Bean\\", \\"in\\", \\"Texas\\"]]"}\n'
    )
    files.one("gold.jsonl", '{"triples": [["Alan Bean", "in", "Texas"]]}\n')
    assert "at every cutoff" not in cli.out(*line.split())


def test_readme_times_agree() -> None:
    for page in ("README.md", "docs/index.md"):
        assert "take minutes" not in (DOCS.parent / page).read_text(encoding="utf-8")


def test_names_of_python_in_the_documentation_exist() -> None:
    """``exactmatch.iter_graphs`` was one that did not."""
    for page in sorted(DOCS.rglob("*.md")):
        if {"papers", "generated"} & {*page.parts}:
            continue
        text = page.read_text(encoding="utf-8")
        for place in re.findall(r"`exactmatch\.(\w+)[(`]", text):
            is_module = (DOCS.parent / "exactmatch" / place).exists()
            is_known = is_module or place in OTHERS or hasattr(exactmatch, place)
            assert is_known, f"{page.name}: {place}"


OTHERS = ("metrics", "solvers", "formats", "profiles", "commands", "toml", "bib")
"""Groups of entry points, and endings of files."""


def test_the_early_smatch_marks_roots_by_their_concepts() -> None:
    page = (DOCS / "metrics" / "finegrained.md").read_text(encoding="utf-8")
    assert "`exactmatch PRED GOLD --profile s2match`" in page
    early = exactmatch.smatch("(a / x)", "(b / y)", profile="s2match")
    late = exactmatch.smatch("(a / x)", "(b / y)")
    assert (early.matched, late.matched) == (0, 1)
