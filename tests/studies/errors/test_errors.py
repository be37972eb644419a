"""Types of errors: each with its cost, and its range over all optimal alignments."""

import re
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.graph_strategies import alignments, graphs, matches

from exactmatch import evaluate, make_metric
from exactmatch.engine.differences import differences, statements
from exactmatch.graphs.drawing.source_text import Worded
from exactmatch.graphs.penman_text import layout
from exactmatch.graphs.profile import PROFILES
from exactmatch.studies.errors import errors
from exactmatch.studies.errors.errors import (
    ErrorSums,
    ErrorType,
    PairErrors,
    pair_errors,
)

CLEAN = PROFILES["clean"]


def found(pred: Any, gold: Any, profile: Any = "clean", index: Any = 0) -> PairErrors:
    """The errors of a pair of texts."""
    metric = make_metric("smatch", profile=profile)
    pair = compared(metric, pred, gold)
    texts = (pred, gold)
    return pair_errors(pair.problem, pair.solution.alignment, index, None, texts)


def compared(metric: Any, pred: Any, gold: Any) -> Any:
    """A pair, stated and solved."""
    return metric.compare(*(metric.prepare(metric.read(g).item) for g in (pred, gold)))


def types(pred: Any, gold: Any, profile: Any = "clean") -> Counter[Any]:
    return Counter(map(str, found(pred, gold, profile).types))


@pytest.mark.parametrize(
    ("pred", "gold", "expected"),
    [
        ("(a / x :ARG0 (b / y))", "(a / x :ARG1 (b / y))", "role confusion ARG1→ARG0"),
        ("(a / x-01 :r (b / y))", "(a / x-02 :r (b / y))", "sense confusion x-02→x-01"),
        ("(a / x :r (b / z))", "(a / x :r (b / y))", "concept confusion y→z"),
        ("(a / x :quant 1)", "(a / x :quant 2)", "value confusion quant 2→1"),
        ("(a / x)", "(a / x :polarity -)", "missing polarity polarity"),
        ("(a / x :polarity -)", "(a / x)", "extra polarity polarity"),
        ("(a / x :quant 3)", "(a / x)", "extra quantity quant"),
        ("(a / x :wiki Q)", "(a / x)", "extra named entity wiki"),
        ("(a / x)", "(a / x :year 3)", "missing date year"),
        ("(a / x :mode m)", "(a / x)", "extra constant mode"),
        (
            "(a / x :r (b / y) :s (c / z))",
            "(a / x :r (b / y :s (c / z)))",
            "wrong attachment s",
        ),
        (
            "(a / x :r (b / y) :s b :t (c / z))",
            "(a / x :r (b / y) :s c :t (c / z))",
            "wrong argument s",
        ),
        (
            "(a / x :r (b / y :s a))",
            "(a / x :r (b / y :s-of a))",
            "wrong direction s",
        ),
        (
            "(b / y :r-of (a / x))",
            "(a / x :r (b / y))",
            "wrong root x→y",
        ),
        (
            "(a / and :op1 (b / y))",
            "(a / and :op1 (b / y) :op2 b)",
            "missing coordination op2",
        ),
        (
            "(a / x :r (b / y) :s (c / z))",
            "(a / x :r (b / y) :s (c / z :t b))",
            "missing re-entrancy t",
        ),
    ],
)
def test_each_type_has_its_name(pred: str, gold: str, expected: str) -> None:
    assert set(types(pred, gold)) == {expected}


def test_a_missing_variable_is_a_concept_and_its_relation() -> None:
    assert types("(a / x)", "(a / x :r (b / y))") == {
        "missing concept y": 1,
        "missing relation r": 1,
    }


def test_names_quantities_and_coordinations_are_told_by_what_they_are() -> None:
    name = '(p / person :name (n / name :op1 "A"))'
    assert types("(p / person)", name) == {
        "missing named entity name": 2,
        "missing named entity op1": 1,
    }
    quantity = "(t / temporal-quantity :unit (y / year))"
    kinds = {kind.rpartition(" ")[0] for kind in types("(q / q)", quantity)}
    assert kinds == {"concept confusion", "missing quantity", "missing concept"}


