"""Warnings about a comparison of graphs, from the sentences beside them.

The ``# ::snt`` of a graph is what it was parsed from.  Where both sides have the same
one, a text metric compares the parser's input with itself.  The sentences of documents
are paired by numbers, which their words may contradict.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.base.numbers import several
from exactmatch.formats.blocks import Block, blocks_of_text
from exactmatch.formats.pairs import Pairer, UnreadPair, letters_of
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import Metric
from exactmatch.scoring.reporter import Reporter
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sources import Sources

if TYPE_CHECKING:
    from exactmatch.graphs.document import Sentence


class SentencesCompared:
    """Notices whether the ``# ::snt`` of both sides are the same on all pairs."""

    def __init__(self, same: int = 0, differ: bool = False) -> None:
        self._same = same
        self.differ = differ

    def record(self) -> list[int | bool]:
        """Return the number of pairs that are the same, and whether others differ."""
        return [self._same, self.differ]

    def merge(self, other: "SentencesCompared") -> None:
        """Add the pairs of another part."""
        self._same += other._same
        self.differ |= other.differ

    @property
    def all_same(self) -> bool:
        """True if there were pairs, and all of them had the same sentence."""
        return self._same > 0 and not self.differ

    @property
    def warning(self) -> str:
        """The warning for the case that all are the same."""
        return (
            f"the '# ::snt' of both sides are the same on all {self._same} pairs: they "
            "are what was parsed, and metrics on text say nothing about the graphs"
        )

    def watch(self, pairs: Iterable[UnreadPair]) -> Iterator[UnreadPair]:
        """Pass pairs on, and look at their sentences until some differ."""
        for pair in pairs:
            if not self.differ:
                sides = (pair.pred, *pair.golds)
                sentences = {_sentence_of(side) for side in sides}
                self.differ = len(sentences) > 1 or None in sentences
                self._same += not self.differ
            yield pair


def _sentence_of(graph: Any) -> str | None:
    """Return the ``# ::snt`` of a graph; ``None`` if it has none or is not a graph."""
    if isinstance(graph, Graph):
        return graph.metadata.get("snt")
    if isinstance(graph, str):
        graph = next(blocks_of_text(graph), None)
    if isinstance(graph, Block) and "".join(graph.content[:1]).startswith("("):
        return graph.metadata().get("snt")
    return None


def with_sentences(
    metrics: Sequence[Metric], corpus: Sources, settings: Settings, reporter: Reporter
) -> list[Metric]:
    """Leave text metrics out where the graphs have no sentences to compare."""
    text = [metric.name for metric in metrics if metric.reads == "text"]
    graphs = [metric for metric in metrics if metric.reads == "graph"]
    if not text or not graphs or corpus.read_once:
        return list(metrics)
    firsts = [next(iter(side), None) for side in corpus.sides(as_sentences=False)]
    if any(isinstance(b, Block) and "snt" not in b.metadata() for b in firsts):
        reporter.note(f"graphs without '# ::snt': leaving out {', '.join(text)}")
        return graphs
    compared = SentencesCompared()
    pairer = Pairer(settings.by_id, "skip")
    for _ in compared.watch(corpus.pairs(pairer, as_sentences=False)):
        if compared.differ:
            return list(metrics)
    if compared.all_same:
        reporter.note(
            "the '# ::snt' of both sides are the same, so they are what was parsed: "
            f"leaving out {', '.join(text)}"
        )
        return graphs
    return list(metrics)


def warnings_of_sentences(
    metric: Metric, items: Sequence[Any]
) -> Iterator[tuple[str, str]]:
    """Yield warnings about documents, with their kinds.

    The numbers of sentences may mislead, or the sentences be of different texts.
    """
    from exactmatch.engine.candidates import misnumbered

    pred, *golds = [getattr(item, "document", None) for item in items]
    for gold in golds:
        if pred is None or gold is None:
            continue
        both = pred.sentences, gold.sentences
        if warning := _of_other_words(*both):
            yield "sentences", warning
        elif metric.aligns_sentences and (warning := misnumbered(*both)):
            yield "numbers", warning


def _of_other_words(
    lefts: Sequence["Sentence"], rights: Sequence["Sentence"]
) -> str | None:
    """Return a warning if the other side lacks half of the sentences, or more."""
    ours, theirs = (
        Counter(filter(None, (letters_of("".join(one.tokens)) for one in side)))
        for side in (lefts, rights)
    )
    seen = min(ours.total(), theirs.total())
    different = seen - (ours & theirs).total()
    if not seen or 2 * different < seen:
        return None
    return (
        f"the words of {different} of {several(seen, 'sentence')} differ: are both "
        "sides of the same text?"
    )


def misnumbered_documents(
    metric: Metric, lefts: Iterable[Any], rights: Iterable[Any] | None = None
) -> list[tuple[int, int, str]]:
    """Return places of documents whose numbers contradict the sentences, with warnings.

    Two documents are of one text if more than half of the sentences of the shorter one
    have the words of a sentence of the other.  Documents of different texts have no
    sentences that correspond, whatever their numbers, and recurring ones by chance.
    Without any of the right, each two of the left are compared.
    """
    if not metric.aligns_sentences:  # it pairs no sentences
        return []
    from exactmatch.engine.candidates import misnumbered

    ours = _sentences(lefts)
    theirs = ours if rights is None else _sentences(rights)
    holders: dict[tuple[str, ...], list[int]] = {}
    for number, sentences in theirs.items():
        for words in _words(sentences):
            holders.setdefault(words, []).append(number)
    warnings: list[tuple[int, int, str]] = []
    for number, sentences in ours.items():
        shared: Counter[int] = Counter()
        for words in _words(sentences):
            shared.update(holders.get(words, ()))
        for other in sorted(shared):
            if rights is None and other <= number:
                continue
            is_alike = 2 * shared[other] > min(len(sentences), len(theirs[other]))
            if is_alike and (warning := misnumbered(sentences, theirs[other])):
                warnings.append((number, other, warning))
    return warnings


def warn_of_numbers(reporter: Reporter, entries: Sequence[tuple[str, str]]) -> None:
    """Warn of the first of some pairs, by place and text, with the number of others."""
    if entries:
        (place, warning), more = entries[0], len(entries) - 1
        others = f"{more:,} more pairs are" if more > 1 else "one more pair is"
        like_it = f" ({others} like it)" if more else ""
        reporter.warn("numbers", f"{place}: {warning}{like_it}")


def _sentences(items: Iterable[Any]) -> "dict[int, Sequence[Sentence]]":
    documents = ((k, getattr(item, "document", None)) for k, item in enumerate(items))
    return {
        k: document.sentences
        for k, document in documents
        if document and document.sentences
    }


def _words(sentences: "Iterable[Sentence]") -> set[tuple[str, ...]]:
    return {sentence.tokens for sentence in sentences if sentence.tokens}
