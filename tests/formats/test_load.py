"""Graphs of a file, all at once or one by one."""

from __future__ import annotations

import gzip
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from support.files import Files

from exactmatch import GraphError, InputError, evaluate, load
from exactmatch.formats import iter_graphs

TEXT = (
    "# ::id 1\n(a / b)\n\n# only a comment\n\n# ::id 2\n(c / d / e)\n\n"
    "# ::id 3\n(f / g)\n"
)


@pytest.fixture
def path(files: Files) -> Path:
    """Three graphs, the second of them broken, and a comment."""
    return Path(files.one("graphs.amr", TEXT))


def test_what_is_loaded_scores_as_its_file_does(tmp_path: Path) -> None:
    file = tmp_path / "graphs.amr"
    file.write_text(TEXT.replace(" / e", ""))
    graphs = load(file)
    assert [graph.id for graph in graphs] == ["1", "2", "3"]
    for metric in ("smatch", "sembleu"):
        ours = evaluate(graphs, graphs, metric)
        assert ours.scores == evaluate(file, file, metric).scores


def test_a_broken_graph_is_named_left_out_or_empty(path: Path) -> None:
    with pytest.raises(GraphError, match=rf"{path}:7:8: graph '2' "):
        load(path)
    assert [graph.id for graph in load(path, on_error="skip")] == ["1", "3"]
    empty = load(path, on_error="empty")
    assert [(graph.id, len(graph.variables)) for graph in empty] == [
        ("1", 1), ("2", 0), ("3", 1)
    ]  # fmt: skip


def test_graphs_are_read_as_they_are_asked_for(path: Path) -> None:
    assert [graph.id for graph in islice(iter_graphs(path), 1)] == ["1"]


def test_packed_files_are_read_and_missing_ones_named(path: Path) -> None:
    packed = path.with_suffix(".amr.gz")
    packed.write_bytes(gzip.compress(b"(a / b)\n"))
    assert len(load(packed)) == 1
    with pytest.raises(InputError, match=r"nothing\.amr"):
        load(path.with_name("nothing.amr"))


def test_an_empty_file_holds_no_graph(files: Files, tmp_path: Path) -> None:
    files.one("empty.amr", "")
    assert load(tmp_path / "empty.amr") == []


@pytest.mark.parametrize("path", [None, 3, ["gold.amr"], b"gold.amr"])
def test_what_is_no_path_is_told(path: Any) -> None:
    with pytest.raises(InputError, match=rf"{type(path).__name__} is .*load\(Path"):
        load(path)


def test_a_path_with_a_nul_character_names_no_file() -> None:
    with pytest.raises(InputError, match="names no file: it holds a NUL character"):
        load(Path("gold\0.amr"))
