"""What counts under every option that chooses it, counted anew from the triples.

The oracle (``support/graph_strategies.py``) writes down the triples that count in a few
lines and tries every alignment; it shares no code with what is tested.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.graph_strategies import BOOLEANS, best_match, counted, graphs

import exactmatch
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.metrics.making import make_metric
from exactmatch.metrics.smatch import Smatch

NAMES = (
    "ARG0",
    "ARG1",
    "mod",
    "op1",
    "concept",
    "instance",
    "TOP",
    "ARG99",
    "polarity",
)
ROLES = st.lists(st.sampled_from(NAMES), max_size=3)
CHOICES = st.fixed_dictionaries(
    {
        "top": st.sampled_from(("constant", "concept", "none")),
        "duplicates": st.sampled_from(("product", "multiset", "set")),
        "just": st.sampled_from((None, None, "instance", "attribute", "relation")),
        "only": ROLES,
        "leave_out": ROLES,
        "wiki": BOOLEANS,
        "sense": BOOLEANS,
        "ignore_unannotated": BOOLEANS,
    }
)
SMALL = graphs(max_variables=3)

DOG = "(d / dog :ARG0 (b / boy) :polarity -)"
CAT = "(c / cat :ARG0 (g / girl) :mod (s / small))"


def total(graph: Graph, profile: Profile, reference: Graph | None = None) -> int:
    found = counted(graph, profile, reference)
    return len(set(found) if profile.duplicates == "set" else found)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no graph has the role", "ignore:.*has no effect on")
@settings(max_examples=examples(400))
@given(SMALL, SMALL, CHOICES)
def test_every_road_counts_what_the_options_leave(
    left: Graph, right: Graph, options: dict[str, Any]
) -> None:
    """A metric, however asked, a matrix and a search: all by the triples alone."""
    profile = PROFILES["smatch"].with_options(**options)
    metric = Smatch(profile)
    left, right = (metric.read(graph).item for graph in (left, right))
    matched = best_match(left, right, profile)
    totals = total(left, profile, right), total(right, profile)
    pair = metric.compare(metric.prepare(left), metric.prepare(right))
    assert pair.statistics == (matched, matched, *totals, 1, 1)
    prepared = metric.prepare(left), metric.prepare(right)
    counted_alone = metric.pair_of(metric.compare_shared(prepared, None, "count"))
    assert counted_alone.statistics == pair.statistics
    score = metric.scores(pair.statistics)
    assert score.is_defined is (any(totals) or not (profile.only or profile.leave_out))
    assert exactmatch.cdist([left], [right], metric)[0, 0] == score.f1
    found = exactmatch.search([left], [right], 1, metric=metric)
    assert found == [[(0, score.f1)]]


@settings(max_examples=examples(100))
@given(SMALL, SMALL, CHOICES)
def test_roles_that_no_graph_has_change_nothing(
    left: Graph, right: Graph, options: dict[str, Any]
) -> None:
    """No option raises a score for a role that is not there."""
    profile = PROFILES["smatch"].with_options(**options)
    for chosen in ({"only": ("ARG99",)}, {"only": ("ARG99",), "leave_out": ("x",)}):
        found = exactmatch.smatch(left, right, profile=profile.with_options(**chosen))
        assert (found.matched, found.pred_total, found.gold_total) == (0, 0, 0)
        assert (found.f1, found.is_defined) == (0, False)
    more = (*profile.leave_out, "ARG99")
    besides = exactmatch.smatch(
        left, right, profile=profile.with_options(leave_out=more)
    )
    assert besides.matched == exactmatch.smatch(left, right, profile=profile).matched


@pytest.mark.parametrize(
    ("profile", "options", "numbers"),
    [
        ("smatch", {"only": ("ARG99",)}, (0, 0, 0)),
        ("smatch", {"only": ("polarity",)}, (0, 1, 0)),
        ("smatch", {"only": ("top",)}, (1, 1, 1)),
        ("smatch", {"leave_out": ("top",)}, (1, 4, 5)),
        ("smatch", {"leave_out": ("nosuch",)}, (2, 5, 6)),
        ("smatch", {"leave_out": ("concept",)}, (2, 3, 3)),
        ("smatchpp", {"leave_out": ("concept",)}, (1, 3, 3)),
        ("smatchpp", {"only": ("TOP",)}, (0, 1, 1)),
        ("smatchpp", {"only": ":TOP"}, (0, 1, 1)),
        ("clean", {"only": "ARG0,mod", "top": "concept"}, (1, 1, 2)),
    ],
)
def test_counts_of_a_dog_and_a_cat(
    profile: str, options: dict[str, Any], numbers: tuple[int, int, int]
) -> None:
    """The root is marked by its concept before concepts are left out."""
    chosen = PROFILES[profile].with_options(**options)
    found = exactmatch.smatch(DOG, CAT, profile=chosen)
    assert (found.matched, found.pred_total, found.gold_total) == numbers


@pytest.mark.parametrize(
    "metric", ["smatch", "s2match", "sembleu", "rematch", "wlk", "yisi"]
)
def test_nothing_is_compared_of_roles_that_are_not_there(metric: str) -> None:
    def score(left: str, right: str, **options: Any) -> Any:
        own: Any = make_metric(metric)
        made = make_metric(metric, profile=own.profile.with_options(**options))
        sides = [made.prepare(made.read(text).item) for text in (left, right)]
        return made.scores(made.compare(*sides).statistics)

    for role in ("ARG99", "wiki"):
        found = score(DOG, CAT, only=(role,))
        assert (found.score, found.is_defined) == (0, False)
        same = score(DOG, CAT, leave_out=(role,))
        assert (same.score, same.is_defined) == (score(DOG, CAT).score, True)
    for text, options in ((DOG, {"leave_out": ("polarity",)}), (CAT, {"sense": False})):
        bare = DOG.replace(" :polarity -", "") if text is DOG else CAT
        other = score(bare, CAT)
        assert score(text, CAT, **options).score == pytest.approx(other.score)
