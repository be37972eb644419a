"""AnCast and AnCast++, greedy scores of AMR and UMR from anchors, for the record.

``docs/metrics/ancast.md`` has the rules; the exact score is Smatch under profile umr.

Source: Sun and Xue (2024), "Anchor and Broadcast: An Efficient Concept Alignment
Approach for Evaluation of Semantic Graphs"; Sun and Xue (2025), AnCast++; the values
are those of the published program (umr4nlp/ancast 0.1.1, MIT).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import ClassVar, Literal, TypeAlias, get_args

from exactmatch.base.errors import InputError
from exactmatch.base.options import Options, flag, option
from exactmatch.engine.candidates import corresponding
from exactmatch.formats.blocks import Block
from exactmatch.formats.remarks import counted
from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.metrics.ancast.document import DocumentLevel
from exactmatch.metrics.ancast.graph import SentenceGraph, sentence_graphs
from exactmatch.metrics.ancast.match import Anchors, Side, match_sentences
from exactmatch.metrics.ancast.text import count_left_out, published_sentences
from exactmatch.metrics.base import ReadItem, Statistics
from exactmatch.metrics.counts import DirectMetric
from exactmatch.metrics.score import FScore, Part

Level: TypeAlias = Literal["document", "sentence"]
Four: TypeAlias = tuple[float, float, float, float]

OF_SENTENCES = ("concepts", "smatch", "sentence", "unlabelled", "weighted")
OF_DOCUMENTS = ("modal", "temporal", "coref", "coref as stated")
UNREADABLE = "sentences that the published program cannot read"
_TEXTS = ("umr", "umr-file")
_WITH_CONCEPTS = ("sentence", "unlabelled", "weighted")


class AncastOptions(Options, purpose="measures"):
    """Options of AnCast: its anchors, and the level that it scores."""

    ancast_level: Level = option(
        "score whole documents (default; AnCast++), or their sentences alone (AnCast)",
        choices=get_args(Level),
        default="document",
    )
    ancast_anchors: Anchors = option(
        "begin with unique concepts that occur in the text (default), with nodes that "
        "are aligned with the same words, or with none; or align by the proven optimum",
        choices=get_args(Anchors),
        default="concepts",
    )
    ancast_no_top: bool = flag("leave the tops out of the row 'smatch'")


class Ancast(DirectMetric):
    r"""AnCast on sentences, AnCast++ on documents.

    Args:
        profile: ``umr``, as it is.

    Statistics: for each row the matches and the total of the prediction, then those of
    the reference.

    Raises:
        InputError: if the profile is changed, or a sentence or document is too large.

    >>> import exactmatch
    >>> gold = "# ::snt Dogs bark\n(s1b / bark-01 :ARG0 (s1d / dog))"
    >>> pred = "# ::snt Dogs bark\n(s1x / bark-02 :ARG0 (s1y / dog) :aspect habitual)"
    >>> exactmatch.score(pred, gold, metric="ancast")
    ancast 0.6333 (P 0.4750 R 0.9500)
    """

    name = "ancast"
    title = "AnCast"
    summary = "greedy score from anchors, for the record (Sun and Xue 2024, 2025)"
    default_profile = "umr"
    profiles: ClassVar[tuple[str, ...]] = ("umr",)
    in_all = False
    options_class = AncastOptions
    options: AncastOptions
    width = 4 * len(OF_SENTENCES + OF_DOCUMENTS)

    def __init__(self, profile: Profile | str | None = None, **options: object) -> None:
        super().__init__(profile, **options)
        if self.profile != replace(PROFILES["umr"], name=self.profile.name):
            raise InputError(
                "ancast is the published score and takes no changes of profile umr; "
                "leave out the options that change it, or use --metric smatch"
            )

    def signature(self) -> list[tuple[str, str]]:
        options = self.options
        items = [("level", options.ancast_level), ("anchors", options.ancast_anchors)]
        if options.ancast_no_top:
            items.append(("smatch-top", "none"))
        return [*items, *super().signature()]

    @property
    def reading_key(self) -> Hashable:
        return (Ancast, super().reading_key)

    def read(self, value: object) -> ReadItem:
        """Read a graph; one of a UMR text keeps the text, which the program reads."""
        reading = super().read(value)
        graph: Graph = reading.item
        origin = graph.origin
        if isinstance(value, Block):
            origin = origin._replace(text=value.lines, format=value.format)
        elif not isinstance(value, str):  # a graph may have been changed since
            origin = origin._replace(text=None)
        graph = graph.revised(origin=origin)
        n_left_out = count_left_out(_sentences(graph))
        dropped = reading.dropped + counted((UNREADABLE, n_left_out))
        return reading._replace(item=graph, dropped=dropped)

    @property
    def preparation_key(self) -> Hashable:
        return Ancast

    def prepare(self, item: Graph) -> tuple[Document, list[SentenceGraph]]:
        return item.document or Document(), _sentences(item)

    def statistics(
        self,
        pred: tuple[Document, list[SentenceGraph]],
        gold: tuple[Document, list[SentenceGraph]],
    ) -> Statistics:
        of_document = self.options.ancast_level == "document"
        level = DocumentLevel()
        rows: list[list[float]] = [[0.0] * 4 for _ in OF_SENTENCES]
        for pair in _pairs(pred, gold):
            pred_side, gold_side = pair
            texts = pred_side.text, gold_side.text
            if of_document and pred_side.header:
                texts = pred_side.header, pred_side.header
            matching = match_sentences(
                pred_side,
                gold_side,
                self.options.ancast_anchors,
                texts,
                not self.options.ancast_no_top,
            )
            for sums, row in zip(rows, _rows(*matching.sides), strict=True):
                for k, number in enumerate(row):
                    sums[k] += number
            if of_document:
                level.add(pair, matching.partners)
        rows += [
            [*level.as_written("modal")],
            [*level.closed("temporal")],
            [*level.closed("coref")],
            [*level.as_written("coref")],
        ]
        return tuple(number for row in rows for number in row)

    def scores(self, sums: Statistics) -> FScore:
        numbers = iter(sums)
        names = OF_SENTENCES + OF_DOCUMENTS
        fours = zip(numbers, numbers, numbers, numbers, strict=True)
        rows: dict[str, Four] = dict(zip(names, fours, strict=True))
        main = rows["sentence"]
        for level in ("modal", "temporal", "coref"):
            main = _plus(main, rows[level])
        for name in _WITH_CONCEPTS:  # a side without any relation has its concepts
            rows[name] = _filled(rows[name], rows["concepts"])
        concepts = rows["concepts"][:2]  # their recall is their precision, as published
        rows["concepts"] = (*concepts, *concepts)
        if self.options.ancast_level == "sentence":
            main = rows["sentence"]
        matched, total, other_matched, other_total = main
        precision = matched / total if total else 0.0
        recall = other_matched / other_total if other_total else 0.0
        ratio_sum = precision + recall
        f1 = 2 * precision * recall / ratio_sum if ratio_sum else 0.0
        return FScore(
            self.name,
            f1,
            precision,
            recall,
            f1,
            (matched + other_matched) / 2,
            total,
            other_total,
            parts={name: _part(row) for name, row in rows.items()},
            of_part=self.of_part,
            is_defined=self.has_score(total, other_total),
            matched_pred=matched,
            matched_gold=other_matched,
        )


def _sentences(graph: Graph) -> list[SentenceGraph]:
    """Return the sentences of a document, from its text if it is known."""
    sentences, origin = sentence_graphs(graph), graph.origin
    if origin.text is None or origin.format not in _TEXTS:
        return sentences
    return published_sentences(sentences, origin.text)


def _pairs(
    pred: tuple[Document, list[SentenceGraph]],
    gold: tuple[Document, list[SentenceGraph]],
) -> Iterator[tuple[SentenceGraph, SentenceGraph]]:
    """Yield corresponding sentences; one without a partner is paired with an empty one.

    Two are left out if the program cannot read one of them.
    """
    places = corresponding(pred[0].sentences, gold[0].sentences)
    pred_nodes, gold_nodes = pred[1], gold[1]
    for place, sentence in enumerate(pred_nodes):
        gold_place = places.get(place)
        partner = (
            None
            if gold_place is None or gold_place >= len(gold_nodes)
            else gold_nodes[gold_place]
        )
        if not (sentence.is_left_out or (partner and partner.is_left_out)):
            yield sentence, partner or SentenceGraph()
    paired = {
        gold_place for place, gold_place in places.items() if place < len(pred_nodes)
    }
    for place, sentence in enumerate(gold_nodes):
        if place not in paired:
            yield SentenceGraph(), sentence


def _rows(pred: Side, gold: Side) -> list[Four]:
    """Return the rows of two corresponding sentences."""
    concepts = pred.concepts, pred.concept_total, gold.concepts, gold.concept_total
    relations = zip(
        (pred.labelled, pred.unlabelled, pred.weighted),
        (pred.labelled_total, pred.unlabelled_total, pred.weighted_total),
        (gold.labelled, gold.unlabelled, gold.weighted),
        (gold.labelled_total, gold.unlabelled_total, gold.weighted_total),
        strict=True,
    )
    smatch = (
        pred.equal_concepts + pred.equal_facts,
        pred.equal_total + pred.fact_total,
        gold.equal_concepts + gold.equal_facts,
        gold.equal_total + gold.fact_total,
    )
    return [concepts, smatch, *relations]


def _plus(left: Four, right: Four) -> Four:
    a, b, c, d = (x + y for x, y in zip(left, right, strict=True))
    return a, b, c, d


def _filled(row: Four, concepts: Four) -> Four:
    pred = row[:2] if row[1] else concepts[:2]
    gold = row[2:] if row[3] else concepts[2:]
    return (*pred, *gold)


def _part(row: Four) -> Part:
    """Return counts with the precision and recall of a row.

    The matches of the two sides differ a little; the reference's are scaled to equal.
    """
    matched, total, other, other_total = row
    if not matched or not other:
        return Part(0.0, total, other_total)
    return Part(matched, total, other_total * matched / other)
