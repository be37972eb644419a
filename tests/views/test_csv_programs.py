"""CSV loads in other programs with its types."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.cli.commands import COMMANDS as TABLE
from exactmatch.cli.main import main
from exactmatch.studies.pairs import SAMPLE

SHOWN = (
    "score",
    "score --per-pair",
    "score --worst 3 --metric smatch,sembleu",
    "score --confidence",
    "align --worst 2",
    "errors",
    "errors --per-pair",
    "finegrained",
    "finegrained --per-pair",
    "explain-profile",
    "explain-profile --per-pair",
    "compare gold pred other",
    "compare gold pred other --per-pair",
    "compare gold pred other --finegrained",
    "audit --restarts 0 --seeds 2",
    "thresholds",
    "correlate pred gold --foils",
    "correlate pred gold --foils --per-pair",
    "agreement pred gold",
    "agreement pred gold --confidence",
    "verify proofs pred gold",
    "matrix pred gold",
    "nearest gold pred",
    "duplicates gold",
    "ensemble pred other",
    "cluster gold",
    "lint broken",
    "solvers",
    "yisi pred.txt gold.txt",
    "yisi pred.txt gold.txt --per-pair",
    "ged one.tsv two.tsv",
    "ged one.tsv two.tsv --triples",
    "solve problem.dd",
)
"""Every command that writes CSV, as it is called."""

COMMANDS = [tuple(shown.split()) for shown in SHOWN]


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    graphs = [Path(path).read_text("utf-8").split("\n\n") for path in SAMPLE]
    pred, gold = ([*own[:6], *own[8:12]] for own in graphs)
    files.one("pred", "\n\n".join(pred))
    files.one("gold", "\n\n".join(gold))
    files.one("other", "\n\n".join([*gold[:5], *pred[5:]]))
    files.one("broken", "(s / sit-01\n\n(s / sit-01 :ARG1 c)\n")
    for name in ("pred.txt", "gold.txt"):
        files.one(name, f"a dog barks\nthe {name} sits\n")
    files.one("one.tsv", "_:a\tto\t_:b\n\na\tto\tb\n")
    files.one("two.tsv", "_:a\tto\t_:b\n_:b\tto\t_:c\n\na\tat\tb\n")
    files.one("problem.dd", "p 1 1 1 0\na 0 0 0 -1\n")
    main(["pred", "gold", "--certificates", "proofs", "-q", "-o", "scores"])


def test_every_command_with_csv_is_here() -> None:
    rows = {name: getattr(found, "row", None) for name, found in TABLE.working()}
    with_csv = {name for name, row in rows.items() if row and row.output == "tables"}
    said = {command[0] for command in COMMANDS}
    assert with_csv - said == {"ground-truth", "merge", "plugins"}
    # which fetch, need a folder or files of their own, and have nothing to list here


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_header_and_rows_of_its_length_are_all(
    command: tuple[str, ...], cli: Cli
) -> None:
    text = cli(*command, "--format", "csv").out
    header, *rows = csv.reader(io.StringIO(text), strict=True)
    assert len(set(header)) == len(header)
    assert rows or command[0] in ("duplicates", "verify")  # which find nothing
    assert {len(row) for row in rows} <= {len(header)}
    assert not header[0].startswith("#")


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_pandas_and_polars_read_the_same_types(
    command: tuple[str, ...], cli: Cli, tmp_path: Path
) -> None:
    pandas: Any = pytest.importorskip("pandas")
    polars: Any = pytest.importorskip("polars")
    path = tmp_path / "out.csv"
    path.write_text(cli(*command, "--format", "csv").out, encoding="utf-8")
    frame = pandas.read_csv(path)
    other = polars.read_csv(path, infer_schema_length=None)
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
    lines = cli(*command, "--format", "jsonl").out.splitlines()
    if len(lines) != len(other):  # an object for several rows
        return
    for line, own in zip(lines, other.to_dicts(), strict=True):
        record = json.loads(line)
        for name in record.keys() & own.keys() - {"seconds"}:
            value = record[name]
            if isinstance(value, bool | int | float | None):
                assert (own[name], type(own[name])) == (value, type(value)), name
            elif isinstance(value, str):
                assert str(own[name] or "").removeprefix("'") == value, name


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
