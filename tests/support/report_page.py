"""The list of a report's page, and ways to change what it shows.

A page answers a click on a link, a new address or a scroll a moment later; what is
asked for here has happened when the call returns.
"""

from __future__ import annotations

from typing import Any

_ROWS = """() => [...document.querySelectorAll(".row")].map((row) => [
  Number(row.getAttribute("aria-posinset")), row.querySelector(".id").textContent,
])"""

_SCROLL = """async (rows, top) => {
  rows.scrollTop = top;
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();  // the rows are drawn anew when the first one tells of the scroll
}"""

_SHOWS = "hash => document.body.dataset.shows === hash && location.hash === hash"


def rows_of(page: Any) -> dict[int, str]:
    """Return the ids by place, read in one step from the page, which draws lazily."""
    return dict(page.evaluate(_ROWS))


def count_of(page: Any) -> int:
    """Return the number of listed pairs, in sight or not."""
    return int(page.locator("[data-part=count]").inner_text().split()[0])


def listed(page: Any) -> list[str]:
    """Return the ids of all pairs of the list, in order, whatever is in sight."""
    id_at: dict[int, str] = {}
    for place in range(0, count_of(page), 5):
        scroll(page, place * 38)
        id_at |= rows_of(page)
    return [id_at[place] for place in sorted(id_at)]


def scroll(page: Any, top: int = 0) -> None:
    """Scroll the list to a height in pixels, and wait until its rows are drawn."""
    page.locator("[data-part=rows]").evaluate(_SCROLL, top)


def follow(page: Any, link: Any) -> None:
    """Click a link of the page, and wait until the list shows what it asks for."""
    query = link.get_attribute("href")
    link.click()
    page.wait_for_function(_SHOWS, arg=query)


def press(page: Any, key: str, fragment: str) -> None:
    """Press a key, and wait until the page shows the pair that it leads to."""
    page.keyboard.press(key)
    page.wait_for_function(_SHOWS, arg=f"#{fragment}")


def address(page: Any) -> str:
    """Return the query of the page's address."""
    return str(page.evaluate("location.hash"))


def visit(page: Any, path: Any, fragment: str) -> None:
    """Go to an address of the page, and wait until the list shows what it asks for."""
    page.goto(f"{path.as_uri()}#{fragment}")
    page.wait_for_function(_SHOWS, arg=f"#{fragment}")
