"""Invisible characters in labels, which make different labels of one word."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

_JOINERS = "\u200c\u200d"
"""What Persian, Indic scripts and emojis need between two characters."""


def odd_labels(labels: Iterable[str]) -> Iterator[str]:
    r"""Yield the odd characters of labels, as predicates of a graph.

    Labels with other blanks than the space, with characters without width, or not in
    Unicode's normal form NFC look like other labels and are not equal to them.

    >>> list(odd_labels(["dog", "dog\u200b"]))
    ["has ZERO WIDTH SPACE (U+200B) in the label 'dog\\u200b'"]
    """
    for label in labels:
        if label.isascii():
            continue
        shown = ascii(label)
        for sign in dict.fromkeys(_unseen(label)):
            name = unicodedata.name(sign, "a character without a name")
            yield f"has {name} (U+{ord(sign):04X}) in the label {shown}"
        if not unicodedata.is_normalized("NFC", label):
            composed = unicodedata.normalize("NFC", label)
            yield (
                f"has the label {shown}, which is not in Unicode's normal form NFC, "
                f"as {composed!a} is"
            )


def _unseen(label: str) -> Iterator[str]:
    """Yield the blanks and characters without width that are not plain spaces."""
    for before, sign, after in zip(" " + label, label, label[1:] + " ", strict=False):
        if sign in _JOINERS:
            if before.isascii() or after.isascii():
                yield sign
        elif sign != " " and unicodedata.category(sign) in ("Zs", "Zl", "Zp", "Cf"):
            yield sign
