"""The lists that the error browser's page holds say what the graphs say."""

import base64
import json
import math
import random
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from support.examples import examples
from support.graph_strategies import linearised, parts

import exactmatch
from exactmatch import make_metric
from exactmatch.base import deadline
from exactmatch.base.deadline import within
from exactmatch.graphs.drawing import layered
from exactmatch.studies.errors.errors import ErrorType, PairErrors, pair_errors
from exactmatch.studies.report import browser_data
from exactmatch.studies.report.browser_data import NOWHERE, ROOT, packed, pair_data

GOLD = """(w / want-01 :ARG0 (b / boy :mod (l / little) :quant 2)
 :ARG1 (g / go-02 :ARG0 b :polarity -))"""
PRED = "(w / want-01 :ARG1 (b / boy :quant 3 :ARG0-of (g / go-01)) :mode m)"


def answered(pred: Any, gold: Any, profile: Any = "smatch") -> PairErrors:
    """How an answer differs from its reference."""
    metric = make_metric("smatch", profile=profile)
    pair = metric.compare(*(metric.prepare(metric.read(g).item) for g in (pred, gold)))
    texts = (pred, gold)
    return pair_errors(pair.problem, pair.solution.alignment, 0, None, texts)


def held(*answers: Any) -> tuple[Any, list[Any]]:
    """A pair as the page holds it, and the types of errors."""
    types: dict[Any, Any] = {}
    data = pair_data(answers, lambda kind: types.setdefault(kind, len(types)))
    return json.loads(json.dumps(data)), list(types)


def statement(graph: Any, reference: Any) -> str:
    """What a reference to a graph's text says, read from the lists alone."""
    depths, roles, names, words, *_ = graph
    if reference == ROOT:
        return "root"
    line = reference // 2
    if reference % 2:
        return f"{names[line]} / {words[line]}"
    parent = max(
        k for k in range(line) if depths[k] % 2 and depths[k] // 2 < depths[line] // 2
    )
    return f"{names[parent]} :{roles[line]} {names[line] or words[line]}"


