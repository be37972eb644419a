"""``exactmatch ged``."""

import csv
import io
import json
from pathlib import Path
from typing import Any, NoReturn

import networkx as nx
import pytest
from support.command import Cli
from support.files import Files

from exactmatch.cli.main import main
from exactmatch.studies.ged import study

TRIPLES = (
    "cat\tis a\tanimal\ncat\thas\ttail\n_:1\tsees\tcat\n\ndog\tis a\tanimal\n",
    "cat\tis a\tanimal\ncat\thas\ttails\n_:2\tsees\tcat\n\ndog\tis a\tanimal\nx\n",
)


@pytest.fixture
def shapes(tmp_path: Path) -> list[Any]:
    """The example of networkx's documentation: 7 edits."""
    nx.write_graphml(nx.cycle_graph(6), tmp_path / "a.graphml")
    nx.write_graphml(nx.wheel_graph(7), tmp_path / "b.graphml")
    return [str(tmp_path / name) for name in ("a.graphml", "b.graphml")]


@pytest.fixture
def knowledge(files: Files, tmp_path: Path) -> list[Any]:
    """Two pairs: another tail, and a node more."""
    for name, text in zip("ab", TRIPLES, strict=True):
        files.one(f"{name}.tsv", text)
    named = [str(tmp_path / "a.tsv"), str(tmp_path / "b.tsv")]
    return [*named, "--format-in", "triples"]  # for a line is a node


def test_one_pair_is_shown_with_its_edits(cli: Cli, shapes: Any) -> None:
    code, out, _ = cli("ged", *shapes)
    assert code == 0
    lead = "1 pair, every one proven; only shapes compared: "
    assert out.startswith(lead)
    assert out.splitlines()[0].endswith("; edges are undirected")
    assert out.count("insert edge") == 6
    assert out.count("insert node") == 1
    assert "solver:auto|proven:1/1|" in out


def test_json_has_everything(cli: Cli, knowledge: Any) -> None:
    _, out, _ = cli("ged", *knowledge, "--triples", "--format", "json")
    found = json.loads(out)
    first, second = found["pairs"]
    assert (first["distance"], first["bound"], first["proven"]) == (1, 1, True)
    assert ["tail", "tails"] in first["node_edit_path"]
    assert [None, "x"] in second["node_edit_path"]
    assert first["triples"]["exact"]["matched"] == 1
    assert first["triples"]["aligned"]["matched"] == 2
    assert 2 < first["triples"]["similar"]["matched"] + 1 < 3 + 1
    assert found["summary"]["triples"]["aligned"]["f1"] == 3 / 4
    assert found["summary"]["mean_distance"] == 1


def test_csv_has_a_line_a_pair(cli: Cli, knowledge: Any) -> None:
    _, out, _ = cli("ged", *knowledge, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [float(row["distance"]) for row in rows] == [1, 1]
    assert [row["index"] for row in rows] == ["0", "1"]


def test_many_pairs_have_edits_if_wanted(cli: Cli, knowledge: Any) -> None:
    assert "edits of pair" not in cli("ged", *knowledge)[1]
    out = cli("ged", *knowledge, "--paths")[1]
    assert "edits of pair 1" in out
    assert "substitute node  tail  tails" in out


def test_html_is_a_page(cli: Cli, tmp_path: Path, knowledge: Any) -> None:
    page = tmp_path / "page.html"
    code, _, _ = cli("ged", *knowledge, "--paths", "--format", "html", "-o", str(page))
    assert code == 0
    assert "tails" in page.read_text()


def test_costs_and_what_must_agree(cli: Cli, knowledge: Any) -> None:
    def distances(*options: Any) -> list[Any]:
        _, out, _ = cli("ged", *knowledge, "--format", "json", *options)
        return [pair["distance"] for pair in json.loads(out)["pairs"]]

    assert distances("--node-costs", "0.5,1,3") == [0.5, 3]
    assert distances("--node-match", "none") == [0, 1]
    refusal = cli.refusal("ged", *knowledge, "--node-match", "colour")
    assert "no node and no edge has the attribute 'colour'" in refusal
    assert distances("--node-costs", "9,1,1") == [4, 1]  # the edge goes and comes, too


def test_no_pairs_are_a_corpus(cli: Cli, files: Files, tmp_path: Path) -> None:
    files.one("none", "")
    for form in ("text", "json", "csv", "latex", "html"):
        paths = [str(tmp_path / "none")] * 2
        code, out, _ = cli("ged", *paths, "--triples", "--format", form)
        assert code == 0
        assert "no pairs" in out or form in ("json", "csv")


def test_every_proof_is_checked(cli: Cli, knowledge: Any) -> None:
    ran = cli("ged", *knowledge, "--certify", "--require-optimal")
    assert ran.code == 0
    assert "2 certificates checked, 0 rejected" in ran.err


def test_ctrl_c_leaves_no_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, knowledge: Any
) -> None:
    def interrupted(*_: Any, **__: Any) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(study, "measure_distance", interrupted)
    assert main(["ged", *knowledge, "-o", str(tmp_path / "new")]) == 130
    assert not (tmp_path / "new").exists()


