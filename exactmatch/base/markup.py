"""HTML that escapes itself.

Text becomes :class:`Markup` only by being escaped, and :func:`element` escapes
whatever is not markup yet; so an id such as ``<script>`` stays an id.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape as _escaped

from exactmatch.base.visible import visible


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """The markup as notebooks show it."""
        return self


def escape(text: str) -> Markup:
    """The text as HTML, its control characters as visible escapes."""
    if isinstance(text, Markup):
        return text
    return Markup(_escaped(visible(text)))


def joined(parts: Iterable[str]) -> Markup:
    """Concatenate parts, escaping those that are not markup."""
    return Markup("".join(map(escape, parts)))


def element(name: str, *content: str, **attributes: str | bool | None) -> Markup:
    """Make an element with attributes and content.

    Args:
        name: the tag.
        content: text, which is escaped, or markup.
        attributes: by name; a trailing underscore is dropped, and other underscores
            become hyphens.  ``None`` and ``False`` leave an attribute out, ``True``
            writes it without a value.

    Example:
        >>> print(element("p", "1 < 2", class_="note", hidden=True))
        <p class="note" hidden>1 &lt; 2</p>
    """
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{joined(content)}</{name}>")


_VOID = frozenset(("input", "wbr"))
"""Elements without content and without an end tag."""