def test_texts_are_held_line_by_line() -> None:
    answer = answered(PRED, GOLD)
    (_, (held_gold, held_pred), _, _), _ = held(answer)
    assert held_gold[1] == ["", "ARG0", "mod", "quant", "ARG1", "ARG0", "polarity"]
    assert held_gold[2] == ["w", "b", "l", "", "g", "b", ""]
    assert held_gold[3] == ["want-01", "boy", "little", "2", "go-02", "", "-"]
    assert [depth % 2 for depth in held_gold[0]] == [1, 1, 1, 0, 1, 0, 0]
    assert [depth // 2 for depth in held_gold[0]] == [0, 1, 2, 2, 1, 2, 2]
    assert held_pred[2][:3] == ["w", "b", ""]


def test_edits_point_at_what_they_change() -> None:
    answer = answered(PRED, GOLD)
    (_, graphs, (edits,), _), types = held(answer)
    said = {
        (
            str(types[kind]),
            None if there == NOWHERE else statement(graphs[0], there),
            None if here == NOWHERE else statement(graphs[1], here),
        )
        for kind, there, here in edits
    }
    assert ("sense confusion go-02→go-01", "g / go-02", "g / go-01") in said
    assert ("value confusion quant 2→3", "b :quant 2", "b :quant 3") in said
    assert ("missing polarity polarity", "g :polarity -", None) in said
    assert ("extra constant mode", None, "w :mode m") in said
    assert ("missing concept little", "l / little", None) in said


def test_partners_share_a_place() -> None:
    answer = answered(PRED, GOLD)
    (geometry, (there, here), _, _), _ = held(answer)
    places = [dict(zip(side[2], side[4], strict=True)) for side in (there, here)]
    assert places[0]["b"] == places[1]["b"]
    assert places[0]["g"] == places[1]["g"]
    assert places[0]["l"] not in places[1].values()
    assert len(geometry[0]) == 4
    assert there[6] == places[0]["w"]


@pytest.mark.parametrize("profile", ["smatch", "clean"])
@settings(deadline=None, max_examples=examples(50))
@given(
    pred=parts(connected=True, repeat=False), gold=parts(connected=True, repeat=False)
)
def test_every_relation_and_constant_is_drawn_once(
    profile: str, pred: Any, gold: Any
) -> None:
    texts = [linearised(side, 3) for side in (pred, gold)]
    answer = answered(texts[0], texts[1], profile)
    (geometry, graphs, (edits,), (optima,)), types = held(answer)
    routes = geometry[5]
    for worded, graph in zip((answer.gold, answer.pred), graphs, strict=True):
        depths, roles, _, words, places, ways, top, dropped, notes, *_ = graph
        assert len({len(column) for column in graph[:6]}) == 1
        taken = [way // 4 for way in ways if way >= 0]
        assert len(taken) == len(set(taken))
        assert all(way < len(routes) for way in taken)
        size = len(worded.graph.attributes) + len(worded.graph.relations)
        assert sum(way != NOWHERE for way in ways) == size
        for k, way in enumerate(ways):
            if way >= 0:
                above = 2 * (depths[k] // 2 - 1) + 1
                parent = max(p for p in range(k) if depths[p] == above)
                ends = {places[parent], places[k]}
                assert ends == set(routes[way // 4][:2])
        assert dropped == [
            2 * k for k, way in enumerate(ways) if roles[k] and way == NOWHERE
        ]
        assert notes == {}
        assert top in places
        assert len(words) == len(roles)
    for kind, there, here in edits:
        assert isinstance(types[kind], ErrorType)
        assert (there, here) != (NOWHERE, NOWHERE)
        for graph, reference_ in zip(graphs, (there, here), strict=True):
            assert ROOT <= reference_ < 2 * len(graph[0])
    assert optima[0] >= 1


def test_what_is_not_counted_is_listed() -> None:
    """Smatch 1.0.4 reads no constant under ``:mod``."""
    answer = answered("(a / x :mod 1)", "(a / x :mod 1 :quant 1)")
    (_, (there, here), _, _), _ = held(answer)
    assert there[7] == [2]
    assert here[7] == [2]


def test_systems_without_an_answer_leave_a_gap() -> None:
    answer = answered(PRED, GOLD)
    (_, graphs, edits, optima), _ = held(None, answer)
    assert graphs[1] is edits[0] is optima[0] is None
    assert graphs[2]
    assert edits[1]


def test_with_several_systems_marks_say_about_whom() -> None:
    """``:quant`` is missing from one, ``:polarity`` from both."""
    gold = "(a / x :polarity - :quant 2)"
    systems = ["(a / x)", "(a / x :quant 2)"]
    (_, graphs, _, _), _ = held(*(answered(system, gold) for system in systems))
    assert graphs[0][8] == {"4": "₁"}


@pytest.mark.parametrize("n", range(9))
def test_packed_text_unpacks_and_fits_a_script(n: int) -> None:
    rng = random.Random(n)
    data = ["".join(chr(rng.randrange(1, 1000)) for _ in range(n * n)), n, None, "</a"]
    text = packed(data)
    assert not set(text) & set("<\"'\\")
    content = base64.b64decode(text)
    assert json.loads(zlib.decompress(content, -zlib.MAX_WBITS)) == data


STEPS = ("boil water", "put the tea bag", "into the cup", "pour")
WHOLE = ("boil water", "put the tea bag into the cup", "pour")


def _chain(labels: Any) -> Any:
    edges = [(k, k + 1) for k in range(len(labels) - 1)]
    return {"nodes": list(labels), "edges": edges}


def of_parts(pred: Any, gold: Any) -> PairErrors:
    metric = make_metric("graph", parts=2)
    pair = metric.compare(*(metric.prepare(metric.read(g).item) for g in (pred, gold)))
    return pair_errors(pair.problem, pair.solution.alignment)


def test_parts_that_stand_for_one_are_a_group() -> None:
    """A step that is split is an error no more, and neither is the edge inside."""
    answer = of_parts(_chain(STEPS), _chain(WHOLE))
    (_, (there, here), (edits,), (optima,)), _ = held(answer)
    words = [dict(zip(side[4], side[3], strict=True)) for side in (there, here)]
    ((gold, pred),) = optima[4]
    assert [words[0][place] for place in gold] == [WHOLE[1]]
    assert [words[1][place] for place in pred] == [*STEPS[1:3]]
    assert edits == []
    assert there[7] == here[7] == []  # what counts is not called uncounted
    merged = of_parts(_chain(WHOLE), _chain(STEPS))
    ((gold, pred),) = held(merged)[0][3][0][4]
    assert (len(gold), len(pred)) == (2, 1)
    plain = held(answered(PRED, GOLD))[0][3][0]
    assert plain[4] == []


def test_what_parts_do_not_explain_is_an_error() -> None:
    other = _chain((*STEPS[:3], "drink"))
    other["edges"][1] = (1, "then", 2)  # a label inside is a claim of its own
    answer = of_parts(other, _chain(WHOLE))
    (_, _, (edits,), (optima,)), types = held(answer)
    assert len(optima[4]) == 1
    kinds = {str(types[kind]) for kind, _, _ in edits}
    assert "concept confusion pour→drink" in kinds or "extra concept drink" in kinds
    assert "extra relation then" in kinds


def chain(n: int, back: int) -> str:
    """A chain of nodes, each with a link to one that is so many steps behind."""
    ends = "".join(f" :r x{k - back} :q (x{k} / a" for k in range(back, n))
    heads = "".join(f" :q (x{k} / a" for k in range(1, back))
    return f"(x0 / a{heads}{ends}" + ")" * n


def test_a_pair_that_takes_too_long_to_draw_has_no_geometry() -> None:
    answer = answered(*[chain(60, 30)] * 2)
    (drawn, graphs, *rest), _ = held(answer)
    assert drawn[0]
    with within(-1.0):
        (late, same_graphs, *same_rest), _ = held(answer)
    assert late == [[], [], [], [], [], [], 0, 0]
    for graph in (*same_graphs, *graphs):
        del graph[5]  # the ways of links
    assert (same_graphs, same_rest) == (graphs, rest)


@pytest.mark.filterwarnings("ignore:no time is left to draw samples")
@pytest.mark.parametrize(
    "limits", [{"time_limit": 600.0}, {"total_time": 600.0}, {"total_time": 1e-9}, {}]
)
def test_a_pair_is_drawn_in_the_time_that_is_left(
    limits: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Places are found within the limit of a pair, or a little after the total time."""
    left: list[float] = []

    def noted(ahead: float = 0.0) -> None:
        left.append(deadline.seconds_left())
        deadline.check(ahead)

    monkeypatch.setattr(layered, "check", noted)
    exactmatch.studies.report([PRED], [GOLD], **limits)
    (seconds,) = left
    longest = max([0.0, *limits.values()]) if limits else math.inf
    assert seconds <= longest + browser_data.LEAST_DRAWING
    assert seconds > (500 if longest > 1 else 0)


@pytest.mark.parametrize("key", ["sentence", "text", "question", "input"])
def test_graphs_in_json_keep_their_sentences(key: str) -> None:
    text = json.dumps({key: "Who asks?", "nodes": ["a", "b"], "edges": [[0, 1]]})
    metric = make_metric("graph")
    side = metric.prepare(metric.read(text).item)
    assert side.coded.graph.sentence == "Who asks?"
