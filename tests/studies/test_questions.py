"""A question has the same options in Python, on the command line and in files."""

from __future__ import annotations

import inspect
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import networkx as nx
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
from exactmatch.studies.solve.study import solve

EVERY: dict[str, Any] = {name: COMMANDS[name] for name in COMMANDS.own}
ROWS = {name: one.row for name, one in EVERY.items() if isinstance(one, Question)}


def test_the_options_of_metrics_have_names_and_types() -> None:
    declared = {option.name for option in metric_options(METRICS.own)}
    assert set(Metrics.OWN) == declared | {"more"}


SEVERAL = {
    "correlate": ("correlate_preferences", "correlate_foils", "correlate_systems")
}
"""Commands that ask one of several questions, and the other functions that do."""

FUNCTIONS: dict[str, Any] = {
    "errors": exactmatch.studies.count_errors,
    "ged": exactmatch.studies.edit_distances,
    "report": exactmatch.studies.write_report,
    "solve": solve,
    "solvers": None,
}
"""What a command asks that is called otherwise in Python."""

CHOOSING = {"files", "foils", "names"}
"""Options that choose among these."""


@pytest.mark.parametrize("name", ROWS)
def test_python_takes_what_the_command_takes(name: str) -> None:
    """Names and defaults are the same; what has no flag is Python's alone."""
    row = ROWS[name]
    python = FUNCTIONS.get(name, getattr(exactmatch, name.replace("-", "_"), None))
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


def test_a_distance_of_two_graphs_has_the_options_of_many() -> None:
    """But for those of files and workers."""
    one = inspect.signature(exactmatch.ged).parameters
    many = inspect.signature(exactmatch.studies.edit_distances).parameters
    assert set(many) - set(one) == {"first", "second", "format_in", "max_bytes", "jobs"}
    assert set(one) - set(many) == {"g1", "g2"}
    compared = {"node_match", "edge_match"}
    for name in set(one) & set(many) - compared:
        assert one[name].default == many[name].default, name


DISTANCES: list[dict[str, Any]] = [
    {},
    {"node_match": "none", "edge_match": "valence", "node_costs": "0.5,1,3"},
    {"node_match": "symbol", "edge_costs": "2,0.25,1", "upper_bound": 9},
    {"roots": "0,2", "node_match": "symbol", "jobs": 2},
    {"time_limit": 60, "certify": True, "solver": "bnb"},
]


@pytest.mark.parametrize("options", DISTANCES)
def test_distances_are_the_same(
    options: dict[str, Any], cli: Cli, tmp_path: Path
) -> None:
    """Of the command, of the function of many pairs and of that of one."""
    sides = [[ring(n, n + side) for n in (3, 4)] for side in (0, 2)]
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, graphs in zip(paths, sides, strict=True):
        listed = [nx.node_link_data(graph, edges="edges") for graph in graphs]
        path.write_text(json.dumps(listed))
    flags = [
        word
        for name, value in options.items()
        for word in (
            f"--{name.replace('_', '-')}",
            *([] if value is True else [str(value)]),
        )
    ]
    shown = cli.json("ged", *paths, *flags, "--quiet")
    many = exactmatch.studies.edit_distances(sides[0], sides[1], **options).to_dict()
    assert shown["signatures"] == many["signatures"]
    one = {"node_match": "all", "edge_match": "all"} | options
    one.pop("jobs", None)
    if "roots" in one:
        one["roots"] = (0, 2)
    for index, pair in enumerate(zip(*sides, strict=True)):
        alone = exactmatch.ged(*pair, **one).to_dict()
        for found in (alone, shown["pairs"][index], many["pairs"][index]):
            found.pop("seconds")
            for own in ("names", "index"):
                found.pop(own, None)
        assert json.loads(json.dumps(alone)) == shown["pairs"][index]
        assert alone == many["pairs"][index]


def ring(size: int, shift: int) -> Any:
    graph = nx.cycle_graph(size + shift % 3)
    for node in graph:
        graph.nodes[node]["symbol"] = "CNO"[(node + shift) % 3]
    for u, v in graph.edges:
        graph.edges[u, v]["valence"] = (u * v + shift) % 2
    return graph


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
