"""Brackets and commas of East Asian and Arabic scripts, which parts of triples have."""

from __future__ import annotations

_OPENING = {"（": "(", "【": "[", "〔": "[", "［": "[", "〈": "<", "(": "(", "[": "["}
_CLOSING = {"）": ")", "】": "]", "〕": "]", "］": "]", "〉": ">", ")": ")", "]": "]"}
_BETWEEN = {"，": ",", "；": ";", "｜": "|", "،": ",", "؛": ";", "､": ","}
_ENUMERATION = {"、": ","}
_AROUND = _OPENING | _CLOSING | {"：": ": "}
_WIDE = (_OPENING | _CLOSING | _BETWEEN | _ENUMERATION).keys() - {*"()[]"}


def with_narrow_signs(line: str) -> str:
    """Return a line with the outermost brackets, and what parts their content, narrow.

    Signs further inside belong to a name and stay.  An enumeration comma parts a
    bracket only where the line has no other comma.

    >>> with_narrow_signs("首都（北京（城市，市），中国）")
    '首都(北京（城市，市）,中国)'
    """
    if _WIDE.isdisjoint(line):
        return line
    between = _BETWEEN
    if not any(sign in line for sign in ",，،､"):
        between = _BETWEEN | _ENUMERATION
    signs, depth = list[str](), 0
    for sign in line:
        depth -= sign in _CLOSING and depth > 0
        if depth == 0:
            signs.append(_AROUND.get(sign, sign))
        else:
            signs.append(between.get(sign, sign) if depth == 1 else sign)
        depth += sign in _OPENING
    return "".join(signs)
