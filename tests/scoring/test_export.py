"""Reports leave the program: as plain data, text for papers, files and data frames."""

from __future__ import annotations

import csv
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch import InputError, Report, evaluate
from exactmatch.errors import MissingExtraError
from exactmatch.scoring.results import PAIR_FIELDS

GOLD = "# ::id lpp.1\n(w / want-01 :ARG0 (b / boy) :polarity -)"
PRED = "(w / want-01 :ARG0 (g / girl))"
BROKEN = "(a / b / c)"
BACKENDS = ("pandas", "polars", "pyarrow")


@pytest.fixture(scope="module")
def report() -> Report:
    """Two pairs under two metrics; the second prediction counts as empty."""
    return evaluate([PRED, BROKEN], [GOLD, GOLD], ["smatch", "bleu"], on_error="empty")


def rows_of(frame: Any, backend: str) -> list[dict[str, Any]]:
    """The rows of a frame; what is missing is ``None``."""
    if backend == "pandas":
        rows = frame.to_dict("records")
    else:
        rows = frame.to_dicts() if backend == "polars" else frame.to_pylist()
    pandas = pytest.importorskip("pandas")
    return [
        {key: None if pandas.isna(value) else value for key, value in row.items()}
        for row in rows
    ]


# Plain data


def test_plain_data_is_what_the_command_line_writes(files: Files, cli: Cli) -> None:
    paths = files.pair(PRED, GOLD)
    pred, gold = map(Path, paths)
    found = exactmatch.evaluate(pred, gold, ["smatch", "sembleu"]).to_dict()
    written = cli.json_lines(*paths, "--metric", "smatch,sembleu", "--per-pair")
    for row in (*written, *found["pairs"]):
        row.pop("seconds")
    assert found["pairs"] == written
    assert [score["metric"] for score in found["metrics"]] == ["smatch", "sembleu"]


def test_plain_data_says_what_was_left_out(report: Report) -> None:
    found = report.to_dict()
    assert [pair["metric"] for pair in found["pairs"]].count("smatch") == 2
    assert found["omitted"][0]["action"] == "empty"
    assert found["partial"] is False
    assert exactmatch.Scorer().compute().to_dict()["metrics"][0]["score"] is None


def test_json_is_the_same_and_standard(report: Report) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    text = report.to_json(indent=2)
    assert json.loads(text, parse_constant=refuse) == report.to_dict()
    assert "\n" not in report.to_json()


def test_latex_has_the_scores_alone(report: Report) -> None:
    shown = report.to_latex()
    assert r"\begin{tabular}" in shown
    assert "signature: metric:smatch" in shown
    assert f"{100 * report['smatch'].score.score:.2f}" in shown
    assert "lpp.1" not in shown


def test_html_has_every_pair(report: Report) -> None:
    many = evaluate([PRED] * 40, [GOLD] * 40)
    assert many.to_html().count("lpp.1") == 40
    assert many._repr_html_().count("lpp.1") == 5
    assert "the graph" in report.to_html()


# Data frames


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_frame_has_a_row_for_each_pair_and_metric(
    report: Report, backend: str
) -> None:
    pytest.importorskip(backend)
    pytest.importorskip("narwhals")
    rows = rows_of(report.to_frame(backend), backend)
    assert [*rows[0]] == [*PAIR_FIELDS, "faults"]
    assert [row.pop("faults") for row in rows] == ["", "", *["no role"] * 2]
    assert rows == [
        {name: value for name, value in row.items() if name in PAIR_FIELDS}
        for row in report.to_dict()["pairs"]
    ]
    unproven = [row["proven"] for row in rows if row["metric"] == "bleu"]
    assert unproven == [None] * len(unproven) != []


@pytest.mark.parametrize("backend", BACKENDS)
def test_columns_have_the_same_types_whatever_is_in_them(backend: str) -> None:
    pytest.importorskip(backend)
    narwhals = pytest.importorskip("narwhals")
    reports = [
        evaluate([PRED], [GOLD]),
        evaluate([PRED], [GOLD], "sembleu"),
        exactmatch.Scorer().compute(),
    ]
    schemas = [
        {n: str(t) for n, t in narwhals.from_native(r.to_frame(backend)).schema.items()}
        for r in reports
    ]
    assert schemas[0] == schemas[1] == schemas[2]
    assert schemas[0]["matched"] == "Float64"


def test_the_first_package_that_is_installed_makes_the_frame(report: Report) -> None:
    pytest.importorskip("narwhals")
    pandas = pytest.importorskip("pandas")
    assert isinstance(report.to_frame(), pandas.DataFrame)


