"""Estimate how wide text is in a drawing, without access to its font.

Widths are those of Helvetica and its kin (Arial, Liberation Sans, Nimbus Sans), which
drawings ask for first; other sans serifs are a little narrower or wider.
"""

from __future__ import annotations

import math
from functools import lru_cache
from unicodedata import combining, east_asian_width

_PER_THOUSAND = {
    222: "'ijl|",
    278: " !,./:;I[\\]ft`",
    333: '()-r{}"*',
    500: "Jckvsxyz^",
    556: "#$0123456789?L_abdeghnopqu",
    584: "+<=>~",
    611: "FTZ",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ",
    833: "Mm",
    944: "W%@",
}

_WIDTHS = {sign: width for width, signs in _PER_THOUSAND.items() for sign in signs}
_OTHER, _WIDE = 600, 1000
_BOLD = 1.07


@lru_cache(maxsize=4096)
def width_of(text: str, size: float, *, bold: bool = False) -> int:
    """The estimated width of a line of text, rounded up to whole units.

    Args:
        text: the line.
        size: the size of its letters, in the same units.
        bold: whether they are bold.
    """
    units = sum(_WIDTHS.get(sign) or _unusual(sign) for sign in text)
    return math.ceil(units * size / 1000 * (_BOLD if bold else 1))


def _unusual(sign: str) -> int:
    if combining(sign):
        return 0
    return _WIDE if east_asian_width(sign) in "WF" else _OTHER
