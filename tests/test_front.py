"""The front of the package: few names, all others in the rooms that they belong to."""

from __future__ import annotations

import copy
import importlib
import importlib.util
import inspect
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networkx
import pytest

import exactmatch
from exactmatch.cli.commands import GROUPS
from exactmatch.metrics import METRICS, metric_class


def test_the_front_has_few_names() -> None:
    assert len(exactmatch.__all__) <= 40
    for name in exactmatch.__all__:
        assert getattr(exactmatch, name) is not None


def test_what_is_nowhere_is_said_so() -> None:
    with pytest.raises(AttributeError, match="'exactmatch' has no attribute 'nowhere'"):
        _ = exactmatch.nowhere
    with pytest.raises(AttributeError, match=r"'exactmatch.many' has no .* 'nowhere'"):
        _ = exactmatch.many.nowhere


def test_names_are_registered_for_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(METRICS, "_registered", {})
    mine: Any = type("Mine", (metric_class("smatch"),), {"name": "mine"})
    exactmatch.register("metric", "mine", mine)
    assert exactmatch.score("(a / b)", "(a / b)", metric="mine").score == 1
    assert "mine" in METRICS
    with pytest.raises(exactmatch.InputError, match="a metric called 'mine' already"):
        exactmatch.register("metric", "mine", mine)
    with pytest.raises(exactmatch.InputError, match="must be a subclass"):
        exactmatch.register("metric", "other", 3)
    with pytest.raises(exactmatch.InputError, match="'thing' is not a kind of thing"):
        exactmatch.register("thing", "other", 3)


def test_import_costs_nothing() -> None:
    loaded = {name for name in sys.modules if name.startswith("exactmatch")}
    assert "exactmatch.base.fronts" in loaded


OTHERWISE = {"score": "evaluate"}
"""The command whose function has another name: ``exactmatch.score`` takes one pair."""

