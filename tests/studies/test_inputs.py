"""A text is a str and a file is a Path, in every function that takes graphs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import exactmatch
from exactmatch import InputError, studies
from exactmatch.studies.pairs import SAMPLE

TEXT = "(b / bark-01)"
SIDES: dict[str, Callable[..., Any]] = {
    "evaluate": exactmatch.evaluate,
    "finegrained": exactmatch.finegrained,
    "audit": exactmatch.audit,
    "cdist": exactmatch.cdist,
    "search": exactmatch.search,
    "correlate": lambda a, b: exactmatch.correlate(a, b, [0.5, 1] * 20),
    "compare": lambda a, b: exactmatch.compare({"a": a, "b": a}, b, samples=9),
    "agreement": lambda a, b: exactmatch.agreement({"a": a, "b": b}),
    "ensemble": lambda a, b: exactmatch.ensemble([a, a], golds=b),
    "duplicates": lambda a, b: exactmatch.many.duplicates([a, b]),
    "pdist": lambda a, b: exactmatch.many.pdist([a, b]),
    "cluster": lambda a, b: exactmatch.many.cluster([a, b]),
    "Scorer": lambda a, b: exactmatch.Scorer().update(a, b),
}
ONES: dict[str, Callable[..., Any]] = {
    "smatch": exactmatch.smatch,
    "score": lambda a, b: exactmatch.Scorer("sembleu").score(a, b),
    "bleu": lambda a, b: exactmatch.Scorer("bleu").score(a, b),
    "graph": lambda a, b: exactmatch.Scorer("graph").score(a, b),
    "align": exactmatch.align,
    "draw": exactmatch.draw,
    "read": lambda a, b: [exactmatch.read(a), exactmatch.read(b)],
    "lists": lambda a, b: exactmatch.evaluate([a, a], [b, b]),
    "references": lambda a, b: exactmatch.evaluate([a], [[b, b]]),
    "mappings": lambda a, b: exactmatch.evaluate({"1": a}, {"1": b}),
    "units": lambda a, b: exactmatch.agreement({"a": {"1": a}, "b": {"1": b}}),
    "n-best": lambda a, b: exactmatch.ensemble([[a, b]]),
    "updates": lambda a, b: exactmatch.Scorer().update([a], [b]),
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of the names that the tests give."""
    monkeypatch.chdir(tmp_path)
    for path in SAMPLE:
        shutil.copy(path, Path(path).name)
    Path("one.amr").write_text(f"# ::id 1\n# ::snt a dog\n{TEXT}\n", "utf-8")


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore:smatch. as read:exactmatch.errors.ExactmatchWarning"
)
@pytest.mark.parametrize("name", SIDES)
def test_a_path_is_a_file_and_a_text_is_none(name: str) -> None:
    assert SIDES[name](Path("pred.amr"), Path("gold.amr")) is not NotImplemented
    with pytest.raises(InputError, match=r"is the name of a file.*Path\('pred.amr'\)"):
        SIDES[name]("pred.amr", "gold.amr")
    with pytest.raises(InputError, match=r"absent.amr: no such file"):
        SIDES[name](Path("absent.amr"), Path("gold.amr"))


@pytest.mark.parametrize("name", ONES)
def test_a_path_among_graphs_is_a_file_of_one(name: str) -> None:
    one = Path("one.amr")
    with_path, with_text = ONES[name](one, one), ONES[name](*[one.read_text()] * 2)
    if name != "draw":  # what is drawn has an origin
        assert repr(with_path) == repr(with_text)
    with pytest.raises(InputError, match=r"is the name of a file.*Path\('one.amr'\)"):
        ONES[name]("one.amr", "one.amr")
    with pytest.raises(InputError, match=r"absent.amr: no such file"):
        ONES[name](Path("absent.amr"), one)
    if name not in ("bleu", "draw"):
        with pytest.raises(InputError, match=r"pred.amr: holds several graphs"):
            ONES[name](Path("pred.amr"), one)


