"""Documents whose sentences are paired by numbers that their words contradict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.metrics.base import Metric

if TYPE_CHECKING:
    from exactmatch.graphs.document import Sentence


class Misnumbered(NamedTuple):
    """Two of many documents whose numbers mislead.

    Attributes:
        left, right: their places among those on either side.
        warning: one sentence about them.
    """

    left: int
    right: int
    warning: str


def misnumbering_warnings(metric: Metric, items: Sequence[Any]) -> Iterator[str]:
    """Warnings about the prediction and each reference whose numbers mislead.

    A metric that aligns variables freely does not ask which sentences correspond.
    """
    if not metric.aligns_sentences:
        return
    pred, *golds = [getattr(item, "document", None) for item in items]
    for gold in golds:
        if pred is not None and gold is not None:
            yield from _warnings(pred.sentences, gold.sentences)


def misnumbered_documents(
    metric: Metric, lefts: Iterable[Any], rights: Iterable[Any] | None = None
) -> list[Misnumbered]:
    """Documents whose sentence numbers contradict the sentence text.

    Two documents are of one text if more than half of the sentences of the shorter one
    have the words of a sentence of the other.  Documents of different texts have no
    sentences that correspond, whatever their numbers, and recurring ones by chance.

    Args:
        metric: what they are compared by.
        lefts, rights: graphs or sentences, of which each of the left is compared with
            each of the right; without any of the right, each two of the left are.
    """
    if not metric.aligns_sentences:
        return []
    ours = _sentences(lefts)
    theirs = ours if rights is None else _sentences(rights)
    holders: dict[tuple[str, ...], list[int]] = {}
    for number, sentences in theirs.items():
        for words in _words(sentences):
            holders.setdefault(words, []).append(number)
    found: list[Misnumbered] = []
    for number, sentences in ours.items():
        shared: Counter[int] = Counter()
        for words in _words(sentences):
            shared.update(holders.get(words, ()))
        for other in sorted(shared):
            if rights is None and other <= number:
                continue
            if 2 * shared[other] > min(len(sentences), len(theirs[other])):
                warnings = _warnings(sentences, theirs[other])
                found += [Misnumbered(number, other, w) for w in warnings]
    return found


def misnumbering_warning(place: str, warning: str, more: int) -> str:
    """The warning about the first of some pairs, with how many others there are."""
    others = f" ({more:,} more pairs are like it)" if more > 1 else ""
    others = " (one more pair is like it)" if more == 1 else others
    return f"{place}: {warning}{others}"


def _sentences(items: Iterable[Any]) -> dict[int, Sequence[Sentence]]:
    documents = ((k, getattr(item, "document", None)) for k, item in enumerate(items))
    return {k: found.sentences for k, found in documents if found and found.sentences}


def _words(sentences: Iterable[Sentence]) -> set[tuple[str, ...]]:
    return {sentence.tokens for sentence in sentences if sentence.tokens}


def _warnings(lefts: Sequence[Sentence], rights: Sequence[Sentence]) -> Iterator[str]:
    from exactmatch.engine.candidates import misnumbered

    if warning := misnumbered(lefts, rights):
        yield warning
