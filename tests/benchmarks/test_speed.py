"""Every benchmark runs, on a handful of the bundled sample's pairs; nothing is timed.

The benchmarks are not part of an installation: they are run from the repository.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NAMES = (
    "para",
    "sts",
    "small",
    "reading",
    "solving",
    "all-pairs",
    "many",
    "banks",
    "metrics",
    "threads",
    "startup",
    "time-limits",
    "documents-250",
    "documents-500",
    "documents",
    "umr-documents",
    "growth",
    "edit-distance",
    "edit-matrix",
    "common-subgraphs",
    "pages",
)
NO_SUCH_PYTHON = str(ROOT / "no-such-python")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / "benchmarks").is_dir() or not hasattr(os, "wait4"),
        reason="no benchmarks beside the tests, or no wait4 on this system",
    ),
]


def benchmarks(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ)
    environment.pop("EXACTMATCH_DATA", None)
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One smoke run of everything."""
    folder = tmp_path_factory.mktemp("results")
    run = benchmarks("--smoke", "--output", str(folder))
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


def test_this_list_of_benchmarks_is_complete() -> None:
    listed = benchmarks("--help").stdout.partition("benchmarks:\n")[2]
    names = tuple(line.split()[0] for line in listed.splitlines())
    assert names == (*NAMES, "coverage")  # which measures no speed


@pytest.mark.parametrize("name", NAMES)
def test_a_smoke_run_gives_figures_and_passes_no_judgement(
    results: Path, name: str
) -> None:
    record: dict[str, Any] = json.loads((results / f"{name}.json").read_text("utf-8"))
    assert record["rows"]
    for row in record["rows"]:
        assert row["figures"], row
        assert not row["note"], row
    assert record["measures"] == []
    assert record["conditions"]["machine"]
    table = (results / f"{name}.txt").read_text("utf-8")
    assert table.startswith(f"{name}: ")
    assert "its figures mean nothing" in table


def test_every_solver_gives_one_score_and_proves_it(tmp_path: Path) -> None:
    arguments = ("sts", "--smoke", "--solvers", "highs,cbc")
    run = benchmarks(*arguments, "--output", str(tmp_path))
    assert run.returncode == 0, run.stdout + run.stderr
    rows = json.loads((tmp_path / "sts.json").read_text("utf-8"))["rows"]
    assert len(rows) == 3
    assert len({row["figures"]["F1"] for row in rows}) == 1
    assert {row["figures"]["proven"] for row in rows} == {"8/8"}


def test_there_are_three_plots(results: Path) -> None:
    pytest.importorskip("matplotlib")
    pictures = {path.name for path in results.glob("*.svg")}
    assert pictures == {"accuracy.svg", "rate.svg", "growth.svg"}


def test_records_name_no_folder_of_this_machine(results: Path) -> None:
    for path in results.glob("*.json"):
        command = json.loads(path.read_text("utf-8"))["conditions"]["command"]
        assert command[-1] == results.name


DRAW = """
import json, sys
from pathlib import Path
import matplotlib
from benchmarks.speed.plots import draw
with matplotlib.rc_context({"svg.fonttype": "none"}):
    draw({"para": json.load(sys.stdin)}, Path(sys.argv[1]))
"""


def test_plots_show_what_was_measured_and_where(tmp_path: Path) -> None:
    """Rates are pairs over seconds; the stamp names command, versions and machine."""
    pytest.importorskip("matplotlib")
    conditions = {
        "command": ["python", "-m", "benchmarks", "para"],
        "versions": {"exactmatch": "1.2.3", "smatch": "1.0.4", "smatchpp": None},
        "python": "3.11.7",
        "machine": "Linux-x",
        "processors": 2,
        "load": (0.25, 0.5, 1.0),
        "date": "2026-11-21T20:00:00+00:00",
    }
    times = {"exactmatch auto": (0.5, 0.667), "smatch -r 4": (10.0, 0.665)}
    rows = [
        {"name": name, "figures": {"cpu s": seconds, "F1": f1}, "note": ""}
        for name, (seconds, f1) in times.items()
    ]
    rows.append({"name": "smatchpp ilp", "figures": {}, "note": "missing"})
    outcome = {"rows": rows, "notes": ["1,000 pairs"], "conditions": conditions}
    subprocess.run(
        [sys.executable, "-c", DRAW, str(tmp_path)],
        cwd=ROOT,
        input=json.dumps(outcome),
        text=True,
        check=True,
    )
    rate = (tmp_path / "rate.svg").read_text("utf-8")
    assert ">2,000<" in rate
    assert ">100<" in rate
    accuracy = (tmp_path / "accuracy.svg").read_text("utf-8")
    assert ">smatch -r 4<" in accuracy
    for text in (rate, accuracy):
        assert "python -m benchmarks para" in text
        assert "exactmatch 1.2.3, smatch 1.0.4 · Python 3.11.7 · Linux-x" in text
        assert "2 processors, load 0.2 " in text


