"""What is left out of a run: each metric has its own pairs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files
from support.running import score_files

from exactmatch import (
    GraphError,
    InputError,
    Settings,
    evaluate,
    load,
)
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.smatch import Smatch

GOOD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
OTHER = "(w / want-01 :ARG0 (g / girl) :ARG1 (l / leave-11 :ARG0 g))"
ONLY_SEMBLEU_REFUSES = "(w / want-01 :ARG0 x)"
BAD = "(a / b / c)"
LENIENT = "(a / b :c (d / e)"

Write = Callable[..., str]


def test_a_metrics_number_does_not_depend_on_the_other_metrics(
    write: Write, cli: Cli
) -> None:
    files = (
        write("p.amr", GOOD, ONLY_SEMBLEU_REFUSES, OTHER),
        write("g.amr", GOOD, GOOD, GOOD),
    )
    alone = score_files(*files).scores[0]
    skipping = Settings(on_error="skip")
    report = score_files(*files, metrics=["smatch", "sembleu"], settings=skipping)
    assert report.scores[0] == alone
    assert (report["smatch"].pairs, report["sembleu"].pairs) == (3, 2)
    assert "skipped" not in report["smatch"].signature
    assert "|skipped:1|" in report["sembleu"].signature
    (omission,) = report.omitted
    assert (omission.index, omission.metrics) == (1, ("sembleu",))
    code, found, err = cli.outcome(
        *files, "--metric", "smatch,sembleu", "--on-error", "skip"
    )
    assert code == 0
    assert [f["pairs"] for f in found] == [3, 2]
    assert found[0]["omitted"][0]["metrics"] == ["sembleu"]
    assert "skipped under sembleu: " in err


def test_common_pairs_can_be_asked_for(write: Write, cli: Cli) -> None:
    files = (
        write("p.amr", GOOD, ONLY_SEMBLEU_REFUSES, OTHER),
        write("g.amr", GOOD, GOOD, GOOD),
    )
    arguments = ["--metric", "smatch,sembleu", "--on-error", "skip", "--common"]
    _, found, _ = cli.outcome(*files, *arguments)
    assert [f["pairs"] for f in found] == [2, 2]
    assert all("|pairs:common|skipped:1|" in f["signature"] for f in found)
    assert found[0]["f1"] == evaluate([GOOD, OTHER], [GOOD, GOOD]).f1


def test_an_empty_graph_stands_in_where_a_metric_cannot_read(write: Write) -> None:
    files = write("p.amr", ONLY_SEMBLEU_REFUSES), write("g.amr", GOOD)
    settings = Settings(on_error="empty")
    report = score_files(*files, metrics=["smatch", "sembleu"], settings=settings)
    problems = {pair.metric: pair.problem for pair in report.pairs}
    assert problems["smatch"] is None
    assert problems["sembleu"] is not None
    assert report["sembleu"].score.score == 0


def test_a_pair_that_no_metric_can_read_is_one_omission(write: Write) -> None:
    files = write("p.amr", GOOD, BAD), write("g.amr", GOOD, GOOD)
    report = score_files(
        *files, metrics=["smatch", "yisi"], settings=Settings(on_error="skip")
    )
    (omission,) = report.omitted
    assert omission.metrics == ()
    assert str(omission).startswith("skipped: ")


@pytest.mark.parametrize("jobs", [1, 2])
def test_omissions_are_in_order_however_many_processes(write: Write, jobs: int) -> None:
    preds = [GOOD, BAD, GOOD, GOOD, BAD]
    files = write("p.amr", *preds), write("g.amr", *[GOOD] * 4)
    settings = Settings(on_error="skip", by_id=True, jobs=jobs)
    report = score_files(*files, settings=settings)
    assert [(o.index, o.id) for o in report.omitted] == [(1, "1"), (-1, "4")]


def test_nothing_scored_is_an_error(write: Write, cli: Cli) -> None:
    files = write("p.amr", BAD, BAD), write("g.amr", GOOD, GOOD)
    with pytest.raises(InputError, match=r"no pair could be scored: .*and 1 more"):
        score_files(*files, settings=Settings(on_error="skip"))
    code, out, err = cli(*files, "--on-error", "skip")
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    with pytest.raises(InputError, match="both sides are empty"):
        evaluate([], [])


def test_a_metric_that_has_scored_nothing_is_named(write: Write) -> None:
    files = write("p.amr", ONLY_SEMBLEU_REFUSES), write("g.amr", GOOD)
    report = score_files(
        *files, metrics=["smatch", "sembleu"], settings=Settings(on_error="skip")
    )
    (text,) = report.warnings["nothing"].examples
    assert text.startswith("sembleu has scored no pair: ")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_missing_graph_shifts_no_other(profile: str, files: Files) -> None:
    """The pairs of the others are those of files in which it stands."""
    head, place = "# of the release ::version 3\n\n", "# ::id 1\n\n# ::snt Go."
    next_place, last = "# ::id 2\n# ::snt Stay.", f"# ::id 3\n{GOOD}\n"
    text = "\n\n".join([OTHER, place, next_place, last])
    preds = files.one("p.amr", head + text)
    golds = files.one("g.amr", "\n\n".join([OTHER, GOOD, GOOD, GOOD]))
    metric = Smatch(PROFILES[profile])
    with pytest.raises(GraphError, match=r"p.amr:5: graph '1' has .*no (node|graph)"):
        score_files(preds, golds, metrics=[metric])
    for on_error in ("skip", "empty"):
        settings = Settings(on_error=on_error)
        report = score_files(preds, golds, metrics=[metric], settings=settings)
        assert [o.index for o in report.omitted] == [1, 2]
        (score,) = report.scores
        assert score.score.precision == 1
        assert score.pairs == (2 if on_error == "skip" else 4)
        assert (score.score.recall == 1) == (on_error == "skip")
    (graph, *others) = load(Path(preds), profile, on_error="empty")
    assert [len(other.variables) > 0 for other in (graph, *others)] == [1, 0, 0, 1]
