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
from support.command import Cli, flags_of, in_python

import exactmatch
from exactmatch.base.options import REQUIRED
from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.parsers import make_parser
from exactmatch.cli.questions import Question
from exactmatch.studies.options import NamedFiles
from exactmatch.studies.solve.study import solve

EVERY: dict[str, Any] = {name: COMMANDS[name] for name in COMMANDS}
ROWS = {name: one.row for name, one in EVERY.items() if isinstance(one, Question)}


SEVERAL = {
    "correlate": ("correlate_preferences", "correlate_foils", "correlate_systems")
}
"""Commands that ask one of several questions, and the other functions that do."""

FUNCTIONS: dict[str, Any] = {
    "align": exactmatch.studies.align,
    "cluster": exactmatch.many.cluster,
    "convert": exactmatch.studies.convert,
    "duplicates": exactmatch.many.duplicates,
    "errors": exactmatch.studies.errors,
    "explain-profile": exactmatch.studies.explain_profile,
    "ged": exactmatch.studies.ged,
    "matrix": exactmatch.studies.matrix,
    "nearest": exactmatch.studies.nearest,
    "report": exactmatch.studies.report,
    "score": exactmatch.evaluate,
    "solve": solve,
    "solvers": None,
    "thresholds": exactmatch.studies.thresholds,
    "verify": exactmatch.studies.verify,
    "yisi": exactmatch.studies.yisi,
}
"""What a command asks that is called otherwise in Python."""

CHOOSING = {"files", "foils", "names"}
"""Options that choose among these."""


@pytest.mark.parametrize("name", ROWS)
def test_python_takes_what_the_command_takes(name: str) -> None:
    """Names and defaults are the same; what has no flag is Python's alone."""
    row = ROWS[name]
    python = FUNCTIONS.get(name)
    if name not in FUNCTIONS:
        python = getattr(exactmatch, name.replace("-", "_"), None)
    wanted = set(row.options.DECLARED) - row.options.COMMAND_ONLY
    if name in SEVERAL:
        asked = (python, *(getattr(exactmatch.studies, one) for one in SEVERAL[name]))
        keywords = {k for one in asked for k in inspect.signature(one).parameters}
        assert keywords - {"systems"} == wanted - CHOOSING
    elif python is not None:
        assert set(inspect.signature(python).parameters) == wanted
    parser = make_parser(COMMANDS[name], name, ["--help-all"])
    actions = {action.dest: action for action in parser._actions}
    for option, declared in row.options.DECLARED.items():
        if declared.flags == () or declared.operand:
            operand = option in NamedFiles.DECLARED or declared.operand is not None
            operand = operand or option == "output"
            assert (
                operand or option not in actions or not actions[option].option_strings
            )
        elif option in actions and declared.about:
            default = None if declared.default is REQUIRED else declared.default
            assert actions[option].default == default or option == "metric"


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


@pytest.mark.slow
@pytest.mark.parametrize("options", AUDITS)
def test_audits_are_the_same(options: dict[str, Any], cli: Cli) -> None:
    shown = cli.json("audit", *flags_of(options), "--quiet")["metrics"]
    found = exactmatch.audit(*sample(), **in_python(options)).to_dict()["metrics"]
    for one, other in zip(shown, found, strict=True):
        assert one["errors"] == other["errors"]
        assert one["signatures"] == other["signatures"]


def test_a_distance_of_two_graphs_has_the_options_of_many() -> None:
    """But for those of files and workers."""
    one = inspect.signature(exactmatch.ged).parameters
    many = inspect.signature(exactmatch.studies.ged).parameters
    files = {"first", "second", "field", "max_bytes"}
    assert set(many) - set(one) == {*files, "jobs", "executor"}
    assert set(one) - set(many) == {"g1", "g2"}
    for name in set(one) & set(many) - {"labels"}:
        assert one[name].default == many[name].default, name