def test_frames_need_pairs_and_a_known_package(report: Report) -> None:
    with pytest.raises(InputError, match="keep_pairs=True"):
        evaluate([GOLD], [GOLD], keep_pairs=False).to_frame()
    pytest.importorskip("narwhals")
    with pytest.raises(InputError, match="'modin'; choose one of pandas, polars"):
        report.to_frame("modin")


@pytest.mark.parametrize(
    ("missing", "command"),
    [("narwhals", "install narwhals"), ("polars", "install polars")],
)
def test_a_missing_package_is_named(
    report: Report, missing: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing != "narwhals":
        pytest.importorskip("narwhals")
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=command):
        report.to_frame("polars")


def test_importing_exactmatch_imports_no_package_of_frames() -> None:
    code = (
        "import sys, exactmatch; exactmatch.evaluate(['(a / b)'], ['(a / b)']);"
        f"sys.exit(bool({{'narwhals', *{BACKENDS!r}}} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Columns


@pytest.mark.parametrize("backend", [*BACKENDS, "numpy"])
def test_columns_are_lists(backend: str) -> None:
    package = pytest.importorskip(backend)
    make = {
        "pandas": "Series", "polars": "Series", "pyarrow": "array", "numpy": "array"
    }[backend]  # fmt: skip
    columns = [getattr(package, make)(side) for side in ([PRED, GOLD], [GOLD, GOLD])]
    assert evaluate(*columns).scores == evaluate([PRED, GOLD], [GOLD, GOLD]).scores


@pytest.mark.slow
@pytest.mark.parametrize(("missing", "jobs"), [(None, 1), (math.nan, 1), (None, 2)])
def test_a_missing_value_is_no_graph(missing: Any, jobs: int) -> None:
    preds, golds = [PRED, missing, GOLD], [GOLD, GOLD, missing]
    with pytest.raises(InputError, match="pair 2 has no prediction: its value is miss"):
        evaluate(preds, golds, jobs=jobs)
    skipped = evaluate(preds, golds, ["smatch", "sembleu"], on_error="skip", jobs=jobs)
    assert [pair.index for pair in skipped] == [0]
    assert "pair 3 has no reference" in skipped.omitted[1].reason
    empty = evaluate(preds, golds, on_error="empty", jobs=jobs)
    assert [pair.score.score for pair in empty][1:] == [0, 0]
    assert "|empty:2|" in empty["smatch"].signature


def test_pandas_own_missing_value_is_one() -> None:
    pandas = pytest.importorskip("pandas")
    column = pandas.Series([PRED, None], dtype="string")
    with pytest.raises(InputError, match="pair 2 has no prediction"):
        evaluate(column, [GOLD, GOLD])


@pytest.mark.parametrize("given", [PRED, Path("pred.amr"), 3])
def test_what_is_no_list_is_refused(given: Any) -> None:
    with pytest.raises(InputError, match="list of graphs"):
        evaluate(given, [GOLD])


# Files


def test_files_have_the_format_of_their_suffix(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "report"
    for suffix in (".json", ".jsonl", ".csv", ".tex", ".html", ".txt"):
        report.save(path.with_suffix(suffix))
    assert json.loads(path.with_suffix(".json").read_text()) == report.to_dict()
    lines = path.with_suffix(".jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == report.to_dict()["pairs"]
    with path.with_suffix(".csv").open(newline="") as stream:
        rows = [*csv.DictReader(stream)]
    assert [row["metric"] for row in rows] == ["smatch", "bleu"] * 2
    assert path.with_suffix(".tex").read_text() == report.to_latex()
    assert path.with_suffix(".html").read_text().startswith("<!DOCTYPE html>")
    assert "lpp.1" in path.with_suffix(".txt").read_text()


def test_parquet_comes_back(report: Report, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("narwhals")
    report.save(tmp_path / "report.PARQUET")
    assert parquet.read_table(tmp_path / "report.PARQUET") == report.to_frame("pyarrow")


def test_parquet_needs_pyarrow(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match="pip install pyarrow"):
        report.save(tmp_path / "report.parquet")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name", ["report.xls", "report", ".json"])
def test_an_unknown_suffix_is_refused(
    report: Report, name: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"it is one of \.csv, \.html, \.json"):
        report.save(tmp_path / name)


def test_a_report_without_pairs_saves_its_scores(tmp_path: Path) -> None:
    report = evaluate([PRED], [GOLD], keep_pairs=False)
    report.save(tmp_path / "scores.csv")
    with (tmp_path / "scores.csv").open(newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert row["pairs"] == "1"
