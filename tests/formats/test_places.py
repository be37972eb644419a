"""Where a fault stands: line and column in the file, and the line with a caret."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest

import exactmatch
from exactmatch import GraphError
from exactmatch.base.errors import ItemError, PairError
from exactmatch.cli.main import main
from exactmatch.formats.blocks import blocks_of_lines, blocks_of_text
from exactmatch.formats.formats import get_format
from exactmatch.formats.readings import READERS, read_block
from exactmatch.graphs.profile import PROFILES, get_profile

TWICE = "# ::id one\n  # note\n(a / x\n\t :r1 (b / y)\n  :r2 (a / z))"
REWRITING = ("amrlib", "damonte")
"""How the names of readers begin that read another text than the file's."""


def error_of(text: str, profile: str = "smatch") -> GraphError:
    """The error that a profile's reader raises for a text of one graph."""
    (block,) = blocks_of_text(text, "gold.amr")
    with pytest.raises(GraphError) as caught:
        read_block(block, get_profile(profile))
    return caught.value


@pytest.mark.parametrize("profile", [name for name in PROFILES if name in READERS])
def test_every_reader_names_the_column_or_none(profile: str) -> None:
    """The second ``)`` is one too many for all of them but SMATCH++'s."""
    if profile.startswith("smatchpp"):
        error = error_of("(a / x\n\t :r (b / y)) tail", profile)
    else:
        error = error_of("(a / x\n\t :r (b / y)) )", profile)
    assert error.line == 2
    if profile.startswith(REWRITING):
        assert error.column is None
    else:
        assert error.text is not None
        assert error.text.startswith("\t :r (b / y))")
        assert error.column == 15


@pytest.mark.parametrize("profile", ["smatch", "s2match", "doc-amr", "mrp"])
def test_a_column_counts_the_indentation_that_a_reader_drops(profile: str) -> None:
    error = error_of(TWICE, profile)
    assert (error.line, error.path, error.graph_id) == (5, "gold.amr", "one")
    assert error.text == "  :r2 (a / z))"
    assert error.column is not None
    assert error.text[: error.column - 1].startswith("  :r2 (")
    assert str(error).startswith(f"gold.amr:5:{error.column}: graph 'one' defines")


def test_a_line_that_was_rewritten_before_it_was_read_has_no_column() -> None:
    """Profile ``smatch`` with tags stripped reads another line than the file's."""
    profile = get_profile("smatch").with_options(strip_alignments=True)
    (block,) = blocks_of_text("(a / x~e.1 :r (a / y))", "gold.amr")
    with pytest.raises(GraphError, match=r"^gold\.amr:1: the graph defines") as caught:
        read_block(block, profile)
    assert caught.value.column is None
    assert caught.value.excerpt() == ""


def test_the_excerpt_of_a_long_line_is_cut_around_its_caret() -> None:
    text = f"(a / x :q {'w' * 500} :r (a / y) :s {'v' * 500})"
    line, caret = error_of(text).excerpt().split("\n")
    assert len(line) < 120
    assert line[caret.index("^") - 2 : caret.index("^")] == " ("


def test_a_broken_object_of_json_names_the_character() -> None:
    lines = ['{"id": "1", "nodes": []}\n', '  {"id": "2", "nodes": [}\n']
    block = list(get_format("mrp").blocks(lines, "gold.mrp"))[1]
    with pytest.raises(
        GraphError, match=r"^gold\.mrp:2:\d+: the graph is not JSON"
    ) as e:
        get_format("mrp").read(block)
    assert e.value.text is not None
    assert e.value.column == e.value.text.index("}") + 1


def test_a_place_survives_pickling_and_wrapping() -> None:
    error = error_of(TWICE)
    assert pickle.loads(pickle.dumps(error)).excerpt() == error.excerpt() != ""
    for outer in (PairError(0, "prediction", error), ItemError(3, error)):
        again = pickle.loads(pickle.dumps(outer))
        assert (again.line, again.column) == (error.line, error.column)


def test_lines_without_line_breaks_are_parted_at_empty_ones() -> None:
    found = blocks_of_lines(["(a / x", ")", "", "", "(b / y)", " ", "(c / z)", ""])
    assert [(block.line, len(block.lines)) for block in found] == [
        (1, 2),
        (5, 1),
        (7, 1),
    ]


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_is_shown_the_line(
    terminal: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "gold.amr"
    path.write_text(TWICE)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    assert main([str(path), str(path)]) == 2
    said = capsys.readouterr().err
    assert f"{path}:5:" in said
    assert ("\n      :r2 (a / z))\n" in said) is terminal
    assert ("^" in said) is terminal


def test_python_is_told_line_and_column() -> None:
    with pytest.raises(GraphError) as caught:
        exactmatch.read("(a / x\n  :r (a / y))", "clean")
    assert (caught.value.line, caught.value.column) == (2, 7)
    with pytest.raises(GraphError, match=r"^line 2:6: ") as caught:
        exactmatch.read("(a / x\n  :r )", "smatch")
    assert caught.value.column == 6


def test_broken_json_is_shown_with_a_caret_at_its_own_line() -> None:
    broken = '\n{"nodes": ["a", "b"],\n  "edges": [["a", "b"],,]}\n'
    with pytest.raises(GraphError) as refused:
        exactmatch.score(broken, broken, metric="graph")
    assert str(refused.value).startswith("line 3:24: the graph is not JSON: expecting")
    line, caret = refused.value.excerpt().splitlines()
    assert line[: caret.index("^") + 1].endswith(",,")
