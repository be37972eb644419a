"""Fine-grained scores of single aspects of the graphs.

An *aligned* score is Smatch on a part of the graphs, aligned anew for that part and
proven optimal; a *counted* score counts what both graphs have in common.  Three
*styles* say what that means in detail: ``exact``, ``amrlib`` (amrlib 0.8.1 and the
"enhanced" tool) and ``damonte`` (Damonte's tool), each with the alignment solved;
``docs/metrics/finegrained.md`` lists how they differ.

Source: Damonte, Cohen and Satta (2017), "An Incremental Parser for Abstract Meaning
Representation"; the styles from the tools' behaviour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from exactmatch.base.errors import InputError
from exactmatch.engine.problem import encode
from exactmatch.graphs.profile import NORMALISERS, PROFILES, Profile
from exactmatch.metrics.base import Metric, Statistics
from exactmatch.metrics.counts import DirectMetric, f1_of
from exactmatch.metrics.finegrained import parts
from exactmatch.metrics.score import FScore, Part
from exactmatch.metrics.smatch import Smatch

if TYPE_CHECKING:
    from exactmatch.engine.problem import CodedGraph
    from exactmatch.graphs.graph import Graph
    from exactmatch.solvers.base import Solver

Style: TypeAlias = Literal["exact", "amrlib", "damonte"]


class AlignedScore(Smatch):
    """Smatch on a part of the graphs, which *view* returns; by default on all."""

    of_part = True

    def __init__(
        self,
        profile: Profile,
        view: Callable[[Graph], Graph] | None = None,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
    ) -> None:
        super().__init__(profile, solver, max_terms)
        self.view = view

    @property
    def preparation_key(self) -> Hashable:
        return (AlignedScore, self.profile, self.view)

    def prepare(self, item: Graph) -> CodedGraph:
        standardised = self.standardise(item)
        return encode(
            self.view(standardised) if self.view else standardised, self.profile
        )


ItemCounts: TypeAlias = tuple[Mapping[Hashable, int], int]
"""The count of each item of a graph, and their sum."""


@dataclass(frozen=True, slots=True, eq=False)
class CountedGraph:
    """A graph with labels as they are compared, and the counts of its items."""

    graph: Graph
    _counts: dict[Hashable, ItemCounts] = field(default_factory=dict, repr=False)

    def count(self, items: parts.Items, distinct: bool) -> ItemCounts:
        """Return the count of each item, counted at the first use."""
        key = items, distinct
        counted = self._counts.get(key)
        if counted is None:
            listed = items(self.graph)
            counts = dict.fromkeys(listed, 1) if distinct else Counter(listed)
            counted = self._counts[key] = counts, sum(counts.values())
        return counted


class CountedScore(DirectMetric):
    """The items that two graphs share, *distinct* ones once, without an alignment."""

    of_part = True
    width = 3

    def __init__(
        self, profile: Profile, items: parts.Items, distinct: bool = False
    ) -> None:
        super().__init__(profile)
        self.items, self.distinct = items, distinct

    @property
    def preparation_key(self) -> Hashable:
        return (CountedScore, self.profile.comparison)

    def prepare(self, item: Graph) -> CountedGraph:
        normalise = NORMALISERS[self.profile.comparison]
        return CountedGraph(item.relabelled(tuple(map(normalise, item.labels))))

    def statistics(self, pred: CountedGraph, gold: CountedGraph) -> Statistics:
        pred_counts, pred_total = pred.count(self.items, self.distinct)
        gold_counts, gold_total = gold.count(self.items, self.distinct)
        shared = sum(
            [min(n, gold_counts[k]) for k, n in pred_counts.items() if k in gold_counts]
        )
        return float(shared), float(pred_total), float(gold_total)

    def scores(self, sums: Statistics) -> FScore:
        return f1_of(self, Part(*map(int, sums)))

    def signature(self) -> list[tuple[str, str]]:
        items = [("read", self.profile.reader), ("case", self.profile.comparison)]
        return [*items, ("items", "set" if self.distinct else "multiset")]


SCORES = {
    "smatch": ("Smatch", "all triples"),
    "unlabeled": ("Unlabeled", "all triples, roles ignored"),
    "no-wsd": ("No WSD", "all triples, senses ignored"),
    "concepts": ("Concepts", "concepts"),
    "frames": ("Frames", "PropBank frames with their senses"),
    "non-sense-frames": ("Non-sense frames", "PropBank frames without their senses"),
    "named-entities": ("Named entities", "what has a :name"),
    "negation": ("Negation", "what has a :polarity"),
    "wikification": ("Wikification", "values of :wiki"),
    "ignore-vars": ("IgnoreVars", "triples with concepts in place of variables"),
    "reentrancies": ("Reentrancies", "relations into variables that have several"),
    "srl": ("SRL", "core roles"),
}
"""Title and summary of every fine-grained score, in the order of tables."""

Scores: TypeAlias = dict[str, Metric]
Aligned: TypeAlias = Callable[..., AlignedScore]


def _exact(aligned: Aligned) -> Scores:
    clean = PROFILES["clean"]
    counted = partial(CountedScore, clean)
    return {
        "smatch": aligned(clean),
        "unlabeled": aligned(clean, parts.without_roles),
        "no-wsd": aligned(clean.with_options(sense=False)),
        "concepts": counted(parts.concepts),
        "frames": counted(parts.frames),
        "non-sense-frames": counted(parts.frames_without_sense),
        "named-entities": counted(parts.named_entities),
        "negation": counted(partial(parts.concepts_with, "polarity", value="-")),
        "wikification": counted(parts.wiki_values),
        "ignore-vars": counted(parts.triples_of_concepts),
        "reentrancies": aligned(clean, parts.reentrant),
        "srl": aligned(clean, parts.core_roles),
    }


def _amrlib(aligned: Aligned) -> Scores:
    reading = partial(PROFILES["smatch"].with_options, name="amrlib")
    written = reading(reader="amrlib", comparison="exact")
    counted = partial(CountedScore, written, distinct=True)

    def chosen(choose: parts.Chosen) -> Metric:
        view = partial(parts.amrlib_part, choose=choose)
        return aligned(reading(reader="amrlib-early"), view)

    return {
        "smatch": aligned(reading(reader="amrlib")),
        "unlabeled": aligned(reading(reader="amrlib-unlabeled")),
        "no-wsd": aligned(reading(reader="amrlib-unsensed")),
        "concepts": counted(parts.concepts),
        "frames": counted(parts.frames),
        "non-sense-frames": counted(parts.frames_without_sense),
        "named-entities": counted(partial(parts.concepts_with, "name")),
        "negation": counted(partial(parts.concepts_with, "polarity")),
        "wikification": counted(parts.wiki_values),
        "ignore-vars": counted(parts.triples_of_concepts_and_top),
        "reentrancies": chosen(parts.published_reentrancies),
        "srl": chosen(parts.published_roles),
    }


def _damonte(aligned: Aligned) -> Scores:
    reading = partial(PROFILES["smatch"].with_options, name="damonte", top="concept")
    damonte_reading = reading(reader="damonte")
    counted = partial(CountedScore, damonte_reading.with_options(comparison="exact"))

    def chosen(choose: parts.Chosen) -> Metric:
        return aligned(damonte_reading, partial(parts.damonte_part, choose=choose))

    return {
        "smatch": aligned(damonte_reading),
        "unlabeled": aligned(reading(reader="damonte-unlabeled")),
        "no-wsd": aligned(reading(reader="damonte-unsensed")),
        "concepts": counted(parts.concepts),
        "named-entities": counted(partial(parts.concepts_with, "name")),
        "negation": counted(partial(parts.concepts_with, "polarity")),
        "wikification": counted(parts.wiki_values),
        "reentrancies": chosen(parts.published_reentrancies),
        "srl": chosen(parts.published_roles),
    }


STYLES: dict[Style, Callable[[Aligned], Scores]] = {
    "exact": _exact,
    "amrlib": _amrlib,
    "damonte": _damonte,
}
"""All styles by name: makers of scores, called with the maker of aligned scores."""


def finegrained(
    style: Style = "exact",
    solver: Solver | str = "auto",
    max_terms: int | None = None,
) -> list[Metric]:
    """Return the fine-grained scores of a style, as metrics for one evaluation.

    Args:
        style: the definition of the scores.
        solver: the solver that aligns variables; all exact ones give the same scores.
        max_terms: largest size of an alignment problem.

    Raises:
        InputError: if there is no such style.
    """
    if style not in STYLES:
        known_styles = ", ".join(get_args(Style))
        raise InputError(f"unknown style {style!r} (known: {known_styles})")
    scores = STYLES[style](partial(AlignedScore, solver=solver, max_terms=max_terms))
    for name, metric in scores.items():
        metric.name = name
        metric.title, metric.summary = SCORES[name]
    smatch: Any = scores["smatch"]  # there are several Smatches
    smatch.title += f" ({smatch.profile.name})"
    return [*scores.values()]
