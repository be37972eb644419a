"""The results of scoring a pair and a corpus, and what is counted beside them.

Both are also plain data under stable names: numbers are fractions between 0 and 1, in
full double precision, and the names of the fields are an interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import interval_fields, whole
from exactmatch.base.records import dataclass, field
from exactmatch.base.visible import visible
from exactmatch.formats.block import Block
from exactmatch.metrics.base import Metric, Statistics
from exactmatch.metrics.score import Score, required
from exactmatch.solvers.solution import Solution

if TYPE_CHECKING:
    from exactmatch.engine.problem import GraphProblem
    from exactmatch.scoring.resampling import Interval


class GraphOfText:
    """A graph that is read again from its text when it is wanted, and then kept.

    A graph takes several times the memory of its text, and few of an evaluation are
    looked at.

    Args:
        metric: the metric that codes graphs as it counts them.
        source: the text, or the block of a file.
    """

    __slots__ = ("_graph", "_metric", "_source")

    def __init__(self, metric: Metric, source: Block | str) -> None:
        self._metric, self._source = metric, source
        self._graph: Any = None

    def graph(self) -> Any:
        """Return the graph as the metric counts it."""
        if self._graph is None:
            item = self._metric.read(self._source).item
            self._graph = self._metric.prepare(item).graph
        return self._graph

    def __eq__(self, other: object) -> bool:
        own = other.graph() if isinstance(other, GraphOfText) else other
        return bool(self.graph() == own)

    def __hash__(self) -> int:
        return hash(self.graph())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the graph: vectors of a metric do not go to other processes."""
        return _itself, (self.graph(),)


def _itself(graph: Any) -> Any:
    return graph


@dataclass(frozen=True, slots=True, repr=False)
class PairResult:
    """One pair under one metric.

    Attributes:
        index: the pair's number, from 0.
        id: its ``# ::id``, if it has one.
        score: precision, recall, F1, counts, bound.
        statistics: the metric's summable numbers.
        solution: the alignment and its proof, for a metric that searches, where the
            evaluation keeps it.
        graphs: what was compared, or how it is read again, where the evaluation keeps
            it; see ``pred`` and ``gold``.
        graph_problem: the alignment problem, where the evaluation keeps it.
        documents: the compared JSON documents, where it keeps problems.
        dropped: what the reader left out of both texts, and how often.
        problem: what was wrong, if an empty graph stands in for a bad one.
        faults: what is wrong with the prediction's text, by kind, if it is not a
            well-formed graph (:mod:`exactmatch.formats.faults`).
        stored: whether it is from a cache, and so of an earlier run.
        sources: the texts or blocks of files that both graphs were read from, where
            the evaluation keeps graphs; see ``texts``.
        rejected: why the certificate was refused; empty if it is right, ``None``
            if it was not checked.

    >>> import exactmatch
    >>> gold = "(b / bark-01 :ARG0 (d / dog))"
    >>> report = exactmatch.evaluate(["(b / bark-01)"], [gold])
    >>> pair = report.pairs[0]
    >>> pair.score.matched, pair.solution.is_optimal
    (2, True)
    """

    index: int
    id: str | None
    score: Score
    statistics: Statistics
    solution: Solution | None = None
    graphs: tuple[Any, Any] = (None, None)
    problem: str | None = None
    rejected: str | None = None
    graph_problem: GraphProblem | None = None
    dropped: tuple[tuple[str, int], ...] = ()
    faults: tuple[str, ...] = ()
    stored: bool = False
    sources: tuple[Block | str | None, Block | str | None] = (None, None)
    documents: Any = None

    def __repr__(self) -> str:
        text = f"{name_of(self.index, self.id)}: {self.score!r}"
        return visible(f"{text}; {self.problem}" if self.problem else text)

    def _repr_html_(self) -> str:
        from exactmatch.base.markup import element, joined

        name = element("p", name_of(self.index, self.id))
        problem = element("p", self.problem) if self.problem else ""
        return joined((name, self.score._repr_html_(), problem))

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.score.metric

    @property
    def pred(self) -> Any:
        """The prediction, where the evaluation keeps it.

        For a metric that searches, it is the graph as the metric counts it, whose
        variables are aligned.
        """
        return _graph_of(self.graphs[0])

    @property
    def gold(self) -> Any:
        """The reference, where the evaluation keeps it, as :attr:`pred`."""
        return _graph_of(self.graphs[1])

    @property
    def texts(self) -> tuple[str | None, str | None]:
        """The texts of both graphs, those of files without comments."""
        return _text_of(self.sources[0]), _text_of(self.sources[1])

    @property
    def f1(self) -> float:
        """F1; an AttributeError where the metric has none."""
        return required(self.score.f1, "f1", self.metric)

    @property
    def required_problem(self) -> GraphProblem:
        """The alignment problem.

        Raises:
            InputError: if the evaluation did not keep it.
        """
        if self.graph_problem is None:
            raise InputError(
                f"the alignment problem of {name_of(self.index, self.id)} was not "
                "kept; evaluate with keep_problems=True"
            )
        return self.graph_problem

    @property
    def solved(self) -> Solution:
        """The solution, of a metric that searches.

        Raises:
            InputError: if the metric does not, or the evaluation did not keep it.
        """
        if self.solution is not None:
            return self.solution
        if self.score.proven is None:
            raise InputError(f"metric {self.metric!r} does not align variables")
        raise InputError(
            f"the solution of {name_of(self.index, self.id)} was not kept; "
            "evaluate with keep_solutions=True"
        )


