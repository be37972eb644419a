"""The contract of a metric: one file, one class, one line in ``METRICS``.

A pair is scored in four steps.  Each graph is *prepared* once.  Two prepared graphs are
*compared*.  The counts of the comparison are the pair's *statistics*.  The *score* is a
function of the statistics.  An example with Smatch; the prediction says dog, and the
reference says cat:

>>> import exactmatch
>>> metric = exactmatch.make_metric("smatch")
>>> texts = "(b / bark-01 :ARG0 (d / dog))", "(x / bark-01 :ARG0 (c / cat) :polarity -)"
>>> pred, gold = (metric.prepare(metric.read(text).item) for text in texts)
>>> pred.total, gold.total
(4, 5)

The prediction has four triples: two concepts, ``:ARG0``, and the mark of the root.  The
reference has ``:polarity -`` as well.  The coded triples make an alignment problem.
Its candidates are ``(b, x)``, worth 2 for the concept and the root, and ``(d, c)``,
worth nothing alone; together they add 1, for ``:ARG0``.

>>> pair = metric.compare(pred, gold)
>>> problem = pair.problem.problem
>>> [problem.unary.tolist(), problem.weight.tolist()]
[[2, 0], [1]]
>>> pair.solution.alignment, pair.solution.value, pair.solution.bound
((0, 1), 3, 3)
>>> pair.statistics  # matched, bound, triples of both sides, pairs, proven pairs
(3.0, 3.0, 4.0, 5.0, 1.0, 1.0)
>>> metric.scores(pair.statistics)
smatch 0.6667 (P 0.7500 R 0.6000), proven

``prepare`` does all work that needs only one graph (or sentence), so that a graph that
is compared with a thousand others is coded once.  The statistics are
*sufficient* and can be summed: the score of a corpus is the same function of their
sum, and so bootstrap samples and paired tests come from the same pass.  (The idea is
sacreBLEU's: Post 2018, "A call for clarity in reporting BLEU scores".)

>>> twice = add(pair.statistics, pair.statistics)
>>> metric.scores(twice)
smatch 0.6667 (P 0.7500 R 0.6000), proven

A metric declares its options in one class, its ``options_class``; its constructor, its
flags, its help and its reference page are made from that class.  A metric gets all its
options when it is made and does not change later, so threads may share it, and it
pickles.  The exceptions are ``fit``, ``preload`` and ``expect_references``, which are
called before the first pair; an evaluation calls them on a copy of its own.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Sequence, Set
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from exactmatch.base import values
from exactmatch.base.errors import GraphError, InputError, no_attribute
from exactmatch.base.options import Options, documented_later, optional
from exactmatch.base.records import NamedTuple, replace
from exactmatch.base.registry import imported
from exactmatch.formats.blocks import Block, begins_graph, blocks_of_text
from exactmatch.formats.readings import read_anything, read_block
from exactmatch.formats.remarks import TAGGED
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile, get_profile
from exactmatch.graphs.standardise import (
    as_whole,
    changes_nothing,
    role_names,
    standardise,
    unknown_roles,
)
from exactmatch.metrics.score import Score

if TYPE_CHECKING:
    from inspect import Signature

    from typing_extensions import Self

    from exactmatch.engine.align import Want
    from exactmatch.engine.problem import GraphProblem
    from exactmatch.solvers.solution import Limits, Solution

Statistics: TypeAlias = tuple[float, ...]


VECTORS: Any = optional(
    "word vectors: GloVe, word2vec or fastText, also gzipped",
    metavar="FILE",
    read=values.text,
    purpose="opens",
)
"""Option: the file of word vectors."""

ENCODER: Any = optional(
    "a model that embeds labels, instead of vectors",
    metavar="MODEL",
    read=values.text,
    takes_objects=True,
    purpose="opens",
)
"""Option: the model that embeds labels."""


class Pair(NamedTuple):
    """Statistics of one prediction against its reference or references.

    Attributes:
        statistics: summable numbers; their meaning is the metric's own.
        solution: the alignment and its bound, for a metric that searches.
        problem: the alignment problem that was solved, with the two coded graphs.
        stored: whether it comes from the cache of an earlier run.
        documents: the compared JSON documents, for the table by field.
    """

    statistics: Statistics
    solution: Solution | None = None
    problem: GraphProblem | None = None
    stored: bool = False
    documents: Any = None


class SolvedPair(Pair):
    """Statistics of a pair, with the alignment behind them."""

    __slots__ = ()

    solution: Solution
    problem: GraphProblem


class ReadItem(NamedTuple):
    """A graph or sentence, read from a file or taken from an object.

    Attributes:
        item: a graph or a sentence.
        lenient: the faults that a careful reader would have refused.
        reader: the published program that accepts these faults.
        dropped: the kinds of parts that were left out, with their counts.
        error: why the item could not be read; *item* is an empty one then.
    """

    item: Any
    lenient: tuple[GraphError, ...] = ()
    reader: str = ""
    dropped: tuple[tuple[str, int], ...] = ()
    error: InputError | None = None

    def remarks(self) -> list[str]:
        """Return a sentence on each fault that a careful reader would have refused."""
        if not self.reader:
            return [str(refusal) for refusal in self.lenient]
        return [
            f"{refusal}; read as {self.reader} does"
            + "; --strip-alignments removes them" * (refusal.reason == TAGGED)
            for refusal in self.lenient
        ]


class _ConstructorSignature:
    """Signature of a metric's constructor, with its declared options as parameters."""

    def __get__(self, metric: object, cls: type[Metric]) -> Signature:
        from inspect import Parameter, signature

        constructor = signature(cls.__init__)
        _, *parameters = constructor.parameters.values()
        parameters_by_name = [
            parameter
            for parameter in parameters
            if parameter.kind is not Parameter.VAR_KEYWORD
        ]
        if len(parameters_by_name) < len(parameters):
            parameters_by_name += cls.options_class.signature().parameters.values()
        return constructor.replace(parameters=parameters_by_name)


