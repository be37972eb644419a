"""The error browser's list of pairs, and what can be asked of it.

Its rows, columns and choices are filled in by ``browser_list.js``.
"""

from __future__ import annotations

from exactmatch.base.markup import Markup, element, joined


def side() -> Markup:
    """The list of pairs and what can be asked of it."""
    return element(
        "aside",
        element(
            "div",
            *(_find(), _scores(), _filters(), _status(), _heads()),
            class_="asks",
        ),
        element(
            "div",
            class_="rows",
            role="listbox",
            tabindex="0",
            aria_label="Pairs",
            data_part="rows",
        ),
        class_="side",
        aria_label="List of pairs",
    )


def _find() -> Markup:
    scopes = ("all", "everything"), ("id", "ids"), ("sentence", "sentences")
    return element(
        "div",
        element(
            "input",
            type="search",
            placeholder="Search",
            aria_label="Search",
            aria_keyshortcuts="/",
            data_part="search",
        ),
        element(
            "select",
            *(
                element("option", text, value=value)
                for value, text in (*scopes, ("concept", "concepts"))
            ),
            aria_label="where to search",
            data_part="scope",
        ),
        element(
            "label",
            element("input", type="checkbox", data_part="regex"),
            " ",
            element("abbr", ".*", title="regular expression"),
        ),
        class_="find",
        role="search",
    )


def _scores() -> Markup:
    return element(
        "div",
        element(
            "div",
            class_="histogram",
            role="group",
            aria_label="Pairs by score; choose a range",
            data_part="histogram",
        ),
        element(
            "div",
            *(element("span", text) for text in ("0", "0.5", "1")),
            class_="ticks",
            aria_hidden="true",
        ),
    )


def _filters() -> Markup:
    def chosen(name: str, text: str) -> Markup:
        return joined(
            (
                element("label", text, for_=f"by-{name}"),
                element(
                    "select",
                    element("option", "any", value=""),
                    id=f"by-{name}",
                    data_part=name,
                ),
            )
        )

    def checked(name: str, text: str) -> Markup:
        box = element("input", type="checkbox", data_part=name)
        return element("label", box, f" {text}")

    return element(
        "details",
        element("summary", element("span", "Filters", data_part="filters")),
        element(
            "div",
            chosen("error", "error"),
            chosen("role", "role"),
            element("label", "concept", for_="by-concept"),
            element(
                "input",
                id="by-concept",
                placeholder="lost; +concept: extra",
                list="concepts",
                data_part="concept",
            ),
            element("datalist", id="concepts", data_part="concepts"),
            element(
                "span",
                checked("reentrant", "re-entrant"),
                checked("unproven", "unproven"),
                class_="checks",
            ),
        ),
        class_="filters",
    )


def _status() -> Markup:
    sorts = (
        ("score", "score"),
        ("file", "order of the file"),
        ("missing", "missing"),
        ("extra", "extra"),
        ("size", "size"),
    )
    return element(
        "div",
        element("output", data_part="count"),
        element("button", "Clear", type="button", data_part="clear", hidden=True),
        element(
            "label",
            "of ",
            element("select", data_part="system"),
        ),
        element(
            "select",
            *(element("option", text, value=value) for value, text in sorts),
            aria_label="sort by",
            data_part="sort",
        ),
        element("button", "↑", type="button", data_part="down"),
        class_="status",
    )


def _heads() -> Markup:
    """The headings of the list's columns, which the script fills."""
    return element(
        "div", class_="heads", role="group", aria_label="Sort", data_part="heads"
    )
