"""Formats of other packages: found by name, place, suffix and how a text begins."""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command import Cli

import exactmatch
from exactmatch.base.errors import ExactmatchWarning, InputError
from exactmatch.formats.blocks import graphs_of_text
from exactmatch.formats.formats import (
    FORMATS,
    format_by_name,
    get_format,
    looks_like,
)
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics import METRICS
from exactmatch.solvers import SOLVERS

OTHER = "package_of_formats"

SOURCE = f"""
from dataclasses import replace

from exactmatch.formats.blocks import blocks_of_lines
from exactmatch.formats.formats import Format
from exactmatch.formats.remarks import Reading
from exactmatch.graphs.graph import Graph

def blocks(lines, path):
    for block in blocks_of_lines(lines, path):
        yield replace(block, format="words", known=block.metadata())

def read(block):
    names = block.content[0].split()[1:]
    stated = [(f"x{{i}}", "instance", name) for i, name in enumerate(names)]
    stated += [("x0", "with", f"x{{i}}") for i in range(1, len(names))]
    return Reading(Graph.from_triples(stated, None, block.known, block.origin()))

def write(graph):
    return "words: " + " ".join(graph.concepts())

def bare(block):
    concept = block.content[0].split()[2]
    stated = [("x", "instance", concept)]
    return Reading(Graph.from_triples(stated, None, block.metadata(), block.origin()))

def recognises(text):
    return text.startswith("words:")

def breaks(text):
    raise ZeroDivisionError

FUNCTIONS = "{OTHER}", ("blocks", "read", "write")
WORDS = Format("words", "a line of words", ".words", *FUNCTIONS, recognises=recognises)
HASTY = Format("hasty", "breaks", ".hasty", *FUNCTIONS, recognises=breaks)
GREEDY = Format("greedy", "takes all", ".amr", *FUNCTIONS, recognises=lambda _: True)
"""

PRED, GOLD = "words: bark dog\n", "words: bark cat\n"


@pytest.fixture(autouse=True)
def _package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / f"{OTHER}.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    importlib.invalidate_caches()
    FORMATS.__dict__.pop("active_entry_points", None)
    yield
    FORMATS.__dict__.pop("active_entry_points", None)


def declare(folder: Path, *names: str) -> None:
    info = folder / f"{OTHER}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.2\n")
    lines = [f"{name} = {OTHER}:{name.upper()}" for name in names]
    (info / "entry_points.txt").write_text("\n".join(["[exactmatch.formats]", *lines]))


def test_a_format_is_found_by_name_suffix_and_beginning(tmp_path: Path) -> None:
    declare(tmp_path, "words")
    assert get_format("words").title == "a line of words"
    assert format_by_name("x.words.gz") is get_format("words")
    assert format_by_name("x.words", only_own=True) is None
    assert looks_like(PRED) == "words"
    (block,) = graphs_of_text(PRED)
    assert block.format == "words"
    # two concepts against two, one of them the same, the relation, and the top
    found = exactmatch.smatch(PRED, GOLD)
    assert (found.matched, found.pred_total, found.gold_total) == (3, 4, 4)


@pytest.mark.slow
def test_its_place_is_a_name(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(PRED)
    (tmp_path / "b").write_text(GOLD)
    place = f"{OTHER}:WORDS"
    both = (str(tmp_path / "a"), str(tmp_path / "b"))
    asked = (*both, "--format-in", place, "-j", "2")
    assert cli.json(*asked)["metrics"][0]["f1"] == 0.75
    assert "(x0 / bark" in cli.out(
        "convert", both[0], "--format-in", place, "--to", "penman"
    )
    assert (
        cli.out("convert", str(tmp_path / "a"), "--format-in", place, "--to", place)
        == PRED
    )
    assert "json:loads must be an" in cli.refusal(*both, "--format-in", "json:loads")
    assert "unknown format 'wordz'" in cli.refusal(*both, "--format-in", "wordz")


def test_a_profile_reads_by_a_place() -> None:
    bare = exactmatch.PROFILES["smatch"].with_options(reader=f"{OTHER}:bare")
    pair = "(b / bark :ARG0 (d / dog))", "(b / bark :ARG1 (d / dog))"
    # all that the reader leaves of both is their first concept, and the top
    found = exactmatch.smatch(*pair, profile=bare)
    assert (found.matched, found.pred_total, found.gold_total) == (2, 2, 2)
    assert dict(bare.signature())["read"] == f"{OTHER}:bare"
    absent = bare.with_options(reader=f"{OTHER}:absent")
    with pytest.raises(InputError, match="has no attribute 'absent'"):
        exactmatch.smatch(*pair, profile=absent)
    with pytest.raises(InputError, match="has reader 'absent'; it is one of"):
        bare.with_options(reader="absent")


def test_commands_take_it(cli: Cli, tmp_path: Path) -> None:
    declare(tmp_path, "words")
    (tmp_path / "a").write_text(PRED)
    (tmp_path / "b").write_text(GOLD)
    both = (str(tmp_path / "a"), str(tmp_path / "b"))
    assert cli.json(*both)["metrics"][0]["f1"] == 0.75
    assert cli.out("convert", both[0], "-o", str(tmp_path / "c.words")) == ""
    assert (tmp_path / "c.words").read_text() == PRED
    assert cli.out("help", "words").startswith("format words: a line of words\n")
    assert "a line of words" in cli.out("help", "formats")
    places = [row["place"] for row in cli.json("plugins")["plugins"]]
    assert f"{OTHER}:WORDS" in places
    assert "words" in cli.out("completion", "bash")
    assert "did you mean 'words'" in cli.refusal("convert", "a", "--to", "wordz")


def test_what_a_format_breaks_is_a_warning(tmp_path: Path) -> None:
    declare(tmp_path, "hasty", "missing", "words")
    with pytest.warns(ExactmatchWarning) as told:
        assert looks_like(PRED) == "words"
    hasty, missing = sorted(str(warning.message) for warning in told)
    assert "'hasty' cannot tell" in hasty
    assert "'missing' of other 1.2 cannot be loaded" in missing
    with pytest.raises(InputError, match="cannot be loaded"):
        get_format("missing")


def test_ours_recognise_before_others_do(tmp_path: Path) -> None:
    declare(tmp_path, "greedy")
    assert looks_like("# ::id 1\n\n(b / bark)") == "penman"
    assert looks_like("b1 REF x1") == "clauses"
    assert looks_like("# ::id 1\n") == "penman"
    assert looks_like("<xml>") == "greedy"
    assert looks_like('{"a": 1}') == "greedy"
    assert looks_like("bark") == "greedy"


def test_an_ordinary_file_asks_no_package(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise AssertionError("other packages were asked")

    for registry in (METRICS, SOLVERS, PROFILES, FORMATS):
        monkeypatch.delitem(registry.__dict__, "active_entry_points", raising=False)
    monkeypatch.setattr(importlib.metadata, "entry_points", refuse)
    path = tmp_path / "gold.txt"
    path.write_text("# ::id 1\n# ::snt Dogs bark.\n(b / bark :ARG0 (d / dog))\n")
    assert cli.json(str(path), str(path))["metrics"][0]["f1"] == 1.0
    text = path.read_text()
    assert exactmatch.smatch(text, text).f1 == 1.0
    assert "(b / bark" in cli.out("convert", str(path), "--to", "penman")
