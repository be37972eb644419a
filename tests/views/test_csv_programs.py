"""CSV loads in other programs with its types."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

COMMANDS = (
    ("score",),
    ("score", "--per-pair"),
    ("score", "--worst", "3", "--metric", "smatch,sembleu"),
    ("align", "--worst", "2"),
    ("errors",),
    ("errors", "--per-pair"),
    ("finegrained", "--per-pair"),
    ("explain-profile",),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_header_and_rows_of_its_length_are_all(
    command: tuple[str, ...], cli: Cli
) -> None:
    text = cli.out(*command, "--format", "csv")
    header, *rows = csv.reader(io.StringIO(text), strict=True)
    assert len(set(header)) == len(header)
    assert rows
    assert {len(row) for row in rows} == {len(header)}
    assert not header[0].startswith("#")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_pandas_and_polars_read_the_same_types(
    command: tuple[str, ...], cli: Cli, tmp_path: Path
) -> None:
    pandas: Any = pytest.importorskip("pandas")
    polars: Any = pytest.importorskip("polars")
    path = tmp_path / "out.csv"
    cli.out(*command, "--format", "csv", "-o", str(path))
    frame, other = pandas.read_csv(path), polars.read_csv(path)
    assert list(frame.columns) == other.columns
    assert len(frame) == len(other)
    for name in other.columns:
        values = [v for v in other[name].to_list() if v is not None]
        kind = frame[name].dtype.kind
        if values and all(isinstance(value, bool) for value in values):
            assert kind in "bO", name  # pandas has no other column of gaps
        elif values and all(isinstance(value, int | float) for value in values):
            assert kind in "if", name
        elif values:
            assert kind == "O", name
    jsonl = cli.out(*command, "--format", "jsonl") if "score" in command else ""
    for line, own in zip(jsonl.splitlines(), other.to_dicts(), strict=bool(jsonl)):
        record = json.loads(line)
        assert record["score"] == own["score"]
        if "index" in record:
            assert record["index"] == own["index"]
            assert record["proven"] is own["proven"]


def test_comments_are_asked_for(cli: Cli) -> None:
    plain = cli("--format", "csv")
    said = cli("--format", "csv", "--comments")
    first, second, *rest = said.out.splitlines()
    assert first.startswith("# signature: metric:smatch|")
    assert second.startswith("# provenance: exactmatch ")
    assert rest == plain.out.splitlines()
    assert "provenance" in plain.err
    assert "provenance" not in said.err
    assert "--comments has no effect on text" in cli("--comments").err
