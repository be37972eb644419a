"""Every answer says which files were read, when, and by which command."""

from __future__ import annotations

import csv
import functools
import hashlib
import importlib
import io
import json
import os
import threading
from pathlib import Path

import pytest
from support.command import Cli
from support.parts import part

from exactmatch.base.inputs import Inputs
from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.main import main
from exactmatch.cli.parsers import make_parser

GRAPH = """\
# ::snt He wants to go .
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

"""
FILES = {
    "compare": ["gold.amr", "pred.amr", "gold.amr"],
    "correlate": ["pred.amr", "gold.amr", "human.txt"],
    "audit": ["pred.amr", "gold.amr", "--restarts", "0", "--runs", "2"],
    "ged": ["one.tsv", "two.tsv"],
    "ground-truth": ["set.tsv", "-o", "truth"],
    "merge": ["part"],
    "verify": ["proofs", "pred.amr", "gold.amr"],
    "solve": ["car.dd"],
    "plugins": [],
    "solvers": [],
}
OTHER_OUTPUT = {"completion", "convert", "draw", "ground-truth"}
"""Commands whose output is not an answer, or a folder."""
DATE = "2026-01-01 12:00 UTC"


@pytest.fixture(autouse=True)
def _in_folder_with_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.amr").write_text(3 * GRAPH)
    Path("pred.amr").write_text(2 * GRAPH + "# ::snt He wants .\n(w / want-01)\n")
    Path("human.txt").write_text("1\n0.5\n0.2\n")
    Path("one.tsv").write_text("_:a\tto\t_:b\n")
    Path("two.tsv").write_text("_:a\tto\t_:b\n_:b\tto\t_:c\n")
    Path("set.tsv").write_text("_:a\tto\t_:b\n\n_:b\tto\t_:c\n")
    Path("car.dd").write_text("p 1 1 1 0\na 0 0 0 -1.0\n")
    Path("proofs").write_text(proofs())
    Path("part").write_text(part("pred.amr", "gold.amr"))
    capsys.readouterr()


@functools.cache
def proofs() -> str:
    """The certificates of all pairs, made once."""
    assert main(["pred.amr", "gold.amr", "-q", "--certificates", "written"]) == 0
    return Path("written").read_text()


def checksum(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def test_the_checksum_of_a_long_file_is_that_of_all_its_bytes() -> None:
    Path("long.amr").write_bytes(b"# ::id 1\n(a / b)\n\n" * 20_000)
    inputs = Inputs()
    inputs.add("long.amr", ["long.amr", "pred.amr"])
    (found,) = inputs.files()
    both = Path("long.amr").read_bytes() + Path("pred.amr").read_bytes()
    assert found.sha256 == hashlib.sha256(both).hexdigest()


def formats() -> list[tuple[str, str]]:
    found = []
    for name, module in COMMANDS.items():
        if name in OTHER_OUTPUT:
            continue
        parser = make_parser(module, name, [])
        action = parser._option_string_actions.get("--format")
        forms = ["html"] if action is None else list(action.choices or ())
        found += [(name, form) for form in forms]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("command", "form"), formats())
