"""Read a pair for every metric; leave unreadable graphs out or count them as empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactmatch.base.errors import PairError
from exactmatch.base.records import NamedTuple
from exactmatch.formats.blocks import Block
from exactmatch.formats.pairs import Omission, UnreadPair
from exactmatch.scoring.notes import Dropped, Faults, Notes
from exactmatch.scoring.reading import faults_of, is_fenced, taken_out
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import Plan, Side, read_side

_HINT = "; on_error='empty' counts it as empty, on_error='skip' leaves it out"


class ReadPair(NamedTuple):
    """A pair as a metric reads it."""

    items: tuple[Any, ...]  # the prediction, then its references
    problem: str | None = None  # where an empty graph stands in for a bad one
    dropped: Dropped = ()


class PairReader:
    """Reads pairs for several metrics; those that read alike share the result."""

    def __init__(self, plans: Sequence[Plan], settings: Settings) -> None:
        self.settings = settings
        self._plans = plans
        of_graphs = (plan for plan in plans if plan.metric.reads != "text")
        self._of_graphs = tuple({p.reading: p.metric for p in of_graphs}.items())

    def extracted(self, pair: UnreadPair) -> UnreadPair:
        """Return the pair with the graphs of its answers, where these are extracted."""
        extract = self.settings.extract
        if extract is None and not (
            is_fenced(pair.pred) or any(map(is_fenced, pair.golds))
        ):
            return pair
        if not self._of_graphs:
            return pair
        metric = self._of_graphs[0][1]
        golds = tuple(taken_out(metric, gold, extract) for gold in pair.golds)
        return pair._replace(pred=taken_out(metric, pair.pred, extract), golds=golds)

    def read(
        self, pair: UnreadPair, sides: Sequence[Side], notes: Notes
    ) -> list[ReadPair | None]:
        """Read one pair for every metric; ``None`` where it is left out."""
        settings = self.settings
        reads: list[ReadPair] = []
        is_whole = True
        for plan in self._plans:
            metric, items, problem = plan.metric, [], pair.reason
            dropped: Dropped = ()
            for side in sides:
                read = read_side(plan, side, notes, settings.strict)
                if (error := read.error) is not None:
                    side_item = side.item
                    if not isinstance(side_item, Block) or side_item.path is None:
                        what = "prediction" if side is sides[0] else "reference"
                        error = PairError(pair.index, what, error)
                    if settings.on_error == "raise":
                        if isinstance(error, PairError):
                            error.hint = _HINT
                        raise error
                    problem = problem or str(error)
                items.append(read.item)
                dropped += read.dropped
            if not reads and getattr(items[0], "document", None) is not None:
                from exactmatch.scoring.sentences import warnings_of_sentences

                for kind, warning in warnings_of_sentences(metric, items):
                    text = f"pair {pair.index + 1}: {warning}"
                    notes.warnings.append((kind, text))
            is_whole &= problem is None
            reads.append(ReadPair(tuple(items), problem, dropped))
        return [*reads] if is_whole else self._leave_out(pair, reads, notes)

    def note_faults(self, side: Side) -> Faults:
        """Note the faults of a prediction's text, and return them."""
        for reading, metric in self._of_graphs:
            if (read := side.read.get(reading)) is None or side.faults:
                continue
            broken = isinstance(side.item, Block) and side.item.faults
            if read.error is not None or read.lenient or broken or side.item is None:
                side.faults = faults_of(metric, side.item, read)
        return side.faults

    def _leave_out(
        self, pair: UnreadPair, reads: Sequence[ReadPair], notes: Notes
    ) -> list[ReadPair | None]:
        """Note what is unreadable, and leave it out under ``on_error='skip'``."""
        settings = self.settings
        action: Any = "skipped" if settings.on_error == "skip" else "empty"
        reasons: dict[str, list[str]] = {}
        for plan, read in zip(self._plans, reads, strict=True):
            if read.problem is not None:
                reasons.setdefault(read.problem, []).append(plan.metric.name)
        fine = [None if read.problem is not None else read for read in reads]
        if not any(fine) or (settings.common and action == "skipped"):
            reasons = {next(iter(reasons)): []}
        for reason, names in reasons.items():
            omission = Omission(pair.index, pair.id, reason, action, tuple(names))
            notes.omitted.append(omission)
        if action == "empty":
            return [*reads]
        return [None] * len(reads) if settings.common else fine
