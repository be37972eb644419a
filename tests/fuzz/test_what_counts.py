"""Options that choose what counts, at random, on graphs made at random.

What is expected is counted from the triples by the oracle of
``support/graph_strategies.py``.  The command line and Python say the same of every pair
and of all together.  A failure names the seed, and ``case(seed)`` makes it again.
"""

import json
import math
import os
import random
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.command import Cli
from support.graph_strategies import (
    CONCEPTS,
    CONSTANTS,
    Parts,
    best_match,
    counted,
    linearised,
)

import exactmatch
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.metrics.making import make_metric

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "2000")) // 20
FIRST = int(os.environ.get("EXACTMATCH_FUZZ_FIRST", "0"))

ROLES = ("ARG0", "ARG1", "time", "op1", "polarity", "wiki", "Snt1", "é")
NAMES = (
    *ROLES,
    *("concept", "instance", "TOP", ":top", "ARG", "arg0", ":ARG1", " time", "ARG99"),
    *("", "-of", "ARG0-of", "op", "attribute", "relation", "\u00e9\u0301", "İ"),
)
OTHERS = ("s2match", "sembleu", "rematch", "wlk", "yisi")
PAIRS = 3


class Case(NamedTuple):
    """Predictions, references, and what counts of them."""

    preds: list[str]
    golds: list[str]
    profile: Profile
    options: dict[str, Any]
    flags: list[str]


def text(rng: random.Random) -> str:
    """A connected graph of few variables."""
    names = [f"v{k}" for k in range(rng.randint(1, 3))]
    relations = [
        (names[rng.randrange(k)], rng.choice(ROLES), names[k])
        for k in range(1, len(names))
    ]
    if rng.random() < 0.3:
        relations.append((rng.choice(names), rng.choice(ROLES), rng.choice(names)))
    attributes = [
        (rng.choice(names), rng.choice(ROLES), rng.choice(CONSTANTS))
        for _ in range(rng.randint(0, 3))
    ]
    concepts = {name: rng.choice(CONCEPTS) for name in names}
    return linearised(Parts(concepts, attributes, relations), rng.randrange(1000))


def case(seed: int) -> Case:
    """The case of one seed."""
    rng = random.Random(seed)
    options: dict[str, Any] = {}
    flags = []
    for flag, name in (("--only", "only"), ("--except", "leave_out")):
        if rng.random() < 0.6:
            options[name] = tuple(rng.sample(NAMES, rng.randint(1, 3)))
            flags.append(f"{flag}={','.join(options[name])}")
    for name, choices in (
        ("top", ("constant", "concept", "none")),
        ("duplicates", ("product", "multiset", "set")),
        ("just", ("instance", "attribute", "relation")),
    ):
        if rng.random() < 0.3:
            options[name] = rng.choice(choices)
            flags.append(f"--{name}={options[name]}")
    for name in ("wiki", "sense"):
        if rng.random() < 0.2:
            options[name] = False
            flags.append(f"--no-{name}")
    profile = rng.choice(("smatch", "clean", "smatchpp-generic"))
    sides = [[text(rng) for _ in range(PAIRS)] for _ in range(2)]
    if rng.random() < 0.3:
        sides[1][0] = sides[0][0]
    chosen = PROFILES[profile].with_options(**options)
    return Case(sides[0], sides[1], chosen, options, [*flags, f"--profile={profile}"])


def expected(found: Case) -> list[tuple[int, int, int]]:
    """What matches of each pair, and how much counts on either side."""
    metric = make_metric("smatch", profile=found.profile)
    rows = []
    for texts in zip(found.preds, found.golds, strict=True):
        left, right = (metric.read(one).item for one in texts)
        sides = [counted(left, found.profile), counted(right, found.profile)]
        if found.profile.duplicates == "set":
            sides = [list(set(side)) for side in sides]
        matched = best_match(left, right, found.profile)
        rows.append((matched, len(sides[0]), len(sides[1])))
    return rows


NUMBERS = ("matched", "pred_total", "gold_total")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::exactmatch.errors.ExactmatchWarning")
def test_counts_are_those_of_the_triples(tmp_path: Path, cli: Cli) -> None:
    paths = [tmp_path / "pred.amr", tmp_path / "gold.amr"]
    failures = []
    for seed in range(FIRST, FIRST + CASES):
        found = case(seed)
        for path, side in zip(paths, (found.preds, found.golds), strict=True):
            path.write_text("\n\n".join(side) + "\n", encoding="utf-8")
        ran = cli(*paths, "-q", "--per-pair", "--format", "json", *found.flags)
        try:
            (record,) = json.loads(ran.out)["metrics"]
            check(found, record)
        except Exception as error:  # each is told of below
            failures.append(f"{seed}: {type(error).__name__}: {error} {ran.err}")
    assert not failures, "\n".join(failures[:20])


def check(found: Case, record: Any) -> None:
    """Hold what the command line and Python say against what is expected."""
    rows = expected(found)
    pairs = record["per_pair"]
    assert [tuple(pair[name] for name in NUMBERS) for pair in pairs] == rows
    assert [record[name] for name in NUMBERS] == list(map(sum, zip(*rows, strict=True)))
    report = exactmatch.evaluate(found.preds, found.golds, profile=found.profile)
    scores = [pair.score for pair in report.pairs]
    assert [tuple(getattr(s, name) for name in NUMBERS) for s in scores] == rows
    chooses = bool(found.options.keys() & {"only", "leave_out"})
    for score, pair, row in zip(scores, pairs, rows, strict=True):
        nothing = row[1] == row[2] == 0
        assert score.is_defined is not (chooses and nothing)
        assert pair["score"] == (score.f1 if score.is_defined else None)
        if not nothing:
            total = row[1] + row[2]
            f1 = 2 * row[0] / total if row[1] and row[2] else 0
            assert score.f1 == pytest.approx(f1)
    defined = [pair["f1"] for pair in pairs if pair["f1"] is not None]
    mean = math.fsum(defined) / len(defined) if defined else None
    assert report["smatch"].macro["f1"] == mean


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::exactmatch.errors.ExactmatchWarning")
def test_other_metrics_say_the_same_from_python(tmp_path: Path, cli: Cli) -> None:
    """Of roles that no graph has none of them says anything."""
    paths = [tmp_path / "pred.amr", tmp_path / "gold.amr"]
    for seed in range(FIRST, FIRST + CASES // 10):
        found = case(seed)
        for path, side in zip(paths, (found.preds, found.golds), strict=True):
            path.write_text("\n\n".join(side) + "\n", encoding="utf-8")
        asked = [*found.flags[:-1], "--metric", ",".join(OTHERS), "-q"]
        records = cli.json(*paths, *asked, "--per-pair")["metrics"]
        for name, record in zip(OTHERS, records, strict=True):
            own: Any = make_metric(name)
            profile = own.profile.with_options(**found.options)
            metric = make_metric(name, profile=profile)
            report = exactmatch.evaluate(found.preds, found.golds, metric)
            score = report[name].score
            assert record["score"] == (score.score if score.is_defined else None), seed
            for pair, other in zip(report.pairs, record["per_pair"], strict=True):
                value = pair.score.score if pair.score.is_defined else None
                assert other["score"] == value, seed
        nowhere = [*paths, "--only=ARG99", "--metric", ",".join(OTHERS), "-q"]
        for record in cli.json(*nowhere)["metrics"]:
            assert record["score"] is None, (seed, record)
