"""Fine-grained scores: how well single aspects of the graphs are matched.

An *aligned* score is Smatch on a part of the graphs, aligned anew for that part and
proven optimal; a *counted* score counts what both graphs have in common.  Every score
has the statistics of Smatch, so sums over pairs score a corpus.

Three *styles* say what that means in detail: ``exact``, ``amrlib`` (amrlib 0.8.1 and
the "enhanced" tool) and ``damonte`` (Damonte's tool), each with the alignment solved;
``docs/metrics/finegrained.md`` lists how they differ.

The scores are metrics like others, for :func:`exactmatch.evaluate` too::

    report = exactmatch.evaluate(preds, golds, metric=finegrained("amrlib"))

A pair in which neither graph has what is compared has no score: it adds nothing to
the sums of a corpus, and means over pairs leave it out.

Source: Damonte, Cohen and Satta (2017), "An Incremental Parser for Abstract Meaning
Representation"; the styles from the tools' behaviour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from exactmatch.base.errors import InputError
from exactmatch.engine.problem import encode
from exactmatch.graphs.profile import PROFILES, Profile
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


@dataclass(frozen=True, slots=True)
class AlignmentRecipe:
    """How an aligned score is made: *view* is the part of a graph that is aligned."""

    profile: Profile
    view: Callable[[Graph], Graph] | None = None


@dataclass(frozen=True, slots=True)
class CountRecipe:
    """How a counted score is made, *distinct* items once."""

    profile: Profile
    items: parts.Items
    distinct: bool = False


class AlignedScore(Smatch):
    """Smatch on a part of the graphs; its name is one of :data:`SCORES`."""

    of_part = True

    def __init__(
        self,
        name: str,
        recipe: AlignmentRecipe,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
    ) -> None:
        super().__init__(recipe.profile, solver, max_terms)
        self.name = name
        self.title, self.summary = SCORES[name]
        if name == Smatch.name:  # there are several Smatches
            self.title += f" ({self.profile.name})"
        self.recipe = recipe

    @property
    def preparation(self) -> Hashable:
        return (AlignedScore, self.recipe)

    def prepare(self, item: Graph) -> CodedGraph:
        whole = self.standardise(item)
        view = self.recipe.view
        return encode(view(whole) if view else whole, self.profile)


ItemCounts: TypeAlias = tuple[Mapping[Hashable, int], int]
"""How often each item of a graph is there, and how many there are together."""


@dataclass(frozen=True, slots=True, eq=False)
class CountedGraph:
    """A graph, its labels as they are compared, and what was counted of it."""

    graph: Graph
    _counts: dict[Hashable, ItemCounts] = field(default_factory=dict, repr=False)

    def count(self, recipe: CountRecipe) -> ItemCounts:
        """How often each item is there; counted when it is first asked for."""
        key = recipe.items, recipe.distinct  # the profile made the graph
        found = self._counts.get(key)
        if found is None:
            items = recipe.items(self.graph)
            counts = dict.fromkeys(items, 1) if recipe.distinct else Counter(items)
            found = self._counts[key] = counts, sum(counts.values())
        return found


class CountedScore(DirectMetric):
    """The items that two graphs share, counted without an alignment."""

    of_part = True

    def __init__(self, name: str, recipe: CountRecipe) -> None:
        super().__init__(recipe.profile)
        self.name = name
        self.title, self.summary = SCORES[name]
        self.recipe = recipe

    @property
    def preparation(self) -> Hashable:
        return (CountedScore, self.profile.comparison)

    def prepare(self, item: Graph) -> CountedGraph:
        return CountedGraph(parts.normalised(item, self.profile.comparison))

    def statistics(self, pred: CountedGraph, gold: CountedGraph) -> Statistics:
        ours, total = pred.count(self.recipe)
        theirs, other_total = gold.count(self.recipe)
        shared = sum([min(n, theirs[k]) for k, n in ours.items() if k in theirs])
        return float(shared), float(total), float(other_total)

    def scores(self, sums: Statistics) -> FScore:
        return f1_of(self, Part(*map(int, sums)))

    def identity(self) -> Statistics:
        return (0.0,) * 3

    def signature(self) -> list[tuple[str, str]]:
        items = [("read", self.profile.reader), ("case", self.profile.comparison)]
        return [*items, ("items", "set" if self.recipe.distinct else "multiset")]


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

Recipes: TypeAlias = "dict[str, AlignmentRecipe | CountRecipe]"


def _exact() -> Recipes:
    clean = PROFILES["clean"]
    counted = partial(CountRecipe, clean)
    return {
        "smatch": AlignmentRecipe(clean),
        "unlabeled": AlignmentRecipe(clean, parts.without_roles),
        "no-wsd": AlignmentRecipe(clean.with_options(sense=False)),
        "concepts": counted(parts.concepts),
        "frames": counted(parts.frames),
        "non-sense-frames": counted(parts.frames_without_sense),
        "named-entities": counted(parts.named_entities),
        "negation": counted(partial(parts.concepts_with, "polarity", value="-")),
        "wikification": counted(parts.wiki_values),
        "ignore-vars": counted(parts.triples_of_concepts),
        "reentrancies": AlignmentRecipe(clean, parts.reentrant),
        "srl": AlignmentRecipe(clean, parts.core_roles),
    }


def _amrlib() -> Recipes:
    reading = partial(PROFILES["smatch"].with_options, name="amrlib")
    written = reading(reader="amrlib", comparison="exact")
    counted = partial(CountRecipe, written, distinct=True)
    early = reading(reader="amrlib-early")

    def aligned(choose: parts.Chosen) -> AlignmentRecipe:
        return AlignmentRecipe(early, partial(parts.amrlib_part, choose=choose))

    return {
        "smatch": AlignmentRecipe(reading(reader="amrlib")),
        "unlabeled": AlignmentRecipe(reading(reader="amrlib-unlabeled")),
        "no-wsd": AlignmentRecipe(reading(reader="amrlib-unsensed")),
        "concepts": counted(parts.concepts),
        "frames": counted(parts.frames),
        "non-sense-frames": counted(parts.frames_without_sense),
        "named-entities": counted(partial(parts.concepts_with, "name")),
        "negation": counted(partial(parts.concepts_with, "polarity")),
        "wikification": counted(parts.wiki_values),
        "ignore-vars": counted(parts.triples_of_concepts_and_top),
        "reentrancies": aligned(parts.published_reentrancies),
        "srl": aligned(parts.published_roles),
    }


def _damonte() -> Recipes:
    reading = partial(PROFILES["smatch"].with_options, name="damonte", top="concept")
    whole = reading(reader="damonte")
    counted = partial(CountRecipe, whole.with_options(comparison="exact"))

    def aligned(choose: parts.Chosen) -> AlignmentRecipe:
        return AlignmentRecipe(whole, partial(parts.damonte_part, choose=choose))

    return {
        "smatch": AlignmentRecipe(whole),
        "unlabeled": AlignmentRecipe(reading(reader="damonte-unlabeled")),
        "no-wsd": AlignmentRecipe(reading(reader="damonte-unsensed")),
        "concepts": counted(parts.concepts),
        "named-entities": counted(partial(parts.concepts_with, "name")),
        "negation": counted(partial(parts.concepts_with, "polarity")),
        "wikification": counted(parts.wiki_values),
        "reentrancies": aligned(parts.published_reentrancies),
        "srl": aligned(parts.published_roles),
    }


STYLES: dict[Style, Callable[[], Recipes]] = {
    "exact": _exact,
    "amrlib": _amrlib,
    "damonte": _damonte,
}
"""Every style by name: how each of its scores is made."""


def finegrained(
    style: Style = "exact",
    solver: Solver | str = "auto",
    max_terms: int | None = None,
) -> list[Metric]:
    """The fine-grained scores of a style, as metrics for one evaluation.

    Args:
        style: what the scores mean in detail.
        solver: who aligns the variables; every exact one gives the same scores.
        max_terms: how large an alignment problem may become.

    Raises:
        InputError: if there is no such style.
    """
    if style not in STYLES:
        known = ", ".join(get_args(Style))
        raise InputError(f"unknown style {style!r} (known: {known})")
    return [
        CountedScore(name, recipe)
        if isinstance(recipe, CountRecipe)
        else AlignedScore(name, recipe, solver, max_terms)
        for name, recipe in STYLES[style]().items()
    ]
