"""Options of functions and commands that compare many graphs with many."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, get_args

from exactmatch.base import values
from exactmatch.base.options import Options, flag, option, optional, redeclared
from exactmatch.edit.options import Costs
from exactmatch.metrics.options import Making, MetricNames, Solvers
from exactmatch.scoring.options import Formats, Pairing, Working

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy.typing as npt

    from exactmatch.formats.pairs import OnError
    from exactmatch.formats.readings import GraphLike


class BankLike(Protocol):
    """A :class:`Bank` for options, which do not import it."""

    def names(self) -> Sequence[str]:
        """Return the id of each graph, or its number from 1."""


Side: TypeAlias = "BankLike | Iterable[GraphLike] | os.PathLike[str]"
"""Graphs, or sentences for a metric on text: in memory, in files, or a bank."""

Linkage: TypeAlias = Literal["average", "complete", "single", "weighted"]
"""SciPy's methods but those that need points in a Euclidean space, such as ``ward``."""


class Reads(Formats, Making, MetricNames, waits=True):
    """Options of reading graphs, and of the one metric that compares them."""

    on_error: OnError = redeclared(
        Pairing,
        "on_error",
        about="a graph that cannot be read ends the run (raise; default), is left out "
        "(skip), or counts as an empty graph (empty)",
    )


class Comparing(Reads, waits=True):
    """Options of comparing graphs, and of the workers."""

    TITLE = Solvers.TITLE

    jobs: int = redeclared(
        Working,
        "jobs",
        about="number of workers: threads for Smatch, processes for other metrics; -1: "
        "one for each core (default: 1); the results are the same",
        read=values.jobs,
    )
    executor: Executor | None = redeclared(Working, "executor")


class GraphList(Options, purpose="opens"):
    """Graphs that are compared with one another."""

    graphs: Side = option(
        "the graphs of all files together; or a bank, whose metric is then used",
        operand="FILE",
        is_repeated=True,
        kw_only=False,
    )


class BankOptions(Reads, GraphList):
    """Options of the graphs that a bank is made of."""


MOST_NEAR = 10  # graphs for each query in a search without any limit
DISTANCE = "ged"  # the metric of edit distances


class Edits(Options, purpose="measures"):
    """Options of the costs of edits, for edit distances."""

    TITLE = f"edit distances (--metric {DISTANCE})"

    labels: str | Iterable[str] | None = optional(
        "attributes that decide whether nodes and edges are equal: names, all "
        "(default) or none",
        metavar="KEY[,KEY…]",
        is_list=True,
    )
    costs: str | None = redeclared(Costs, "costs")


class Distances(Edits, purpose="shows"):
    """Options of the edit distances to compute."""

    TITLE = Edits.TITLE

    at_most: float | None = optional(
        "ignore larger distances; hardly any of them is computed",
        read=values.not_negative,
        metavar="DISTANCE",
    )


def _least(meaning: str) -> Any:
    """Declare the lowest score that counts, without one by default."""
    return optional(meaning, read=values.cutoff, metavar="SCORE")


class Scores(Comparing, purpose="shows"):
    """Options of the scores of a matrix."""

    TITLE = "scores"
    ALIASES = (("score_cutoff", "at_least"),)

    at_least: float | None = _least(
        "lower scores become 0, and most of them are never computed; a share, or in "
        "percent as 80%"
    )
    dtype: npt.DTypeLike = option(
        "the type of an array's numbers: double precision (f8; default) or single "
        "(f4); scores are computed in double precision",
        default="f8",
        metavar="TYPE",
    )


class Sides(Options, purpose="opens"):
    """Graphs that are compared with others."""

    queries: Side = option(
        "the predictions: graphs, or a bank with its metric",
        operand="QUERIES",
        kw_only=False,
    )
    choices: Side = option(
        "the references, likewise; if they are the queries themselves, Smatch scores "
        "each pair once",
        operand="CHOICES",
        kw_only=False,
    )


class CdistOptions(Scores, Distances, Sides, purpose="shows"):
    """Options of a matrix of scores."""

    out: npt.NDArray[Any] | str | os.PathLike[str] | None = optional(
        "an array to fill, which keeps its type, or the name of a .npy file to "
        "fill, for a matrix larger than memory.  After an interruption, the same "
        "call completes the file",
        flags=(),
        purpose="writes",
    )
    sparse: bool = flag(
        "return a SciPy csr_array of the scores from at_least on", flags=()
    )


