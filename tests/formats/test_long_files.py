"""Files that unpack to much: what is read of them, and what is said."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest
from support.command import Cli

GRAPH = "(w / want-01 :ARG0 (b / boy))"
LONG = f"(w / want-01{' ' * 400_000}:ARG0 (b / boy))"
LINES = "(w / want-01\n" + "".join(f":op{k} {k}\n" for k in range(20_000)) + ")"
REFUSED = "more than 200,000 bytes; raise --max-bytes"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def packed(name: str, text: str) -> str:
    Path(name).write_bytes(gzip.compress(text.encode()))
    return name


@pytest.mark.parametrize("text", [LONG, LINES], ids=["line", "lines"])
def test_a_graph_that_is_too_long_is_refused(text: str, cli: Cli) -> None:
    file = packed("long.amr.gz", f"{GRAPH}\n\n{text}\n")
    said = f"long.amr.gz: holds a graph of {REFUSED}"
    assert said in cli.refusal(file, file, "--max-bytes", "200000")
    assert "1.0000" in cli.out(file, file)


def test_no_more_is_unpacked_than_that(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = packed("long.amr.gz", f"(a / {'b' * 10**7})")
    total = 0
    read = gzip.GzipFile.read1

    def read1(self: gzip.GzipFile, size: int = -1) -> bytes:
        nonlocal total
        content = read(self, size)
        total += len(content)
        return content

    monkeypatch.setattr(gzip.GzipFile, "read1", read1)
    assert REFUSED in cli.refusal(file, file, "--max-bytes", "200000")
    assert 0 < total < 10**6


@pytest.mark.parametrize("blank", ["\n\n", "\r\n\r\n", "\n \t\n"])
def test_a_file_of_many_graphs_may_be_longer(blank: str, cli: Cli) -> None:
    file = packed("many.amr.gz", (GRAPH + blank) * 9000)
    assert "1.0000" in cli.out(file, file, "--max-bytes", "150000")


def test_sentences_are_lines(cli: Cli) -> None:
    file = packed("many.txt.gz", "A sentence of some words.\n" * 9000)
    assert "1.0000" in cli.out(file, file, "--metric", "bleu", "--max-bytes", "150000")


def test_what_is_read_whole_is_counted_whole(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = '{"nodes": [{"id": "a"}], "links": []}\n' * 9000
    file = packed("graphs.json.gz", data)
    said = f"graphs.json.gz: is read whole and holds {REFUSED}"
    for command in ("ged", "score"):
        assert said in cli.refusal(command, file, file, "--max-bytes", "200000")
    text = io.TextIOWrapper(io.BytesIO(LONG.encode()))
    monkeypatch.setattr(sys, "stdin", text)
    Path("gold.amr").write_text(GRAPH)
    said = f"standard input: is read whole and holds {REFUSED}"
    assert said in cli.refusal("-", "gold.amr", "--max-bytes", "200000")
