"""``exactmatch principles``: known metrics, and metrics made to break one principle."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import numpy as np
import penman
import pytest
from support.command import Cli
from support.files import Files

from exactmatch.formats.readings import as_graph
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.base import GraphMetric, Metric, Pair, Statistics
from exactmatch.metrics.score import Score
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.smatch import Smatch
from exactmatch_papers.principles.edits import (
    copy_of,
    edited,
    generated,
    is_connected,
    position,
    refilled,
    text_of,
    tree,
    with_concept,
)
from exactmatch_papers.principles.principles import NAMES, Findings, Outcome, outcomes
from exactmatch_papers.principles.probes import (
    FixedProbe,
    PairProbe,
    Plain,
    Probe,
    Setting,
    answer,
    are_equal,
    jaccard,
    varied,
)

CLEAN = get_profile("clean")


def graph(text: str) -> Graph:
    return as_graph(text, CLEAN)


GOLDS = [
    graph("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :time (n / now)))"),
    graph("(s / see-01 :ARG0 (m / man) :ARG1 (w / woman :quant 2) :ARG2 (k / man))"),
    graph("(r / rain-01 :time (t / today) :location (c / city :mod (o / old)))"),
]
PREDS = [
    graph("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :time (n / now)))"),
    graph("(s / see-01 :ARG0 (m / man) :ARG1 (w / woman))"),
    graph("(r / rain-01 :time (t / today) :location (c / city))"),
]


def examined(metric: Metric) -> dict[str, Outcome]:
    graphs = list(varied(GOLDS, 40, 0))
    pairs = list(zip(PREDS, GOLDS, strict=True))
    probes: list[Probe] = [PairProbe(k, k, None, *p) for k, p in enumerate(pairs)]
    probes += [*graphs, FixedProbe()]
    answers = [answer((0, probe), [metric], Setting(runs=3)) for probe in probes]
    plain = [Plain(*pair, are_equal(*pair)) for pair in pairs]
    judged = outcomes(Findings("metric", plain, graphs, answers))
    return {outcome.principle: outcome for outcome in judged}


def ticks(metric: Metric) -> str:
    judged = examined(metric)
    return " ".join(judged[principle].tick for principle in NAMES)


def test_exact_smatch_keeps_all_but_graded_matching() -> None:
    """Table 10 of Opitz et al. (2020), without its ε."""
    assert ticks(Smatch()) == "✓ ✓ ✓ ✓ ✓ ✓ ✗"


def test_sembleu_is_bounded_and_determinate_only() -> None:
    """Table 10 of Opitz et al. (2020)."""
    assert ticks(SemBleu()) == "✓ ✗ ✗ ✓ ✗ ✗ ✗"


class Spoilt(GraphMetric):
    """Smatch with a fault; its statistics are one number."""

    name = "spoilt"
    title = "Spoilt"
    default_profile = "smatch"

    def __init__(self, fault: str) -> None:
        super().__init__()
        self._fault = fault
        self._smatch = Smatch()
        self._calls = np.random.default_rng(0)

    def prepare(self, item: Graph) -> Any:
        return self._smatch.prepare(item)

    def compare(self, pred: Any, *golds: Any, limits: Any = None) -> Pair:
        measured = self._smatch.compare(pred, *golds, limits=limits)
        score = self._smatch.scores(measured.statistics)
        value = score.score
        if self._fault == "range":
            value = 2 * value - 0.5
        if self._fault == "identity":
            value = min(1.0, value + 0.2)
        if self._fault == "symmetry":
            value = score.precision or 0.0
        if self._fault == "determinacy":
            value -= 0.001 * float(self._calls.random())
        if self._fault == "order":
            value = value if value == 1 else 1 - value
        return Pair((value,))

    def scores(self, sums: Statistics) -> Score:
        return Score(self.name, sums[0])

    def signature(self) -> list[tuple[str, str]]:
        return []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "principle", "tick"),
    [
        ("range", "I", "✗"),
        ("identity", "II", "✗"),
        ("symmetry", "III", "✗"),
        ("determinacy", "IV", "ε"),
        ("order", "VI", "✗"),
    ],
)
def test_each_fault_is_reported(fault: str, principle: str, tick: str) -> None:
    assert examined(Spoilt(fault))[principle].tick == tick


def test_symmetry_is_counted_by_hand() -> None:
    """P = 1 and R below it in every pair, so all three pairs violate symmetry."""
    measured = examined(Spoilt("symmetry"))["III"].numbers
    assert measured["violation_ratio"] == 1.0
    scores = [
        Smatch().scores(Smatch().measure(p, g).statistics)
        for p, g in zip(PREDS, GOLDS, strict=True)
    ]
    gaps = [(s.precision or 0) - (s.recall or 0) for s in scores]
    assert measured["mean_violation"] == pytest.approx(np.mean(gaps))


def test_wrong_nodes_of_a_tree_weigh_alike_for_smatch() -> None:
    """Degree 2: 7 nodes, 6 edges, a top; one wrong concept loses 1 of 14 triples."""
    losses = examined(Smatch())["V"].numbers
    assert losses["root_2"] == losses["branching_2"] == losses["leaf_2"]
    assert losses["leaf_2"] == pytest.approx(1 / 14)
    assert losses["leaves_2"] == pytest.approx(2 / 14)


def test_copies_are_equal_and_edits_are_not() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        made = generated(rng)
        assert are_equal(copy_of(made, rng), made)
        assert not are_equal(edited(made, 1, rng), made)
        other = refilled(made, rng)
        assert other is not None
        assert len(other.relations) == len(made.relations)
        assert len(set(other.triples())) == len(list(other.triples()))


def test_no_variant_cuts_a_graph_in_two() -> None:
    """Only the edge inside the cycle may move: the other one holds the cycle."""
    made = graph(
        "(a / see-01 :ARG0 (b / man :ARG1-of (c / x :ARG0 b)) :ARG2 (d / man))"
    )
    loop = graph("(a / see-01 :ARG0 (b / man :ARG0 (c / x :ARG1 b)) :ARG2 (d / man))")
    for seed in range(20):
        rng = np.random.default_rng(seed)
        for whole in (made, loop):
            other = refilled(whole, rng)
            assert other is not None
            assert is_connected(other)
            penman.decode(text_of(other))


def test_a_graph_in_two_parts_is_shown_as_triples() -> None:
    parts = Graph.from_triples(
        [("a", "instance", "x"), ("b", "instance", "y"), ("b", "polarity", "-")]
    )
    assert not is_connected(parts)
    assert penman.parse_triples(text_of(parts)) == [
        ("a", ":instance", "x"),
        ("b", ":instance", "y"),
        ("b", ":polarity", "-"),
    ]


def test_the_overlap_of_two_graphs() -> None:
    """Instances and top match, the edge and one concept do not: 2 of 6 in the union."""
    first = graph("(a / see-01 :ARG0 (b / cat))")
    second = graph("(a / see-01 :ARG1 (b / dog))")
    assert jaccard(first, second) == pytest.approx(2 / 6)


def test_a_tree_has_three_levels() -> None:
    made = tree(3)
    assert len(made.variables) == 1 + 3 + 9
    assert position(made, "r") == "root"
    assert position(made, "b2") == "branching"
    assert position(made, "l2.2") == "leaf"
    assert with_concept(made, "b2", "other").concepts().count("other") == 1


def test_the_seed_decides_what_is_varied() -> None:
    made, again = (list(varied(GOLDS, 5, 7)) for _ in range(2))
    assert made == again
    assert made != list(varied(GOLDS, 5, 8))
    assert len(made) == 3 + 5


def test_graphs_without_variables_are_not_varied() -> None:
    empty = Graph((), (), (), (), ())
    assert len(list(varied([empty], 1, 0))) == 1


def test_variants_are_what_they_are_called() -> None:
    """Copies are equal, wrong concepts lose one triple, and overlaps are exact."""
    for probe in varied(GOLDS, 5, 1):
        assert are_equal(probe.copied, probe.original)
        assert not any(are_equal(other, probe.original) for other in probe.different)
        size = len(list(probe.original.triples()))
        for place, wrong in probe.wrong.items():
            same = set(probe.original.triples()) & set(wrong.triples())
            assert len(same) == size - 1
            (changed,) = set(wrong.triples()) - same
            assert position(probe.original, changed.source) == place
        assert probe.overlaps == tuple(jaccard(e, probe.original) for e in probe.edits)


# The command


@pytest.fixture
def pair(files: Files) -> list[str]:
    return files.pair(
        "(w / want-01 :ARG0 (b / boy))\n\n(r / rain-01)\n",
        "(w / want-01 :ARG1 (b / boy))\n\n(r / rain-01 :time (n / now))\n",
    )


def test_the_table_has_a_column_for_each_metric(cli: Cli, pair: list[str]) -> None:
    code, out, _ = cli("principles", *pair, "--graphs", "5", "--runs", "2")
    assert code == 0
    head = out.splitlines()[1]
    for title in ("Smatch", "Smatch climbed, r=4", "S²Match", "SemBleu", "YiSi"):
        assert title in head
    for name in NAMES.values():
        assert name in out
    assert "SemBleu gives different graphs 1.0000:" in out
    assert "|graphs:5|runs:2|seed:0" in out


def test_every_tick_is_a_number_in_json_and_csv(cli: Cli, pair: list[str]) -> None:
    arguments = (*pair, "--graphs", "4", "--metric", "sembleu")
    _, out, _ = cli("principles", *arguments, "--format", "json")
    answer = json.loads(out)
    assert [o["principle"] for o in answer["outcomes"]] == list(NAMES)
    assert {o["tick"] for o in answer["outcomes"]} <= {"yes", "nearly", "no"}
    assert answer["outcomes"][0]["highest"] <= 1
    assert set(answer["rules"]) == set(NAMES)
    assert answer["counterexamples"][0]["first"].startswith("(")
    _, out, _ = cli("principles", *arguments, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["principle"] for row in rows] == list(NAMES)
    assert float(rows[4]["ratio"]) > 2


def test_latex_has_check_marks(cli: Cli, pair: list[str]) -> None:
    arguments = (*pair, "--graphs", "4", "--metric", "smatch", "--no-hillclimb")
    _, out, _ = cli("principles", *arguments, "--format", "latex")
    assert r"\checkmark{}" in out
    assert r"$\times$" in out
    assert "climbed" not in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--runs", "1"], "determinacy needs two or more"),
        (["--metric", "bleu"], "has no '# ::snt', which metrics on text"),
        (["--metric", "json"], "compares JSON documents; the principles are"),
    ],
)
def test_misuse_is_one_sentence(
    cli: Cli,
    pair: list[str],
    arguments: list[str],
    message: str,
) -> None:
    code, out, err = cli("principles", *pair, *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_a_seed_below_0_is_refused(cli: Cli, files: Files) -> None:
    path = files.one("a.amr", "(b / bark-01)\n")
    refusal = cli.refusal("principles", path, path, "--seed", "-1")
    assert "the seed is -1" in refusal