WITHOUT = {"completion", "plugins", "solvers"}
"""Commands that answer nothing."""


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the functions of the front and of its studies."""
    for package in (exactmatch, exactmatch.studies):
        for name in dir(package):
            value = getattr(package, name)
            if inspect.isfunction(value):
                yield name, value


def test_every_command_has_a_function_of_its_name() -> None:
    for names in GROUPS.values():
        for command in names.keys() - WITHOUT:
            name = OTHERWISE.get(command, command.replace("-", "_"))
            home = exactmatch if command == "score" else exactmatch.studies
            assert inspect.isfunction(getattr(home, name)), command
            assert getattr(home, name).__name__ == name


def test_functions_win_over_modules_of_their_name() -> None:
    for module in ("errors.study", "report.view", "matrix", "convert"):
        importlib.import_module(f"exactmatch.studies.{module}")
        assert inspect.isfunction(getattr(exactmatch.studies, module.split(".")[0]))


def test_functions_have_few_keywords_each_with_its_line() -> None:
    for name, function in functions():
        parameters = inspect.signature(function).parameters.items()
        keywords = [k for k, one in parameters if one.kind != one.VAR_KEYWORD]
        assert len(keywords) <= 45, name
        assert function.__doc__ is not None, name
        assert ">>>" in function.__doc__, name
        for keyword in keywords:
            line = re.search(rf"^ *{keyword}: .", function.__doc__, re.M)
            assert line is not None, f"{name} says nothing of {keyword}"


def test_functions_of_many_pairs_take_metrics_and_no_options_of_theirs() -> None:
    pairs = ["(a / b)"], ["(a / b)"]
    calls: dict[str, Callable[..., Any]] = {
        "evaluate": lambda **own: exactmatch.evaluate(*pairs, **own),
        "compare": lambda **own: exactmatch.compare({"a": pairs[0]}, pairs[1], **own),
        "audit": lambda **own: exactmatch.audit(*pairs, **own),
        "correlate": lambda **own: exactmatch.correlate(*pairs, [1], **own),
        "errors": lambda **own: exactmatch.studies.errors(*pairs, **own),
        "report": lambda **own: exactmatch.studies.report(*pairs, **own),
        "align": lambda **own: exactmatch.studies.align(*pairs, **own),
        "thresholds": lambda **own: exactmatch.studies.thresholds(*pairs, **own),
    }
    unknown: Any = {"cutoff": 0.4}
    for name, call in calls.items():
        for own in ({"top": "none"}, {"cutoff": 0.4}, {"options": {"cutoff": 0.4}}):
            with pytest.raises(TypeError, match=rf"^{name}\(\): unexpected keyword"):
                call(**own)
    with pytest.raises(TypeError, match=r"metric=make_metric\('s2match', cutoff=…\)"):
        exactmatch.evaluate(*pairs, metric="s2match", **unknown)
    made = exactmatch.make_metric("s2match", cutoff=0.4, top="none")
    assert "|cutoff:0.4|" in exactmatch.evaluate(*pairs, made).scores[0].signature


def test_a_name_that_is_missing_has_a_way_out() -> None:
    with pytest.raises(AttributeError, match="did you mean 'evaluate'"):
        exactmatch.evalute  # noqa: B018  # the name is looked up
    with pytest.raises(AttributeError, match="'exactmatch help moon' searches"):
        exactmatch.moon  # noqa: B018  # likewise
    assert not hasattr(exactmatch, "__wrapped__")


REWARD = "; use exactmatch.adapters.trl.smatch_reward(gold='COLUMN')"
COMMON = (
    "; did you mean 'maximum_common_edge_subgraph' or "
    "'maximum_common_induced_subgraph'?"
)


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        ("from exactmatch import dspy", "use exactmatch.adapters.dspy.graph_metric()"),
        ("from exactmatch import TRL", REWARD),
        ("from exactmatch import trl_reward", REWARD),
        ("from exactmatch import rewards", REWARD),
        ("from exactmatch import smatch_reward", REWARD),
        ("from exactmatch import evalute", "did you mean 'evaluate'?"),
        ("from exactmatch import metric", "make_metric('smatch')"),
        ("from exactmatch import sembleu", "score(pred, gold, metric='sembleu')"),
        ("from exactmatch import cluster", "use exactmatch.studies.cluster"),
        ("from exactmatch import report", "use exactmatch.studies.report"),
        ("from exactmatch import maximum_common_subgraph", COMMON),
        ("from exactmatch import common_subgraph", COMMON),
        ("from exactmatch import mces", "maximum_common_edge_subgraph(a, b, labels="),
        ("from exactmatch import mcs", "maximum_common_induced_subgraph(a, b, labels="),
        ("from exactmatch import graph_edit_distance", "use exactmatch.ged(a, b)"),
        ("from exactmatch.adapters import dpsy", "did you mean 'dspy'?"),
        ("from exactmatch.adapters import reward", REWARD),
        ("from exactmatch.adapters import graph_metric", "it is in exactmatch.adapt"),
        ("from exactmatch.adapters.trl import reward", REWARD),
        ("from exactmatch.adapters.dspy import metric", "dspy.graph_metric()"),
        ("from exactmatch.studies import comapre", "did you mean 'compare'?"),
    ],
)
def test_an_import_of_what_is_missing_has_a_hint(statement: str, hint: str) -> None:
    """Also as an attribute, and ``hasattr`` stays false."""
    with pytest.raises(ImportError) as caught:
        exec(statement)
    assert hint in str(caught.value)
    _, module, _, name = statement.split()
    package = importlib.import_module(module)
    assert not hasattr(package, name)
    with pytest.raises(AttributeError) as found:
        getattr(package, name)
    assert hint in str(found.value)


def test_imports_that_work_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The import system asks for each submodule first."""
    monkeypatch.delitem(sys.modules, "exactmatch.adapters.dspy", raising=False)
    monkeypatch.delattr("exactmatch.adapters.dspy", raising=False)
    monkeypatch.setattr("exactmatch.adapters._adapters", None)
    exec("from exactmatch.adapters import dspy")


def test_adapters_are_found_from_the_front() -> None:
    reward = exactmatch.adapters.trl.smatch_reward(gold="amr")
    assert reward(completions=["(b / bark-01)"], amr=["(b / bark-01)"]) == [1.0]


def test_a_metric_is_called_with_a_pair() -> None:
    """Its score is that of ``exactmatch.score``, with the alignment."""
    pair = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-02)"
    for name in ("smatch", "sembleu", "s2match"):
        metric: Any = exactmatch.make_metric(name, sense=False)
        expected = exactmatch.score(*pair, metric)
        assert metric(*pair).to_dict() == expected.to_dict()
    with pytest.raises(AttributeError, match=r"; call it: metric\(pred, gold\)"):
        _ = metric.score
    with pytest.raises(AttributeError, match=r"evaluate\(preds, golds, metric=met"):
        _ = metric.corpus_score
    assert copy.deepcopy(metric).name == pickle.loads(pickle.dumps(metric)).name


