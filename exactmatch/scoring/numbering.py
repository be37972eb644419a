"""Documents whose sentences are paired by numbers that their words contradict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.metrics.base import Metric

if TYPE_CHECKING:
    from exactmatch.graphs.document import Document, Sentence


class Misled(NamedTuple):
    """Two of many documents whose numbers mislead.

    Attributes:
        left, right: their places among those on either side.
        told: what is to be said of them.
    """

    left: int
    right: int
    told: str


def numbers_that_mislead(metric: Metric, items: Sequence[Any]) -> Iterator[str]:
    """What is to be said of the prediction and each reference, where they do.

    A metric that aligns variables freely does not ask which sentences correspond.
    """
    documents: list[Document | None]
    documents = [getattr(item, "document", None) for item in items]
    pred, *golds = documents
    if pred is None or not _asks_for_numbers(metric):
        return
    from exactmatch.engine.candidates import misnumbered

    for gold in filter(None, golds):
        told = misnumbered(pred.sentences, gold.sentences)
        if told is not None:
            yield told


def misled_among(
    metric: Metric, lefts: Iterable[Any], rights: Iterable[Any] | None = None
) -> list[Misled]:
    """Those of many documents of one text whose numbers mislead.

    Two documents are of one text if more than half of the sentences of the shorter one
    have the words of a sentence of the other.  Documents of different texts have no
    sentences that correspond, whatever their numbers, and recurring ones by chance.

    Args:
        metric: what they are compared by.
        lefts, rights: graphs or sentences, of which each of the left is compared with
            each of the right; without any of the right, each two of the left are.
    """
    if not _asks_for_numbers(metric):
        return []
    ours = _sentences(lefts)
    theirs = ours if rights is None else _sentences(rights)
    holders: dict[tuple[str, ...], list[int]] = {}
    for number, sentences in theirs.items():
        for words in {s.tokens for s in sentences if s.tokens}:
            holders.setdefault(words, []).append(number)
    found: list[Misled] = []
    for number, sentences in ours.items():
        shared: Counter[int] = Counter()
        for words in {s.tokens for s in sentences if s.tokens}:
            shared.update(holders.get(words, ()))
        for other in sorted(shared):
            if rights is None and other <= number:
                continue
            shorter = min(len(sentences), len(theirs[other]))
            if 2 * shared[other] > shorter:
                found += _misled(number, sentences, other, theirs[other])
    return found


def misled_told(place: str, told: str, more: int) -> str:
    """The warning about the first of some pairs, with how many others there are."""
    others = f" ({more:,} more pairs are like it)" if more > 1 else ""
    others = " (one more pair is like it)" if more == 1 else others
    return f"{place}: {told}{others}"


def _asks_for_numbers(metric: Metric) -> bool:
    profile = getattr(metric, "profile", None)
    return profile is not None and profile.align != "free"


def _sentences(items: Iterable[Any]) -> dict[int, Sequence[Sentence]]:
    """The sentences of each document, by its number."""
    documents = ((k, getattr(item, "document", None)) for k, item in enumerate(items))
    return {k: found.sentences for k, found in documents if found and found.sentences}


def _misled(
    left: int, lefts: Sequence[Sentence], right: int, rights: Sequence[Sentence]
) -> Iterator[Misled]:
    from exactmatch.engine.candidates import misnumbered

    told = misnumbered(lefts, rights)
    if told is not None:
        yield Misled(left, right, told)
