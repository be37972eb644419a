"""``exactmatch compare`` on small systems whose numbers can be counted by hand."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import exactmatch
from exactmatch.analysis.shape import structure_of
from exactmatch.api import evaluate
from exactmatch.cli.main import main

Capture = pytest.CaptureFixture[str]
Files = dict[str, str]

GOLD = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(d / dog :quant 3 :mod (s / small))",
    "(s / sleep-01 :ARG0 (c / cat) :location (h / house))",
    "(r / rain-01 :time (t / today))",
    "(e / eat-01 :ARG0 (c / child) :ARG1 (a / apple :quant 2))",
    "(l / laugh-01 :ARG0 (w / woman) :polarity -)",
]
GOOD = [GOLD[0], "(d / dog :quant 3)", *GOLD[2:]]
POOR = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))",
    "(d / dog :quant 2)",
    "(s / sleep-01 :ARG0 (d / dog))",
    "(r / rain-01)",
    "(e / eat-01 :ARG0 (a / apple))",
    "(l / laugh-01 :ARG0 (m / man))",
]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    paths = {}
    for name, graphs in (("gold", GOLD), ("good", GOOD), ("poor", POOR)):
        path = tmp_path / f"{name}.amr"
        path.write_text(
            "\n\n".join(f"# ::id p{k}\n{g}" for k, g in enumerate(graphs, 1)) + "\n"
        )
        paths[name] = str(path)
    return paths


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    code = main(["compare", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def data(capsys: Capture, *arguments: str) -> Any:
    code, out, _ = run(capsys, *arguments, "--format", "json")
    assert code == 0
    return json.loads(out)


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_the_better_system_is_first_and_the_other_tested(
    capsys: Capture, files: Files, test: str
) -> None:
    found = data(capsys, files["gold"], files["poor"], files["good"], "--test", test)
    best, other = found["systems"]
    assert (best["system"], best["rank"], best["p_value"]) == ("good.amr", 1, None)
    assert (other["system"], other["rank"]) == ("poor.amr", 2)
    assert best["score"] == evaluate(GOOD, GOLD).f1
    assert other["difference"] == pytest.approx(other["score"] - best["score"])
    assert other["difference_low"] < other["difference"] < other["difference_high"] < 0
    assert 0 < other["p_value"] < 0.1
    assert other["wins"] == 0.0


def test_the_baseline_may_be_named_or_numbered(capsys: Capture, files: Files) -> None:
    arguments = (files["gold"], files["poor"], files["good"], "--names", "a,b")
    for given in ("a", "1"):
        found = data(capsys, *arguments, "--baseline", given)
        tested = {s["system"]: s["difference"] for s in found["systems"]}
        assert tested["a"] is None
        assert tested["b"] > 0


def test_equal_systems_share_a_rank_and_do_not_differ(
    capsys: Capture, files: Files
) -> None:
    found = data(capsys, files["gold"], files["good"], files["good"], "--names", "a,b")
    assert [s["rank"] for s in found["systems"]] == [1, 1]
    assert found["systems"][1]["p_value"] == 1.0


def test_the_largest_differences_decide(capsys: Capture, files: Files) -> None:
    """Pair 3: 1 for the good system, and 2 · 3 / (4 + 6) matched for the poor."""
    found = data(capsys, files["gold"], files["good"], files["poor"], "--show", "2")
    assert len(found["deciding"]) == 2
    drops = [pair["difference"] for pair in found["deciding"]]
    assert drops == sorted(drops)
    every = data(capsys, files["gold"], files["good"], files["poor"], "--show", "9")
    third = next(pair for pair in every["deciding"] if pair["id"] == "p3")
    assert third["baseline_score"] == 1.0
    assert third["system_score"] == pytest.approx(
        exactmatch.smatch(POOR[2], GOLD[2]).f1
    )


def test_macro_averages_are_compared_where_asked(capsys: Capture, files: Files) -> None:
    found = data(capsys, files["gold"], files["good"], files["poor"], "--macro")
    means = {s["system"]: s["score"] for s in found["systems"]}
    pairs = evaluate(POOR, GOLD).pairs
    assert means["poor.amr"] == pytest.approx(
        sum(pair.score.f1 or 0 for pair in pairs) / len(pairs)
    )
    assert found["signatures"][0].endswith("|average:macro")


def test_metrics_agree_on_a_clear_ranking(capsys: Capture, files: Files) -> None:
    arguments = (files["gold"], files["good"], files["poor"])
    found = data(capsys, *arguments, "--metric", "smatch,sembleu")
    (agreement,) = found["agreement"]
    assert (agreement["first"], agreement["second"]) == ("smatch", "sembleu")
    assert agreement["tau"] == 1.0
    assert agreement["disagreement"] == 0.0


def test_structural_error_is_that_of_the_shapes(capsys: Capture, files: Files) -> None:
    """Only pair 2 of the good system differs: variable and concept of ``small``."""
    found = data(capsys, files["gold"], files["good"], files["poor"])
    assert found["structure"]["good.amr"]["nodes"] == pytest.approx(2 / 6)
    assert found["structure"]["good.amr"]["edges"] == pytest.approx(2 / 6)


def test_a_shape_is_counted_by_hand() -> None:
    """Variables w, b, g and their concepts; 3 instance edges and 3 relations."""
    graph = exactmatch.Graph.from_triples(
        [
            ("w", "instance", "want-01"),
            ("b", "instance", "boy"),
            ("g", "instance", "go-02"),
            ("w", "ARG0", "b"),
            ("w", "ARG1", "g"),
            ("g", "ARG0", "b"),
        ]
    )
    shape = structure_of(graph)
    assert (shape.nodes, shape.edges) == (6, 6)
    assert shape.degree == 2 * 6 / 6
    assert shape.density == 6 / 30


def test_text_shows_every_table(capsys: Capture, files: Files) -> None:
    arguments = (files["gold"], files["good"], files["poor"])
    code, out, _ = run(capsys, *arguments, "--metric", "smatch,sembleu")
    assert code == 0
    for wanted in (
        "Kendall's τ",
        "node degree",
        "pairs that decide it",
        "p: paired bootstrap, two-sided, 1000 samples",
        "signature: metric:smatch|",
        "test:bootstrap|bootstrap:1000,seed:0,level:95%,method:bca",
    ):
        assert wanted in out


def test_csv_has_a_row_for_each_metric_and_system(
    capsys: Capture, files: Files
) -> None:
    arguments = (
        files["gold"],
        files["good"],
        files["poor"],
        "--metric",
        "smatch,sembleu",
    )
    _, out, _ = run(capsys, *arguments, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(r["metric"], r["rank"]) for r in rows] == [
        ("smatch", "1"),
        ("smatch", "2"),
        ("sembleu", "1"),
        ("sembleu", "2"),
    ]
    assert rows[1]["difference_low"]


def test_latex_is_a_tabular(capsys: Capture, files: Files) -> None:
    arguments = (files["gold"], files["good"], files["poor"])
    _, out, _ = run(capsys, *arguments, "--format", "latex")
    assert out.startswith(r"\begin{tabular}")
    assert r"95 \%" in out


def test_pairs_left_out_of_one_system_are_left_out_of_all(
    capsys: Capture, files: Files, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.amr"
    broken.write_text("\n\n".join([*POOR[:5], "(l / laugh-01 / again)"]) + "\n")
    arguments = (files["gold"], files["good"], str(broken), "--on-error", "skip")
    code, out, err = run(capsys, *arguments, "--no-structure", "--format", "json")
    assert code == 0
    assert "compared on the 5 pairs that all systems have" in err
    best = json.loads(out)["systems"][0]
    assert best["score"] == evaluate(GOOD[:5], GOLD[:5]).f1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["good"], "only one system is named"),
        (["good", "poor", "--names", "a"], "--names gives 1 names to 2 systems"),
        (["good", "poor", "--baseline", "best"], "no system is called 'best'"),
        (["good", "-"], "none can be '-'"),
    ],
)
def test_misuse_is_one_sentence(
    capsys: Capture, files: Files, arguments: list[str], message: str
) -> None:
    given = [files.get(argument, argument) for argument in arguments]
    code, out, err = run(capsys, files["gold"], *given)
    assert code == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_an_error_leaves_no_file(capsys: Capture, files: Files, tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    missing = str(tmp_path / "missing.amr")
    code, _, _ = run(capsys, files["gold"], files["good"], missing, "-o", str(target))
    assert code == 2
    assert not target.exists()