def test_what_is_not_proven_can_be_demanded(tmp_path: Path, cli: Cli) -> None:
    for name, seed in (("a", 1), ("b", 2)):
        nx.write_graphml(nx.gnm_random_graph(40, 60, seed=seed), tmp_path / name)
    paths = [str(tmp_path / name) for name in "ab"]
    asked = [*paths, "--solver", "hungarian", "--require-optimal"]
    ran = cli("ged", *asked)
    assert ran.code == 1
    assert "1 result not proven optimal" in ran.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["a.tsv", "a.graphml"], "a.tsv holds 2 graphs but"),
        (["a.tsv", "none"], "no such file"),
        (["-", "-"], "standard input can be only one"),
        (
            ["one.tsv", "one.tsv", "--node-costs=-1,1,1"],
            "holds what is not a cost",
        ),
        (["a.tsv", "b.tsv", "--solver", "nobody"], "unknown solver"),
        (["a.tsv", "b.tsv", "--solver", "cpsat", "--certify"], "no certificates"),
        (["a.graphml", "one.tsv"], "one.tsv is directed and that of a.graphml is not"),
        (["one.tsv", "a.graphml"], "one.tsv is directed and that of a.graphml is not"),
        (["a.graphml", "b.graphml", "--triples"], "pair 1: triples have a direction"),
    ],
)
@pytest.mark.usefixtures("shapes", "knowledge")
def test_what_is_wrong_is_said(
    cli: Cli,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.tsv").write_text("a\tr\tb\n")
    assert complaint in cli.refusal("ged", *arguments)


def test_three_costs_are_wanted(cli: Cli) -> None:
    refusal = cli.refusal("ged", "a", "b", "--node-costs", "1,2")
    assert "is not three numbers" in refusal


PAIRS = {
    "gml": (nx.write_gml, None),
    "graphml": (nx.write_graphml, None),
    "edges": (nx.write_edgelist, "edge-list"),
    "adj": (nx.write_adjlist, "adjacency-list"),
    "net": (nx.write_pajek, None),
    "g6": (nx.write_graph6, None),
    "lists": (nx.write_multiline_adjlist, None),
    "gexf": (nx.write_gexf, None),
}


@pytest.mark.parametrize("suffix", PAIRS)
def test_a_path_is_never_a_cycle(cli: Cli, tmp_path: Path, suffix: str) -> None:
    """They are one edge apart, by networkx's own search; or the files are refused."""
    write, name = PAIRS[suffix]
    shapes = {"path": nx.path_graph(5), "cycle": nx.cycle_graph(5)}
    assert nx.graph_edit_distance(*shapes.values()) == 1
    paths = [tmp_path / f"{shape}.{suffix}" for shape in shapes]
    for path, graph in zip(paths, shapes.values(), strict=True):
        write(graph, path)
    alone = ("gml", "graphml", "gexf", "net")
    if suffix not in alone:
        assert str(paths[0]) in cli.refusal("ged", *paths)
    if name or suffix in alone:
        named = ("--format-in", name) if name else ()
        out = json.loads(cli.out("ged", *paths, *named, "--format", "json"))
        assert [pair["distance"] for pair in out["pairs"]] == [1]


HUGE = '{"nodes": [{"id": 1, "x": ' + "1" * 5000 + '}], "edges": []}'
ONE = '{"nodes": [{"id": 1}], "edges": []}'
DEEP = "[" * 100_000
NESTED = '{"nodes": [{"id": ' + "[" * 900 + "1" + "]" * 900 + '}], "edges": []}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HUGE, "bad.json:1: is not JSON: it holds an integer of too many digits"),
        (f"{ONE}\n{HUGE}", "bad.json:2: is not JSON: it holds an integer of too many"),
        (DEEP, "bad.json:1: is not JSON: it nests too deeply"),
        (f"{ONE}\n{DEEP}", "bad.json:2: is not JSON: it nests too deeply"),
        (NESTED, "]]]] is not a name"),
        (f"{ONE}\n{NESTED}", "bad.json:2: node id [[[["),
        (f"{ONE}\n{{", "bad.json:2:2: is not JSON: "),
        ("{", "bad.json:1:2: is not JSON: "),
    ],
)
def test_json_beyond_what_can_be_read_is_a_sentence(
    cli: Cli, files: Files, text: str, said: str
) -> None:
    files.enter()
    files.one("bad.json", text)
    files.one("one.json", ONE)
    err = cli.refusal("ged", "bad.json", "one.json")
    assert said in err
    assert err.startswith("exactmatch: error: ")
    assert err.count("\n") == 1


def test_dialects_of_json_agree_on_the_direction_of_edges(
    cli: Cli, files: Files
) -> None:
    """Edges of JSON are directed in every command, unless the graph says otherwise."""
    nodes = '"nodes": [{"id": 1, "label": "a"}, {"id": 2, "label": "b"}]'
    undirected = f'"directed": false, {nodes}'

    def graph(first: int, second: int, nodes: str = nodes, edges: str = "edges") -> str:
        ends = f'{{"source": {first}, "target": {second}}}'
        return f'{{{nodes}, "{edges}": [{ends}]}}'

    for one, other, distance, score in (
        (graph(1, 2), graph(2, 1), 2, 2 / 3),
        (graph(1, 2), graph(1, 2, edges="links"), 0, 1),
        (graph(1, 2, undirected), graph(2, 1, undirected), 0, 1),
        ('[["a", "r", "b"]]', '[["b", "r", "a"]]', 2, 2 / 3),
        ('{"nodes": ["a", "b"], "edges": [[0, 1]]}', graph(2, 1), 2, 2 / 3),
    ):
        paths = files.pair(one, other, ".json")
        assert cli.json("ged", *paths)["pairs"][0]["distance"] == distance
        (row,) = cli.json("--metric", "graph", *paths)["metrics"]
        assert row["score"] == pytest.approx(score)
    assert cli.out("ged", *paths).splitlines()[0].endswith("; edges are directed")


def test_one_cost_is_that_of_all_edits(cli: Cli, files: Files) -> None:
    pair = [files.one(f"{name}.tsv", f"a\tb\t{name}\n") for name in ("c", "d")]
    assert cli.out("ged", *pair, "-q") == "1\n"
    assert cli.out("ged", *pair, "-q", "--node-costs", "2") == "2\n"
