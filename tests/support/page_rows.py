"""The rows that the list of a report's page has at the moment."""

from __future__ import annotations

from typing import Any

_ROWS = """() => [...document.querySelectorAll(".row")].map((row) => [
  Number(row.getAttribute("aria-posinset")), row.querySelector(".id").textContent,
])"""


def rows_of(page: Any) -> dict[int, str]:
    """The ids by place, read in one step of the page, which draws as one scrolls."""
    return dict(page.evaluate(_ROWS))