@pytest.mark.parametrize("profile", ["smatch", "clean"])
def test_roles_are_named_as_the_files_have_them(profile: str) -> None:
    """``:mod`` is read as ``:domain`` by smatch; nobody wrote that."""
    pred = "(p / prince :mod (l / little))"
    gold = "(p / prince :degree (l / little))"
    assert types(pred, gold, profile) == {"role confusion degree→mod": 1}
    assert types(gold, pred, profile) == {"role confusion mod→degree": 1}
    gold = "(p / prince :ARG1-of (l / little))"
    assert types(pred, gold, profile) == {"role confusion ARG1-of→mod": 1}
    assert types("(a / x)", pred.replace("prince", "x"), profile) == {
        "missing concept little": 1,
        "missing relation mod": 1,
    }


def test_shares_add_up_and_are_those_of_the_lost_score() -> None:
    """``1 - F1`` times a type's share is what F1 would gain without the errors."""
    gold = "(a / x :r (b / y :polarity -) :s (c / z))"
    pred = "(a / x :r (b / y) :t (c / w))"
    counts = ErrorSums([found(pred, gold)]).counts()
    share = {str(each.type): each.share for each in counts}
    kinds = [each for each in counts if not each.type.detail]
    assert sum(each.share for each in kinds) == pytest.approx(1)
    mended = pred.replace("(b / y)", "(b / y :polarity -)")
    scores = [
        evaluate([text], [gold], "smatch", profile="clean").f1
        for text in (pred, mended)
    ]
    # Mending a type adds its triples to M and T: the denominator grows with them.
    totals = [each.triples for each in kinds]
    size = (1 - scores[0]) ** -1 * sum(totals)
    assert share["missing polarity"] == pytest.approx(1 / sum(totals))
    assert 1 - scores[0] - share["missing polarity"] * (1 - scores[0]) == (
        pytest.approx((1 - scores[1]) * (size + 1) / size)
    )


def brute(pred: Any, gold: Any) -> list[Any]:
    """Every type's counts under all optimal alignments, by trying every alignment.

    Of optimal alignments those count none of whose pairs can be left out.
    """
    options = alignments(pred, gold)
    worth = [matches(pred, gold, CLEAN, to) for to in options]
    best = [to for to, value in zip(options, worth, strict=True) if value == max(worth)]
    least = [
        to
        for to in best
        if not any({k: v for k, v in to.items() if k != one} in best for one in to)
    ]
    numbers = {name: j for j, name in enumerate(gold.variables)}
    return [
        tuple(numbers[to[name]] if name in to else -1 for name in pred.variables)
        for to in least
    ]


def alike(pred: Any, gold: Any, alignment: Any) -> Any:
    """How many partners have the same concept but for case and sense."""
    concepts = [
        [re.sub(r"-\d\d+$", "", concept).lower() for concept in graph.concepts()]
        for graph in (pred, gold)
    ]
    return sum(
        j >= 0 and concepts[0][i] == concepts[1][j] for i, j in enumerate(alignment)
    )


@settings(deadline=None, max_examples=examples(60))
@given(pred=graphs(max_variables=3), gold=graphs(max_variables=3))
def test_ranges_are_over_all_optimal_alignments(pred: Any, gold: Any) -> None:
    metric = make_metric("smatch", profile="clean")
    pred, gold = (metric.read(side).item for side in (pred, gold))
    pair = compared(metric, pred, gold)
    got = pair_errors(pair.problem, pair.solution.alignment)
    texts = [errors._Reader(Worded(graph, layout(graph))) for graph in (pred, gold)]
    said = statements(pred, CLEAN), statements(gold, CLEAN)
    counts, sizes = [], []
    every = brute(pred, gold)
    for alignment in every:
        edits = differences(*said, alignment).edits
        sizes.append((-alike(pred, gold, alignment), len(edits)))
        kinds = [errors._type(edit, *texts) for edit in edits]
        counts.append(Counter(kinds) + Counter(ErrorType(k.kind) for k in kinds))
    assert got.complete
    assert got.optima == len(every)
    assert got.differences.alignment in every
    chosen = got.differences
    merit = (-alike(pred, gold, chosen.alignment), len(chosen.edits))
    assert merit == min(sizes)
    for kind in set().union(*counts):
        numbers = [count[kind] for count in counts]
        assert (got.least[kind], got.greatest[kind]) == (min(numbers), max(numbers))
    assert set(got.greatest) == set().union(*counts)
    for k in got.fixed:
        assert len({alignment[k] for alignment in every}) == 1


