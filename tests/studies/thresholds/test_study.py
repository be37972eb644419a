"""The score for every cutoff against the score at many cutoffs."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import Cli
from support.examples import examples

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.solvers.solution import Limits
from exactmatch.studies import thresholds
from exactmatch.studies.thresholds.cutoffs import moving, steps

GRADED: dict[str, Any] = {"node_similarity": "lcs", "edge_similarity": "lcs"}
WORDS = st.text("abcd", min_size=1, max_size=4)


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Any]:
    nodes = draw(st.lists(WORDS, max_size=4))
    ends = st.integers(0, max(len(nodes) - 1, 0))
    edges = st.tuples(ends, WORDS, ends)
    drawn = draw(st.lists(edges, max_size=4, unique=True)) if nodes else []
    return {"nodes": nodes, "edges": [list(edge) for edge in drawn]}


@pytest.mark.slow
@given(graphs(), graphs(), st.sampled_from(["nodes-and-edges", "edges"]))
@settings(max_examples=examples(150), deadline=None)
def test_each_cutoff_has_the_score_of_its_stretch(
    one: dict[str, Any], other: dict[str, Any], count: str
) -> None:
    found = exactmatch.thresholds(one, other, **{"count": count, **GRADED})
    assert found[0].low == 0
    assert found[-1].high == 1
    assert [a.high for a in found[:-1]] == [b.low for b in found[1:]]
    assert all(a.f1 > b.f1 for a, b in itertools.pairwise(found))
    for low, high, f1 in found:
        for cutoff in (low + 1e-9, (low + high) / 2, high):
            at = exactmatch.score(
                one,
                other,
                metric="graph",
                count=count,
                node_cutoff=cutoff,
                edge_cutoff=cutoff,
                **GRADED,
            )
            assert at.f1 == pytest.approx(f1, abs=1e-9)


AMRS = [
    "(w / want-01 :ARG0 (b / boys) :ARG1 (g / going-02 :ARG0 b))",
    "(w / wanting-01 :ARG0 (b / boy) :ARG1 (g / go-01 :ARG0 b) :mod (c / city))",
    "(w / wish-01 :ARG0 (g / girl :mod (o / old)) :ARG1 (c / cities))",
    "(c / cat :mod (w / want-02) :poss (b / boyish))",
]


@pytest.mark.parametrize("pair", list(itertools.combinations(AMRS, 2)))
def test_s2match_has_the_score_of_its_stretch(pair: tuple[str, str]) -> None:
    found = exactmatch.thresholds(*pair, metric="s2match")
    for low, high, f1 in found:
        for cutoff in (low, (low + high) / 2, high - 1e-9):
            at = exactmatch.score(*pair, metric="s2match", cutoff=cutoff)
            assert at.score == pytest.approx(f1, abs=1e-6)
    grid = [
        exactmatch.score(*pair, metric="s2match", cutoff=k / 50).score
        for k in range(50)
    ]
    assert len(found) >= len({round(f1, 5) for f1 in grid})


def test_variables_with_several_concepts_are_scored_at_every_cutoff() -> None:
    pair = "(b / boys :instance girls :mod (o / old))", "(b / boy :mod (o / older))"
    for low, _, f1 in exactmatch.thresholds(*pair, metric="s2match"):
        at = exactmatch.score(*pair, metric="s2match", cutoff=low)
        assert at.score == pytest.approx(f1, abs=1e-6)


@pytest.mark.slow
@given(graphs(), graphs(), st.sampled_from(["nodes", "edges"]))
@settings(max_examples=examples(60), deadline=None)
def test_one_cutoff_moves_where_the_other_stands(
    one: dict[str, Any], other: dict[str, Any], moves: Any
) -> None:
    found = exactmatch.thresholds(
        one, other, moves=moves, **{"unlike": "forbidden", **GRADED}
    )
    for low, high, f1 in found:
        moved: dict[str, Any] = {f"{moves[:-1]}_cutoff": (low + high) / 2}
        at = exactmatch.score(
            one, other, metric="graph", unlike="forbidden", **moved, **GRADED
        )
        assert at.f1 == pytest.approx(f1, abs=1e-6)


def test_attributes_have_cutoffs_as_labels_have() -> None:
    one = {"nodes": [{"label": "a", "size": "longer"}, {"label": "b", "size": "xyz"}]}
    other = {"nodes": [{"label": "b", "size": "xy"}, {"label": "a", "size": "long"}]}
    found = exactmatch.thresholds(one, other, **GRADED)
    assert [round(stretch.high, 3) for stretch in found] == [0.8, 1.0]
    for low, high, f1 in found:
        cutoff = {"node_cutoff": (low + high) / 2, **GRADED}
        assert exactmatch.score(
            one, other, metric="graph", **cutoff
        ).f1 == pytest.approx(f1)


@pytest.mark.slow
@pytest.mark.parametrize("macro", [False, True])
def test_systems_lead_where_their_scores_at_a_dense_grid_say(macro: bool) -> None:
    golds = [[("cat", "eats", "mouse")], [("dogs", "chase", "cars"), ("a", "b", "c")]]
    systems = {
        "one": [[("cats", "eat", "mice")], [("dog", "chase", "cars")]],
        "other": [[("caterpillar", "eating", "mo")], [("dogs", "chase", "boats")]],
    }
    metric = exactmatch.make_metric("graph", **GRADED)
    found: Any = thresholds(systems, golds, metric, macro=macro)
    seen = []
    for step in range(1, 200, 4):
        cutoff = {"node_cutoff": step / 200, "edge_cutoff": step / 200, **GRADED}
        scores = []
        for number, preds in enumerate(systems.values()):
            at = exactmatch.make_metric("graph", **cutoff)
            report = exactmatch.evaluate(preds, golds, at)
            score = report["graph"].macro["score"] if macro else report["graph"].f1
            assert found.f1(number, step / 200) == pytest.approx(score, abs=1e-6)
            scores.append(score)
        (lead,) = (x for x in found.leads() if x.low < step / 200 <= x.high)
        seen.append(lead)
        if scores[0] == pytest.approx(scores[1], abs=1e-6):
            assert lead.best is None
        else:
            assert lead.best == ("one" if scores[0] > scores[1] else "other")
            size = abs(scores[0] - scores[1])
            assert lead.least - 1e-6 <= size <= lead.most + 1e-6
    assert len(set(seen)) == len(found.leads()) > 1


def test_the_command_shows_what_the_function_finds(cli: Cli, tmp_path: Path) -> None:
    for name, words in (("a", "boys"), ("b", "girl"), ("gold", "boy")):
        (tmp_path / f"{name}.amr").write_text(f"(w / want-01 :ARG0 (x / {words}))\n")
    paths = [str(tmp_path / f"{name}.amr") for name in ("a", "b", "gold")]
    paths = [paths[2], "--systems", *paths[:2]]
    shown = cli.json("thresholds", *paths, "--metric", "s2match", "--quiet")
    (lead, tie) = shown["leads"]
    assert (lead["best"], lead["low"], tie["best"]) == ("a", 0.0, None)
    assert lead["high"] == pytest.approx(6 / 7)
    (first, *_) = exactmatch.thresholds(*AMRS[:2], metric="s2match")
    assert first.low == 0.0
    picture = tmp_path / "steps.svg"
    text = cli.out("thresholds", *paths, "--metric", "s2match", "--plot", picture)
    assert "a is better for every cutoff in [0.0000, 0.8571)" in text
    assert picture.read_bytes().startswith(b"<?xml")
    lines = cli.out("thresholds", *paths, "--metric", "s2match", "--format", "csv")
    assert lines.splitlines()[0] == "low,high,a,b"
    shown = cli.out("thresholds", *paths, "--metric", "s2match", "--at", "0.5,0.9")
    assert [line.split()[0] for line in shown.splitlines()[3:5]] == ["0.5000", "0.9000"]
    assert "no cutoff to be moved" in cli.refusal("thresholds", *paths, "--metric=wlk")


def test_a_score_knows_its_thresholds() -> None:
    pair = [("cat", "eats", "fly")], [("cats", "eats", "fly")]
    score = exactmatch.score(*pair, metric="graph", **GRADED)
    assert score.thresholds() == exactmatch.thresholds(*pair, metric="graph", **GRADED)
    pred, gold = AMRS[:2]
    with pytest.raises(InputError, match="has no cutoff to be moved"):
        exactmatch.score(pred, gold, metric="smatch").thresholds()
    with pytest.raises(InputError, match="has no alignment kept"):
        exactmatch.smatch(pred, gold).thresholds()


def test_few_solutions_are_made() -> None:
    """Each stretch takes one solution at most, and there are many similarities."""
    words = ["abcdefgh"[:k] for k in range(1, 9)]
    one, other = {"nodes": words}, {"nodes": ["abcdefgh", *words[:3]]}
    metric: Any = exactmatch.make_metric("graph", **GRADED)
    sides = [metric.prepare(metric.read(graph).item) for graph in (one, other)]
    pair = moving(metric, metric.build_problem(*sides))
    found = steps(pair, Limits())
    assert len(pair.ends) > 10
    assert found.solved <= len(found.matched) + 1


def test_a_metric_without_cutoff_has_no_thresholds() -> None:
    with pytest.raises(InputError, match="has no cutoff to be moved"):
        exactmatch.thresholds("(a / b)", "(a / b)", metric="smatch")


def test_graphs_without_anything_alike_have_one_stretch() -> None:
    one, other = {"nodes": ["a"], "edges": []}, {"nodes": ["b"], "edges": []}
    assert exactmatch.thresholds(one, other) == [(0.0, 1.0, 0.0)]
    assert exactmatch.thresholds(one, one) == [(0.0, 1.0, 1.0)]


@pytest.mark.parametrize("moves", ["both", "price"])
def test_one_system_has_nobody_to_lead(moves: Any) -> None:
    sides = [[("cats", "eat", "mice")]], [[("cat", "eats", "mouse")]]
    own: Any = {"node_similarity": "lcs", **({"parts": 2} if moves == "price" else {})}
    found: Any = thresholds(*sides, exactmatch.make_metric("graph", **own), moves=moves)
    assert found.leads() == ()


@pytest.mark.parametrize("moves", ["both", "price"])
def test_the_limit_of_a_pair_is_that_of_all_its_cutoffs(
    moves: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the time is over no further problem is solved, and nothing is proven."""
    from exactmatch.metrics.labelled.graph_metric import LabelledMatch
    from exactmatch.studies.thresholds import cutoffs, prices

    one = [(f"cat{n}", f"eats{n}", f"mouse{n + 1}") for n in range(6)]
    other = [(f"cats{n}", f"eat{n * n}", f"mice{n}") for n in range(6)]
    asked: dict[str, Any] = {
        "count": "nodes-and-edges",
        "node_similarity": "lcs",
        "edge_similarity": "lcs",
        **({"parts": 2} if moves == "price" else {}),
    }
    metric = exactmatch.make_metric("graph", **asked)
    solved: list[str] = []
    aligned = LabelledMatch.solve_problem

    def counting(self: Any, *args: Any) -> Any:
        solved.append("once")
        return aligned(self, *args)

    monkeypatch.setattr(LabelledMatch, "solve_problem", counting)
    thresholds([[*one]], [[*other]], metric, moves=moves)
    whole = len(solved)
    del solved[:]
    for module in (cutoffs, prices):
        monkeypatch.setattr(module, "seconds_left", lambda: 1.5 - len(solved))
    found = thresholds([[*one]], [[*other]], metric, moves=moves, time_limit=60.0)
    assert len(solved) == 2 < whole  # the score, and one more
    assert found.systems[0].unproven == 1