def test_a_missing_peer_is_reported(tmp_path: Path) -> None:
    run = benchmarks(
        *("sts", "--smoke", "--peers", "smatch,smatchpp", "--solvers", "none"),
        *("--peer-python", NO_SUCH_PYTHON, "--output", str(tmp_path)),
    )
    assert run.returncode == 0, run.stderr
    for name in ("smatch -r 1", "smatch -r 4", "smatch -r 10", "smatchpp ilp"):
        assert f"{name}: missing: smatch" in run.stdout


def test_a_program_that_fails_is_reported_and_ends_with_1(tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho no luck >&2\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    run = benchmarks(
        *("startup", "--smoke", "--our-python", str(broken)),
        *("--output", str(tmp_path / "results")),
    )
    assert run.returncode == 1
    assert "one pair, auto: failed (3): no luck" in run.stdout


def test_a_program_out_of_time_is_killed_and_reported(tmp_path: Path) -> None:
    run = benchmarks(
        *("growth", "--smoke", "--time-limit", "0.001", "--output", str(tmp_path)),
    )
    assert run.returncode == 0, run.stderr
    rows = json.loads((tmp_path / "growth.json").read_text("utf-8"))["rows"]
    assert [row["note"] for row in rows] == ["not finished after 0.001 s"]
    assert rows[0]["figures"]["pairs"] == 0


def test_without_data_a_benchmark_says_what_it_needs(tmp_path: Path) -> None:
    run = benchmarks("solving", "--output", str(tmp_path))
    assert run.returncode == 0
    assert "not run: it needs EXACTMATCH_DATA or --data" in run.stdout


def test_a_misspelt_benchmark_is_refused(tmp_path: Path) -> None:
    run = benchmarks("paar", "--output", str(tmp_path / "results"))
    assert run.returncode == 2
    assert "unknown benchmark 'paar'" in run.stderr
    assert not (tmp_path / "results").exists()


def test_documents_are_built_to_size_and_repeatable(tmp_path: Path) -> None:
    penman = pytest.importorskip("penman")
    sample = ROOT / "exactmatch" / "sample"
    data = tmp_path / "data"
    for folder, names in (
        ("lp", ("parsed", "gold")),
        ("bamboo/para/main", ("src.test", "tgt.test")),
    ):
        (data / folder).mkdir(parents=True)
        for side, name in zip(("pred", "gold"), names, strict=True):
            text = (sample / f"{side}.amr").read_text("utf-8")
            (data / folder / f"{name}.amr").write_text(text, encoding="utf-8")
    for folder in ("one", "two"):
        run = subprocess.run(
            [
                *(sys.executable, str(ROOT / "benchmarks/speed/documents.py")),
                *("--size", "60", "--seed", "0..2", "--data", str(tmp_path)),
                *("--output", str(tmp_path / folder)),
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        assert len(run.stdout.splitlines()) == 3
    texts = set()
    for path in sorted((tmp_path / "one").iterdir()):
        text = path.read_text("utf-8")
        assert text == (tmp_path / "two" / path.name).read_text("utf-8")
        texts.add(text)
        graph = penman.decode(text)
        assert 40 <= len(graph.instances()) <= 90
        top = [t for t in graph.attributes() + graph.edges() if t.source == graph.top]
        assert [t.role for t in top] == [f":snt{k + 1}" for k in range(len(top))]
        assert len(graph.variables()) == len(graph.instances())
    assert len(texts) == 6
