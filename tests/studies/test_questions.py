"""A question has the same options in Python, on the command line and in files."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

import exactmatch
from exactmatch.base.options import Options
from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.configuration import ALLOWED
from exactmatch.cli.parsers import make_parser
from exactmatch.cli.questions import Question
from exactmatch.metrics import METRICS, metric_options
from exactmatch.metrics.options import Metrics
from exactmatch.scoring.sources import File
from exactmatch.studies.options import NamedFiles

EVERY: dict[str, Any] = {name: COMMANDS[name] for name in COMMANDS.own}
ROWS = {name: one.row for name, one in EVERY.items() if isinstance(one, Question)}


def test_the_options_of_metrics_have_names_and_types() -> None:
    declared = {option.name for option in metric_options(METRICS.own)}
    assert set(Metrics.OWN) == declared | {"more"}


ELSEWHERE: dict[str, Any] = {
    "matrix": exactmatch.cdist,
    "nearest": exactmatch.search,
    "duplicates": exactmatch.many.duplicates,
    "cluster": exactmatch.many.cluster,
}
"""Functions that do what a command of another name or place does."""

SEVERAL = {
    "correlate": ("correlate_preferences", "correlate_foils", "correlate_systems")
}
"""Commands that ask one of several questions, and the other functions that do."""

CHOOSING = {"files", "foils", "names"}
"""Options that choose among these."""


@pytest.mark.parametrize("name", ROWS)
def test_python_takes_what_the_command_takes(name: str) -> None:
    """Names and defaults are the same; what has no flag is Python's alone."""
    row = ROWS[name]
    python = ELSEWHERE.get(name) or getattr(exactmatch, name.replace("-", "_"), None)
    wanted = set(row.options.DECLARED)
    if name in SEVERAL:
        asked = (python, *(getattr(exactmatch.studies, one) for one in SEVERAL[name]))
        keywords = {k for one in asked for k in inspect.signature(one).parameters}
        assert keywords - {"systems"} == wanted - CHOOSING
    elif python is not None:
        assert set(inspect.signature(python).parameters) == wanted
    parser = make_parser(COMMANDS[name], name, ["--help-all"])
    actions = {action.dest: action for action in parser._actions}
    for option, declared in row.options.DECLARED.items():
        if declared.flags == ():
            operand = option in NamedFiles.DECLARED or declared.is_operand
            assert (
                operand or option not in actions or not actions[option].option_strings
            )
        elif option in actions and declared.about:
            assert actions[option].default == declared.default or option == "metric"


@pytest.mark.parametrize("name", ROWS)
def test_configuration_files_may_hold_what_is_declared_so(name: str) -> None:
    row = ROWS[name]
    parser = make_parser(COMMANDS[name], name, [])
    flags = {action.dest: action.option_strings for action in parser._actions}
    classes: list[type[Options]] = [row.options, *([row.shown] if row.shown else [])]
    for cls in classes:
        for option, declared in cls.DECLARED.items():
            longs = [f[2:] for f in flags.get(option, ()) if f.startswith("--")]
            if declared.about and longs:
                assert bool(ALLOWED & set(longs)) == declared.file, option


@pytest.mark.parametrize("name", ROWS)
def test_studies_and_views_are_where_the_row_says(name: str) -> None:
    row: Any = ROWS[name]
    for place in filter(None, (row.study, row.picture)):
        module, _, function = place.partition(":")
        assert callable(getattr(import_module(module), function))


AUDITS = [
    {"runs": 2, "restarts": [0, 4]},
    {"runs": 1, "restarts": [2], "profile": "clean", "top": "none", "wiki": False},
    {"runs": 1, "restarts": [2], "roles": "ARG0,ARG1", "symmetry": False},
    {"runs": 1, "restarts": [1], "metric": "s2match", "cutoff": 0.7},
]


@pytest.mark.parametrize("options", AUDITS)
def test_audits_are_the_same(options: dict[str, Any], cli: Cli) -> None:
    shown = cli.json("audit", *flags_of(options), "--quiet")["metrics"]
    found = exactmatch.audit(*sample(), **options).to_dict()["metrics"]
    for one, other in zip(shown, found, strict=True):
        assert one["errors"] == other["errors"]
        assert one["signatures"] == other["signatures"]


def flags_of(options: dict[str, Any]) -> list[str]:
    """The same options for the command line."""
    flags: list[str] = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            flags.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            flags += [f"--{flag}", text]
    return flags


def sample() -> list[list[str]]:
    """Both sides of the bundled sample."""
    folder = Path(exactmatch.__file__).with_name("sample")
    return [
        (folder / f"{side}.amr").read_text(encoding="utf-8").strip().split("\n\n")
        for side in ("pred", "gold")
    ]


FINEGRAINED: list[dict[str, Any]] = [
    {"style": "amrlib", "scores": ["srl", "negation"]},
    {"aspects": "main", "scores": "polarity", "certify": True},
    {"confidence": 0.9, "samples": 20, "interval": "percentile", "seed": 3},
    {"solver": "hillclimb", "restarts": [0], "seed": 1, "jobs": 2},
]