DISTANCES: list[dict[str, Any]] = [
    {},
    {"node_match": "none", "edge_match": "valence", "node_costs": "0.5,1,3"},
    {"node_match": "symbol", "edge_costs": "2,0.25,1", "upper_bound": 9},
    {"roots": "0,2", "node_match": "symbol", "jobs": 2},
    {"time_limit": 60, "certify": True, "solver": "bnb"},
]


@pytest.mark.slow
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
    many = exactmatch.studies.ged(sides[0], sides[1], **options).to_dict()
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


ERRORS: list[dict[str, Any]] = [
    {},
    {"metric": "s2match", "cutoff": 0.7},
    {"profile": "clean", "wiki": False, "roles": "ARG0,wiki", "by_id": True},
    {"solver": "hillclimb", "restarts": 2, "seed": 3},
]


@pytest.mark.slow
@pytest.mark.parametrize("options", ERRORS)
def test_errors_are_the_same(options: dict[str, Any], cli: Cli) -> None:
    """Graphs in memory are named in their own words, as those of files are."""
    flags = flags_of(options)
    shown = cli.json("errors", *flags, "--names", "predictions", "--quiet")
    preds, golds = sample()
    found = exactmatch.studies.errors(preds, golds, **in_python(options)).to_dict()
    assert found["systems"] == shown["systems"]
    assert found["signatures"] == shown["signatures"]


@pytest.mark.slow
def test_errors_of_several_systems_are_the_same(cli: Cli, tmp_path: Path) -> None:
    preds, golds = sample()
    other = [text.replace(":ARG1", ":ARG2") for text in golds]
    paths = []
    for name, graphs in {"a": preds, "b": other, "gold": golds}.items():
        paths.append(tmp_path / f"{name}.amr")
        paths[-1].write_text("\n\n".join(graphs), encoding="utf-8")
    shown = cli.json(
        "errors", paths[2], "--systems", *paths[:2], "--names", "a,b", "-q"
    )
    found: Any = exactmatch.studies.errors({"a": preds, "b": other}, golds)
    assert [one["errors"] for one in found.to_dict()["systems"]] == [
        one["errors"] for one in shown["systems"]
    ]
    assert list(found.counts) == ["a", "b"]


@pytest.mark.slow
def test_pages_are_the_same(cli: Cli, tmp_path: Path) -> None:
    """But for ids, which files have, and the lines that say where files come from."""
    preds, golds = sample()
    options: dict[str, Any] = {
        "macro": True,
        "decimals": 2,
        "samples": 20,
        "by_id": True,
    }
    shown = cli.out("report", *flags_of(options), "--names", "predictions")
    path = tmp_path / "page.html"
    page = exactmatch.studies.report(preds, golds, output=path, **options)
    written = path.read_text(encoding="utf-8")
    assert written == str(page)
    # the head of a page of files also has the command that shows a pair
    packed = re.compile('<script type="text/plain" class.*?</script>', re.DOTALL)
    assert packed.findall(written) == packed.findall(shown)
    scores = re.compile(r"<tbody>.*?</tbody>", re.DOTALL)
    assert scores.findall(written) == scores.findall(shown)


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


@pytest.mark.slow
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


@pytest.mark.slow
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
        [Path(path) for path in paths],
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


def test_graphs_are_drawn_and_converted_the_same(cli: Cli) -> None:
    folder = Path(exactmatch.__file__).with_name("sample")
    pred, gold = (str(folder / f"{side}.amr") for side in ("pred", "gold"))
    asked = ("--number", "2", "--profile", "clean", "--metric", "s2match")
    drawn = exactmatch.draw(
        Path(pred), Path(gold), number=2, profile="clean", metric="s2match"
    )
    assert cli.out("draw", pred, gold, *asked) == f"{drawn}\n"
    with pytest.raises(exactmatch.InputError, match="give its Path"):
        exactmatch.draw("(c / cat)", id="x")
    texts = exactmatch.studies.convert(
        [Path(pred), Path(gold)], to="triples", lossy=True
    )
    assert cli.out("convert", pred, gold, "--to", "triples", "--lossy") == "".join(
        texts
    )


