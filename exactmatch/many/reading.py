"""Reading of the graphs of one comparison, with warnings and remarks."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from exactmatch.base.errors import GraphError, InputError, ItemError
from exactmatch.formats.blocks import Block
from exactmatch.formats.formats import get_format
from exactmatch.formats.pairs import sources
from exactmatch.formats.reading import of_documents, of_file
from exactmatch.many.options import Reads
from exactmatch.metrics.base import Metric, ReadItem, names_missed
from exactmatch.scoring.reading import profile_remarks, read_one, taken_out
from exactmatch.scoring.reporter import CALLER, Reporter
from exactmatch.scoring.sentences import misnumbered_documents, warn_of_numbers
from exactmatch.scoring.sources import File, as_list, expanded, id_of, paths_of
from exactmatch.scoring.tables import Losses, notes_of


class Reader:
    """Reads the graphs of one comparison, and reports each remark once."""

    metric: Metric

    def __init__(self, options: Reads, reporter: Reporter = CALLER) -> None:
        self.options, self.reporter = options, reporter
        self._warnings: set[str] = set()
        self._misnumbered: list[tuple[str, str]] = []
        self._numbers: dict[int, int] = {}
        self.forget()

    def forget(self) -> None:
        """Forget all counts, because the graphs are read again."""
        self._dropped: Counter[str] = Counter()
        format_in = self.options.format_in
        self._formats = set() if format_in is None else {format_in}
        self._roles: set[str] = set()
        self._places: dict[int, str] = {}

    @property
    def lost(self) -> Losses:
        """The losses of the metric's reader, if it left out anything."""
        return {(self.metric.name,): self._dropped} if self._dropped else {}

    def take(self, metric: Metric) -> None:
        """Take a metric, and remark on options that have no effect on it."""
        self.metric = metric
        for remark in self.options.options_without_effect([metric]):
            self.reporter.note(remark)

    def blocks(self, path: str, place: int = 0) -> list[Block]:
        """Return the graphs of a file of predictions (place 0) or references (1)."""
        options, is_text = self.options, self.metric.reads == "text"
        how_read = options.how_read
        if self.metric.reads == "document":
            how_read = of_documents(how_read)
        how_read = of_file(how_read, place)
        (blocks_of_file,) = sources([path], is_text, how_read, options.framework)
        if blocks := list(blocks_of_file):
            return blocks
        raise InputError(f"{path}: holds no graph")

    def list(self, side: Any, place: int = 0) -> list[Any]:
        """Return graphs in memory or in files; unreadable ones may be left out."""
        files = paths_of(side)
        items = [*map(File, files)] if files else as_list(side)
        graphs = expanded(items, partial(self.blocks, place=place))
        if self.options.on_error != "skip":
            return graphs
        kept = []
        for number, graph in enumerate(graphs, 1):
            error = read_one(self.metric, graph).error
            if error is None:
                kept.append(graph)
                self._numbers[id(graph)] = number
            else:
                item = "" if isinstance(graph, Block) else f"item {number}: "
                self.reporter.warn("unread", f"{item}{error}; left out")
        if graphs and not kept:
            raise InputError("no graph can be read, and there is nothing to compare")
        return kept

    def name_of(self, item: Any, place: int) -> str:
        """Return a graph's id, or its number from 1, left out ones counted, too."""
        return id_of(item) or str(self._numbers.get(id(item), place))

    def read(self, graphs: Iterable[Any], label: str = "item") -> Iterator[Any]:
        """Yield the graphs or sentences that the metric compares.

        The error of one that cannot be read names its file and line; in memory, its
        number as a *label*.
        """
        metric = self.metric
        for number, item in enumerate(graphs):
            place = f"{label} {number + 1}"
            try:
                item = taken_out(metric, item, self.options.extract)
                read = read_one(metric, item)
                if read.error is not None:
                    if self.options.on_error == "raise":
                        raise read.error
                    sentence = f"{read.error}; counted as empty"
                    self._warn_once("unread", place, read.error, sentence)
            except InputError as error:
                if isinstance(error, GraphError) and error.path is not None:
                    raise
                raise ItemError(number, error, label) from None
            self.hear(item, read, place)
            yield read.item

    def _warn_once(self, kind: str, place: str, error: object, sentence: str) -> None:
        """Warn of a graph, which *place* names where the error has no path."""
        named = "" if getattr(error, "path", None) else f"{place}: "
        text = f"{named}{sentence}"
        if text not in self._warnings:
            self._warnings.add(text)
            self.reporter.warn(kind, text)

    def hear(self, graph: Any, read: ReadItem, place: str) -> None:
        """Record the remarks on a graph; *place* names one that is not of a file."""
        if self.metric.chooses_names:
            self._roles |= self.metric.names_in(read.item)
        if isinstance(graph, Block):
            if graph.format is not None:
                self._formats.add(graph.format)
            if getattr(read.item, "document", None) is not None:
                self._places[id(read.item)] = f"{graph.path}:{graph.content_line()}"
        self._dropped.update(dict(read.dropped))
        for refusal, remark in zip(read.lenient, read.remarks(), strict=True):
            self._warn_once("lenient", place, refusal, remark)

    def compare(
        self, lefts: Sequence[Any], rights: Sequence[Any] | None, label: str = ""
    ) -> None:
        """Note documents whose sentences are paired by numbers that mislead.

        Each left one is compared with each right one, or each two of the left.  *Both*
        names two that are not of files; by default their numbers do.
        """
        right_graphs = lefts if rights is None else rights
        for left, right, warning in misnumbered_documents(self.metric, lefts, rights):
            items = (lefts[left], right_graphs[right])
            places = [self._places[id(i)] for i in items if id(i) in self._places]
            place = label or f"items {left + 1} and {right + 1}"
            if len(places) == len(items):
                place = " and ".join(places)
            self._misnumbered.append((place, warning))

    def finish(self) -> None:
        """Report the warnings and remarks that need all graphs."""
        for remark in names_missed([self.metric], self._roles):
            self.reporter.warn("roles", remark)
        warn_of_numbers(self.reporter, self._misnumbered)
        if self.options.profile is None:
            formats = map(get_format, sorted(self._formats))
            for remark in profile_remarks(formats, [self.metric]):
                self.reporter.note(remark)

    def say_losses(self) -> None:
        """Report what was left out, where no report holds it."""
        for note in notes_of(self.lost):
            self.reporter.note(note)