class Metric(ABC):
    """Base of all metrics; derive from :class:`GraphMetric` or :class:`TextMetric`.

    Attributes:
        name: what ``--metric`` calls it.
        title: its name in tables.
        summary: one line for ``--help``.
        fitted: whether :meth:`fit` has seen references.
        learns: whether :meth:`fit` must see every reference first.
        width: how many numbers its statistics have, by the default :meth:`identity`.
        packs: whether the kernel can score its graphs packed together.
        draws: whether its numbers depend on the seed of the limits.
        preloads: whether calling :meth:`preload` first saves time.
        aligns_sentences: whether it aligns only variables of corresponding sentences.
        options: the values of its own options, as attributes; frozen.

    Class attributes:
        reads: whether it compares graphs, sentences or JSON documents.
        empty: the item that replaces one that cannot be read.
        options_class: the class of its own options.
        in_all: whether ``--metric all`` runs it.
        aligns: whether it aligns variables, and so takes a solver.
        of_part: whether it compares a part of graphs; pairs without it have no score.
        bounds: whether it can bound the score of a pair without a search.
        packable: whether its problem and score are those of Smatch.
        takes_one: whether it takes one reference at a time; results are combined.
        advice: what to know about a default that its paper does not have, or ''.
        warns_of_names: whether remarks of :meth:`names_missed` become Python warnings.

    >>> import exactmatch
    >>> metric = exactmatch.make_metric("smatch")
    >>> read = [metric.read(text).item for text in ("(b / bark-01)", "(x / bark-01)")]
    >>> metric.scores(metric.compare(*map(metric.prepare, read)).statistics).f1
    1.0

    Called with a prediction and a reference, it scores them:

    >>> metric("(b / bark-01)", "(x / bark-01)")
    smatch 1.0000 (P 1.0000 R 1.0000), proven
    """

    name: str
    title: str
    summary: str
    advice: str = ""
    fitted: bool = False
    reads: ClassVar[Literal["graph", "text", "document"]]
    empty: ClassVar[Any]
    options_class: ClassVar[type[Options]] = Options
    options: Any
    __signature__: ClassVar[Any] = _ConstructorSignature()
    learns: bool = False
    width: int = 0
    packs: bool = False
    draws: bool = False
    preloads: bool = False
    aligns_sentences: bool = False
    in_all: ClassVar[bool] = True
    aligns: ClassVar[bool] = False
    bounds: ClassVar[bool] = False
    of_part: ClassVar[bool] = False
    packable: ClassVar[bool] = False
    takes_one: ClassVar[bool] = False
    warns_of_names: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        """Document the options that a class declares."""
        super().__init_subclass__()
        if "options_class" in vars(cls) and cls.__doc__:
            cls.__doc__ = documented_later(cls.__doc__, cls.options_class)

    def __init__(self, **options: Any) -> None:
        """Check the options; one that is ``None`` has its default."""
        chosen = {name: value for name, value in options.items() if value is not None}
        try:
            self.options = self.options_class(**chosen)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}(): {error}") from None

    def __repr__(self) -> str:
        items = [f"{key}:{value}" for key, value in self.signature()]
        return f"<metric {'|'.join((self.name, *items))}>"

    def __call__(self, pred: Any, gold: Any, **options: Any) -> Score:
        """Score one pair, as :func:`exactmatch.score` does.

        Args:
            pred, gold: the prediction and the reference, as texts or as objects.
            **options: the options of :func:`exactmatch.score`, such as ``time_limit``.
        """
        score = imported("exactmatch.studies.score.pair:score")
        result: Score = score(pred, gold, self, **options)
        return result

    if not TYPE_CHECKING:  # a type checker would accept every name

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name)

    def named(self, name: str, title: str | None = None) -> Self:
        """Return a copy with another name, for several variants in one evaluation."""
        renamed = self.copy()
        renamed.name = name
        renamed.title = title or name
        return renamed

    def copy(self) -> Self:
        """Return a copy to be fitted on its own; vectors and models are shared."""
        duplicate = object.__new__(type(self))
        duplicate.__dict__.update(self.__dict__)
        return duplicate

    @property
    @abstractmethod
    def reading_key(self) -> Hashable:
        """Key of reading: a graph is read once for metrics with equal keys."""

    @property
    def preparation_key(self) -> Hashable:
        """Key of preparing: a graph is prepared once for metrics with equal keys."""
        return self

    @property
    def comparison_key(self) -> Hashable:
        """Key of comparing: a pair is compared once for metrics with equal keys."""
        return self

    def check_recording(self) -> None:  # noqa: B027  most metrics prove nothing
        """Check that the solver can record proofs, where there is one.

        Raises:
            InputError: if the metric searches and its solver records no proofs.
        """

    @abstractmethod
    def read(self, value: Any) -> ReadItem:
        """Read a graph or sentence from a block of a file or another object.

        Raises:
            GraphError: if it cannot be read.
        """

    @abstractmethod
    def prepare(self, item: Any) -> Any:
        """Prepare a graph (or sentence) once for all its comparisons."""

    @abstractmethod
    def compare(self, pred: Any, *golds: Any, limits: Limits | None = None) -> Pair:
        """Compare a prediction with its reference (or references), all prepared.

        Args:
            pred: the prediction, as :meth:`prepare` made it.
            *golds: its references, likewise.
            limits: time, threads and seed, for a metric that searches.
        """

    def expect(self, lefts: Sequence[Any], rights: Sequence[Any]) -> None:
        """Prepare for comparing each left graph with each right one.

        Args:
            lefts, rights: the graphs, as :meth:`prepare` made them.
        """
        del lefts, rights

    def compare_shared(
        self, sides: Sequence[Any], limits: Limits | None, want: Want
    ) -> Any:
        """Compare a pair for all metrics with an equal :attr:`comparison_key`.

        Args:
            sides: the prediction and its references, as :meth:`prepare` made them.
            limits: time, threads and seed, for a metric that searches.
            want: the part of the result that is needed, for a metric that aligns.
        """
        del want
        return self.compare(*sides, limits=limits)

    def pair_of(self, comparison: Any) -> Pair:
        """Return this metric's statistics from the result of :meth:`compare_shared`."""
        pair: Pair = comparison
        return pair

    def measure(
        self,
        pred: Any,
        *golds: Any,
        limits: Limits | None = None,
        want: Want = "alignment",
    ) -> Pair:
        """Prepare and compare sides that are scored only once."""
        prepared = map(self.prepare, (pred, *golds))
        return self.pair_of(self.compare_shared([*prepared], limits, want))

    @abstractmethod
    def scores(self, sums: Statistics) -> Score:
        """Return the score of one pair's statistics, or of the sum of many."""

    def score_rows(self, sums: Any) -> Any:
        """Compute precision, recall and score of many sums at once.

        Args:
            sums: an array with a row of summed statistics for each score.

        Returns:
            An array of shape ``(rows, 3)``; NaN where a number is not defined.
        """
        import numpy as np

        scores = [self.scores(tuple(row)) for row in sums.tolist()]
        rows = [
            (s.precision, s.recall, s.score) if s.is_defined else (None,) * 3
            for s in scores
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, 3)

    def output_weights(self, rows: Any) -> Any:
        """Return the weight of each pair in the corpus score.

        For an F1 score, that is the number of items of both sides together (the
        denominator of F1).  For any other score it is 1.

        Args:
            rows: an array with a row of statistics for each pair.

        Returns:
            An array with a number at least 0 for each row.
        """
        import numpy as np

        scores = [self.scores(tuple(row)) for row in rows.tolist()]
        return np.array(
            [
                1.0
                if s.pred_total is None or s.gold_total is None
                else s.pred_total + s.gold_total
                for s in scores
            ]
        )

    @abstractmethod
    def signature(self) -> list[tuple[str, str]]:
        """Return keys and values that determine the number, apart from the data."""

    def identity(self) -> Statistics:
        """Return the statistics of zero pairs, where sums begin."""
        return (0.0,) * self.width

    def fit(self, references: Iterable[Any]) -> Self:
        """Fit the metric to all references, as :meth:`prepare` made them.

        A metric that needs this and was not fitted uses the references of each pair.
        """
        del references
        return self

    def expect_references(self, number: int) -> None:
        """Set the maximum number of references per pair, for the signature."""
        del number

    @property
    def chooses_names(self) -> bool:
        """Return whether an option chooses roles or paths by name."""
        return False

    def names_in(self, item: Any) -> set[str]:
        """Return the roles or paths of an item that options can choose."""
        del item
        return set()

    def names_missed(self, names: Set[str]) -> Iterable[str]:
        """Return a remark on each name that an option has and *names* lacks."""
        del names
        return ()

    def preload(self, texts: Iterable[str]) -> None:
        """Collect the words of all texts, so that a file of vectors is read only once.

        A metric works without this, but may then read the file more than once.
        """
        del texts

    def remark(self) -> str:
        """Return a warning about what :meth:`preload` read, or '' for none."""
        return ""