def test_smatch_takes_what_counts_as_score_does() -> None:
    pair: Any = "(b / bark-01)", "(b / bark-02)"
    smatch: Any = exactmatch.smatch
    evaluate: Any = exactmatch.evaluate
    options: Any = {"sense": False}
    assert exactmatch.smatch(*pair).f1 == 0.5
    assert exactmatch.smatch(*pair, **options).f1 == 1
    wrong: dict[str, str] = {
        "senses": r"smatch.* 'senses'; did you mean 'sense'\?$",
        "no_senses": r"'no_senses'; give sense=False$",
        "ignore_wiki": r"'ignore_wiki'; give wiki=False$",
        "cutoff": r"belongs to s2match; add metric='s2match'$",
    }
    for name, message in wrong.items():
        with pytest.raises(exactmatch.InputError, match=message):
            smatch(*pair, **{name: True})
    with pytest.raises(TypeError, match=r"score\(pred, gold, metric='s2match'\)$"):
        smatch(*pair, metric="s2match")
    with pytest.raises(TypeError, match=r"make_metric\('smatch', sense=False\)$"):
        evaluate([pair[0]], [pair[1]], no_senses=True)
    with pytest.raises(TypeError, match=r"make_metric\('smatch', sense=False\)$"):
        evaluate([pair[0]], [pair[1]], senses=False)


@pytest.mark.parametrize(
    ("function", "line"),
    [
        ("score", "exactmatch.evaluate({}, {}).to_frame()"),
        ("smatch", "exactmatch.evaluate({}, {}).to_frame()"),
        ("thresholds", "exactmatch.studies.thresholds({}, {})"),
        ("align", "exactmatch.studies.align({}, {})"),
    ],
)
def test_whole_files_get_the_line_that_takes_them(
    function: str, line: str, tmp_path: Path
) -> None:
    """The name of a file and its ``Path`` alike; the line can be pasted and runs."""
    path = tmp_path / "pred.amr"
    path.write_text("(b / bark-01)\n\n(m / meow-01)\n")
    named = f"Path({str(path)!r})"
    for sides in ((path, path), (str(path), str(path)), (path, str(path))):
        with pytest.raises(exactmatch.InputError) as caught:
            getattr(exactmatch, function)(*sides)
        message, code = str(caught.value).split("; for whole files: ")
        assert "holds several graphs, and one pair is scored here" in message
        assert code == line.format(named, named)
        eval(code, {"exactmatch": exactmatch, "Path": Path})
    if function == "score":
        with pytest.raises(exactmatch.InputError, match=r"metric='sembleu'\)\.to_fr"):
            exactmatch.score(path, path, "sembleu")
    path.write_text("(b / bark-01)\n")
    getattr(exactmatch, function)(path, path)


def test_results_say_what_their_methods_are_called_here() -> None:
    graphs = ["(b / bark-01)", "(m / meow-01)"]
    report = exactmatch.evaluate(graphs, graphs)
    comparison = exactmatch.compare({"a": graphs, "b": graphs[::-1]}, graphs)
    results: tuple[Any, ...] = (report, comparison)
    for result in results:
        for name in ("to_dataframe", "to_pandas", "df"):
            with pytest.raises(AttributeError, match=r"did you mean to_frame\(\)\?"):
                getattr(result, name)
        with pytest.raises(AttributeError, match=r"mean to_frame\(\)\.to_csv\(path\)"):
            _ = result.to_csv
    distance = exactmatch.ged(networkx.path_graph(2), networkx.path_graph(3))
    answers: tuple[Any, ...] = (exactmatch.smatch(*graphs), distance)
    for answer in answers:
        with pytest.raises(AttributeError, match=r"did you mean to_dict\(\)\?"):
            _ = answer.to_dataframe
    assert not hasattr(report, "nothing")
    of_sentences = exactmatch.evaluate(graphs, graphs, metric="sembleu")
    with pytest.raises(AttributeError, match="sembleu has no f1"):
        _ = of_sentences.f1
    assert pickle.loads(pickle.dumps(report)) == report
    assert copy.deepcopy(report) == report
