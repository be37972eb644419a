"""``exactmatch kgrams`` in every format."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

Capture = pytest.CaptureFixture[str]

GRAPHS = (
    "# ::id a\n(a / ask-01 :ARG0 (g / girl) :ARG1 (l / leave-11 :ARG0 (b / boy)))",
    "(m / make-01 :ARG0 (w / woman) :ARG1 (p / pie :quant 2))",
    "# ::id again\n(m / make-01 :ARG0 (w / woman) :ARG1 (p / pie :quant 2))",
)


@pytest.fixture
def file(files: Files) -> str:
    text = "\n\n".join(["# a file of graphs", *GRAPHS])
    return files.one("graphs.amr", f"{text}\n")


def test_the_kgrams_of_each_graph(cli: Cli, file: str) -> None:
    first, second, third = cli.json("kgrams", file)["graphs"]
    assert (first["index"], first["id"], first["nodes"], first["edges"]) == (
        0,
        "a",
        4,
        3,
    )
    assert first["kgrams"]["3"] == [
        {"kgram": "ask-01 :ARG1 leave-11 :ARG0 boy", "count": 1}
    ]
    assert (second["index"], second["id"]) == (1, None)
    assert third["kgrams"] == second["kgrams"]
    code, out, _ = cli("kgrams", file, "--ngram", "2")
    assert code == 0
    assert "ask-01; girl; leave-11; boy" in out
    assert "graph 2" in out
    assert ":ARG1 leave-11 :ARG0" not in out
    assert "signature: sembleu:official|ngram:2|" in out
    _, out, _ = cli("kgrams", file, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert rows[0] == {
        "index": "0",
        "id": "a",
        "k": "1",
        "kgram": "ask-01",
        "count": "1",
    }
    assert len(rows) == 3 * 8


def test_the_nodes_of_each_graph(cli: Cli, file: str) -> None:
    answer = cli.json("kgrams", file, "--nodes")
    assert answer["nodes"][0] == {
        "index": 0,
        "id": "a",
        "node": "a",
        "label": "ask-01",
        "position": "root",
        "degree": 2,
        "k1": 1,
        "k2": 2,
        "k3": 1,
        "total": 4,
    }
    assert answer["nodes"][7]["node"] is None
    assert answer["positions"][0] == {
        "position": "root",
        "nodes": 3,
        "mean": 4.0,
        "most": 4,
    }
    assert "by position" in cli("kgrams", file, "--nodes")[1]


def test_growth_leaves_repeated_graphs_out_and_says_so(cli: Cli, file: str) -> None:
    answer = cli.json("kgrams", file, "--growth")
    assert (answer["graphs"], answer["repeated"]) == (2, 1)
    assert [point["index"] for point in answer["points"]] == [0, 1]
    assert answer["growth"][0]["slope"] is None  # both have four nodes
    kept = cli.json("kgrams", file, "--growth", "--keep-repeated")
    assert (kept["graphs"], kept["repeated"]) == (3, 1)
    assert "1 repeated graphs are left out" in cli("kgrams", file, "--growth")[1]


@pytest.mark.parametrize("what", [(), ("--nodes",), ("--growth",)])
@pytest.mark.parametrize("form", ["text", "json", "csv", "latex", "html"])
def test_every_format(cli: Cli, file: str, what: tuple[str, ...], form: str) -> None:
    code, out, _ = cli("kgrams", file, *what, "--format", form)
    assert code == 0
    begin = {"json": "{", "html": "<!DOCTYPE html>", "latex": r"\begin{tabular}"}
    assert begin.get(form, "") in out
    assert len(out.splitlines()) > 2


@pytest.mark.slow
def test_growth_is_drawn(cli: Cli, file: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "growth.svg"
    code, _, err = cli("kgrams", file, "--growth", "--plot", str(path))
    assert code == 0, err
    assert path.read_text().startswith("<?xml")


def test_bad_graphs_end_the_run_or_are_left_out(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "bad.amr"
    path.write_text("(a / x :ARG0 z9)\n\n(b / y)\n")
    code, out, err = cli("kgrams", str(path))
    assert (code, out) == (2, "")
    assert "bad.amr:1" in err
    answer = cli.json("kgrams", str(path), "--on-error", "skip")
    assert [graph["index"] for graph in answer["graphs"]] == [1]
    path.write_text("# nothing\n")
    code, _, err = cli("kgrams", str(path))
    assert code == 2
    assert "bad.amr: holds no graph" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plot", "x.svg"], "--plot draws what --growth measures"),
        (["--ngram", "0"], "--ngram: '0' is not between 1 and 4"),
        (["--ngram", "5"], "--ngram: '5' is not between 1 and 4"),
    ],
)
def test_misuse_is_one_sentence(
    cli: Cli, file: str, arguments: list[str], message: str
) -> None:
    code, out, err = cli("kgrams", file, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_folder_and_standard_input(
    cli: Cli, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(cli.json("kgrams", str(Path(file).parent))["graphs"]) == 3
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"(a / x)\n")))
    assert len(cli.json("kgrams", "-")["graphs"]) == 1
