"""Fine-grained scores: how well single aspects of the graphs are matched.

=================  =====================================================  =======
score              what it compares                                       how
=================  =====================================================  =======
Smatch             all triples                                            aligned
Unlabeled          all triples, roles ignored                             aligned
No WSD             all triples, senses ignored                            aligned
Concepts           concepts                                               counted
Frames             PropBank frames with their senses                      counted
Non-sense frames   PropBank frames without their senses                   counted
Named entities     what has a ``:name``                                   counted
Negation           what has a ``:polarity``                               counted
Wikification       values of ``:wiki``                                    counted
IgnoreVars         triples with concepts in place of variables            counted
Reentrancies       relations into variables that have several             aligned
SRL                core roles, ``:ARG0`` and so on                        aligned
=================  =====================================================  =======

An aligned score is Smatch on a part of the graphs, aligned anew for that part and
proven optimal; a counted score counts what both graphs have in common.  Every score
has the statistics of Smatch, so sums over pairs score a corpus.

Three *styles* say what that means in detail:

* ``exact``: AMR as penman reads it (profile ``clean``), everything as often as it is
  stated; a named entity is its concept and its name, a negation ``:polarity -``.
* ``amrlib``: what amrlib 0.8.1 and the "enhanced" tool compute, with the alignment
  solved; counted scores compare sets.
* ``damonte``: the same of Damonte's tool, which compares multisets and knows neither
  frames nor IgnoreVars.  Only the type of a named entity counts in both.

The scores are metrics like others, for :func:`exactmatch.evaluate` too::

    report = exactmatch.evaluate(preds, golds, metric=finegrained("amrlib"))

Where neither graph has what is compared, the score is 0 of 0: it adds nothing to a
corpus.

Source: Damonte, Cohen and Satta (2017), "An Incremental Parser for Abstract Meaning
Representation"; the styles from the tools' behaviour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from exactmatch.errors import InputError
from exactmatch.graphs.profile import PROFILES, Profile, Reader
from exactmatch.metrics.base import Measurement, Metric, Score, Statistics, f_score
from exactmatch.metrics.finegrained import parts
from exactmatch.metrics.smatch import AlignmentMetric

if TYPE_CHECKING:
    from exactmatch.alignment.coding import CodedGraph
    from exactmatch.graphs.graph import Graph
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.solution import Limits

Style: TypeAlias = Literal["exact", "amrlib", "damonte"]

View: TypeAlias = "Callable[[Graph], Graph]"


@dataclass(frozen=True, slots=True)
class Aligned:
    """How an aligned score is made.

    Attributes:
        profile: how graphs are read and triples counted.
        view: the part of a graph that is aligned, with its variables' numbers.
    """

    profile: Profile
    view: View | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """How a counted score is made.

    Attributes:
        profile: how graphs are read and labels compared.
        items: what of a graph is counted.
        distinct: whether items are counted once.
    """

    profile: Profile
    items: parts.Items
    distinct: bool = False


class AlignedScore(AlignmentMetric):
    """Smatch on a part of the graphs."""

    def __init__(
        self,
        recipe: Aligned,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
    ) -> None:
        super().__init__(recipe.profile, solver, max_terms)
        self.view = recipe.view

    def encode(self, graph: Graph) -> CodedGraph:
        """Code the part of a graph that is aligned."""
        from exactmatch.alignment.coding import encode

        return encode(self.view(graph) if self.view else graph, self.counting)


class CountedScore(Metric):
    """What two graphs have in common, without an alignment."""

    def __init__(self, recipe: Counted) -> None:
        super().__init__(recipe.profile)
        self.recipe = recipe

    def counts(self, graph: Graph) -> Counter[object]:
        """How often each item counts."""
        graph = parts.normalised(graph, self.recipe.profile.comparison)
        counted: Counter[object] = Counter(self.recipe.items(graph))
        return Counter(set(counted)) if self.recipe.distinct else counted

    def measure(
        self, pred: Graph, *golds: Graph, limits: Limits | None = None
    ) -> Measurement:
        """Count what both graphs have."""
        del limits
        if len(golds) != 1:
            raise InputError(f"{self.name} takes one reference, not {len(golds)}")
        ours, theirs = self.counts(pred), self.counts(golds[0])
        matched = float((ours & theirs).total())
        return Measurement((matched, float(ours.total()), float(theirs.total())))

    def score(self, statistics: Statistics) -> Score:
        """Precision, recall and F1 of summed counts."""
        matched, pred_total, gold_total = statistics
        precision, recall, f1 = f_score(matched, pred_total, gold_total)
        whole = (int(matched), int(pred_total), int(gold_total))
        return Score(self.name, f1, precision, recall, f1, *whole)

    def identity(self) -> Statistics:
        """Nothing at all."""
        return (0.0,) * 3

    def signature(self) -> list[tuple[str, str]]:
        """How graphs are read, and whether items count once."""
        assert self.profile is not None
        items = [("read", self.profile.reader), ("case", self.profile.comparison)]
        return [*items, ("items", "set" if self.recipe.distinct else "multiset")]


class _Smatch(AlignedScore):
    name = "smatch"
    title = "Smatch"
    summary = "all triples"


class _Unlabeled(AlignedScore):
    name = "unlabeled"
    title = "Unlabeled"
    summary = "all triples, roles ignored"


class _NoWsd(AlignedScore):
    name = "no-wsd"
    title = "No WSD"
    summary = "all triples, senses ignored"


class _Concepts(CountedScore):
    name = "concepts"
    title = "Concepts"
    summary = "concepts"


class _Frames(CountedScore):
    name = "frames"
    title = "Frames"
    summary = "PropBank frames with their senses"


class _NonSenseFrames(CountedScore):
    name = "non-sense-frames"
    title = "Non-sense frames"
    summary = "PropBank frames without their senses"


class _NamedEntities(CountedScore):
    name = "named-entities"
    title = "Named entities"
    summary = "what has a :name"


class _Negation(CountedScore):
    name = "negation"
    title = "Negation"
    summary = "what has a :polarity"


class _Wikification(CountedScore):
    name = "wikification"
    title = "Wikification"
    summary = "values of :wiki"


class _IgnoreVars(CountedScore):
    name = "ignore-vars"
    title = "IgnoreVars"
    summary = "triples with concepts in place of variables"


class _Reentrancies(AlignedScore):
    name = "reentrancies"
    title = "Reentrancies"
    summary = "relations into variables that have several"


class _Srl(AlignedScore):
    name = "srl"
    title = "SRL"
    summary = "core roles"


SCORES: dict[str, type[AlignedScore] | type[CountedScore]] = {
    cls.name: cls
    for cls in (
        _Smatch,
        _Unlabeled,
        _NoWsd,
        _Concepts,
        _Frames,
        _NonSenseFrames,
        _NamedEntities,
        _Negation,
        _Wikification,
        _IgnoreVars,
        _Reentrancies,
        _Srl,
    )
}
"""Every fine-grained score by name, in the order in which they are shown."""

Recipes: TypeAlias = "dict[str, Aligned | Counted]"


def _exact() -> Recipes:
    clean = PROFILES["clean"]
    counted = partial(Counted, clean)
    return {
        "smatch": Aligned(clean),
        "unlabeled": Aligned(clean, parts.without_roles),
        "no-wsd": Aligned(clean.with_options(sense=False)),
        "concepts": counted(parts.concepts),
        "frames": counted(parts.frames),
        "non-sense-frames": counted(parts.frames_without_sense),
        "named-entities": counted(parts.named_entities),
        "negation": counted(parts.ConceptsWith("polarity", "-")),
        "wikification": counted(parts.wiki_values),
        "ignore-vars": counted(parts.triples_of_concepts),
        "reentrancies": Aligned(clean, parts.reentrant),
        "srl": Aligned(clean, parts.core_roles),
    }


def _amrlib() -> Recipes:
    def reading(reader: Reader) -> Profile:
        smatch = PROFILES["smatch"]
        return smatch.with_options(name="amrlib", reader=reader)

    written = reading("amrlib").with_options(comparison="exact")
    counted = partial(Counted, written, distinct=True)
    early = reading("amrlib-early")
    return {
        "smatch": Aligned(reading("amrlib")),
        "unlabeled": Aligned(reading("amrlib-unlabeled")),
        "no-wsd": Aligned(reading("amrlib-unsensed")),
        "concepts": counted(parts.concepts),
        "frames": counted(parts.frames),
        "non-sense-frames": counted(parts.frames_without_sense),
        "named-entities": counted(parts.ConceptsWith("name")),
        "negation": counted(parts.ConceptsWith("polarity")),
        "wikification": counted(parts.wiki_values),
        "ignore-vars": counted(parts.triples_of_concepts_and_top),
        "reentrancies": Aligned(early, parts.amrlib_reentrancies),
        "srl": Aligned(early, parts.amrlib_roles),
    }


def _damonte() -> Recipes:
    def reading(reader: Reader) -> Profile:
        smatch = PROFILES["smatch"]
        return smatch.with_options(name="damonte", reader=reader, top="concept")

    counted = partial(Counted, reading("damonte").with_options(comparison="exact"))
    return {
        "smatch": Aligned(reading("damonte")),
        "unlabeled": Aligned(reading("damonte-unlabeled")),
        "no-wsd": Aligned(reading("damonte-unsensed")),
        "concepts": counted(parts.concepts),
        "named-entities": counted(parts.ConceptsWith("name")),
        "negation": counted(parts.ConceptsWith("polarity")),
        "wikification": counted(parts.wiki_values),
        "reentrancies": Aligned(reading("damonte"), parts.damonte_reentrancies),
        "srl": Aligned(reading("damonte"), parts.damonte_roles),
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
    metrics: list[Metric] = []
    for name, recipe in STYLES[style]().items():
        cls = SCORES[name]
        if isinstance(recipe, Counted):
            assert issubclass(cls, CountedScore)
            metrics.append(cls(recipe))
        else:
            assert issubclass(cls, AlignedScore)
            metrics.append(cls(recipe, solver, max_terms))
    return metrics
