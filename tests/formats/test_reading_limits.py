"""A limit of time holds for reading, and nodes and edges are counted before made.

The clock of limits is one that is a second later at each look, so that no test waits:
what looks at it often enough is stopped, whatever the machine.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.command import Cli

import exactmatch
from exactmatch.base import deadline
from exactmatch.base.deadline import (
    OutOfTimeError,
    ReadingLimits,
    reading,
    reading_within,
)
from exactmatch.base.errors import GraphError
from exactmatch.base.inputs import inputs_noted
from exactmatch.formats.formats import FORMATS, get_format
from exactmatch.formats.items import SHORTEST
from exactmatch.formats.networks import READERS
from exactmatch.formats.readings import load

_MANY = 3000


def _rows(begin: str, row: Callable[[int], str], end: str = "") -> Callable[[int], str]:
    return lambda n: begin + "".join(map(row, range(n))) + end


def _json(n: int) -> str:
    nodes = [{"id": f"a{k}", "label": "b"} for k in range(n + 1)]
    return json.dumps({"nodes": nodes, "edges": [[f"a{k}", "a0"] for k in range(n)]})


def _node_link(n: int) -> str:
    links = [
        {"source": f"a{k}", "target": f"a{k + 1}", "role": "r", "label": "r"}
        for k in range(n)
    ]
    nodes = [{"id": f"a{k}", "concept": "b"} for k in range(n + 1)]
    return json.dumps({"directed": True, "nodes": nodes, "links": links})


def _mrp(n: int) -> str:
    nodes = [{"id": k, "label": "b"} for k in range(n)]
    return json.dumps({"id": "1", "framework": "eds", "tops": [0], "nodes": nodes})


def _ged_json(n: int) -> str:
    return json.dumps({"n": n + 1, "edges": [[k, k + 1] for k in range(n)]})


_PENMAN = _rows("(a / b\n", lambda k: f":ARG0 (a{k} / b)\n", ")\n")
_XML = _rows("", lambda k: f'<node id="a{k}" label="c"/>')
_MOL = "a\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
_MOL += "    0.0000    0.0000    0.0000 C   0  0\nM  END\n"
TEXTS: dict[str, Callable[[int], str]] = {
    "penman": _PENMAN,
    "umr": lambda n: (
        f"# :: snt1\nIndex: 1\nWords: a\n\n# sentence level graph:\n{_PENMAN(n)}\n"
        "# alignment:\n\n# document level annotation:\n"
    ),
    "clauses": _rows("", lambda k: f"b1 REF x{k}\n"),
    "sbn": lambda n: "person.n.01\n" * n,
    "triples": _rows("", lambda k: f"a{k}\tr\ta{k + 1}\n"),
    "table": _rows("subject,relation,object\n", lambda k: f"a{k},r,a{k + 1}\n"),
    "relations": _rows("", lambda k: f"r(a{k}, a{k + 1})\n"),
    "worfbench": _rows("Node:\n", lambda k: f"{k + 1}. a\n", "Edges: (START,1)\n"),
    "mermaid": _rows("graph TD\n", lambda k: f"a{k} --> a{k + 1}\n"),
    "dot": _rows("graph {", lambda k: f"a{k} -- a{k + 1};\n", "}"),
    "gml": _rows("graph [\n", lambda k: f"node [ id {k} ]\n", "]"),
    "graphml": lambda n: (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        f'<graph edgedefault="directed">{_XML(n)}</graph></graphml>'.replace(
            ' label="c"', ""
        )
    ),
    "gexf": lambda n: (
        '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph>'
        f"<nodes>{_XML(n)}</nodes></graph></gexf>"
    ),
    "gxl": lambda n: f'<gxl><graph id="a">{_XML(n)}</graph></gxl>',
    "pajek": lambda n: (
        f"*Vertices {n}\n"
        + "".join(f'{k + 1} "a{k}"\n' for k in range(n))
        + "*Arcs\n1 2 1\n"
    ),
    "gspan": _rows("t # 0\n", lambda k: f"v {k} C\n"),
    "ged-json": _ged_json,
    "json": _json,
    "node-link": _node_link,
    "mrp": _mrp,
    "document": lambda n: json.dumps({"parts": [{"name": f"a{k}"} for k in range(n)]}),
    "answers": lambda n: json.dumps({"response": _json(n)}),
    "webnlg": lambda n: (
        '<benchmark><entries><entry eid="1"><modifiedtripleset>'
        + "".join(f"<mtriple>a{k} | r | b</mtriple>" for k in range(n))
        + "</modifiedtripleset></entry></entries></benchmark>"
    ),
    "rdf": _rows("", lambda k: f"<http://a/{k}> <http://r> <http://a/{k + 1}> .\n"),
    "smiles": _rows("", lambda k: f"CCO a{k}\n"),
    "sdf": lambda n: (_MOL + "$$$$\n") * n,
    "mol": lambda n: (_MOL + "$$$$\n") * n,
    "edge-list": _rows("", lambda k: f"a{k} a{k + 1}\n"),
    "directed-edge-list": _rows("", lambda k: f"a{k} a{k + 1}\n"),
    "adjacency-list": _rows("", lambda k: f"a{k} b{k}\n"),
    "directed-adjacency-list": _rows("", lambda k: f"a{k} b{k}\n"),
}
"""A text of so many nodes or edges, in each format."""

ALIKE = {"umr-file": "umr", "umr-sentences": "umr"}


_PACKAGES = {"rdf": "rdflib", "smiles": "rdkit", "sdf": "rdkit", "mol": "rdkit"}


def _read(name: str, text: str) -> None:
    if name in _PACKAGES:
        pytest.importorskip(_PACKAGES[name])
    for block in get_format(name).blocks(io.StringIO(text, newline=None), "file"):
        get_format(block.format or "penman").read(block)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each look at the clock of limits a second later than the one before."""
    seconds = count()
    fake = SimpleNamespace(perf_counter=lambda: float(next(seconds)), time=time.time)
    monkeypatch.setattr(deadline, "time", fake)