@pytest.mark.filterwarnings("ignore")
def test_every_answer_has_it(
    command: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = FILES.get(command, ["pred.amr", "gold.amr"])
    options = [] if command == "report" else ["--format", form]
    if form == "parquet":
        pytest.importorskip("pyarrow")
        options += ["-o", "answer.parquet"]
    assert main([command, *given, *options]) == 0
    out, err = capsys.readouterr()
    line = " ".join(["exactmatch", command, *given, *options])
    read = [name for name in dict.fromkeys(given) if Path(name).exists()]
    if form == "json":
        found = json.loads(out)["provenance"]
        assert found["command"] == line
        assert found["date"] == "2026-01-01T12:00:00Z"
        assert {file["name"]: file["sha256"] for file in found["files"]} == {
            name: checksum(name) for name in read
        }
        return
    if form == "html":
        for name in read:
            shown = f"SHA-256 {checksum(name)[:12]}</dd>"
            assert f'<dt>{name}</dt><dd title="{checksum(name)}">' in out
            assert shown in out
        assert line not in out
        assert f"{DATE} by exactmatch" in out
        return
    if form == "parquet":
        assert f"exactmatch: provenance: {line} | " in err
        return
    is_bare = form in ("jsonl", "csv")
    said = (err if is_bare else out).splitlines()[-1]
    start = "exactmatch: " if is_bare else "% " if form == "latex" else ""
    assert said.startswith(f"{start}provenance: {line} | ")
    assert said.endswith(DATE)
    for name in read:
        assert f"{name} {checksum(name)[:12]}" in said
    assert ("provenance" in out) != is_bare


def test_what_is_to_be_bare_is_bare(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("-b", "--short"):
        assert main(["pred.amr", "gold.amr", option]) == 0
        assert "provenance" not in "".join(capsys.readouterr())
    assert main(["-f", "pred.amr", "gold.amr"]) == 0
    out, err = capsys.readouterr()
    assert out == "F-score: 0.86\n"  # 2 · 16 / (16 + 21)
    assert "exactmatch: provenance: exactmatch -f pred.amr gold.amr | pred" in err


def test_equal_runs_write_equal_bytes_and_others_differ(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def out() -> str:
        assert main(["pred.amr", "gold.amr", "--format", "html"]) == 0
        return capsys.readouterr().out

    first = out()
    assert out() == first
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert "1970-01-02 00:00 UTC" in out()
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert "2026-01-01 12:00" not in out()
    with Path("gold.amr").open("a") as file:
        file.write("# ::nothing counts\n")
    assert checksum("gold.amr") in out()


def test_what_is_read_once_is_summed_up_meanwhile(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    graphs = Path("gold.amr").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(graphs)))
    os.mkfifo("pipe")
    writer = threading.Thread(target=Path("pipe").write_bytes, args=(graphs,))
    writer.start()
    assert main(["-", "pipe", "--format", "json"]) == 0
    writer.join()
    files = json.loads(capsys.readouterr().out)["provenance"]["files"]
    assert sorted(files, key=lambda file: file["name"]) == [
        {"name": name, "sha256": hashlib.sha256(graphs).hexdigest()}
        for name in ("<stdin>", "pipe")
    ]


def test_a_folder_is_one_file_after_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for side in ("pred", "gold"):
        Path(side).mkdir()
        for name in ("b.amr", "a.amr"):
            Path(side, name).write_text(GRAPH + f"# {side} {name}\n")
    assert main(["pred", "gold", "--format", "json"]) == 0
    files = json.loads(capsys.readouterr().out)["provenance"]["files"]
    assert [file["name"] for file in files] == ["pred", "gold"]
    content = Path("gold/a.amr").read_bytes() + Path("gold/b.amr").read_bytes()
    assert files[1]["sha256"] == hashlib.sha256(content).hexdigest()


def test_files_of_one_name_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    Path("run").mkdir()
    Path("run/gold.amr").write_text(3 * GRAPH)
    assert main(["run/gold.amr", "gold.amr"]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert f"| run/gold.amr {checksum('gold.amr')[:12]}, gold.amr " in said


def test_hostile_names_stay_in_their_line(capsys: pytest.CaptureFixture[str]) -> None:
    name = "a\x1b[2J\n\\end{x}\u202eb.amr"
    Path(name).write_text(3 * GRAPH)
    for form in ("text", "csv", "latex"):
        assert main([name, "gold.amr", "--format", form]) == 0
        out, err = capsys.readouterr()
        last = (err if form == "csv" else out).splitlines()[-1]
        assert r"a\x1b[2J\n\end{x}\u202eb.amr" in last
        assert last.endswith(DATE)
    assert main([name, "gold.amr", "--format", "html"]) == 0
    assert "\x1b" not in capsys.readouterr().out


CSV = [command for command, form in formats() if form == "csv"]


@pytest.mark.slow
@pytest.mark.parametrize("command", CSV)
@pytest.mark.filterwarnings("ignore")
def test_csv_is_a_table_alone_of_which_programs_know_the_types(
    command: str, cli: Cli
) -> None:
    """What JSON Lines hold as numbers are numbers to pandas and polars."""
    pandas, polars = map(importlib.import_module, ("pandas", "polars"))

    given = FILES.get(command, ["pred.amr", "gold.amr"])
    out = cli.out(command, *given, "--format", "csv")
    head, *rows = csv.reader(io.StringIO(out))
    assert {len(row) for row in rows} <= {len(head)}
    frames = pandas.read_csv(io.StringIO(out)), polars.read_csv(io.StringIO(out))
    lines = cli.json_lines(command, *given)
    assert all(len(frame) == len(rows) for frame in frames)
    for key in head:
        values = [line[key] for line in lines if line.get(key) is not None]
        if values and {type(value) for value in values} <= {int, float}:
            assert pandas.api.types.is_numeric_dtype(frames[0][key])
            assert frames[1][key].dtype.is_numeric()
            if len(lines) == len(rows) and key != "seconds":
                assert list(frames[0][key].dropna()) == values
                assert list(frames[1][key].drop_nulls()) == values


def test_csv_quotes_what_programs_that_know_comments_take_for_one(cli: Cli) -> None:
    Path("odd.amr").write_text('# ::id #1 "a", b\n(b / boy)\n')
    out = cli.out("odd.amr", "odd.amr", "--per-pair", "--format", "csv")
    assert ',"#1 ""a"", b",' in out
    assert out.count("\n") == 2
    (record,) = csv.DictReader(io.StringIO(out))
    assert record["id"] == '#1 "a", b'
