"""Open a report in Chromium and time what a reader waits for.

usage: browse.py PAGE TURNS

Writes one line of medians, in milliseconds: until the first list is drawn, until a pair
is drawn, until the list is sorted anew, and until a search is answered; or says what is
missing.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from statistics import median

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = ("--no-sandbox", "--headless", "--disable-gpu", "--disable-sync")

_FIRST_LIST = """addEventListener("DOMContentLoaded", () =>
  new MutationObserver((_, observer) => {
    if (document.body.dataset.shows === undefined) return;
    window.firstList = performance.now();
    observer.disconnect();
  }).observe(document.body, { attributes: true }))"""

_TIMED = """async ([steps, what]) => {
  const frame = () =>
    new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const part = (name) => document.querySelector(`[data-part=${name}]`);
  const choose = (name, value) => {
    part(name).value = value;
    part(name).dispatchEvent(new Event(name === "search" ? "input" : "change"));
  };
  const steppers = {
    pair: (key) => document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true })),
    sort: (value) => choose("sort", value),
    search: (value) => choose("search", value),
  };
  const times = [];
  for (const value of steps) {
    const before = document.body.dataset.shows;
    const started = performance.now();
    steppers[what](value);
    if (what === "pair") while (document.body.dataset.shows === before) await frame();
    await frame();
    times.push(performance.now() - started);
  }
  return times;
}"""

_STEPS = {
    "pair": ["j"] * 24,
    "sort": ["missing", "extra", "size", "score", "file"] * 2,
    "search": ["p", "po", "pol", "poli", "polic", "say", "want-01", "the"],
}


def main() -> None:
    """Open the page some times, and act on it the last time."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print(json.dumps({"missing": "playwright: pip install 'exactmatch[browser]'"}))
        return
    named = os.environ.get("EXACTMATCH_CHROMIUM")
    path = named or next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        print(json.dumps({"missing": "Chromium: apt-get install chromium"}))
        return
    page_file, turns = Path(sys.argv[1]), int(sys.argv[2])
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=list(_FLAGS))
        first = []
        for _ in range(turns):
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(120_000)
            page.add_init_script(_FIRST_LIST)
            page.goto(page_file.as_uri())
            page.wait_for_selector("body[data-shows]")
            first.append(page.evaluate("window.firstList"))
        page.wait_for_selector("body[data-read]")
        pairs = int(page.locator("[data-part=count]").inner_text().split()[0])
        figures = {
            what: median(page.evaluate(_TIMED, [steps[:pairs], what]))
            for what, steps in _STEPS.items()
        }
        figures |= {"list": median(first), "chromium": browser.version}
        browser.close()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
