"""Files and objects take one way: paired, read, scored, summed, reported."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.running import score_files

import exactmatch
from exactmatch import (
    GraphError,
    InputError,
    Profile,
    Settings,
    evaluate,
    make_metric,
)
from exactmatch.errors import ExactmatchWarning
from exactmatch.metrics import metric_class
from exactmatch.scoring.resampling import Sampling, score_intervals

GOOD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
OTHER = "(w / want-01 :ARG0 (g / girl) :ARG1 (l / leave-11 :ARG0 g))"
ONLY_SEMBLEU_REFUSES = "(w / want-01 :ARG0 x)"
BAD = "(a / b / c)"
LENIENT = "(a / b :c (d / e)"

Write = Callable[..., str]


# One way


def test_files_score_what_the_command_line_scores(write: Write, cli: Cli) -> None:
    files = write("p.amr", GOOD, OTHER), write("g.amr", GOOD, GOOD)
    report = score_files(*files, metrics=["smatch", "sembleu"])
    code, found, _ = cli.outcome(*files, "--metric", "smatch,sembleu")
    assert code == 0
    assert [s.score.score for s in report.scores] == [f["score"] for f in found]
    assert [s.signature for s in report.scores] == [f["signature"] for f in found]
    assert [(p.index, p.id, p.metric) for p in report.pairs] == [
        (0, "0", "smatch"),
        (0, "0", "sembleu"),
        (1, "1", "smatch"),
        (1, "1", "sembleu"),
    ]


def test_memory_and_files_score_the_same(write: Write) -> None:
    preds, golds = [GOOD, OTHER, GOOD], [GOOD, GOOD, OTHER]
    files = write("p.amr", *preds), write("g.amr", *golds)
    names = ["smatch", "s2match", "sembleu", "yisi"]
    ours = evaluate(preds, golds, names)
    theirs = score_files(*files, metrics=names)
    assert ours.scores == theirs.scores
    assert [p.statistics for p in ours.pairs] == [p.statistics for p in theirs.pairs]


@pytest.mark.parametrize("same", [True, False])
def test_objects_that_come_up_again_are_prepared_once(
    same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = []
    metric = make_metric("smatch")
    prepare = type(metric).prepare

    def counted(self: Any, item: Any) -> Any:
        prepared.append(item)
        return prepare(self, item)

    monkeypatch.setattr(
        type(metric),
        "prepare",
        counted,
    )
    graphs = [exactmatch.Graph.from_triples([("a", "instance", c)]) for c in "xyz"]
    golds = graphs if same else [copy.deepcopy(graph) for graph in graphs]
    evaluate(graphs * 3, golds[::-1] * 3, metric)
    assert len(prepared) == (3 if same else 6)


def test_results_can_be_taken_as_they_come_and_need_not_be_kept(write: Write) -> None:
    files = write("p.amr", GOOD, OTHER), write("g.amr", GOOD, GOOD)
    taken: list[Any] = []
    report = score_files(*files, settings=Settings(keep_pairs=False), take=taken.append)
    assert report.pairs == ()
    assert [result.index for result in taken] == [0, 1]
    assert taken[0].pred is taken[0].graph_problem is None
    kept = Settings(keep_graphs=True, keep_problems=True)
    (first, _) = score_files(*files, settings=kept).pairs
    assert list(first.pred.variables) == ["w", "b", "g"]
    assert first.graph_problem.problem.n_left == 3


class Heard:
    """A reporter that remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, ...]] = []

    def progress(self, what: str, total: int | None) -> Any:
        from contextlib import nullcontext

        from exactmatch.views.progress import Steps

        self.told.append(("progress", what, str(total)))
        return nullcontext(Steps())

    def warn(self, kind: str, text: str) -> None:
        self.told.append(("warn", kind, text))

    def note(self, text: str) -> None:
        self.told.append(("note", text))


def test_a_reporter_hears_what_happens_and_nobody_else(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write("p.amr", LENIENT), write("g.amr", GOOD)
    heard = Heard()
    skipping = Settings(on_error="skip")
    score_files(*files, metrics="all", settings=skipping, reporter=heard)
    kinds = [told[:2] for told in heard.told]
    assert ("progress", "scoring") in kinds
    assert kinds.count(("warn", "lenient")) > 0
    assert any(t[0] == "note" and "without '# ::snt'" in t[1] for t in heard.told)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({"on_error": "ignore"}, "'ignore'; it is one of 'raise', 'skip', 'empty'"),
        ({"proofs": "maybe"}, "proofs is 'maybe'; it is one of"),
        ({"jobs": 0}, "jobs: 0 is not a whole number of at least 1"),
        ({"time_limit": 0}, "time_limit: 0 is not a number above 0"),
        ({"time_limit": -1}, "time_limit: -1 is no"),
        ({"time_limit": float("inf")}, "time_limit: inf is no"),
        ({"time_limit": "soon"}, "time_limit: 'soon' is no"),
        ({"seed": None}, "seed: None is not a whole number"),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    options: dict[str, Any], wanted: str
) -> None:
    with pytest.raises(InputError, match=wanted):
        Settings(**options)


