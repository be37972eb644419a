"""Files that unpack to much: what is read of them, and what is said."""

from __future__ import annotations

import gzip
import io
import sys
from collections import deque
from pathlib import Path

import pytest
from support.command import Cli

from exactmatch import InputError
from exactmatch.base.inputs import inputs_noted
from exactmatch.formats.blocks import read_blocks

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


def plain(name: str, text: str) -> str:
    Path(name).write_bytes(text.encode())
    return name


@pytest.mark.parametrize("text", [LONG, LINES], ids=["line", "lines"])
def test_a_graph_that_is_too_long_is_refused(text: str, cli: Cli) -> None:
    file = packed("long.amr.gz", f"{GRAPH}\n\n{text}\n")
    said = f"unpacks to {REFUSED}"
    assert said in cli.refusal(file, file, "--max-bytes", "200000")
    assert "1.0000" in cli.out(file, file)


def test_no_more_is_unpacked_than_that(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"(a / {'b' * 10**7})"
    Path("long.amr.gz").write_bytes(gzip.compress(text.encode()) + gzip.compress(b""))
    file = "long.amr.gz"
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


@pytest.mark.slow
@pytest.mark.parametrize("blank", ["\n\n", "\r\n\r\n", "\n \t\n"])
def test_a_file_of_many_graphs_may_be_longer(blank: str, cli: Cli) -> None:
    file = plain("many.amr", (GRAPH + blank) * 9000)
    assert "1.0000" in cli.out(file, file, "--max-bytes", "150000")


@pytest.mark.slow
def test_sentences_are_lines(cli: Cli) -> None:
    file = plain("many.txt", "A sentence of some words.\n" * 9000)
    assert "1.0000" in cli.out(file, file, "--metric", "bleu", "--max-bytes", "150000")


def test_what_is_read_whole_is_counted_whole(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = '{"nodes": [{"id": "a"}], "links": []}\n' * 9000
    file = packed("graphs.json.gz", data)
    for command in ("ged", "score"):
        assert REFUSED in cli.refusal(command, file, file, "--max-bytes", "200000")
    text = io.TextIOWrapper(io.BytesIO(LONG.encode()))
    monkeypatch.setattr(sys, "stdin", text)
    Path("gold.amr").write_text(GRAPH)
    said = f"standard input: is read whole and holds {REFUSED}"
    assert said in cli.refusal("-", "gold.amr", "--max-bytes", "200000")


@pytest.mark.parametrize("text", [b"\n" * 20_000, b"(a / b)\n\n" * 30_000])
def test_a_packed_file_is_bounded_as_a_whole(text: bytes, tmp_path: Path) -> None:
    """However short its graphs and lines are, and whatever its last bytes say."""
    path = tmp_path / "a.amr.gz"
    whole = gzip.compress(text, 1)
    for content in (whole, whole + gzip.compress(b"\n")):
        path.write_bytes(content)
        refused = pytest.raises(InputError, match=r"unpacks to more than .*--max-bytes")
        with inputs_noted(200_000), refused:
            deque(read_blocks(str(path)), 0)
