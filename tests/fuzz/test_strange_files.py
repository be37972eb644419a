"""Files of every format given to every command: what is none of its formats is refused.

``make fuzz N=100000`` breaks them at random, too; a failure names command and text.
"""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest
from support.command import Cli
from support.files import Files
from support.mutations import mutated_text
from support.samples import SAMPLES

from exactmatch.graphs.profile import PROFILES

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "2000"))

STRANGE = {
    "gml": "graph [\n  node [ id 0 ]\n  edge [ source 0 target 0 ]\n]\n",
    "dot": "digraph x {\n  a -> b;\n}\n",
    "pajek": "*vertices 2\n1 a\n2 b\n*edges\n1 2\n",
    "graph6": ">>graph6<<Dhc\n",
    "gexf": '<?xml version="1.0"?>\n<gexf><graph/></gexf>\n',
    "graphml": '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph/></graphml>',
    "edges": "0 1 {}\n1 2 {}\n",
    "weights": "a\tb\t3\nb\tc\t0.5\n",
    "tabs": "a\tb\nb\tc\n",
    "neighbours": "a b c\nb c\nc\n",
    "prose": "The boy wants to go.\nIt rains.\n",
    "csv": "id,name\n1,boy\n2,girl\n",
    "markdown": "# Title\n\nSome text.\n\n- item\n",
    "yaml": "key: value\nlist:\n  - a\n",
    "toml": "[table]\nkey = 1\n",
    "json": '{"a": 1}\n{"a": 2}\n',
    "list": "[1, 2, 3]\n",
    "conll": "1\tthe\tthe\tDT\n2\tboy\tboy\tNN\n",
    "vectors": "go 1 0 0\nboy 0.9 0.1 0\n",
    "python": "import os\n\ndef f(x):\n    return (x / 2)\n",
}
"""Texts in none of the formats of graphs of meaning."""

COMMANDS: dict[str, tuple[str, ...]] = {
    **{f"score of {name}": ("--profile", name) for name in PROFILES},
    **dict.fromkeys(("finegrained", "errors", "audit", "report", "align"), ()),
    "compare": ("gold",),
    **dict.fromkeys(("agreement", "matrix", "nearest", "explain-profile"), ()),
    **dict.fromkeys(("duplicates", "cluster", "draw", "solve"), ()),
    "convert": ("--to", "node-link"),
    "ged": (),
}
"""Every command that reads graphs, and what it is told beside its files."""

BY_SEMBLEU = {
    *("edges", "tabs", "neighbours", "prose", "csv", "markdown", "yaml", "toml"),
    *("list", "conll", "vectors"),
}
"""By SemBleu's own rule a text without brackets is a graph of one constant."""

NETWORKS = {"gml", "graphml", "gexf", "pajek", "dot"}
"""Formats of networks, which every command reads."""

READ_ALSO = {
    "score of sembleu": BY_SEMBLEU,
}

ONE_FILE = ("duplicates", "cluster", "draw", "convert", "solve")


def command_line(command: str, path: str) -> list[str]:
    name, _, _ = command.partition(" of ")
    files = [path] if command in ONE_FILE else [path, path]
    return [name, *files, *COMMANDS[command], "-q"]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_strange_file_is_refused(command: str, files: Files, cli: Cli) -> None:
    files.enter()
    files.one("gold", SAMPLES["penman"])
    for name, text in STRANGE.items():
        if name in NETWORKS | READ_ALSO.get(command, set()):
            continue
        files.one("strange", text)
        ran = cli(*command_line(command, "strange"))
        assert ran.code == 2, (name, ran)
        assert not ran.out, (name, ran.out)
        assert "strange" in ran.err, name
        assert ran.err.count("\n") == 1, (name, ran.err)


def test_lint_finds_what_is_strange(files: Files, cli: Cli) -> None:
    files.enter()
    for name in STRANGE.keys() - NETWORKS:
        files.one("strange", STRANGE[name])
        is_scored = cli("strange", "strange").code == 0
        assert cli("lint", "strange").code == (0 if is_scored else 1), name


@pytest.mark.parametrize("name", SAMPLES)
def test_a_network_is_no_graph_of_meaning(name: str, files: Files, cli: Cli) -> None:
    """What ``ged`` takes of our own formats is a network: triples and node-link."""
    path = files.one("a", SAMPLES[name])
    ran = cli("ged", path, path, "--format", "json")
    if name not in ("triples", "node-link"):
        assert ran.code == 2
        assert "convert" in ran.err
    elif ran.code == 0:
        pairs = json.loads(ran.out)["pairs"]
        assert [pair["distance"] for pair in pairs] == [0, 0]


WORDS = (
    "\n",
    "\t",
    " ",
    "#",
    "(",
    ")",
    "/",
    "{",
    "}",
    "[",
    "]",
    "<",
    '"',
    ":",
    "3",
    "a",
)


@pytest.mark.slow
def test_broken_files_of_every_kind_end_well(files: Files, cli: Cli) -> None:
    """A list of edges is never a graph whose distance to another one is nothing."""
    files.enter()
    texts = STRANGE | SAMPLES
    commands = [name for name in COMMANDS if name not in ("report", "audit", "solve")]
    files.one("gold", SAMPLES["penman"])
    for seed in range(CASES // 20):
        rng = random.Random(seed)
        text = mutated_text(rng, texts[rng.choice(list(texts))], WORDS)
        files.one("strange", text.encode("utf-8", "surrogatepass"))
        command = rng.choice(commands)
        ran: Any = cli(*command_line(command, "strange"))
        assert ran.code in (0, 1, 2), (seed, command, text)
        assert "Traceback" not in ran.err, (seed, command, text)
