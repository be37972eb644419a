"""Parts that are scored apart have together the report of one run."""

from __future__ import annotations

import copy
import functools
import itertools
import json
import multiprocessing
import pickle
import random
import re
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.command import Cli
from support.examples import examples
from support.files import Files
from support.for_processes import scored_part
from support.mutations import mutated_json

import exactmatch
from exactmatch import InputError, Scorer
from exactmatch.scoring import parts
from exactmatch.scoring.sums import Columns
from exactmatch.studies.score import view

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(st.lists(st.lists(FINITE, min_size=2, max_size=2)), st.integers(0, 99))
def test_sums_are_exact_whatever_the_order(rows: list[list[float]], cut: int) -> None:
    one, other = Columns(2), Columns(2)
    for row in rows[:cut]:
        other.add(row)
    for row in reversed(rows[cut:]):
        one.add(row)
    one.merge(Columns.of(other.record()))
    exact = [float(sum(map(Fraction, column))) for column in zip(*rows, strict=True)]
    assert one.sums() == tuple(exact or (0.0, 0.0))


@pytest.fixture(scope="module")
def sample() -> tuple[list[str], list[str]]:
    folder = Path(exactmatch.__file__).parent / "sample"
    preds, golds = (
        (folder / name).read_text().strip().split("\n\n")
        for name in ("pred.amr", "gold.amr")
    )
    return preds, golds


OPTIONS: list[dict[str, Any]] = [
    {"metric": "smatch", "confidence": 0.95},
    {"metric": "smatch", "profile": "clean", "roles": "ARG0", "on_error": "skip"},
    {"metric": "s2match", "keep_pairs": True},
    {"metric": "sembleu", "ngram": 2, "confidence": 0.9},
    {"metric": "graph", "node_similarity": "lcs", "time_limit": 60.0},
]


@settings(max_examples=examples(20), deadline=None)
@given(data=st.data(), options=st.sampled_from(OPTIONS))
def test_a_merged_report_is_that_of_one_scorer(
    sample: tuple[list[str], list[str]], data: st.DataObject, options: dict[str, Any]
) -> None:
    preds, golds = sample
    places = data.draw(st.lists(st.integers(0, len(preds)), max_size=4))
    ends = [0, *sorted(places), len(preds)]
    whole = Scorer(**options)
    whole.update(preds, golds)
    scorers = []
    for begin, end in itertools.pairwise(ends):
        scorers.append(Scorer(**options))
        scorers[-1].update(preds[begin:end], golds[begin:end])
    sent = [pickle.loads(pickle.dumps(one)) for one in scorers]
    merged = functools.reduce(Scorer.merge, sent).compute()
    wanted, got = whole.compute().to_dict(), merged.to_dict()
    for record in (*wanted["pairs"], *got["pairs"]):
        record.pop("seconds")
    assert got == wanted