def test_every_format_has_a_text() -> None:
    assert {*TEXTS, *ALIKE} == {*FORMATS.own, *READERS}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.usefixtures("clock")
def test_a_limit_holds_while_a_text_is_read(name: str) -> None:
    """A long text is stopped, and a short one is not."""
    with reading_within(ReadingLimits(each=20.0)):
        with reading("short"):
            _read(name, TEXTS[name](3))
        with pytest.raises(OutOfTimeError, match=r"^long: "), reading("long"):
            _read(name, TEXTS[name](_MANY))


@pytest.mark.parametrize("name", READERS)
@pytest.mark.usefixtures("clock")
def test_a_limit_holds_while_networks_are_read(name: str) -> None:
    if name in _PACKAGES:
        pytest.importorskip(_PACKAGES[name])
    text = TEXTS[name](_MANY)
    with (
        reading_within(ReadingLimits(each=20.0)),
        pytest.raises(OutOfTimeError, match=r"^long: "),
        reading("long"),
    ):
        list(READERS[name](text, "file", None))


_FEW = (
    "smiles",
    "sdf",
    "mol",
    "penman",
    "umr",
    "clauses",
    "sbn",
    "mrp",
    "answers",
    "document",
    "pajek",
)
"""Formats of which an item has as many bytes as it counts for, or has its own bound."""


@pytest.mark.parametrize("name", sorted(TEXTS.keys() - {*_FEW}))
def test_nodes_and_edges_are_counted(name: str) -> None:
    """So many are refused, and as many as the bound says are read."""
    text = TEXTS[name](_MANY)
    with inputs_noted(max_bytes=10 * _MANY * SHORTEST):
        _read(name, text)
    with (
        inputs_noted(max_bytes=_MANY * SHORTEST // 2),
        pytest.raises(GraphError, match=r"nodes and edges.*raise --max-bytes"),
    ):
        _read(name, text)


@pytest.mark.parametrize("option", ["--time-limit", "--total-time"])
@pytest.mark.parametrize(
    "command",
    [
        ("score",),
        ("score", "--metric", "smatch", "-j", "2"),
        ("finegrained",),
        ("align",),
        ("report", "-o", "page.html"),
        ("errors",),
        ("explain-profile",),
        ("compare",),
        ("audit",),
        ("thresholds", "--metric", "s2match"),
        ("correlate", "--human", "human.txt"),
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("clock")
def test_every_command_is_stopped_while_it_reads(
    command: tuple[str, ...],
    option: str,
    cli: Cli,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Files of one long graph; the time of a pair is over before they are read."""
    monkeypatch.chdir(tmp_path)
    Path("human.txt").write_text("1\n", "utf-8")
    name, *more = command
    for file in ("a.amr", "b.amr", "c.amr"):
        Path(file).write_text(TEXTS["penman"](_MANY), "utf-8")
    files = ["a.amr", "b.amr", *(["c.amr"] if name == "compare" else [])]
    told = cli.refusal(name, *files, *more, option, "20")
    assert ".amr: the time limit is over before it is read" in told


@pytest.mark.parametrize("name", ["dot", "gml", "json", "mermaid"])
@pytest.mark.usefixtures("clock")
def test_edit_distances_are_stopped_while_they_read(
    name: str, cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "a"
    path.write_text(TEXTS[name](_MANY), "utf-8")
    for command in (("ged", path, path), ("ground-truth", path, "-o", tmp_path / "o")):
        told = cli.refusal(*command, "--time-limit", "20")
        assert f"{path}: the time limit is over before it is read" in told


@pytest.mark.usefixtures("clock")
def test_a_problem_file_is_stopped_while_it_is_read(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "long.dd"
    rows = (f"a {k} {k} {k} -1\n" for k in range(_MANY))
    path.write_text(f"p {_MANY} {_MANY} {_MANY} 0\n{''.join(rows)}", "utf-8")
    told = cli.refusal("solve", path, "--time-limit", "20")
    assert f"{path}: the time limit is over before it is read" in told


@pytest.mark.usefixtures("clock")
def test_python_has_the_same_limits(tmp_path: Path) -> None:
    path = tmp_path / "long.amr"
    path.write_text(_PENMAN(_MANY), "utf-8")
    with pytest.raises(OutOfTimeError, match=r"long\.amr: the time limit is over"):
        exactmatch.evaluate(path, path, time_limit=20.0)
    with reading_within(ReadingLimits(each=20.0)), pytest.raises(OutOfTimeError):
        load(path)


@pytest.mark.usefixtures("clock")
def test_each_graph_has_the_time_of_a_pair(tmp_path: Path) -> None:
    """A file of many short graphs takes longer than one may, and is read."""
    path = tmp_path / "many.amr"
    path.write_text("(a / b)\n\n" * _MANY, "utf-8")
    with reading_within(ReadingLimits(each=20.0)):
        assert len(load(path)) == _MANY


def test_what_no_search_was_left_time_for_is_read(cli: Cli, tmp_path: Path) -> None:
    """The time is over at once, and all pairs count, each as an interval or proven."""
    path = tmp_path / "few.amr"
    path.write_text("(a / b :c (d / e))\n\n" * 5, "utf-8")
    assert cli.record(path, path, "--total-time", "0.000001")["pairs"] == 5
