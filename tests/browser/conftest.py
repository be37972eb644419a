"""Pages in a real browser: Chromium, by Playwright; skipped where they are missing.

``EXACTMATCH_CHROMIUM`` names the browser where it is not found.  Screenshots are made
where ``EXACTMATCH_SCREENSHOTS`` names a folder to keep them in.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from exactmatch import evaluate, make_metric
from exactmatch.cli.main import main
from exactmatch.formats.blocks import read_blocks
from exactmatch.studies.errors.errors import PairErrors, pair_errors

SAMPLE = files("exactmatch") / "sample"
PRED, GOLD = str(SAMPLE / "pred.amr"), str(SAMPLE / "gold.amr")

FLAGS = (
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
_NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    named = os.environ.get("EXACTMATCH_CHROMIUM")
    path = named or next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        pytest.skip("no Chromium: apt-get install chromium")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def serious() -> Callable[[Any], list[tuple[str, str]]]:
    """Tells what axe finds serious; ``EXACTMATCH_AXE`` names its script."""
    named = os.environ.get("EXACTMATCH_AXE")
    if named is None:
        package = pytest.importorskip("axe_playwright_python").__path__[0]
        named = str(next(Path(package).rglob("axe.min.js")))
    script = Path(named).read_text("utf-8")

    def found(page: Any) -> list[tuple[str, str]]:
        page.evaluate(script)
        violations = page.evaluate("axe.run().then(found => found.violations)")
        small = ("landmark-one-main", "empty-table-header")
        grave = [
            v
            for v in violations
            if v["impact"] in ("serious", "critical") or v["id"] in small
        ]
        return [(v["id"], v["nodes"][0]["html"]) for v in grave]

    return found


class Viewer:
    """Opens pages, and keeps what must not happen: messages, errors, requests.

    Attributes:
        trouble: console messages, errors, dialogs, and requests for anything but the
            page itself.
    """

    def __init__(self, chromium: Any) -> None:
        self._chromium = chromium
        self._contexts: list[Any] = []
        self.trouble: list[str] = []

    def open(
        self,
        path: Path | str,
        fragment: str = "",
        *,
        size: tuple[int, int] = (1280, 800),
        scheme: str = "light",
        ready: str = "body[data-shows]",
        **options: Any,
    ) -> Any:
        """Open a page and wait until it shows what its address asks for."""
        width, height = size
        context = self._chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, **options
        )
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        url = path if isinstance(path, str) else path.as_uri()
        page.on("console", lambda message: self.trouble.append(message.text))
        page.on("pageerror", lambda error: self.trouble.append(str(error)))
        page.on("dialog", lambda dialog: self.trouble.append(dialog.message))
        page.on("request", lambda request: self._note(request.url, url))
        page.goto(f"{url}#{fragment}" if fragment else url)
        page.wait_for_selector(ready)
        return page

    def _note(self, asked: str, url: str) -> None:
        own = asked.partition("#")[0] == url or asked.startswith("blob:")
        if not own:
            self.trouble.append(asked)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def viewer(chromium: Any) -> Iterator[Viewer]:
    """Every page is without messages, errors and requests, or the test fails."""
    made = Viewer(chromium)
    yield made
    made.close()
    assert made.trouble == []


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Write a page once for the same arguments."""
    folder = tmp_path_factory.mktemp("pages")
    known: dict[tuple[str, ...], Path] = {}

    def write(*arguments: str) -> Path:
        if arguments not in known:
            path = folder / f"{len(known)}.html"
            assert main([*arguments, "-q", "-o", str(path)]) == 0
            known[arguments] = path
        return known[arguments]

    return write


@pytest.fixture(scope="session")
def screenshot() -> Callable[[Any, str], None]:
    """Keeps a picture of a page, where somebody wants to look at it."""
    folder = os.environ.get("EXACTMATCH_SCREENSHOTS")

    def keep(page: Any, name: str) -> None:
        if folder is not None:
            page.screenshot(path=Path(folder, f"{name}.png"))

    return keep


@pytest.fixture(scope="session")
def page_of_sample(written: Callable[..., Path]) -> Path:
    return written("report", PRED, GOLD, "--samples", "20")


@pytest.fixture(scope="session")
def second(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A second system: the sample's references with every third ``:ARG1`` wrong."""
    path = tmp_path_factory.mktemp("second") / "second.amr"
    text = Path(GOLD).read_text("utf-8")
    found = iter(range(10**6))
    path.write_text(
        re.sub(r":ARG1\b", lambda m: ":ARG9" if next(found) % 3 else m[0], text),
        "utf-8",
    )
    return str(path)


@pytest.fixture(scope="session")
def page_of_two(written: Callable[..., Path], second: Any) -> Path:
    names = ("--names", "first,second", "--samples", "20")
    return written("report", GOLD, "--systems", PRED, second, *names)


@pytest.fixture(scope="session")
def examined() -> list[tuple[Any, PairErrors]]:
    """Each pair of the sample with its errors."""
    metric: Any = make_metric("smatch")
    blocks = [list(read_blocks(path)) for path in (PRED, GOLD)]
    texts = [["\n".join(block.content) for block in side] for side in blocks]
    whole = [["\n".join(block.lines) for block in side] for side in blocks]
    results = evaluate(whole[0], whole[1], metric).pairs
    found = []
    for result, *own in zip(results, *texts, strict=True):
        stated = metric.build_problem(
            metric.prepare(result.pred), metric.prepare(result.gold)
        )
        alignment = result.solution.alignment
        errors = pair_errors(stated, alignment, result.index, result.id, tuple(own))
        found.append((result, errors))
    return found