@pytest.mark.slow
def test_scorers_come_back_from_other_processes(
    sample: tuple[list[str], list[str]],
) -> None:
    parts = [tuple(side[k : k + 10] for side in sample) for k in range(0, 40, 10)]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        scorers = executor.map(scored_part, parts)
        report = functools.reduce(Scorer.merge, scorers).compute()
    assert report.to_dict() == scored_part(sample).compute().to_dict()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "sembleu"}, "scored with metric 'sembleu', and this Scorer with"),
        ({"profile": "clean"}, "profile 'clean', and this Scorer with 'smatch'"),
        ({"roles": "ARG0"}, "was scored with"),
        ({"seed": 3}, "seed 3"),
        ({"confidence": 0.9}, r"level 0\.9"),
        ({"time_limit": 2.0}, r"time_limit 2\.0"),
    ],
)
def test_scorers_of_other_options_are_refused(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Scorer().merge(Scorer(**options))


def test_pairs_are_added_once() -> None:
    one, other = Scorer(), Scorer()
    other.update(["(a / b)"], ["(a / b)"])
    assert one.merge(other) is one
    for again in (one, other, copy.deepcopy(other)):
        with pytest.raises(InputError, match="added before"):
            one.merge(again)
    with pytest.raises(InputError, match="is not a Scorer"):
        one.merge([other])  # type: ignore[arg-type]  # what is refused
    one.reset()
    assert len(one.merge(other).compute()) == 1


def test_pairs_that_were_left_out_keep_their_places() -> None:
    golds = ["(a / b)", "(c / d)"]
    scorers = [Scorer(on_error="skip", keep_pairs=True) for _ in range(3)]
    scorers[0].update(["(a / b)", "(oops"], golds)
    scorers[1].update(["(c / e)", "(c / d)"], golds)
    report = scorers[2].merge(scorers[0].merge(scorers[1])).compute()
    assert [pair.index for pair in report.pairs] == [0, 2, 3]
    assert [(one.index, one.action) for one in report.omitted] == [(1, "skipped")]
    assert (report.predictions.count, report.predictions.faulty) == (4, 1)


# Files


COMMANDS = [
    (),
    ("--confidence", "--metric", "smatch,sembleu"),
    ("--metric", "graph", "--node-similarity", "lcs", "--on-error", "skip"),
    ("--profile", "clean", "--macro"),
]


def _written(cli: Cli, files: Files, sample: Any, options: tuple[str, ...]) -> Any:
    """Score the sample as a whole and in three parts; return the names of all files."""
    files.enter()
    preds, golds = sample
    files({"p.amr": "\n\n".join(preds) + "\n", "g.amr": "\n\n".join(golds) + "\n"})
    names = []
    for begin, end in ((0, 1), (1, 25), (25, len(preds))):
        name = f"part-{begin:02}.jsonl"
        for side, graphs in (("p", preds), ("g", golds)):
            files.one(f"{side}{begin}", "\n\n".join(graphs[begin:end]) + "\n")
        one = (f"p{begin}", f"g{begin}", *options, "--format", "jsonl", "-o", name)
        assert cli(*one).code == 0
        names.append(name)
    return names


@pytest.mark.slow
@pytest.mark.parametrize("options", COMMANDS)
def test_the_answer_of_parts_is_that_of_one_run(
    cli: Cli, files: Files, sample: Any, options: tuple[str, ...]
) -> None:
    names = _written(cli, files, sample, options)
    shown = [word for word in options if word == "--macro"]
    for form in ("text", "json", "csv", "latex"):
        merged = cli.out("merge", *names, *shown, "--format", form)
        assert merged == cli.out("p.amr", "g.amr", *options, "--format", form)


DIRTY_GOLDS = [
    "# ::id a\n# ::snt One.\n(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "# ::id b\n# ::snt Two.\n(s / see-01 :ARG0 (d / dog) :polarity -)",
    '# ::id c\n(p / person :name (n / name :op1 "Ann") :wiki "Ann")',
    "# ::snt Four.\n(r / rain-01 :time (n / now))",
    "# ::id e\n# ::snt Five.\n(l / long-02 :degree (v / very))",
    "# ::id f\n(c / cat)",
]
DIRTY_PREDS = [
    "# ::id a\n# ::snt One.\n(w / want-01 :ARG0 (b / girl) :ARG1 (g / go-02 :ARG0 b))",
    "# ::id b\n# ::snt Other.\n(s / see-01 :ARG0 (d / dog) :polarity",
    '# ::id c\n(p / person :name (n / name :op1 "Bob") :wiki "Ann")',
    "# ::snt Not that.\n(r / rain-01~e.1 :time (r / now))",
    "# ::id x\n# ::snt Five.\n(l / long-02 :degree (v / very) :mod (q / quite))",
    "# ::id f\n(c",
]
"""Graphs that cannot be read, have other ids or sentences, or the roles of few."""

DIRTY_OPTIONS: list[tuple[str, ...]] = [
    ("--on-error", "skip"),
    ("--on-error", "empty", "--confidence", "0.9"),
    ("--on-error", "skip", "--roles", "polarity,time,oops"),
    ("--on-error", "skip", "--by-id"),
    ("--on-error", "skip", "--profile", "clean", "--metric", "smatch,sembleu"),
    ("--on-error", "skip", "--metric", "s2match", "--certify"),
    ("--on-error", "empty", "--metric", "bleu"),
]


@pytest.mark.slow
@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    places=st.lists(st.integers(0, 5), min_size=2, max_size=6),
    cuts=st.sets(st.integers(1, 5), max_size=3),
    options=st.sampled_from(DIRTY_OPTIONS),
)
def test_the_report_of_any_split_is_that_of_one_run(
    cli: Cli, files: Files, places: list[int], cuts: set[int], options: tuple[str, ...]
) -> None:
    """All but the places in files, which stand in their messages."""
    files.enter()
    sides = {"p": DIRTY_PREDS, "g": DIRTY_GOLDS}
    if "--by-id" in options:
        places = sorted(set(places))

    def written(name: str, chosen: list[int]) -> list[str]:
        for side, graphs in sides.items():
            text = "\n\n".join(graphs[k] for k in chosen)
            files.one(f"{side}{name}.amr", f"{text}\n")
        return [f"p{name}.amr", f"g{name}.amr", *options]

    ends = [0, *sorted(cut for cut in cuts if cut < len(places)), len(places)]
    parts = []
    for begin, end in itertools.pairwise(ends):
        command = written(f"-{begin}", places[begin:end])
        parts.append(f"part-{begin}.jsonl")
        cli.out(*command, "--format", "jsonl", "-o", parts[-1])
    whole = written("", places)
    for form in ("json", "text"):
        one, merged = (
            cli(*whole, "--format", form),
            cli("merge", *parts, "--format", form),
        )
        assert merged.code == one.code
        assert _without_places(merged.out) == _without_places(one.out)


