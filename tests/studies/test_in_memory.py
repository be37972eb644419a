"""Analyses of graphs in memory find what the commands find in files."""

import json
import math
from dataclasses import FrozenInstanceError
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.views.data import write_json

SAMPLE = Path(exactmatch.__file__).with_name("sample")
PRED, GOLD = (str(SAMPLE / name) for name in ("pred.amr", "gold.amr"))


@pytest.fixture(scope="module")
def graphs() -> list[Any]:
    return [list(exactmatch.formats.iter_graphs(Path(path))) for path in (PRED, GOLD)]


def text(graphs: Any) -> str:
    return "\n\n".join("\n".join(graph.origin.text) for graph in graphs) + "\n"


def printed(cli: Cli, *arguments: Any) -> Any:
    return cli.json(*arguments, "--quiet")


def test_compare(graphs: Any, cli: Cli) -> None:
    preds, golds = graphs
    options = ("--names", "parser,copy", "--baseline", "parser", "--seed", "3")
    rows = printed(cli, "compare", GOLD, PRED, GOLD, *options)["systems"]
    systems = {"parser": preds, "copy": golds}
    found = exactmatch.compare(systems, iter(golds), baseline="parser", seed=3)
    assert [s.system for s in found.standings] == [row["system"] for row in rows]
    for standing, row in zip(found.standings, rows, strict=True):
        assert standing.score.score == row["score"]
        ends = standing.intervals[2]
        assert (ends and ends.low) == row["score_low"]
        p_value = standing.test.p_value if standing.test else None
        assert p_value == row["p_value"]
    with pytest.raises(FrozenInstanceError):
        found.pairs = 0  # type: ignore[assignment]  # what is refused


@pytest.mark.slow
@pytest.mark.parametrize("macro", [False, True])
def test_every_pair_that_systems_are_compared_on(
    macro: bool, graphs: Any, cli: Cli
) -> None:
    """As ``compare --per-pair`` has it."""
    preds, golds = graphs
    options = ("--names", "parser,copy,same", "--baseline", "parser")
    said = ("--per-pair", *(("--macro",) if macro else ()), "--quiet")
    command = ("compare", GOLD, PRED, GOLD, GOLD, *options, *said)
    systems = {"parser": preds, "copy": golds, "same": golds}
    found = exactmatch.compare(systems, golds, baseline="parser", macro=macro)
    pairs = found.per_pair()
    assert len(pairs) == found.pairs == len(golds)
    records = cli.json_lines(*command)
    assert [pair.record() for pair in pairs] == records
    frame = found.to_frame("polars")
    assert frame.columns == heads(cli.out(*command, "--format", "csv"))
    assert frame["system"].to_list()[:3] == list(pairs[0].scores)
    assert frame["difference"].to_list()[:2] == [
        pairs[0].differences.get(name) for name in list(pairs[0].scores)[:2]
    ]
    assert sum(pairs[5].differences.values()) > 0
    assert repr(pairs[5]).startswith("pair sample.6: smatch copy 1.0000 (Δ +0.")
    assert "\n" not in repr(pairs[5])