def test_python_calls_refuse_what_makes_no_sense() -> None:
    for seconds in (0, -1):
        for call in (
            lambda s: exactmatch.smatch(GOOD, GOOD, time_limit=s),
            lambda s: exactmatch.score(GOOD, GOOD, metric="smatch", time_limit=s),
            lambda s: evaluate([GOOD], [GOOD], time_limit=s),
        ):
            with pytest.raises(InputError, match=r"time.limit"):
                call(seconds)
    with pytest.raises(InputError, match="a score is of one metric, not 2; name one"):
        exactmatch.score(GOOD, GOOD, metric=["smatch", "sembleu"])  # type: ignore[arg-type]  # refused
    with pytest.raises(InputError, match="metric 'smatch' has no option 'vector'"):
        exactmatch.score(GOOD, GOOD, metric="smatch", vector="x")
    with pytest.raises(InputError, match=r"no option .nope.$"):
        exactmatch.score(GOOD, GOOD, metric="smatch", nope=1)
    with pytest.raises(TypeError, match=r"^evaluate\(\): .golds. must be given"):
        evaluate([GOOD])  # type: ignore[call-arg]  # refused
    with pytest.raises(InputError, match="two metrics are called 'smatch'"):
        evaluate([GOOD], [GOOD], [make_metric("smatch"), "smatch"])
    metric, checking = make_metric("smatch", solver="highs"), Settings(proofs="check")
    with pytest.raises(InputError, match="solver 'highs' gives no certificates"):
        score_files("p", "g", metrics=metric, settings=checking)


def test_variants_of_a_metric_stand_side_by_side() -> None:
    sensed = make_metric("smatch").named("with senses")
    profile = exactmatch.PROFILES["smatch"].with_options(sense=False)
    unsensed = make_metric("smatch", profile=profile).named("without")
    report = evaluate([GOOD.replace("go-02", "go-01")], [GOOD], [sensed, unsensed])
    assert report["with senses"].score.f1 < report["without"].score.f1 == 1


# Warnings


def test_warnings_are_in_the_report(write: Write) -> None:
    files = write("p.amr", *[LENIENT] * 7), write("g.amr", *[GOOD] * 7)
    found = score_files(*files).warnings["lenient"]
    assert found.count == 7
    assert len(found.examples) == 5
    assert "p.amr:2: graph '0' lacks a closing parenthesis" in found.examples[0]


@pytest.mark.parametrize("jobs", [1, 2])
def test_warnings_come_back_from_other_processes(write: Write, jobs: int) -> None:
    files = write("p.amr", *[LENIENT] * 20), write("g.amr", *[GOOD] * 20)
    assert score_files(*files, settings=Settings(jobs=jobs)).warnings == (
        score_files(*files).warnings
    )


def test_warnings_about_single_pairs_are_pythons() -> None:
    for call in (
        lambda: exactmatch.smatch(LENIENT, GOOD),
        lambda: exactmatch.score(LENIENT, GOOD, metric="smatch"),
        lambda: exactmatch.align(LENIENT, GOOD),
    ):
        with pytest.warns(ExactmatchWarning, match="lacks a closing") as caught:
            call()
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exactmatch.smatch(GOOD, OTHER)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_reader_lost_is_said(write: Write, cli: Cli, jobs: int) -> None:
    """Smatch cuts a quoted value at its first blank; SemBleu keeps it."""
    pred = write("p.amr", '(c / city :name "New York")', GOOD)
    gold = write("g.amr", '(c / city :name "New Delhi")', GOOD)
    metrics = ["--metric", "smatch,sembleu", "-j", str(jobs)]
    _, found, _ = cli.outcome(pred, gold, *metrics)
    assert found[0]["dropped"] == {"quoted values cut at their first space": 2}
    assert "dropped" not in found[1]
    assert "smatch: as read: 2 quoted values cut" in cli.out(pred, gold, *metrics)
    assert "as read" not in cli.out(gold, gold, "--metric", "sembleu")


