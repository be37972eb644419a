"""Edit distances of many graphs, where other metrics have scores.

``metric="ged"`` asks :func:`~exactmatch.many.matrix.cdist` and
:func:`~exactmatch.many.search.search` for them: each edit costs 1, and small is near.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.many.options import DISTANCE, CdistOptions, SearchOptions
from exactmatch.scoring.sources import as_list, paths_of

if TYPE_CHECKING:
    from exactmatch.edit.matrix import Distances

_HEEDED = (
    *("bank", "queries", "choices", "metric", "k", "jobs", "format_in"),
    *("max_bytes", "at_most", "labels", "out", "dtype"),
)
"""The options that have an effect on distances."""


class Networks(NamedTuple):
    """One side of a comparison: networkx graphs, or mappings of nodes and edges."""

    graphs: Sequence[Any]
    names: Sequence[str]  # what they are called, or their numbers from 1

    @classmethod
    def of(cls, side: Any, format_in: str | None = None) -> Networks:
        """Read a side: graphs in memory, or files of them."""
        from exactmatch.formats.network_texts import NamedGraph
        from exactmatch.formats.networks import read_graphs

        paths = paths_of(side)
        found = [one for path in paths for one in read_graphs(path, format_in)]
        if not paths:
            found = [NamedGraph(None, graph) for graph in as_list(side)]
        if paths and not found:
            raise InputError(f"{', '.join(paths)}: holds no graph")
        names = [one.name or str(number) for number, one in enumerate(found, 1)]
        return cls([one.graph for one in found], names)


def check(asked: Any) -> None:
    """Refuse options that have no effect on what is asked for, scores or distances."""
    if not asked.is_distance:
        for name, instead in (("at_most", "at_least"), ("labels", "profile")):
            if getattr(asked, name) is not None:
                flag = f"--{name.replace('_', '-')}"
                raise InputError(
                    f"{flag} is of --metric {DISTANCE}; scores have {instead}"
                )
        return
    for name, declared in asked.DECLARED.items():
        unset: tuple[Any, ...] = (declared.default, None, {})
        if name not in _HEEDED and getattr(asked, name) not in unset:
            raise InputError(
                f"--{name.replace('_', '-')} has no effect on --metric {DISTANCE}; "
                "leave it out"
            )


def matrix(asked: CdistOptions) -> tuple[Distances, tuple[Networks, Networks]]:
    """Return the distance of every query and every choice, and both sides."""
    from exactmatch.edit.matrix import ged_matrix

    check(asked)
    queries = choices = Networks.of(asked.queries, asked.format_in)
    if asked.choices is not asked.queries:
        choices = Networks.of(asked.choices, asked.format_in)
    found = ged_matrix(
        queries.graphs,
        None if choices is queries else choices.graphs,
        at_most=asked.at_most,
        labels=labels_of(asked),
        jobs=asked.jobs,
    )
    return found, (queries, choices)


def nearest(
    asked: SearchOptions,
) -> tuple[list[list[tuple[int, int]]], tuple[Networks, Networks]]:
    """Return the graphs of a bank that are nearest to each query, and both sides."""
    from exactmatch.edit.matrix import ged_search

    check(asked)
    bank = Networks.of(asked.bank, asked.format_in)
    queries = Networks.of(asked.queries, asked.format_in)
    found = ged_search(
        bank.graphs,
        queries.graphs,
        asked.at_most,
        k=asked.most,
        labels=labels_of(asked),
        jobs=asked.jobs,
    )
    return found, (bank, queries)


def labels_of(asked: Any) -> Any:
    """Return the attributes that are compared, all by default."""
    return "all" if asked.labels is None else asked.labels