def _without_places(text: str) -> str:
    """Return a report without provenance and without lines and columns of files."""
    text = re.sub(r'(?s)"provenance".*|provenance: .*', "", text)
    return re.sub(r"[pg](-\d)?\.amr(:\d+)*|on line \d+", "FILE", text)


def test_a_part_of_which_no_pair_can_be_scored_says_so(cli: Cli, files: Files) -> None:
    files.enter()
    files({"p": "(a / b", "g": "(a / b)", "p2": "(c / d)", "g2": "(c / d)"})
    options = ("--profile", "clean", "--on-error", "skip", "--format", "jsonl")
    ran = cli("p", "g", *options, "-o", "bad.jsonl")
    assert (ran.code, "smatch has scored no pair" in ran.err) == (0, True)
    cli.out("p2", "g2", *options, "-o", "good.jsonl")
    assert "skipped: p:1:" in cli.out("merge", "bad.jsonl", "good.jsonl")
    assert "no pair could be scored: p:1" in cli.refusal("merge", "bad.jsonl")


def _table(path: Path, rows: list[tuple[str, str, str]]) -> None:
    """Write rows of ids, predictions and references as Parquet."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path.parent.mkdir(exist_ok=True)
    columns = dict(zip(("key", "pred", "gold"), zip(*rows, strict=True), strict=True))
    parquet.write_table(arrow.table({k: [*v] for k, v in columns.items()}), path)


def test_folders_of_parquet_are_scored_and_written_in_parts(
    cli: Cli, files: Files, sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns are named by --field; parts hold a row a pair, in batches."""
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(view, "BATCH", 7)
    files.enter()
    bare = [[_bare(graph) for graph in side] for side in sample]
    rows = [(f"n{k}", *pair) for k, pair in enumerate(zip(*bare, strict=True))]
    Path("out").mkdir()
    field = ("--field", "pred, gold, id=key")
    for k in range(3):
        name = f"part-{k}.parquet"
        _table(Path("in") / name, rows[15 * k : 15 * (k + 1)])
        _table(Path("all.parquet"), rows)
        one = (f"in/{name}", f"in/{name}", *field)
        cli.out(*one, "--per-pair", "--format", "parquet", "-o", f"out/{name}")
    files.one("out/_SUCCESS", "")
    whole = cli.json("in", "in", *field)
    assert cli.json("merge", "out")["metrics"] == whole["metrics"]
    assert cli.json("all.parquet", "all.parquet", *field)["metrics"] == whole["metrics"]
    written = parquet.read_table("out/part-1.parquet").to_pylist()
    shown = cli.json("in/part-1.parquet", "in/part-1.parquet", *field, "--per-pair")
    wanted = shown["metrics"][0]["per_pair"]
    for record in (*written, *wanted):
        record.pop("seconds")
        record.pop("faults", None)
    assert written == wanted
    assert [record["id"] for record in written] == [f"n{k}" for k in range(15, 30)]
    cli.out("merge", "out", "--format", "parquet", "-o", "merged.parquet")
    assert cli.json("merge", "merged.parquet")["metrics"] == whole["metrics"]
    twice = cli.refusal("merge", "out/part-0.parquet", "out")
    assert "out/part-0.parquet: holds the pairs of part-0.parquet" in twice