@pytest.mark.parametrize("options", FINEGRAINED)
def test_fine_grained_scores_are_the_same(options: dict[str, Any], cli: Cli) -> None:
    shown = cli.json("finegrained", *flags_of(options), "--quiet")["metrics"]
    preds, golds = sample()
    report = exactmatch.finegrained(preds, golds, **options)
    assert len(report.pairs) == len(shown) * len(report)
    for one, other in zip(shown, report.to_dict()["metrics"], strict=True):
        assert {name: one[name] for name in other} == other


AGREEMENTS: list[dict[str, Any]] = [
    {"metric": "s2match", "cutoff": 0.8, "names": "a,b", "profile": "clean"},
    {"confidence": 0.9, "samples": 20, "by_id": True, "roles": "concept"},
    {"chance_pairs": 30, "seed": 5, "solver": "hillclimb", "jobs": 2},
]


@pytest.mark.parametrize("options", AGREEMENTS)
def test_agreement_is_the_same(options: dict[str, Any], cli: Cli) -> None:
    """Of files in Python, of graphs in memory, and on the command line."""
    folder = Path(exactmatch.__file__).with_name("sample")
    paths = [str(folder / f"{side}.amr") for side in ("pred", "gold")]
    shown = cli.json("agreement", *paths, *flags_of(options), "--quiet")
    if not options.get("by_id"):
        shown.pop("disagreements")  # units have ids only where they are of files
    names = shown["annotators"]
    given: list[Any] = [
        [File(path) for path in paths],
        dict(zip(names, sample(), strict=True)),
    ]
    for sides in given:
        found = exactmatch.agreement(sides, **options).to_dict()
        assert {key: found[key] for key in shown if key != "provenance"} == {
            key: value for key, value in shown.items() if key != "provenance"
        }


def test_what_cannot_be_read_is_left_out_in_python_too() -> None:
    good, bad = "(a / x)", "(a / x"
    given = {"Ann": [good, good], "Bob": [good, bad]}
    with pytest.raises(exactmatch.GraphError):
        exactmatch.agreement(given)
    choices: list[tuple[Any, int]] = [("skip", 1), ("empty", 2)]
    for on_error, units in choices:
        with pytest.warns(exactmatch.errors.ExactmatchWarning, match="Bob, unit 2: "):
            found = exactmatch.agreement(given, on_error=on_error)
        assert found.pairs[0].units == units
    with pytest.raises(exactmatch.InputError, match="of Ann has no '# ::id'"):
        exactmatch.agreement({"Ann": [good], "Bob": [good]}, by_id=True)


SHARED: dict[str, Any] = {"profile": "clean", "top": "none", "wiki": False, "jobs": 2}


def test_many_graphs_are_compared_alike(cli: Cli, tmp_path: Path) -> None:
    """By the commands, and by Python of files and of graphs in memory."""
    folder = Path(exactmatch.__file__).with_name("sample")
    paths = [str(folder / f"{side}.amr") for side in ("pred", "gold")]
    files, (preds, golds) = [File(path) for path in paths], sample()
    flags, more = flags_of(SHARED), {**SHARED, "at_least": "60%"}
    least = ["--at-least", "60%"]

    shown = cli.json("matrix", *paths, *flags, *least)["scores"]
    for sides in (files, (preds, golds)):
        assert exactmatch.cdist(*sides, **more).tolist() == shown

    shown = cli.json("nearest", *paths, *flags, "-k", "3", *least)["neighbours"]
    for sides in (files, (preds, golds)):
        rows = exactmatch.search(sides[0], sides[1], 3, **more)
        ours = [(i + 1, score) for row in rows for i, score in row]
        assert ours == [(row["index"], row["score"]) for row in shown]

    shown = cli.json("duplicates", *paths, *flags, *least)["pairs"]
    for graphs in (files, preds + golds):
        found = exactmatch.many.duplicates(graphs, **more)
        assert [(a + 1, b + 1, score) for a, b, score in found] == [
            (row["first"], row["second"], row["score"]) for row in shown
        ]

    shown = cli.json("cluster", *paths, *flags, "-k", "4", "--linkage", "single")
    for graphs in (files, preds + golds):
        clusters = exactmatch.many.cluster(graphs, k=4, linkage="single", **SHARED)
        assert list(clusters.cohesion) == [r["cohesion"] for r in shown["clusters"]]
        assert [k + 1 for k in clusters.labels] == [
            row["cluster"] for row in shown["graphs"]
        ]

    three = [paths[0], paths[1], paths[0]]
    weights = ["--system-weights", "1,2,0.5", "--every-score", "--oracle", paths[1]]
    best = tmp_path / "best.amr"
    args = (*three, *flags, *weights, "-o", str(best))
    shown = cli.json("ensemble", *args)["sentences"]
    written = best.read_text()
    asked: dict[str, Any] = {**SHARED, "system_weights": [1, 2, 0.5]}
    copy = tmp_path / "ours.amr"
    in_files = exactmatch.ensemble(
        [File(path) for path in three], golds=files[1], out=copy, **asked
    )
    candidates = list(zip(preds, golds, preds, strict=True))
    for choices in (in_files, exactmatch.ensemble(candidates, golds=golds, **asked)):
        for choice, row in zip(choices, shown, strict=True):
            assert (choice.index, list(choice.expected)) == (row["index"], row["all"])
            assert choice.gold is not None
            assert choice.gold[choice.index] == row["score"]
    assert copy.read_text() == written
