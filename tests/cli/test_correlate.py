"""``exactmatch correlate`` against SciPy and against counting by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.command import Cli
from support.files import Files

import exactmatch.studies
from exactmatch.studies.correlate.measures import (
    rmse,
)
from exactmatch.studies.score.evaluate import evaluate

Capture = pytest.CaptureFixture[str]
Write = Callable[[str, Sequence[object]], str]

GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :time (n / now)))"
PREDS = [
    GOLD,
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :time (n / now)))",
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(w / want-01 :ARG0 (b / boy))",
    "(g / go-02 :ARG0 (b / boy))",
    "(s / sleep-01 :ARG0 (b / boy))",
    "(s / sleep-01 :ARG0 (c / cat))",
    "(h / house)",
]
HUMAN = [1.0, 0.8, 0.9, 0.5, 0.6, 0.3, 0.1, 0.0]


@pytest.fixture
def write(files: Files) -> Write:
    """Write a file of graphs or lines, as its name says."""

    def make(name: str, lines: Sequence[object]) -> str:
        if name.endswith(".amr"):
            return files.graphs(name, map(str, lines), ids=None)
        return files.lines(name, lines)

    return make


@pytest.mark.slow
def test_metrics_are_held_against_scores(cli: Cli, write: Write) -> None:
    preds, golds, human = PREDS * 3, [GOLD] * len(PREDS) * 3, HUMAN * 3
    files = write("a.amr", preds), write("b.amr", golds), write("human.txt", human)
    found = cli.json("correlate", *files, "--metric", "smatch,sembleu")
    smatch, sembleu = found["metrics"]
    scores = [pair.score.score for pair in evaluate(preds, golds).pairs]
    assert smatch["pairs"] == 24
    assert smatch["rmse"] == pytest.approx(rmse(np.array(scores), np.array(human)))
    assert smatch["pearson"] == pytest.approx(stats.pearsonr(scores, human).statistic)
    expected = stats.spearmanr(scores, human).statistic
    assert smatch["spearman"] == pytest.approx(expected)
    expected = stats.kendalltau(scores, human).statistic
    assert smatch["kendall"] == pytest.approx(expected)
    assert smatch["pearson_low"] < smatch["pearson"] < smatch["pearson_high"]
    assert smatch["rmse_low"] < smatch["rmse"] < smatch["rmse_high"]
    assert sembleu["metric"] == "sembleu"


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        (6, "nobody judged 2 of 8 pairs; they are left out"),
        (7, "nobody judged 1 of 8 pairs; it is left out"),
    ],
)
def test_graphs_beyond_the_scores_are_left_out(
    scores: int, sentence: str, cli: Cli, write: Write
) -> None:
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8)
    command = ("correlate", *files, write("h.txt", HUMAN[:scores]))
    found = cli.json(*command)
    assert (found["pairs"], found["unjudged"]) == (scores, 8 - scores)
    assert f"{sentence}\n" in cli.out(*command)


def test_other_scales_are_named_or_have_no_error(cli: Cli, write: Write) -> None:
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8)
    stars = write("h.txt", [1 + 4 * value for value in HUMAN])
    found = cli.json("correlate", *files, stars)["metrics"][0]
    assert found["rmse"] is None
    assert found["pearson"] is not None
    scaled = cli.json("correlate", *files, stars, "--human-range", "1,5")["metrics"][0]
    plain = cli.json("correlate", *files, write("p.txt", HUMAN))["metrics"][0]
    assert scaled["rmse"] == pytest.approx(plain["rmse"])


def test_preferences_of_two_parses(cli: Cli, write: Write) -> None:
    """People prefer the first twice and the third not; a tie is left out."""
    preds = [GOLD, PREDS[3], GOLD, PREDS[3], PREDS[6], PREDS[1], GOLD, GOLD]
    lines = ["1.0\t1\t0\tx.1", "see above", "0.0\t0\t1\tx.2", "see above"]
    lines += ["0.0\t1\t1\tx.3", "see above", "0.5\t1\t1\tx.4", "see above"]
    files = write("a.amr", preds), write("b.amr", [GOLD] * 8), write("p.txt", lines)
    (found,) = cli.json("correlate", *files)["metrics"]
    assert (found["decided"], found["right"], found["wrong"]) == (3, 2, 1)
    assert found["undecided"] == 1
    code, out, _ = cli("correlate", *files)
    assert code == 0
    assert "66.7" in out


def test_originals_against_foils(cli: Cli, write: Write) -> None:
    """Foil and original alternate; an equal score is not right."""
    preds = [PREDS[3], GOLD, PREDS[6], PREDS[2], GOLD, GOLD]
    files = write("a.amr", preds), write("b.amr", [GOLD] * 6)
    (found,) = cli.json("correlate", *files, "--foils")["metrics"]
    assert (found["decided"], found["right"], found["tied"]) == (3, 2, 1)
    assert found["wrong"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("human", [HUMAN, ["1.0\tx", "see above"] * 4])
def test_densities_are_drawn(
    cli: Cli, write: Write, tmp_path: Path, human: list[object]
) -> None:
    pytest.importorskip("matplotlib")
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8), write("h.txt", human)
    path = tmp_path / "densities.svg"
    code, _, err = cli("correlate", *files, "--plot", str(path))
    assert code == 0, err
    assert path.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["0.5", "much"],
            "h.txt:2: 'much' is not a number; a judgement begins with one",
        ),
        (["nan"], "h.txt:1: nan is not a judgement; give a finite number"),
        (["0.7 x", "see above"], "the preference is 0.7; it must be 1, 0 or 0.5"),
        (["1 x", "see above", "0 x", "0 y"], "h.txt:4: must say 'see above'"),
        (["1 x", "see above", "0 x"], "ends after the first of two graphs"),
        ([""], "holds no judgement"),
        ([0.5] * 9, "9 scores but 8 pairs of graphs"),
    ],
)
def test_bad_judgement_is_one_sentence(
    cli: Cli, write: Write, lines: list[object], message: str
) -> None:
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8), write("h.txt", lines)
    code, out, err = cli("correlate", *files)
    assert (code, out) == (2, "")
    assert message in err


def test_judgement_or_foils(cli: Cli, write: Write) -> None:
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8)
    assert "either files of human judgement or --foils" in cli("correlate", *files)[2]
    assert cli("correlate", *files, write("h.txt", HUMAN), "--foils")[0] == 2
    assert "No such file" in cli("correlate", *files, "missing.txt")[2]


# Several metrics, several judges


@pytest.mark.slow
def test_two_correlations_are_tested_against_each_other(cli: Cli, write: Write) -> None:
    from exactmatch.studies.correlate.measures import williams

    preds, golds, human = PREDS * 3, [GOLD] * 24, HUMAN * 3
    files = write("a.amr", preds), write("b.amr", golds), write("h.txt", human)
    found = cli.json("correlate", *files, "--metric", "smatch,sembleu")
    (test,) = found["williams"]
    first, second = (metric["pearson"] for metric in found["metrics"])
    assert (test["r_first"], test["r_second"]) == pytest.approx((first, second))
    t, p_value = williams(first, second, test["r_between"], 24)
    assert (test["t"], test["p_value"]) == pytest.approx((t, p_value))
    assert test["corrected"] is None
    _, out, _ = cli("correlate", *files, "--metric", "smatch,sembleu")
    assert "which metric correlates better (Williams' test)" in out
    assert "Williams" not in cli("correlate", *files)[1]


def test_judges_come_to_their_mean(cli: Cli, write: Write) -> None:
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8)
    lower = [value - 0.2 for value in HUMAN]
    higher = [value + 0.2 for value in HUMAN]
    judges = write("1.txt", lower), write("2.txt", [*higher[:7], "-"])
    found = cli.json("correlate", *files, *judges, "--human-range=-0.2,1.2")
    mean = [*HUMAN[:7], lower[7]]
    (one,) = cli.json(
        "correlate", *files, write("m.txt", mean), "--human-range=-0.2,1.2"
    )["metrics"]
    assert found["metrics"] == [one]
    assert (found["judges"]["judges"], found["judges"]["items"]) == (2, 7)
    assert found["judges"]["correlation"] == pytest.approx(1)
    weighed = cli.json("correlate", *files, *judges, "--standardise")
    assert weighed["metrics"][0]["rmse"] is None
    assert weighed["signatures"][0].endswith("|people:standardised|" + drawn(weighed))


def drawn(found: Any) -> str:
    return "interval:" + str(found["signatures"][0]).partition("|interval:")[2]


def test_what_nobody_judged_is_left_out(cli: Cli, write: Write) -> None:
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8)
    found = cli.json("correlate", *files, write("h.txt", [*HUMAN[:6], "-", "-"]))
    assert found["pairs"] == 6
    assert found == cli.json("correlate", *files, write("h.txt", HUMAN[:6]))
    code, _, err = cli("correlate", *files, write("h.txt", ["-"] * 8))
    assert code == 2
    assert "no pair has both a score and a judgement" in err


def test_the_majority_of_judges_decides(cli: Cli, write: Write) -> None:
    """First, none (a judge each way), second: two decided, of three judged by all."""
    preds = [GOLD, PREDS[3], GOLD, PREDS[3], PREDS[6], PREDS[1]]
    files = write("a.amr", preds), write("b.amr", [GOLD] * 6)
    votes = {"1.txt": "1 1 0", "2.txt": "1 0 0", "3.txt": "0.5 0.5 0"}
    judges = [
        write(name, [f"{v}\nsee above" for v in choice.split()])
        for name, choice in votes.items()
    ]
    found = cli.json("correlate", *files, *judges, "--metric", "smatch,sembleu")
    for metric in found["metrics"]:
        assert (metric["decided"], metric["right"], metric["undecided"]) == (2, 2, 1)
    assert found["judges"]["unanimous"] == pytest.approx(1 / 3)
    assert found["judges"]["pairwise"] == pytest.approx(4 / 9)
    (test,) = found["mcnemar"]
    assert (test["decided"], test["p_value"]) == (2, 1.0)
    _, out, _ = cli("correlate", *files, *judges, "--metric", "smatch,sembleu")
    for wanted in ("agreement of judges", "Fleiss' κ", "McNemar's test"):
        assert wanted in out


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([0.5] * 7, "2.txt: judges 7 pairs but"),
        (["1 x", "see above"] * 4, "2.txt: holds preferences but"),
    ],
)
def test_judges_answer_the_same_question(
    cli: Cli, write: Write, lines: list[object], message: str
) -> None:
    files = write("a.amr", PREDS), write("b.amr", [GOLD] * 8)
    code, _, err = cli(
        "correlate", *files, write("1.txt", HUMAN), write("2.txt", lines)
    )
    assert code == 2
    assert message in err


# Systems


@pytest.fixture
def judged(write: Write) -> tuple[str, ...]:
    """Four systems, each worse than the one before, on 24 segments."""
    orders = [
        PREDS,
        [*PREDS[1:], PREDS[7]],
        [*PREDS[3:], *[PREDS[7]] * 3],
        [PREDS[7]] * 8,
    ]
    files = [write("gold.amr", [GOLD] * 24)]
    files += [write(f"{n}.amr", o * 3) for n, o in zip("abcd", orders, strict=True)]
    return tuple(files)


def assessed(write: Write) -> str:
    """People say 90, 60, 30 and 0 of a, b, c and d, whatever the segment."""
    lines = [
        f"{name}.amr,{segment},{score}"
        for segment in range(24)
        for name, score in zip("abcd", (90, 60, 30, 0), strict=True)
    ]
    return write("human.csv", ["system,segment,score", *lines])


@pytest.mark.slow
def test_metrics_are_held_against_people_at_system_and_segment_level(
    cli: Cli, write: Write, judged: tuple[str, ...]
) -> None:
    human = assessed(write)
    found = cli.json(
        "correlate", *judged, "--human", human, "--metric", "smatch,sembleu,yisi"
    )
    smatch = found["metrics"][0]
    scores = [system["smatch"] for system in found["systems"]]
    golds = [GOLD] * 24
    assert scores[0] == evaluate(PREDS * 3, golds).f1
    assert [system["human"] for system in found["systems"]] == [90, 60, 30, 0]
    assert smatch["pearson"] == pytest.approx(
        stats.pearsonr(scores, [90, 60, 30, 0]).statistic
    )
    assert (smatch["system_accuracy"], smatch["system_pairs"]) == (1.0, 6)
    assert found["margin"] == 25
    assert smatch["pairs"] == 24 * 6
    by_system = [
        [pair.score.score for pair in evaluate(order * 3, golds).pairs]
        for order in (PREDS, [*PREDS[1:], PREDS[7]])
    ]
    assert smatch["concordant"] + smatch["discordant"] == 144
    assert smatch["tau"] == pytest.approx(
        (smatch["concordant"] - smatch["discordant"]) / 144
    )
    assert smatch["tau_low"] < smatch["tau"] < smatch["tau_high"]
    right = sum(a > b for a, b in zip(*by_system, strict=True))
    assert smatch["concordant"] >= right
    assert len(found["williams"]) == 3
    assert found["judges"] is None


def test_two_systems_are_too_few_to_correlate(
    cli: Cli, write: Write, judged: tuple[str, ...]
) -> None:
    human = write("human.csv", ["system,score", "a.amr,2", "d.amr,1"])
    arguments = (judged[0], judged[1], judged[4], "--human", human)
    found = cli.json("correlate", *arguments, "--metric", "smatch,sembleu")
    (smatch, _) = found["metrics"]
    assert smatch["pearson"] is None
    assert smatch["system_accuracy"] == 1.0
    assert "tau" not in smatch
    assert found["williams"] == []
    _, out, _ = cli("correlate", *arguments, "--standardise")
    assert "people: scores of whole systems" in out
    assert "Kendall" not in out
    assert (
        "--standardise has no effect"
        in cli("correlate", *arguments, "--standardise")[2]
    )


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "csv", "latex", "html"])
def test_every_format_has_the_three_levels(
    cli: Cli, write: Write, judged: tuple[str, ...], form: str
) -> None:
    code, out, _ = cli(
        "correlate", *judged, "--human", assessed(write), "--format", form
    )
    assert code == 0
    wanted = {"csv": "tau_low", "latex": r"$\tau$"}.get(form, "Kendall's τ (WMT)")
    assert wanted in out.replace("&#x27;", "'").replace("&#39;", "'")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--foils"], "--human and --foils exclude each other"),
        (["--names", "a,b"], "--names gives 2 names to 4 systems"),
        (["--human", "missing"], "missing: No such file"),
    ],
)
def test_misuse_of_systems_is_one_sentence(
    cli: Cli,
    write: Write,
    judged: tuple[str, ...],
    arguments: list[str],
    message: str,
) -> None:
    code, out, err = cli("correlate", *judged, "--human", assessed(write), *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["pred", "gold"], "name PRED, GOLD and either files of human judgement or"),
        (["pred", "gold", "human", "--foils"], "name PRED, GOLD and either files of"),
        (["--pred", "pred"], "name both predictions and references"),
        (
            ["--pred", "pred", "pred", "--gold", "gold"],
            "several files of predictions are systems",
        ),
    ],
)
def test_what_is_judged_must_be_clear(
    cli: Cli, arguments: list[str], sentence: str
) -> None:
    """Before any file is read: none of these is there."""
    assert sentence in cli.refusal("correlate", *arguments)


def test_judgements_that_are_missing_are_counted_or_refused(
    cli: Cli, files: Files
) -> None:
    """A dash, an id without a row, ``None``; a blank cell has the way out."""
    golds = ["(a / b)", "(c / d)", "(e / f)", "(g / h)"]
    preds = ["(a / b)", "(c / x)", "(e / f :q (h / i))", "(g / h)"]
    pair = (
        files.graphs("pred.amr", preds, "p{}"),
        files.graphs("gold.amr", golds, "p{}"),
    )
    one = "nobody judged 1 of 4 pairs; it is left out"
    for text in ("1\n-\n0.5\n0.7\n", "id,score\np0,1\np2,0.5\np3,0.7\n"):
        assert f"{one}\n" in cli.out("correlate", *pair, files.one("h.csv", text))
    for text in ("1\n\n0.5\n0.7\n", "score\n1\n\n0.5\n0.7\n", "id,score\np0,1\np1,\n"):
        refusal = cli.refusal("correlate", *pair, files.one("h.csv", text))
        assert ": is blank; write - where nothing was judged" in refusal
    whole = exactmatch.correlate(preds, golds, [1, 0, 0.5, 0.7])
    assert (whole.unjudged, "nobody" in repr(whole)) == (0, False)
    of_file = Path(pair[0]), Path(pair[1]), Path(files.one("h.txt", "1\n-\n0.5\n0.7\n"))
    of_lists = preds, golds, [1, None, 0.5, 0.7]
    answers: list[Any] = [of_file, of_lists]
    for one_way in answers:
        result = exactmatch.correlate(*one_way)
        assert (result.unjudged, repr(result).endswith(one)) == (1, True)
    wished = exactmatch.studies.correlate_preferences(preds, golds, [1, None])
    assert repr(wished).endswith("nobody judged 1 of 2 choices; it is left out")
    table = "system,segment,score\na,p0,1\na,p1,0.5\nb,p0,0.2\n"
    systems = [files.graphs(f"{name}.amr", preds, "p{}") for name in "ab"]
    human = ("--human", files.one("table.csv", table))
    out = cli.out("correlate", pair[1], *systems, *human)
    assert "nobody judged 5 of 8 outputs; they are left out\n" in out
