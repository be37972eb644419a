"""A question has the same options in Python, on the command line and in files."""

from __future__ import annotations

import inspect
import re
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
from exactmatch.studies.options import NamedFiles

EVERY: dict[str, Any] = {name: COMMANDS[name] for name in COMMANDS.own}
ROWS = {name: one.row for name, one in EVERY.items() if isinstance(one, Question)}


def test_the_options_of_metrics_have_names_and_types() -> None:
    declared = {option.name for option in metric_options(METRICS.own)}
    assert set(Metrics.OWN) == declared | {"more"}


SEVERAL = {
    "correlate": ("correlate_preferences", "correlate_foils", "correlate_systems")
}
"""Commands that ask one of several questions, and the other functions that do."""

CHOOSING = {"files", "foils", "names"}
"""Options that choose among these."""


ELSEWHERE: dict[str, Any] = {
    "errors": exactmatch.studies.count_errors,
    "report": exactmatch.studies.write_report,
}
"""The functions of questions whose names are those of packages."""


@pytest.mark.parametrize("name", ROWS)
def test_python_takes_what_the_command_takes(name: str) -> None:
    """Names and defaults are the same; what has no flag is Python's alone."""
    row = ROWS[name]
    python = ELSEWHERE.get(name, getattr(exactmatch, name.replace("-", "_"), None))
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
            operand = option in NamedFiles.DECLARED or option == "output"
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
    shown = cli.json("audit", *_flags(options), "--quiet")["metrics"]
    found = exactmatch.audit(*_sample(), **options).to_dict()["metrics"]
    for one, other in zip(shown, found, strict=True):
        assert one["errors"] == other["errors"]
        assert one["signatures"] == other["signatures"]


def _sample() -> tuple[list[str], list[str]]:
    folder = Path(exactmatch.__file__).with_name("sample")
    pred, gold = (
        (folder / f"{side}.amr").read_text(encoding="utf-8").strip().split("\n\n")
        for side in ("pred", "gold")
    )
    return pred, gold


ERRORS: list[dict[str, Any]] = [
    {},
    {"metric": "s2match", "cutoff": 0.7},
    {"profile": "clean", "wiki": False, "roles": "ARG0,ARG1", "by_id": True},
    {"solver": "hillclimb", "restarts": 2, "seed": 3},
]


@pytest.mark.parametrize("options", ERRORS)
def test_errors_are_the_same(options: dict[str, Any], cli: Cli) -> None:
    """Graphs in memory are named in their own words, as those of files are."""
    flags = _flags(options)
    shown = cli.json("errors", *flags, "--names", "predictions", "--quiet")
    preds, golds = _sample()
    found = exactmatch.studies.count_errors(preds, golds, **options).to_dict()
    assert found["systems"] == shown["systems"]
    assert found["signatures"] == shown["signatures"]


def test_errors_of_several_systems_are_the_same(cli: Cli, tmp_path: Path) -> None:
    preds, golds = _sample()
    other = [text.replace(":ARG1", ":ARG2") for text in golds]
    paths = []
    for name, graphs in {"a": preds, "b": other, "gold": golds}.items():
        paths.append(tmp_path / f"{name}.amr")
        paths[-1].write_text("\n\n".join(graphs), encoding="utf-8")
    shown = cli.json("errors", *map(str, paths), "--names", "a,b", "-q")
    found = exactmatch.studies.count_errors({"a": preds, "b": other}, golds)
    assert [one["errors"] for one in found.to_dict()["systems"]] == [
        one["errors"] for one in shown["systems"]
    ]
    assert list(found.counts) == ["a", "b"]


def test_pages_are_the_same(cli: Cli, tmp_path: Path) -> None:
    """But for ids, which files have, and the lines that say where files come from."""
    preds, golds = _sample()
    options: dict[str, Any] = {
        "macro": True,
        "decimals": 2,
        "samples": 20,
        "by_id": True,
    }
    shown = cli.out("report", *_flags(options), "--names", "predictions")
    path = tmp_path / "page.html"
    page = exactmatch.studies.write_report(preds, golds, output=path, **options)
    written = path.read_text(encoding="utf-8")
    assert written == str(page)
    packed = re.compile('<script type="text/plain".*?</script>', re.DOTALL)
    assert packed.findall(written) == packed.findall(shown)
    scores = re.compile(r"<tbody>.*?</tbody>", re.DOTALL)
    assert scores.findall(written) == scores.findall(shown)


def _flags(options: dict[str, Any]) -> list[str]:
    flags: list[str] = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            flags.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            flags += [f"--{flag}", text]
    return flags