ALIGNMENTS: list[dict[str, Any]] = [
    {"worst": 3, "profile": "clean", "roles": "concept,ARG0"},
    {"below": 0.6, "metric": "s2match", "cutoff": 0.8, "seed": 2},
    {"id": "sample.12", "solver": "hillclimb", "restarts": [1]},
]


@pytest.mark.parametrize("options", ALIGNMENTS)
def test_alignments_are_the_same(options: dict[str, Any], cli: Cli) -> None:
    preds, golds = sample()
    for more in ((), ("--differences",)):
        shown = cli.json("align", *flags_of(options), "--quiet", *more)["pairs"]
        found = exactmatch.studies.align(preds, golds, **in_python(options))
        pairs = found.tables(differences=bool(more)).data["pairs"]
        assert [_timeless(pair) for pair in pairs] == [_timeless(p) for p in shown]
    frame = found.to_frame("pandas")
    matched = sum(len(pair["matched_triples"]) for pair in found.to_dict()["pairs"])
    assert sum(frame["kind"] == "matched") == matched


def _timeless(pair: dict[str, Any]) -> dict[str, Any]:
    return pair | {"seconds": None}


SENTENCES: list[dict[str, Any]] = [
    {"similarity": "exact", "ngram": 2, "alpha": 0.5, "by_id": True},
    {"yisi": "paper", "idf": "own", "confidence": 0.9, "samples": 20, "seed": 4},
]


@pytest.mark.parametrize("options", SENTENCES)
def test_scores_of_sentences_are_the_same(options: dict[str, Any], cli: Cli) -> None:
    folder = Path(exactmatch.__file__).with_name("sample")
    hyp, ref = folder / "pred.amr", folder / "gold.amr"
    shown = cli.json("yisi", str(hyp), str(ref), *flags_of(options), "--quiet")
    report = exactmatch.studies.yisi(hyp, ref, **options)
    (one,), (other,) = shown["metrics"], report.to_dict()["metrics"]
    assert {name: one[name] for name in other} == other
    with pytest.raises(exactmatch.InputError, match="--encoder"):
        exactmatch.studies.yisi(hyp, ref, layer=3)


SHARED: dict[str, Any] = {"profile": "clean", "top": "none", "wiki": False, "jobs": 2}


@pytest.mark.slow
def test_many_graphs_are_compared_alike(cli: Cli, tmp_path: Path) -> None:
    """By the commands, and by Python of files and of graphs in memory."""
    folder = Path(exactmatch.__file__).with_name("sample")
    paths = [str(folder / f"{side}.amr") for side in ("pred", "gold")]
    files, (preds, golds) = [Path(path) for path in paths], sample()
    flags, more = flags_of(SHARED), {**SHARED, "at_least": "60%"}
    least = ["--at-least", "60%"]

    shown = cli.json("matrix", *paths, *flags, *least)["scores"]
    for sides in (files, (preds, golds)):
        assert exactmatch.cdist(*sides, **more).tolist() == shown

    shown = cli.json("nearest", *paths, *flags, "-k", "3", *least)["neighbours"]
    for sides in (files, (preds, golds)):
        rows = exactmatch.search(sides[0], sides[1], 3, **more)
        ours = [(i, score) for row in rows for i, score in row]
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
    args = (*three, *flags, *weights, "--graphs", str(best))
    shown = cli.json("ensemble", *args)["sentences"]
    written = best.read_text()
    asked: dict[str, Any] = {**SHARED, "system_weights": [1, 2, 0.5]}
    copy = tmp_path / "ours.amr"
    in_files = exactmatch.ensemble(
        [Path(path) for path in three], golds=files[1], graphs=copy, **asked
    )
    candidates = list(zip(preds, golds, preds, strict=True))
    for choices in (in_files, exactmatch.ensemble(candidates, golds=golds, **asked)):
        for choice, row in zip(choices, shown, strict=True):
            assert (choice.index, list(choice.expected)) == (row["index"], row["all"])
            assert choice.gold is not None
            assert choice.gold[choice.index] == row["score"]
    assert copy.read_text() == written