def test_a_missing_file_is_said_to_be_missing() -> None:
    with pytest.raises(InputError, match="no file of that name"):
        exactmatch.smatch("absent.amr", TEXT)
    with pytest.raises(InputError, match="no file of that name"):
        exactmatch.evaluate("absent.amr", "gold.amr")


def test_a_sentence_with_a_dot_is_no_file() -> None:
    assert exactmatch.Scorer("bleu").score("see a.org", "see a.org").score > 0.9


def test_a_text_holds_graphs_for_load() -> None:
    text = Path("gold.amr").read_text("utf-8")
    assert exactmatch.load(text) == exactmatch.load(Path("gold.amr"))
    with pytest.raises(InputError, match=r"Path\('gold.amr'\)"):
        exactmatch.load("gold.amr")
    with pytest.raises(InputError, match="say how a file is read"):
        exactmatch.load(text, format_in="penman")


def test_networks_are_files_and_graphs() -> None:
    path = Path("a.json")
    path.write_text(json.dumps({"nodes": ["C", "O"], "edges": [[0, 1]]}))
    paths = [path, path]
    assert exactmatch.ged(path, path, labels="all").distance == 0
    assert exactmatch.ged_matrix(paths, labels="all").tolist() == [[0, 0]] * 2
    assert exactmatch.ged_matrix(path, labels="all").shape == (1, 1)
    for ask in (exactmatch.ged, exactmatch.cdist, exactmatch.ged_matrix):
        with pytest.raises(InputError, match=r"Path\('a.json'\)"):
            ask("a.json", "a.json")


@pytest.mark.parametrize("ask", [studies.convert, studies.yisi])
def test_files_alone_are_taken_where_there_are_no_graphs(ask: Any) -> None:
    with pytest.raises(InputError, match=r"a file is given as Path\('gold.amr'\)"):
        ask("gold.amr", **({"to": "json"} if ask is studies.convert else {}))


def test_mistakes_are_told_with_the_way_out() -> None:
    graphs = [TEXT, TEXT]
    with pytest.raises(InputError, match=r"evaluate\(preds, golds\)"):
        exactmatch.smatch([TEXT], [TEXT])  # type: ignore[list-item]  # what is refused
    with pytest.raises(InputError, match="both sides are empty; give one"):
        exactmatch.evaluate([], [])
    with pytest.raises(InputError, match=r"mappings of ids .* \{'id': graph\}"):
        exactmatch.evaluate(graphs, [TEXT])
    ids = [f"# ::id {k}\n{TEXT}" for k in range(3)]
    with pytest.raises(InputError, match="by_id=True, on_error='skip'"):
        exactmatch.evaluate(ids[:2], ids)
    found = exactmatch.evaluate(ids[:2], ids, by_id=True, on_error="skip")
    assert found.scores[0].pairs == 2
    with pytest.raises(InputError, match=r"confidence=0\.95"):
        exactmatch.evaluate(graphs, graphs, confidence=True)
    with pytest.raises(InputError, match=r"{'Ann': graphs, 'Bob': others}"):
        exactmatch.agreement([graphs, graphs])  # type: ignore[list-item]  # what is refused
    with pytest.raises(InputError, match=r"gold.amr is a file .*load\(Path\("):
        exactmatch.evaluate(graphs, Path("gold.amr"))


def test_a_frame_is_told_to_give_a_column() -> None:
    frame = pytest.importorskip("pandas").DataFrame({"parsed": [TEXT]})
    with pytest.raises(InputError, match=r"frame\['parsed'\]"):
        exactmatch.evaluate(frame, frame)
    assert exactmatch.evaluate(frame["parsed"], frame["parsed"]).f1 == 1


def test_roles_that_no_graph_has_are_warned_of() -> None:
    pair = "(a / b :ARG0 (c / d))", "(a / b)"
    metric = exactmatch.make_metric("smatch", roles="AGR0")
    with pytest.warns(exactmatch.errors.ExactmatchWarning, match="'agr0'"):
        exactmatch.evaluate([pair[0]], [pair[1]], metric)