def _graph_of(kept: Any) -> Any:
    return kept.graph() if isinstance(kept, GraphOfText) else kept


def _text_of(source: Block | str | None) -> str | None:
    if isinstance(source, Block):
        return source.source or "\n".join(source.content)
    return source


@dataclass(frozen=True, slots=True, repr=False)
class CorpusScore:
    """One metric's result on a corpus.

    Attributes:
        score: the score of the summed statistics (micro average).
        macro: means of precision, recall, F1 and score over the pairs that have what
            is scored, and the most that these can be where a pair is not proven.
        pairs: how many pairs were scored.
        defined: how many of them have what is scored.
        proven: how many are proven optimal; ``None`` without a search.
        signature: all that determines the number, in one line.
        intervals: confidence intervals of precision, recall and score, where they
            were asked for and are defined.
        macro_intervals: the same of their means over the pairs.
        dropped: what the reader left out of well-formed graphs, and how often.
        stored: how many pairs are from a cache, and so were proven when stored.
        confidence: the level that intervals were asked for at, if they were; few
            pairs have none even then.
        title: what people call the metric.
        interval_remark: why an interval is missing or doubtful, in a sentence.
        chosen_of: the number of pairs of which those that count were chosen, if any.

    >>> import exactmatch
    >>> gold = "(b / bark-01 :ARG0 (d / dog))"
    >>> report = exactmatch.evaluate(["(b / bark-01)"], [gold])
    >>> corpus = report["smatch"]
    >>> corpus.pairs, corpus.proven, corpus.score.recall
    (1, 1, 0.5)
    """

    score: Score
    macro: dict[str, float | None]
    pairs: int
    defined: int
    proven: int | None
    signature: str
    intervals: dict[str, Interval] = field(default_factory=dict)
    macro_intervals: dict[str, Interval] = field(default_factory=dict)
    confidence: float | None = None
    dropped: dict[str, int] = field(default_factory=dict)
    stored: int = 0
    title: str = ""
    interval_remark: str = ""
    chosen_of: int | None = None

    @property
    def f1(self) -> float:
        """F1 of the summed counts; an AttributeError where the metric has none."""
        return required(self.score.f1, "f1", self.metric)

    def __repr__(self) -> str:
        if not self.pairs:
            return f"{self.metric} -, 0 pairs"
        pairs = f"{self.pairs:,} pair{'' if self.pairs == 1 else 's'}"
        return ", ".join(filter(None, (self.score.numbers(), pairs, self.proof())))

    def proof(self) -> str:
        """Return how many pairs are proven, in words; empty without a search."""
        if self.proven is None:
            return ""
        number = "all" if self.proven == self.pairs else f"{self.proven:,}"
        return f"{number} proven{self.when_stored()}"

    def when_stored(self) -> str:
        """Return a clause about pairs from a cache; empty if there are none."""
        if not self.stored:
            return ""
        proven = "" if self.proven is None else ", proven when stored"
        return f" ({self.stored:,} from the cache{proven})"

    @property
    def metric(self) -> str:
        """The metric's name."""
        return self.score.metric

    @property
    def interval(self) -> Interval | None:
        """The confidence interval of the headline number, if it was asked for."""
        return self.intervals.get("score")


@dataclass(frozen=True, slots=True)
class Warned:
    """The warnings of one kind."""

    count: int
    examples: tuple[str, ...]  # the texts of the first ones