def test_a_large_pair_without_time_is_not_built_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from exactmatch.metrics.labelled.graph_metric import LabelledMatch
    from exactmatch.studies.thresholds import study
    from exactmatch.studies.thresholds.study import Thresholds

    one, other = [[("cats", "eat", "mice")]], [[("cat", "eats", "mouse")]]
    metric = exactmatch.make_metric("graph", node_similarity="lcs")
    solved: list[str] = []
    aligned = LabelledMatch.solve_problem

    def counting(self: Any, *args: Any) -> Any:
        solved.append("once")
        return aligned(self, *args)

    monkeypatch.setattr(LabelledMatch, "solve_problem", counting)
    monkeypatch.setattr(study, "_seconds", lambda _: 60.0)
    monkeypatch.setattr("exactmatch.engine.problem.LARGE", 0)
    found = thresholds(one, other, metric, time_limit=60.0)
    assert len(solved) == 1  # the score
    assert isinstance(found, Thresholds)
    assert found.systems[0].unproven == 1
    assert [stretch.f1 for stretch in found.systems[0].stretches] == [0.0]


def test_the_format_chooses_the_metric_whose_cutoff_moves(
    cli: Cli, tmp_path: Path
) -> None:
    """AMRs have S²Match, with vectors or without; options of another metric win."""
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("boy 1 0\nboys 0.8 0.6\n")
    for name, word in (("pred", "boys"), ("gold", "boy")):
        (tmp_path / f"{name}.amr").write_text(f"(w / want-01 :ARG0 (x / {word}))\n")
    files = [str(tmp_path / f"{name}.amr") for name in ("pred", "gold")]
    for options in ([], ["--vectors", str(vectors)]):
        chosen = cli.out("thresholds", *files, *options)
        lead, _, rest = chosen.partition("\n")
        assert lead == "PENMAN graphs: metric s2match"
        assert rest == cli.out("thresholds", *files, *options, "--metric", "s2match")
    lcs = cli.out("thresholds", *files, "--node-similarity", "lcs")
    assert lcs.startswith("PENMAN graphs: metric graph\n")
    assert exactmatch.thresholds(*AMRS[:2]) == exactmatch.thresholds(
        *AMRS[:2], metric="s2match"
    )
    (tmp_path / "pred.tsv").write_text("a\tr\tb\n")
    triples = [tmp_path / "pred.tsv"] * 2
    lead, _ = cli.out("thresholds", *triples).split("\n", 1)
    assert lead.startswith("triples: metric graph, count edges, which matches")
