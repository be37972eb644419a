"""Graphs of one format in another, from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Cli
from support.samples import SAMPLES

from exactmatch.cli.main import main
from exactmatch.graphs.graph import Graph
from exactmatch.reading.formats import FORMATS


def graphs(name: str, text: str) -> list[Graph]:
    found = FORMATS[name].blocks(text.splitlines(keepends=True), "file")
    return [FORMATS[name].read(block).graph for block in found]


def test_convert_writes_what_another_reads(tmp_path: Path, cli: Cli) -> None:
    source, target, back = (tmp_path / n for n in ("a.amr", "b.json", "c.amr"))
    source.write_text(SAMPLES["penman"])
    assert main(["convert", str(source), "-o", str(target)]) == 0
    assert main(["convert", str(target), "--to", "penman", "-o", str(back)]) == 0
    assert graphs("penman", back.read_text()) == graphs("penman", SAMPLES["penman"])
    assert "w\tARG0\tb" in cli.out("convert", str(back), "--to", "triples")


def test_convert_says_what_would_be_lost(tmp_path: Path, cli: Cli) -> None:
    source, target = tmp_path / "a.mrp", tmp_path / "b.tsv"
    source.write_text(SAMPLES["mrp"])
    err = cli.refusal("convert", source, "-o", target)
    assert not target.exists()
    assert "a.mrp:1: graph '1' cannot be written as triples without loss of" in err
    assert "anchors" in err
    ran = cli("convert", str(source), "-o", str(target), "--lossy")
    assert ran.code == 0
    assert "loses" in ran.err
    assert "_run_v_away" in target.read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name a format by --to"),
        (("-o", "x.doc"), "no format has the ending '.doc'"),
        (("--to", "sbn"), "which is in no box, which SBN cannot say"),
        (("--to", "umr"), "has no sentences"),
        (("--to", "clauses"), "which clauses cannot state"),
    ],
)
def test_convert_says_what_cannot_be_said(
    tmp_path: Path,
    cli: Cli,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    source = tmp_path / "a.amr"
    source.write_text("(w / want-01 :ARG0 (b / boy))")
    assert words in cli.refusal("convert", str(source), *arguments)