COMPARED: dict[str, dict[str, Any]] = {
    "--metric smatch,sembleu --macro": {"metric": "smatch,sembleu", "macro": True},
    "--finegrained amrlib --show 1": {"finegrained": "amrlib", "show": 1},
    "--test exchange --no-structure --solver hillclimb -r 1,3": {
        "test": "exchange",
        "structure": False,
        "solver": "hillclimb",
        "restarts": [3, 1],
    },
    "--confidence 90 --interval percentile --human totals.tsv": {
        "confidence": 0.9,
        "interval": "percentile",
        "human": {"parser": 3, "copy": 7.5},
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("flags", COMPARED)
def test_a_comparison_is_the_commands(
    flags: str, graphs: Any, files: Files, cli: Cli
) -> None:
    """All that is said, under options that Python has by other words."""
    files.enter()
    files.lines("totals.tsv", ["system\tscore", "parser\t3", "copy\t7.5"])
    preds, golds = (["\n".join(g.origin.text) for g in side] for side in graphs)
    names = ("--names", "parser,copy")
    wanted = printed(cli, "compare", GOLD, PRED, GOLD, *names, *flags.split())
    systems = {"parser": preds, "copy": golds}
    found = exactmatch.compare(systems, golds, **COMPARED[flags])
    stream = StringIO()
    write_json(stream, found.to_dict())
    data = json.loads(stream.getvalue())
    assert wanted.pop("remarks") == ["copy is the same file as the references"]
    assert data.pop("remarks") == []
    assert data == wanted


def heads(table: str) -> list[str]:
    lines = [line for line in table.splitlines() if not line.startswith("#")]
    return lines[0].split(",")


JUDGES = {"anna": "1\n0.5\n-\n0.25\n", "ben": "0.75\n0.5\n0\n-\n"}
SCORES = {"anna": [1, 0.5, None, 0.25], "ben": [0.75, 0.5, 0, math.nan]}
SCALES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "as it is": ((), {}),
    "standardised": (("--standardise",), {"standardise": True}),
    "ranged": (("--human-range", "0,2"), {"human_range": (0, 2)}),
}


@pytest.mark.slow
@pytest.mark.parametrize("names", [["anna"], ["anna", "ben"]])
@pytest.mark.parametrize("scale", SCALES)
def test_correlate(
    names: list[str], scale: str, graphs: Any, cli: Cli, files: Files
) -> None:
    preds, golds = ([*side[:4], *side[:4], *side[4:8]] for side in graphs)
    human = files({name: JUDGES[name] * 3 for name in names})
    pred, gold = files.one("p.amr", text(preds)), files.one("g.amr", text(golds))
    flags, keywords = SCALES[scale]
    options = (*flags, "--metric", "smatch,sembleu", "--seed", "2")
    wanted = printed(cli, "correlate", pred, gold, *human, *options)
    given = {name: SCORES[name] * 3 for name in names}
    people = given if len(given) > 1 else given["anna"]
    metrics = ["smatch", "sembleu"]
    found = exactmatch.correlate(preds, golds, people, metrics, seed=2, **keywords)
    for row in wanted["metrics"]:
        one = found[row["metric"]]
        assert one.pairs == row["pairs"]
        for name in ("pearson", "spearman", "kendall", "rmse", "quantile_rmse"):
            estimate = getattr(one, name)
            assert (estimate.value if estimate else None) == row[name]
            interval = estimate.interval if estimate else None
            assert (interval.low if interval else None) == row[f"{name}_low"]
    assert found.is_comparable == (scale != "standardised")
    assert [test.p_value for test in found.tests] == [
        row["p_value"] for row in wanted["williams"]
    ]
    assert (found.judges is None) == (len(names) == 1) == (wanted["judges"] is None)
    with pytest.raises(FrozenInstanceError):
        found.people = ()  # type: ignore[misc]  # what is refused
    with pytest.raises(KeyError, match="known: smatch, sembleu"):
        found["bleu"]


@pytest.mark.slow
def test_correlations_are_those_of_scipy(graphs: Any) -> None:
    preds, golds = graphs
    people = [(7 * k % 11) / 10 for k in range(len(golds))]
    found = exactmatch.correlate(preds, golds, people)["smatch"]
    scores = [exactmatch.smatch(*pair).f1 for pair in zip(preds, golds, strict=True)]
    assert found.pearson.value == pytest.approx(stats.pearsonr(scores, people)[0])
    assert found.spearman.value == pytest.approx(stats.spearmanr(scores, people)[0])
    assert found.kendall.value == pytest.approx(stats.kendalltau(scores, people)[0])
    gaps = np.subtract(scores, people)
    assert found.rmse.value == pytest.approx(np.sqrt(np.mean(gaps**2)))


@pytest.mark.parametrize(
    ("human", "options", "message"),
    [
        ([1.0], {}, "1 score but 2 pairs of graphs"),
        ([1.0, "much"], {}, "'much' is not a judgement"),
        ([1.0, math.inf], {}, "inf is not a judgement"),
        ([None, math.nan], {}, "no pair has both a score and a judgement"),
        ([1, 0], {"human_range": (1, 1)}, "1 is not below 1"),
        ({}, {}, "there is no judgement"),
        ("10", {}, "'10' is a text; a file is given as Path"),
    ],
)
def test_judgement_that_is_none_is_refused(
    human: Any, options: dict[str, Any], message: str
) -> None:
    pair = ["(b / boy)", "(g / girl)"]
    with pytest.raises(exactmatch.InputError, match=message):
        exactmatch.correlate(pair, pair, human, **options)


def test_audit(graphs: Any, cli: Cli) -> None:
    options = ("--restarts", "0,4", "--runs", "2", "--seed", "5")
    (wanted,) = printed(cli, "audit", PRED, GOLD, *options)["metrics"]
    found = exactmatch.audit(*graphs, restarts=[4, 0], runs=2, seed=5)
    assert found.optimum == wanted["optimum"]
    for error, row in zip(found.errors, wanted["errors"], strict=True):
        assert error.mean_error == row["mean_error"]
        assert error.mean_violation == row["mean_violation"]
    assert [f.id for f in found.failures] == [f["id"] for f in wanted["failures"]]
    with pytest.raises(FrozenInstanceError):
        found.unproven = 0  # type: ignore[assignment]  # what is refused


@pytest.mark.parametrize("style", ["exact", "amrlib", "damonte"])
def test_finegrained(style: Any, graphs: Any, cli: Cli) -> None:
    rows = printed(cli, "finegrained", PRED, GOLD, "--style", style)["metrics"]
    report = exactmatch.finegrained(graphs[0], graphs[1], style)
    assert [s.metric for s in report.scores] == [row["metric"] for row in rows]
    for row in rows:
        assert report[row["metric"]].score.score == row["score"]


@pytest.mark.parametrize(
    "way", ["realign", pytest.param("main", marks=pytest.mark.slow)]
)
def test_finegrained_aspects(way: Any, graphs: Any, cli: Cli) -> None:
    rows = printed(cli, "finegrained", PRED, GOLD, "--aspects", way)["metrics"]
    report = exactmatch.finegrained(graphs[0], graphs[1], aspects=way)
    assert [s.metric for s in report.scores] == [row["metric"] for row in rows]
    for row in rows:
        found = report[row["metric"]]
        score = found.score.score if found.score.is_defined else None
        assert score == row["score"]
        assert found.score.bound == row["bound"]
        assert found.signature == row["signature"]
    assert report["agent"].score.pred_total > 0


GOLD_UMR = """\
# :: snt1
Index: 1    2
Words: Dogs bark

# sentence level graph:
(s1b / bark-01
    :ARG0 (s1d / dog)
    :aspect habitual)

# alignment:
s1b: 2-2
s1d: 1-1

# document level annotation:
(s1s0 / sentence
    :modal ((author :full-affirmative s1b)))
"""
PRED_UMR = GOLD_UMR.replace("habitual", "state :quant 2").replace("dog", "cat")


@pytest.mark.parametrize(
    ("style", "options", "flags"),
    [
        ("umr", {}, []),
        ("umatch", {}, []),
        ("umr", {"align": "free"}, ["--align", "free"]),
        ("umr", {"ignore_unannotated": True}, ["--ignore-unannotated"]),
        ("umatch", {"ignore_unannotated": True}, ["--ignore-unannotated"]),
    ],
)
def test_finegrained_tables_of_documents(
    style: Any, options: dict[str, Any], flags: list[str], files: Files, cli: Cli
) -> None:
    """From texts, what the command finds in files."""
    paths = files.pair(PRED_UMR, GOLD_UMR, ".umr")
    rows = printed(cli, "finegrained", *paths, "--style", style, *flags)["metrics"]
    report = exactmatch.finegrained([PRED_UMR], [GOLD_UMR], style, **options)
    assert [s.metric for s in report.scores] == [row["metric"] for row in rows]
    for row in rows:
        found = report[row["metric"]]
        score = found.score.score if found.score.is_defined else None
        assert score == row["score"]
        assert found.signature == row["signature"]
    unannotated = 0 if options.get("ignore_unannotated") else 1
    assert report["quant"].score.pred_total == unannotated


def test_finegrained_rows_of_further_roles() -> None:
    for style in ("umr", "umatch"):
        report = exactmatch.finegrained(
            [PRED_UMR], [GOLD_UMR], style, roles=["ARG0", "place"]
        )
        assert report["arg0"].score.matched == 1
        assert report["place"].score.gold_total == 0


@pytest.mark.parametrize(
    ("style", "options", "complaint"),
    [
        ("exact", {"align": "free"}, "for --style umr, not 'exact'"),
        ("exact", {"ignore_unannotated": True}, "for --style umr and umatch, not"),
        ("amrlib", {"roles": ["ARG0"]}, "for styles 'umr' and 'umatch', not 'amrlib'"),
        ("amrlib", {"aspects": "main"}, "aspects is for --style exact, not 'amrlib'"),
        ("exact", {"aspects": "both"}, "is one of 'realign', 'main'"),
        ("nobody", {}, "is one of 'exact', 'amrlib'"),
    ],
)
def test_finegrained_options_without_use_are_refused(
    style: Any, options: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(exactmatch.InputError, match=complaint):
        exactmatch.finegrained(["(b / boy)"], ["(b / boy)"], style, **options)


def test_what_cannot_be_compared_is_refused() -> None:
    golds = ["(b / boy)"]
    for systems in ({}, {"one": golds}):
        with pytest.raises(exactmatch.InputError, match="give two or more"):
            exactmatch.compare(systems, golds)
    both = {"a": golds, "b": golds}
    with pytest.raises(exactmatch.InputError, match=r"'c' \(known: a, b\)"):
        exactmatch.compare(both, golds, baseline="c")
    with pytest.raises(exactmatch.InputError, match="test is 'z'"):
        exactmatch.compare(both, golds, test="z")  # type: ignore[arg-type]  # refused
    with pytest.raises(exactmatch.InputError):
        exactmatch.compare({"a": golds, "b": golds * 2}, golds)
    with pytest.raises(exactmatch.InputError, match="both sides are empty"):
        exactmatch.compare({"a": [], "b": []}, [])


def test_what_cannot_be_audited_is_refused() -> None:
    one = ["(b / boy)"]
    with pytest.raises(exactmatch.InputError, match="proves nothing"):
        exactmatch.audit(one, one, solver="hillclimb")
    with pytest.raises(exactmatch.InputError, match="does not align variables"):
        exactmatch.audit(one, one, "sembleu")
    with pytest.raises(exactmatch.InputError, match="both sides are empty"):
        exactmatch.audit([], [])
    wrong: dict[str, Any]
    for wrong in ({"restarts": []}, {"restarts": [-1]}, {"runs": 0}):
        with pytest.raises(exactmatch.InputError, match=f"{next(iter(wrong))}: "):
            exactmatch.audit(one, one, **wrong)


@pytest.mark.slow
def test_analyses_are_shown_in_a_line_and_as_tables(graphs: Any) -> None:
    preds, golds = graphs
    systems = {"parser": preds, "<b>": golds}
    compared = exactmatch.compare(systems, golds)
    assert repr(compared).startswith("smatch: <b> 1.0000, parser 0.7880 (Δ -0.2120, p ")
    assert repr(compared).endswith("); 40 pairs")
    page = compared._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "smatch: Δ and p against &lt;b&gt;" in page
    test = compared.standings[1].test
    assert test is not None
    assert test.interval is not None
    assert f"[{test.interval.low:.4f}, {test.interval.high:.4f}]" in page
    audited = exactmatch.audit(preds, golds, restarts=[0, 4], runs=2)
    assert repr(audited) == "optimum: F1 0.787952; 40 pairs, every one proven optimal"
    page = audited._repr_html_()
    assert page.count("<tr>") == 6  # a heading, and a row for each number, twice
    assert "40 pairs, 2 runs each" in page
    assert audited.to_dict()["metrics"][0]["optimum"] == audited.optimum
    assert "corpus violation" in str(audited)
    human = [k / 40 for k in range(40)]
    correlated = exactmatch.correlate(preds, golds, human, ["smatch", "wlk"])
    r = correlated["wlk"].pearson
    assert f"; wlk r {r.value:.4f}, ρ " in repr(correlated)
    page = correlated._repr_html_()
    assert r.interval is not None
    assert f"[{r.interval.low:.3f}, {r.interval.high:.3f}]" in page
    assert "Williams&#x27; test" in page


def test_finegrained_takes_what_the_command_takes(graphs: Any, cli: Cli) -> None:
    flags = ("--scores", "negation,concepts", "--confidence", "90", "--samples", "50")
    rows = printed(cli, "finegrained", PRED, GOLD, *flags)["metrics"]
    report = exactmatch.finegrained(
        *graphs, scores=["concepts", "negation"], confidence=90, samples=50
    )
    assert [s.metric for s in report.scores] == [row["metric"] for row in rows]
    for row in rows:
        interval = report[row["metric"]].intervals.get("score")
        assert (interval and interval.low) == row["score_low"]
        assert report[row["metric"]].signature == row["signature"]
    with pytest.raises(exactmatch.InputError, match="did you mean 'negation'"):
        exactmatch.finegrained(*graphs, scores="negatoin")
