"""Files in no format of graphs: each is called what it is, with one thing to do."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.formats.formats import FORMATS

CYPHER = 'CREATE (a:Person {name: "Ann"})-[:KNOWS]->(b:Person {name: "Bob"})\n'
CONLLU = (
    "# text = He runs\n1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n"
    "2\truns\trun\tVERB\tVBZ\t_\t0\troot\t_\t_\n"
)
FILES: dict[str, tuple[str | bytes, str, str]] = {
    "semicolons.csv": ("id;name\n1;Ann\n2;Bob\n", "a table with semicolons", "commas"),
    "a.yaml": ("nodes:\n  - id: a\nedges:\n  - [a, b]\n", "YAML", "as JSON"),
    "a.toml": ('[project]\nname = "x"\n', "TOML", "as JSON"),
    "a.svg": (
        "<svg></svg>\n",
        "an SVG drawing|of kind 'svg'",
        "graph|GEXF",
    ),
    "a.html": ("<!DOCTYPE html>\n<html><p>x</p></html>\n", "HTML|'html'", "graph|read"),
    "a.md": ("# Title\n\nSome *text*.\n\n- item\n", "Markdown", "--extract repair"),
    "a.pdf": (b"%PDF-1.4\n%\xe2\xe3\n", "is a PDF", "as text"),
    "a.conllu": (CONLLU, "CoNLL-U", "as triples"),
    "a.xml": ('<?xml version="1.0"?>\n<catalog/>\n', "XML of", "GraphML, GXL"),
    "utf16": ("(b / boy)\n".encode("utf-16"), "is UTF-16", "iconv"),
    "a.cypher": (CYPHER, "Cypher", "--extract repair"),
    "python.txt": ("{'nodes': ['a'], 'edges': []}\n", "Python", "--extract repair"),
    "a.tex": ("\\documentclass{article}\nHello\n", "LaTeX", "--extract repair"),
    "triples.tsv": (
        "Cats eat.\tYes.\tsupport\t(cat; eats; mouse)(mouse; is; prey)\n" * 2,
        "a graph of bracketed triples in each line",
        "rows of JSON",
    ),
    "triples.txt": ("(cat; eats; mouse)(mouse; is; prey)\n", "bracketed", "JSON"),
    "a.log": ("2026-01-01 12:00:00 INFO start\n" * 2, "a log", "--extract repair"),
}
"""Content, what the sentence calls it and a part of the way out; one of some words."""


@pytest.mark.parametrize("name", FILES)
def test_a_sentence_says_what_it_is_and_what_to_do(
    name: str, cli: Cli, files: Files
) -> None:
    content, kinds, ways = FILES[name]
    files.enter()
    files.one(name, content)
    said = {
        "score": cli.refusal(name, name),
        "convert": cli.refusal("convert", name, "--to", "json"),
        "ged": cli.refusal("ged", name, name),
        "lint": cli("lint", name).out,
    }
    for command, text in said.items():
        assert any(kind in text for kind in kinds.split("|")), f"{command}: {text}"
        assert any(way in text for way in ways.split("|")), f"{command}: {text}"
        assert sum(f" {form}," in text for form in FORMATS) < 4, text


@pytest.mark.parametrize("name", ["a.cypher", "python.txt", "comments.json"])
def test_graphs_are_taken_out_as_the_sentence_says(
    name: str, cli: Cli, files: Files
) -> None:
    files.enter()
    commented = '{\n  // two\n  "nodes": ["a", "b"], "edges": [[0, 1]]\n}\n'
    files.one(name, FILES[name][0] if name in FILES else commented)
    assert "--extract repair" in cli.refusal(name, name)
    assert cli.out(name, name, "--extract", "repair", "-q") == "1.0000\n"
    to_links = ("--extract", "repair", "--to", "node-link", "-o", "out.json")
    assert cli("convert", name, *to_links).code == 0
    assert cli.json("ged", "out.json", "out.json")["pairs"][0]["distance"] == 0


def test_a_list_of_texts_is_quoted(cli: Cli, files: Files) -> None:
    files.enter()
    files.one("texts.json", '["a boy runs", "a girl sleeps"]\n')
    assert "is not JSON: it is the text 'a boy runs'" in cli.refusal(
        *["texts.json"] * 2
    )


@pytest.mark.parametrize(
    "text",
    [
        "<http://x/a> <http://x/b> <http://x/c> .\n",
        "<p> <a> <b> ;\n  <c> <d> .\n",
        "@prefix x: <http://x/> .\nx:a x:b x:c ;\n  x:d x:e .\n",
        "# AMR release; generated on Mon\n\n# ::id 1\n(b / boy)\n",
        "::id 1\n(b / boy)\n",
        "# - a list in a comment\n(b / boy)\n",
    ],
)
def test_what_is_read_is_not_called_something_else(
    text: str, cli: Cli, files: Files
) -> None:
    if text.startswith(("<", "@")):
        pytest.importorskip("rdflib")
    files.enter()
    files.one("a", text)
    assert cli("a", "a", "-q", "--on-error", "empty").code == 0


def test_very_long_lines_take_no_time(cli: Cli, files: Files) -> None:
    files.enter()
    files.one("long.yaml", "- a: " + "b " * 300_000 + "\n")
    cli.refusal("long.yaml", "long.yaml")
    files.one("open", "word " + "<" * 500_000)
    cli.refusal("open", "open")


def test_the_line_for_bracketed_triples_runs(cli: Cli, files: Files) -> None:
    """Its rows of JSON hold the last column, which is then scored."""
    files.enter()
    triples = "(cat; eats; mouse)(mouse; is; prey)"
    files.one("a.tsv", f"Cats eat.\tYes.\tsupport\t{triples}\n")
    line = cli.refusal("a.tsv", "a.tsv").split("which are read: ")[1]
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    (row,) = Path("a.tsv.jsonl").read_text().splitlines()
    assert json.loads(row) == {"response": triples}
    metric = cli.json("a.tsv.jsonl", "a.tsv.jsonl")["metrics"][0]
    assert (metric["f1"], metric["matched"]) == (1, 2)