class GraphMetric(Metric):
    """Base of the metrics that compare graphs.

    Attributes:
        profile: how graphs are read, and which triples count.

    Class attributes:
        default_profile: the profile that it uses by default.
        profiles: the profiles it can work with.
        has_own_roles: whether it chooses roles itself, without an option.
        takes_kinds: whether a profile's ``just`` can restrict it to one kind of triple.
        learns_roles: whether a profile can make it ignore predicted triples whose roles
            the references never have.
    """

    reads = "graph"
    empty: ClassVar[Any] = Graph((), (), (), (), ())
    default_profile: ClassVar[str] = "clean"
    profiles: ClassVar[Collection[str]] = PROFILES
    has_own_roles: ClassVar[bool] = False
    takes_kinds: ClassVar[bool] = False
    learns_roles: ClassVar[bool] = False

    def __init__(self, profile: Profile | str | None = None, **options: Any) -> None:
        super().__init__(**options)
        chosen = get_profile(self.default_profile if profile is None else profile)
        if chosen.just is not None and not self.takes_kinds:
            chosen = replace(chosen, just=None)
        if chosen.ignore_unannotated and not self.learns_roles:
            chosen = replace(chosen, ignore_unannotated=False)
        self.profile = chosen
        self.aligns_sentences = chosen.align != "free"
        self._is_standard = changes_nothing(chosen)

    def standardise(self, graph: Graph) -> Graph:
        """Change senses, wiki links and roles of a graph as the profile says."""
        return graph if self._is_standard else standardise(graph, self.profile)

    def as_whole(self, graph: Graph) -> Graph:
        """Standardise a graph for comparison as a whole: the root gets no mark."""
        return graph if self._is_standard else as_whole(graph, self.profile)

    @property
    def reading_key(self) -> Hashable:
        return (self.profile.reader, self.profile.strip_alignments)

    @property
    def chooses_names(self) -> bool:
        return not self.has_own_roles and self.profile.chooses_roles

    def names_missed(self, names: Set[str]) -> Iterable[str]:
        return unknown_roles(self.profile, names)

    def names_in(self, item: Graph) -> set[str]:
        """Return a graph's role names, before and after standardising."""
        all_triples = self.profile.with_options(only=(), leave_out=())
        return role_names(item) | role_names(standardise(item, all_triples))

    def signature(self) -> list[tuple[str, str]]:
        return self.profile.signature()

    def pred_and_gold(self, sides: Sequence[Any]) -> tuple[Any, Any]:
        """Return a prediction and its one reference; several are refused."""
        if len(sides) != 2:
            raise InputError(f"{self.name} takes one reference, not {len(sides) - 1}")
        return sides[0], sides[1]

    def has_score(self, *sizes: float) -> bool:
        """Return whether graphs with these numbers of counted items have a score."""
        return any(sizes) or not (self.of_part or self.profile.chooses_roles)

    def read(self, value: Any) -> ReadItem:
        if isinstance(value, Block):
            reading = read_block(value, self.profile)
        else:
            reading = read_anything(value, self.profile)
        graph, lenient, dropped = reading
        errors = tuple(map(graph.origin.error, lenient)) if lenient else ()
        return ReadItem(graph, errors, self.profile.reader, dropped)