class PdistOptions(Scores, GraphList):
    """Options of half a matrix: each pair once."""


class Searched(Options, purpose="shows"):
    """Options of a search: queries and bank."""

    TITLE = "search"

    queries: Side = option(
        "graphs to search for; a bank only if the other side is a bank, too",
        operand="QUERIES",
        kw_only=False,
        purpose="opens",
    )
    bank: Side = option(
        "graphs, or a bank of them, whose metric is then used",
        operand="BANK",
        kw_only=False,
        purpose="opens",
    )
    k: int | None = option(
        "how many graphs for each query (default: 10; with at_least or at_most all)",
        default=None,
        read=values.positive_int,
        flags=("-k",),
        kw_only=False,
    )


class SearchOptions(Comparing, Distances, Searched, purpose="shows"):
    """Options of a search for similar graphs."""

    TITLE = "search"

    at_least: float | None = _least(
        "only graphs with at least this score; a share, or in percent as 80%"
    )
    save: str | os.PathLike[str] | None = optional(
        "write the bank to this file, prepared for further searches",
        metavar="FILE",
        purpose="writes",
    )

    @property
    def most(self) -> int | None:
        """The number of graphs for a query; ``None`` for all that are near enough."""
        is_limited = self.at_least is not None or self.at_most is not None
        return MOST_NEAR if self.k is None and not is_limited else self.k


def _above_nothing(value: Any) -> float:
    least = values.cutoff(value)
    if not least > 0:
        raise ValueError("every pair reaches 0; give a score above 0")
    return least


class Alike(GraphList, purpose="shows"):
    """Options of graphs, and of the score from which two of them are alike."""

    TITLE = "duplicates"

    at_least: float = option(
        "the lowest score that counts, above 0; a share, or in percent as 95% "
        "(default: 0.95)",
        default=0.95,
        read=_above_nothing,
        metavar="SCORE",
        kw_only=False,
    )


class DuplicatesOptions(Comparing, Alike):
    """Options of a search for duplicates."""


class ClusterOptions(Comparing, Edits, GraphList, purpose="measures"):
    """Options of clusters."""

    TITLE = "clusters"

    linkage: Linkage = option(
        "how the distances of graphs give the distance of two clusters, as in "
        "scipy.cluster.hierarchy.linkage (default: average)",
        default="average",
        choices=get_args(Linkage),
    )
    at_least: float | None = _least(
        "join clusters while their score (1 − distance) is at least this; a share, "
        "or in percent as 50% (default: cut the tree in its largest gap, unless k is "
        "given)"
    )
    k: int | None = optional(
        "maximum number of clusters", read=values.positive_int, flags=("-k", "--number")
    )


class Candidates(Options, purpose="opens"):
    """Several candidates for each sentence."""

    candidates: Iterable[Sequence[GraphLike]] | Sequence[os.PathLike[str]] = option(
        "a file of each system, in the same order; or one file of n-best lists, whose "
        "graphs with the same '# ::id' or growing '# ::nbest' follow one another; in "
        "Python also the candidates for each sentence",
        operand="FILE",
        is_repeated=True,
        kw_only=False,
    )


class EnsembleOptions(Comparing, Candidates, purpose="shows"):
    """Options of the choice among several candidates."""

    TITLE = "consensus"

    system_weights: Sequence[float] | Iterable[Sequence[float]] | str | None = optional(
        "a weight for each system or rank (default: equal); in Python also for each "
        "candidate of each sentence",
        metavar="W,W,…",
        is_list=True,
        purpose="measures",
    )
    golds: Iterable[GraphLike] | os.PathLike[str] | None = optional(
        "references: also show the score of the choices, and the best possible score",
        flags=("--oracle",),
        metavar="GOLD",
        is_input=True,
        purpose="opens",
    )
    prune: bool = flag(
        "skip a candidate once a bound proves its expected score to be below the best; "
        "its expected score is then NaN",
        flags=("--prune",),
        switches=(("--every-score", False, ""),),  # the name of the default, once
    )
    graphs: str | os.PathLike[str] | None = optional(
        "write the chosen graphs to FILE",
        metavar="FILE",
        purpose="writes",
    )