def test_counts_of_pairs_are_summed_with_their_ranges() -> None:
    """Either ``b`` may be the reference's; one choice needs a role confusion less."""
    gold = "(a / x :r (b / y) :s (c / y))"
    tie = "(a / x :t (b / y))"
    pairs = [found(tie, gold, index=0), found("(a / x :r (b / y))", gold, index=4)]
    assert pairs[0].optima == 2
    counts = {str(each.type): each for each in ErrorSums(pairs).counts()}
    confusions = [counts[f"role confusion {role}→t"] for role in "rs"]
    assert sum(each.count for each in confusions) == 1
    assert [(each.least, each.greatest) for each in confusions] == [(0, 1)] * 2
    whole = counts["role confusion"]
    assert (whole.count, whole.least, whole.greatest) == (1, 1, 1)
    assert whole.pairs == (0,)
    assert counts["missing concept"].pairs == (0, 4)
    assert counts["missing concept"].count == 2


def test_types_stand_under_their_kinds_the_costly_first() -> None:
    gold = "(a / x :r (b / y) :s (c / z))"
    counts = ErrorSums([found("(a / w :r (b / v) :t (c / z))", gold)]).counts()
    kinds = [each for each in counts if not each.type.detail]
    assert [each.triples for each in kinds] == sorted(
        (each.triples for each in kinds), reverse=True
    )
    for k, each in enumerate(counts):
        if each.type.detail:
            assert counts[k - 1].type.kind == each.type.kind


def test_no_pairs_and_equal_graphs_have_no_errors() -> None:
    assert ErrorSums([]).counts() == []
    same = "(a / x :r (b / y))"
    assert ErrorSums([found(same, same)]).counts() == []


def test_a_wrong_concept_at_the_root_is_one_error() -> None:
    """Its mark is wrong, too, where that is the concept: two triples of either side."""
    pair = found("(d / dog :r (b / bark-01))", "(c / cat :r (x / bark-01))", "s2match")
    assert set(map(str, pair.types)) == {"concept confusion cat→dog"}
    whole, detail = ErrorSums([pair]).counts()
    assert (whole.count, whole.least, whole.greatest) == (1, 1, 1)
    assert (detail.count, detail.triples, detail.share) == (1, 4, 1.0)


def test_a_root_marked_by_its_concept_is_wrong_where_roots_are_not_aligned() -> None:
    """On the bundled sample, held against the roots and the alignment alone."""
    metric = make_metric("s2match")
    sample = files("exactmatch") / "sample"
    sides = [(sample / name).read_text("utf-8") for name in ("pred.amr", "gold.amr")]
    wrong = confused = 0
    pairs = []
    for pred, gold in zip(*(side.split("\n\n") for side in sides), strict=True):
        pair = compared(metric, pred, gold)
        errors_of = pair_errors(pair.problem, pair.solution.alignment)
        left, right = pair.problem.left.graph, pair.problem.right.graph
        alignment = errors_of.differences.alignment
        wrong += alignment[left.top] != right.top
        confused += sum(
            partner != -1 and left.concept(v).lower() != right.concept(partner).lower()
            for v, partner in enumerate(alignment)
        )
        pairs.append(errors_of)
    counts = {str(each.type): each.count for each in ErrorSums(pairs).counts()}
    assert 0 < wrong < len(pairs)
    assert counts["wrong root"] == wrong
    assert counts["concept confusion"] + counts["sense confusion"] == confused


OF_NAMES = st.sampled_from(["Ada", "ada", "London", "Babbage"])
FACTS = st.lists(
    st.tuples(OF_NAMES, st.sampled_from(["born in", "knows"]), OF_NAMES),
    min_size=1,
    max_size=6,
    unique=True,
)


def compared_facts(pred: Any, gold: Any) -> tuple[Any, PairErrors]:
    pair = compared(make_metric("graph", count="edges"), pred, gold)
    return pair, pair_errors(pair.problem, pair.solution.alignment)


@given(pred=FACTS, gold=FACTS)
def test_errors_of_triples_are_those_that_count(pred: Any, gold: Any) -> None:
    """Nodes with equal names are partners, though only their edges count."""
    pair, found = compared_facts(pred, gold)
    matched, _, pred_total, gold_total, *_ = pair.statistics
    lost = pred_total + gold_total - 2 * matched
    assert sum(edit.size for edit in found.differences.edits) == lost
    assert all("concept" not in kind.kind for kind in found.types)


def test_a_wrong_relation_between_two_names_is_a_role_confusion() -> None:
    """Babbage has no edge that matches, and is aligned by his name."""
    born = ("Ada", "born in", "London")
    _, found = compared_facts(
        [born, ("Ada", "student of", "Babbage")],
        [born, ("Ada", "works with", "Babbage")],
    )
    assert [str(kind) for kind in found.types] == [
        "role confusion works with→student of"
    ]