def names_missed(metrics: Iterable[Metric], names: Set[str]) -> Iterable[str]:
    """Return remarks on names in the metrics' options that no item has."""
    remarks = (m.names_missed(names) for m in metrics if m.chooses_names)
    return dict.fromkeys(chain.from_iterable(remarks))


class TextMetric(Metric):
    """Base of the metrics that compare sentences."""

    reads = "text"
    empty = ""

    @property
    def reading_key(self) -> Hashable:
        return "text"

    def read(self, value: Any) -> ReadItem:
        if isinstance(value, Block):
            return ReadItem(sentence_of(value))
        if isinstance(value, Graph):
            return ReadItem(value.metadata.get("snt", ""))
        text = str(value)
        if begins_graph(text.lstrip()):
            return ReadItem(" ".join(map(sentence_of, blocks_of_text(text))))
        return ReadItem(text)


def sentence_of(block: Block) -> str:
    """Return the sentence of a block: its ``# ::snt``, or its only line of text.

    Raises:
        GraphError: if it is a graph without ``# ::snt``.
    """
    snt = block.metadata().get("snt")
    if snt is not None:
        return snt
    text = " ".join(block.content)
    if begins_graph(text):
        raise block.origin().error("has no '# ::snt', which metrics on text compare")
    return text


def add(left: Statistics, right: Statistics) -> Statistics:
    """Sum two pairs' statistics; a shorter one is padded with zeros."""
    if len(left) == len(right):
        return tuple(map(operator.add, left, right))
    return tuple(a + b for a, b in zip_longest(left, right, fillvalue=0.0))