@dataclass(frozen=True, slots=True)
class Predictions:
    """Counts of predictions that are well-formed graphs, and of the others' faults.

    A prediction is well-formed if a careful reader takes its graph without leniency.
    Where graphs are taken out of answers, the fences, thoughts and prose around one do
    not count; elsewhere the text must be one graph.  Sentences are not looked at.
    """

    count: int = 0  # those of pairs that were left out included
    faulty: int = 0  # how many are not well-formed
    faults: Mapping[str, int] = field(default_factory=dict)  # of each kind
    repaired: int = 0  # answers of models that were mended
    unreadable: int = 0  # those that hold no graph, and count as an empty one
    noun: str = "graph"  # what they are, or "document"
    taken_out: int = 0  # well-formed ones among other text of an answer
    of_several: int = 0  # those of them whose answer held further graphs

    @property
    def is_extracted(self) -> bool:
        """Return whether answers were searched for graphs."""
        return bool(self.repaired or self.unreadable or self.taken_out)

    @property
    def well_formed(self) -> float | None:
        """The share of well-formed predictions; ``None`` if there was none."""
        return 1 - self.faulty / self.count if self.count else None

    def record(self) -> dict[str, Any]:
        """Return how many there are and how many are well-formed, as plain data."""
        record = {
            "count": self.count,
            "well_formed": self.well_formed,
            "faults": dict(self.faults),
        }
        if self.is_extracted:
            record |= {"repaired": self.repaired, "unreadable": self.unreadable}
            record["taken_out"] = self.taken_out
            record["of_several"] = self.of_several
        return record


@dataclass(frozen=True, slots=True)
class ProofCounts:
    """Counts of unproven results, and of proofs that were checked and rejected."""

    unproven: int = 0  # results that a search left open
    checked: int = 0  # certificates
    rejected: int = 0

    def __add__(self, other: ProofCounts) -> ProofCounts:
        return ProofCounts(
            self.unproven + other.unproven,
            self.checked + other.checked,
            self.rejected + other.rejected,
        )


def name_of(index: int, name: str | None) -> str:
    """Return a pair's name in messages: its number from 1, and its id if it has one."""
    return f"pair {index + 1}" + (f" ({name})" if name else "")


SHARES = ("precision", "recall", "f1", "score")
_NUMBERS = ("metric", "matched", "pred_total", "gold_total", *SHARES, "bound")
_SCORE_FIELDS = (*_NUMBERS, "proven")
UPPER = ("precision_upper", "recall_upper", "f1_upper")
_SOLVING = ("solver", "seconds", "f1_upper", "proof", "problem", "certified")

PAIR_FIELDS = ("index", "id", *_SCORE_FIELDS, *_SOLVING)
"""The fields of a pair, in this order."""

CORPUS_FIELDS = (*_NUMBERS, *UPPER, "pairs", "proven", "signature")
"""The fields of a corpus, in this order."""

RATIOS = ("precision", "recall", "score")
_ENDS = [f"{name}_{end}" for name in RATIOS for end in ("low", "high")]
INTERVAL_FIELDS = (*_ENDS, "confidence")
"""Further fields of a corpus whose intervals were asked for."""


def pair_record(result: PairResult) -> dict[str, Any]:
    """Return a pair's result as plain data under the stable names."""
    score, solution, upper = result.score, result.solution, result.score.upper()
    record: dict[str, Any] = {"index": result.index, "id": result.id}
    record |= {name: getattr(score, name) for name in _SCORE_FIELDS}
    if not score.is_defined:
        record |= dict.fromkeys(SHARES)
    record |= {
        "solver": solution.solver if solution else None,
        "seconds": solution.seconds if solution else None,
        "f1_upper": upper[2] if upper else None,
        "proof": solution.proof if solution else None,
        "problem": result.problem,
        "certified": None if result.rejected is None else not result.rejected,
    }
    faults = {"faults": list(result.faults)} if result.faults else {}
    return record | _parts(score) | faults


def corpus_record(corpus: CorpusScore, macro: bool = False) -> dict[str, Any]:
    """Return a corpus score as plain data under the stable names.

    Means over pairs (*macro*) take the place of precision, recall, F1 and score.
    """
    score = corpus.score
    record: dict[str, Any] = {name: getattr(score, name) for name in _NUMBERS}
    record |= zip(UPPER, score.upper() or (None,) * 3, strict=True)
    if macro:
        record |= corpus.macro
    if not corpus.defined:
        record |= dict.fromkeys((*SHARES, *UPPER))
    record["pairs"] = corpus.pairs
    if corpus.chosen_of is not None:
        record["chosen_of"] = corpus.chosen_of
    record["proven"] = corpus.proven
    record["signature"] = corpus.signature + ("|average:macro" if macro else "")
    if score.of_part:
        record["defined"] = corpus.defined
    record |= _parts(score)
    if corpus.confidence is not None:
        intervals = corpus.macro_intervals if macro else corpus.intervals
        for name in RATIOS:
            record |= interval_fields(name, intervals.get(name))
        record["confidence"] = corpus.confidence
    return record


def _parts(score: Score) -> dict[str, Any]:
    pieces = {}
    for kind, part in score.parts.items():
        totals = {"g": part.gold_total, "s": part.pred_total, "c": part.matched}
        pieces[kind] = {name: whole(total) for name, total in totals.items()}
    return {"pieces": pieces} if pieces else {}