def _bare(graph: str) -> str:
    return "\n".join(line for line in graph.splitlines() if not line.startswith("#"))


def test_a_parquet_file_without_a_part_is_a_sentence(cli: Cli, files: Files) -> None:
    files.enter()
    _table(Path("a.parquet"), [("1", "(a / b)", "(a / b)")])
    assert "a.parquet: holds no sums to merge" in cli.refusal("merge", "a.parquet")
    damaged = files.one("b.parquet", "PAR1 and no more")
    assert "not a whole Parquet file" in cli.refusal("merge", damaged)
    Path("none").mkdir()
    assert "holds no file" in cli.refusal("merge", "none")
    scored = ("a.parquet", "a.parquet", "--field")
    assert "no column 'no'" in cli.refusal(*scored, "pred,gold,id=no")
    assert "one column of ids" in cli.refusal(*scored, "pred,gold,id=key,id=pred")
    assert "-o FILE.parquet" in cli.refusal(*scored, "pred,gold", "--format", "parquet")


def test_merged_parts_are_a_part(cli: Cli, files: Files, sample: Any) -> None:
    first, second, third = _written(cli, files, sample, ())
    cli.out("merge", first, second, "--format", "jsonl", "-o", "both.jsonl")
    assert cli.out("merge", "both.jsonl", third, "-b") == "0.7880\n"
    twice = cli.refusal("merge", "both.jsonl", third, second)
    assert "part-01.jsonl: holds the pairs of p1, g1, which both.jsonl holds" in twice
    cli.out("p0", "g0", "--seed", "5", "--format", "jsonl", "-o", "other.jsonl")
    assert "seed 5" in cli.refusal("merge", second, "other.jsonl")
    cli.out("p0", "g0", "--per-pair", "--format", "jsonl", "-o", "pairs.jsonl")
    assert "without --per-pair" in cli.refusal("merge", "pairs.jsonl")
    part = json.loads(Path(first).read_text())
    part["part"]["version"] = "0.0.1"
    part["part"]["sha256"] = parts._digest(part["part"])
    old = files.one("old.jsonl", json.dumps(part))
    assert "exactmatch '0.0.1'" in cli.refusal("merge", old, second)
    assert "cannot be read" in cli.refusal("merge", "nothing.jsonl")
    assert "p.amr: is not a part" in cli.refusal("merge", "p.amr")


def test_a_metric_that_learns_has_no_parts(cli: Cli, files: Files) -> None:
    files.enter()
    files({"p": "a cat\n", "g": "a dog\n"})
    options = ("--metric", "yisi-text", "--format", "jsonl", "-o", "part.jsonl")
    cli.out("p", "g", *options)
    assert "learns from all references" in cli.refusal("merge", "part.jsonl")


def test_a_damaged_part_is_a_sentence(cli: Cli, files: Files, sample: Any) -> None:
    first, second, _ = _written(cli, files, sample, ())
    record = json.loads(Path(first).read_text())
    rng = random.Random(7)
    for number in range(60):
        part = mutated_json(rng, copy.deepcopy(record["part"]))
        path = files.one("damaged.jsonl", json.dumps({**record, "part": part}))
        if part != record["part"]:
            assert path in cli.refusal("merge", path, second, "-b"), number
        if isinstance(part, dict):  # by somebody who knows how it is written
            part["sha256"] = parts._digest(part)
            files.one("damaged.jsonl", json.dumps({**record, "part": part}))
            code = cli("merge", path, second, "-b").code
            assert code in (0, 1, 2), number  # 1: it says that a proof was rejected
