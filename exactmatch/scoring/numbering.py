"""Documents whose sentences are paired by numbers that their words contradict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.metrics.base import Metric

if TYPE_CHECKING:
    from exactmatch.graphs.document import Document


def numbers_that_mislead(metric: Metric, items: Sequence[Any]) -> Iterator[str]:
    """What is to be said of the prediction and each reference, where they do.

    A metric that aligns variables freely does not ask which sentences correspond.
    """
    documents: list[Document | None]
    documents = [getattr(item, "document", None) for item in items]
    profile = getattr(metric, "profile", None)
    pred, *golds = documents
    if pred is None or profile is None or profile.align == "free":
        return
    from exactmatch.alignment.candidates import misnumbered

    for gold in filter(None, golds):
        told = misnumbered(pred.sentences, gold.sentences)
        if told is not None:
            yield told
