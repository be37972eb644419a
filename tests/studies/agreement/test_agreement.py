"""Agreement of annotators: α against published values, laws, and by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.samples import UMR

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.formats.blocks import Block
from exactmatch.formats.formats import FORMATS
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.umr.scores import umr_scores
from exactmatch.studies.agreement.results import Chance
from exactmatch.studies.agreement.study import agreement

BARE = PROFILES["clean"].with_options(top="none")


def labelled(label: Any) -> str:
    """A graph that shares everything or nothing with another one."""
    return f"(x / c{label})"


def nominal(*annotators: Any) -> Chance:
    """α of labels, ``*`` for none."""
    return agreement(
        {
            str(k): {
                str(unit): labelled(label)
                for unit, label in enumerate(labels.split())
                if label != "*"
            }
            for k, labels in enumerate(annotators)
        },
        profile=BARE,
    ).chance


def test_alpha_of_krippendorffs_example() -> None:
    """Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section C.

    Four observers, twelve units, nominal data with missing values: 0.743.
    """
    found = nominal(
        "1 2 3 3 2 1 4 1 2 * * *",
        "1 2 3 3 2 2 4 1 2 5 * 3",
        "* 3 3 3 2 3 4 2 2 5 1 *",
        "1 2 3 3 2 4 4 1 2 5 1 *",
    )
    assert found.alpha == pytest.approx(0.743, abs=5e-4)
    assert (found.annotations, found.units) == (40, 11)


def test_alpha_of_two_observers() -> None:
    """The same paper, section B: binary data of ten units, α = 0.095."""
    found = nominal("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0")
    assert found.alpha == pytest.approx(0.095, abs=5e-4)


def test_closed_forms() -> None:
    """Of two observers who always differ in labels used equally often."""
    assert nominal("1 2", "1 2").alpha == 1
    found = nominal("1 2", "2 1")
    assert found.observed == 1
    assert found.expected == pytest.approx(2 / 3)
    assert found.alpha == pytest.approx(-0.5)
    assert nominal("1 1", "1 1").alpha is None  # nothing differs
    # the package krippendorff 0.9.0 has the same of single units
    assert nominal("1", "2").alpha == 0
    assert nominal("1 *", "2 1").alpha == 0
    assert nominal("1", "1").alpha is None
    assert nominal("1 *", "1 1").alpha is None
    alone = nominal("1 *", "* 1")
    assert (alone.alpha, alone.annotations) == (None, 0)


@given(
    st.lists(
        st.lists(st.sampled_from("12*"), min_size=4, max_size=4),
        min_size=2,
        max_size=3,
    )
)
@settings(max_examples=examples(30))
def test_alpha_by_its_definition(rows: Any) -> None:
    found = nominal(*map(" ".join, rows))
    units = [[row[u] for row in rows if row[u] != "*"] for u in range(4)]
    units = [unit for unit in units if len(unit) > 1]
    every = [label for unit in units for label in unit]
    n = len(every)
    assert found.annotations == n
    if not n:
        return
    observed = sum(
        sum(unit[i] != unit[j] for i in range(len(unit)) for j in range(len(unit)))
        / (len(unit) - 1)
        for unit in units
    )
    expected = sum(a != b for a in every for b in every) / (n * (n - 1))
    assert found.observed == pytest.approx(observed / n)
    assert found.expected == pytest.approx(expected)


def test_chance_may_be_judged_by_pairs_drawn_at_random() -> None:
    labels = "1 2 3 3 2 1 4 1 2", "1 2 3 3 2 2 4 1 2"
    graphs: dict[Any, Any] = {
        number: [labelled(label) for label in row.split()]
        for number, row in enumerate(labels)
    }
    fewer: dict[str, Any] = {"chance_pairs": 152, "seed": 1}
    chances = ({"chance_pairs": 153}, fewer, fewer)
    whole, drawn, again = (
        agreement(graphs, profile=BARE, **options).chance for options in chances
    )
    assert (whole.drawn, drawn.drawn) == (None, 152)
    assert drawn.expected == pytest.approx(whole.expected, abs=0.15)
    assert drawn == again


ANN = ["(b / bark-01 :ARG0 (d / dog :mod (b2 / big)))", "(s / sleep-01 :polarity -)"]
BOB = ["(b / bark-01 :ARG0 (d / dog))", "(s / sleep-01 :polarity -)"]
CEM = ["(b / bark-01 :ARG0 (c / cat))", "(s / sleep-01)"]


def test_pairs_roles_and_units_by_hand() -> None:
    found = exactmatch.agreement({"Ann": ANN, "Bob": BOB, "Cem": CEM}, profile="clean")
    matched = {
        (pair.first, pair.second): (
            pair.units,
            pair.score.matched,
            pair.score.pred_total,
            pair.score.gold_total,
        )
        for pair in found.pairs
    }
    assert matched == {
        ("Ann", "Bob"): (2, 7, 9, 7),
        ("Ann", "Cem"): (2, 5, 9, 6),
        ("Bob", "Cem"): (2, 5, 7, 6),
    }
    assert found.mean == pytest.approx((14 / 16 + 10 / 15 + 10 / 13) / 3)
    roles = {role.name: (role.matched, role.total) for role in found.roles}
    assert roles == {
        "concept": (7, 20),
        "top": (6, 12),
        "arg0": (3, 6),
        "mod": (0, 2),
        "polarity": (1, 4),
    }
    kinds = {kind.name: (kind.matched, kind.total) for kind in found.kinds}
    assert kinds == {"concepts": (7, 20), "relations": (3, 8), "attributes": (7, 16)}
    assert list(kinds) == ["concepts", "relations", "attributes"]
    assert found.roles[0].name == "concept"
    worst = found.units[0]
    assert (worst.unit, worst.first, worst.second) == ("1", "Ann", "Cem")
    assert found.proven
    assert found.of("Cem", "Ann") is found.of("Ann", "Cem")


def test_every_pair_has_the_score_of_evaluate() -> None:
    found = exactmatch.agreement({"Ann": ANN, "Bob": BOB, "Cem": CEM})
    sides = [(ANN, BOB), (ANN, CEM), (BOB, CEM)]
    for pair, others in zip(found.pairs, sides, strict=True):
        assert pair.score.score == exactmatch.evaluate(*others).score


def test_annotators_of_different_units() -> None:
    found = exactmatch.agreement(
        {"Ann": {"1": ANN[0], "2": ANN[1]}, "Bob": {"2": BOB[1]}, "Cem": {"3": CEM[0]}}
    )
    assert [pair.units for pair in found.pairs] == [1, 0, 0]
    assert found.of("Bob", "Cem") is None
    assert found.mean == 1
    assert found.chance.annotations == 2


def umr(text: str) -> Block:
    (block,) = FORMATS["umr"].blocks(text.splitlines(keepends=True), None)
    return block


def test_of_documents_the_sentences_count_that_both_have() -> None:
    second = UMR.index("#" * 80, 1)
    found = exactmatch.agreement(
        {"Ann": [umr(UMR)], "Bob": [umr(UMR[:second])], "Cem": [umr(UMR)]},
        profile="umr",
    )
    ann_bob, ann_cem, _ = (pair.score for pair in found.pairs)
    assert ann_bob.score == ann_cem.score == 1
    assert ann_bob.pred_total == ann_bob.gold_total < ann_cem.gold_total
    later = UMR[second:]  # without what it says of the first sentence
    for line in ("    :cause s1r", "    :temporal ((s1r :after s2f))\n"):
        later = later.replace(line, "")
    later = later.replace(":coref ((s1p :same-entity s2p))", "")
    found = exactmatch.agreement(
        {"Ann": [umr(UMR)], "Bob": [umr(later)]}, profile="umr"
    )
    assert found.pairs[0].score.score == 1
    assert found.chance.alpha is None


UMR_KINDS = (
    *("concepts", "participants", "other-relations", "attributes"),
    *("temporal", "modal", "coref"),
)


def test_kinds_of_documents_are_rows_of_their_table() -> None:
    """Those of the sub-scores, which are counted in another way, and nothing else."""
    other = UMR.replace(":full-affirmative s1r", ":partial-affirmative s1r")
    for ours, theirs in (("performance", "activity"), ("cause", "manner")):
        other = other.replace(ours, theirs)
    other = other.replace(":same-entity", ":subset-of").replace("ARG0-of", "ARG1-of")
    found = exactmatch.agreement(
        {"Ann": [umr(UMR)], "Bob": [umr(other)]}, profile="umr"
    )
    rows = [row for row in umr_scores() if row.name in UMR_KINDS]
    report = exactmatch.evaluate([umr(UMR)], [umr(other)], metric=rows)
    scores = {row.name: report[row.name].score for row in rows}
    assert [kind.name for kind in found.kinds] == list(UMR_KINDS)
    for kind in found.kinds:
        row = scores[kind.name]
        assert (kind.matched, kind.f1) == (row.matched, row.f1), kind.name
        assert kind.total == row.pred_total + row.gold_total
    for counted in (found.kinds, found.roles):
        whole = found.pairs[0].score
        assert sum(c.matched for c in counted) == whole.matched
        assert sum(c.total for c in counted) == whole.pred_total + whole.gold_total
    differing = {kind.name for kind in found.kinds if kind.f1 < 1}
    assert differing == {"participants", "attributes", "modal", "coref"}


def test_a_level_of_its_own_is_a_kind_and_comes_last() -> None:
    text = UMR.replace(":modal (", ":stance (")
    found = exactmatch.agreement(
        {"Ann": [umr(text)], "Bob": [umr(text)]}, profile="umr"
    )
    assert [kind.name for kind in found.kinds][-1] == "stance"


@pytest.mark.parametrize(
    ("annotations", "message"),
    [
        ({"Ann": ANN}, "only one annotator"),
        ({"Ann": ANN, "Bob": BOB[:1]}, "different numbers of graphs"),
        ({"Ann": ANN, "Bob": ANN[0]}, "is one text where a list"),
        ({"Ann": ANN, "Bob": set(BOB)}, "have no order that pairs"),
    ],
)
def test_what_makes_no_sense_is_refused(
    annotations: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        exactmatch.agreement(annotations)


def test_a_metric_must_align() -> None:
    with pytest.raises(InputError, match="does not align variables"):
        exactmatch.agreement({"Ann": ANN, "Bob": BOB}, "sembleu")