def test_a_call_opens_no_file() -> None:
    """What is looked up in files and folders is looked up once for a process."""
    code = (
        "import sys, exactmatch\n"
        f"exactmatch.smatch({GOOD!r}, {OTHER!r})\n"
        "sys.addaudithook(lambda what, _: what in ('open', 'os.listdir') and 1 / 0)\n"
        f"exactmatch.smatch({OTHER!r}, {GOOD!r})\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Text metrics on what was parsed


def test_all_metrics_leave_text_out_where_it_is_what_was_parsed(
    write: Write, cli: Cli
) -> None:
    sentences = ("The boy wants to go .", "The girl wants to leave .")
    pred = write("p.amr", GOOD, OTHER, sentences=sentences)
    gold = write("g.amr", GOOD, GOOD, sentences=sentences)
    _, found, err = cli.outcome(pred, gold, "--metric", "all")
    kinds = {metric_class(f["metric"]).reads for f in found}
    assert kinds == {"graph"}
    assert "they are what was parsed: leaving out yisi-text, bleu" in err
    other = write("o.amr", GOOD, GOOD, sentences=(sentences[0], "She goes ."))
    _, found, err = cli.outcome(pred, other, "--metric", "all")
    assert "chrf" in [f["metric"] for f in found]
    assert err == ""


def test_a_text_metric_asked_for_by_name_warns(write: Write) -> None:
    sentences = ("The boy wants to go .", "The girl wants to leave .")
    files = [write(n, GOOD, OTHER, sentences=sentences) for n in ("p.amr", "g.amr")]
    found = score_files(*files, metrics=["smatch", "chrf"]).warnings["sentences"]
    assert "are the same on all 2 pairs: they are what was parsed" in found.examples[0]
    assert "sentences" not in score_files(*files).warnings
    texts = [Path(file).read_text().split("\n\n")[0] for file in files]
    assert "sentences" in evaluate(texts[:1], texts[1:], "chrf").warnings
    said = evaluate(["The same words ."], ["The same words ."], "chrf")
    assert said.warnings == {}


# What is public can be sent and copied


def test_everything_public_pickles_copies_and_becomes_plain_data() -> None:
    """A graph without comments has no metadata; that once could not be pickled."""
    report = evaluate([GOOD, OTHER], [GOOD, GOOD], ["smatch", "yisi"], confidence=0.9)
    explained = exactmatch.align(GOOD, OTHER)
    public: list[Any] = [
        report,
        report.scores[0],
        report.pairs[0],
        explained,
        explained.aligned[0],
        report.pairs[0].pred,
        exactmatch.smatch(GOOD, OTHER),
        report.pairs[0].solution,
        exactmatch.PROFILES["clean"],
        Settings(on_error="skip", intervals=None),
        exactmatch.Limits(1.0),
        exactmatch.Triple("a", "b", "c"),
        GraphError("is bad", "x.amr", 3, "id"),
    ]
    for thing in public:
        for other in (pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing)):
            assert type(other) is type(thing)
            if not isinstance(thing, Exception):
                assert other == thing
        if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
            assert isinstance(dataclasses.asdict(thing), dict)
    assert dataclasses.asdict(report)["scores"][0]["score"]["f1"] == report.f1
    problem = exactmatch.solvers.AlignmentProblem.from_weights(1, 1, {(0, 0): 1}, {})
    assert copy.deepcopy(problem).unary.tolist() == [1]
    assert isinstance(pickle.loads(pickle.dumps(Profile)), type)


def test_partial_reports_are_asked_for(write: Write) -> None:
    files = write("p.amr", GOOD, OTHER), write("g.amr", GOOD, GOOD)

    def interrupt(result: Any) -> None:
        if result.index == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_files(*files, take=interrupt)
    report = score_files(*files, settings=Settings(partial=True), take=interrupt)
    assert report.partial
    assert "|partial:yes|" in report.scores[0].signature


SAMPLED = Settings(partial=True, intervals=Sampling(100))
"""Enough graphs have intervals of a hundred samples."""


def test_a_partial_report_does_not_wait_for_intervals(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write("p.amr", *[GOOD, OTHER] * 20), write("g.amr", *[GOOD] * 40)
    whole = score_files(*files, settings=SAMPLED)
    assert whole.scores[0].intervals

    def interrupt(result: Any) -> None:
        if result.index == 30:
            raise KeyboardInterrupt

    def draw(*_: Any) -> None:
        pytest.fail("samples are drawn")

    monkeypatch.setattr("exactmatch.scoring.resampling.score_intervals", draw)
    report = score_files(*files, settings=SAMPLED, take=interrupt)
    assert (report.partial, report.scores[0].pairs) == (True, 31)
    assert not report.scores[0].intervals
    assert "bootstrap" not in report.scores[0].signature


def test_an_interruption_while_samples_are_drawn_keeps_the_scores(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write("p.amr", *[GOOD, OTHER] * 20), write("g.amr", *[GOOD] * 40)
    plain = score_files(*files)
    drawn = []

    def interrupt(*_: Any) -> None:
        drawn.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr("exactmatch.scoring.resampling.score_intervals", interrupt)
    report = score_files(*files, settings=SAMPLED)
    assert (report.partial, report.f1, len(drawn)) == (True, plain.f1, 1)
    with pytest.raises(KeyboardInterrupt):
        score_files(*files, settings=Settings(intervals=Sampling(100)))


def test_intervals_are_drawn_once(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write("p.amr", *[GOOD] * 30, BAD), write("g.amr", *[GOOD] * 31)
    drawn = []

    def counted(*given: Any) -> Any:
        drawn.append(1)
        return score_intervals(*given)

    monkeypatch.setattr("exactmatch.scoring.resampling.score_intervals", counted)
    settings = Settings(on_error="skip", intervals=Sampling(100, method="bca"))
    assert score_files(*files, settings=settings).scores[0].intervals
    assert len(drawn) == 1
