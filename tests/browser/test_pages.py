"""The pages of the other commands: every width, both schemes, keys, paper, axe."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.main import main

pytestmark = pytest.mark.slow

SAMPLE = files("exactmatch") / "sample"
PRED, GOLD = str(SAMPLE / "pred.amr"), str(SAMPLE / "gold.amr")
WIDTHS = (360, 390, 1280, 1920)
FEW = ("--samples", "20")
PAGES = {
    "score": ("--per-pair", "--confidence", *FEW, "--metric", "smatch,sembleu"),
    "align": (),
    "errors": ("--per-pair",),
    "audit": ("--seeds", "2", "--restarts", "0,1"),
    "compare": (GOLD, PRED, GOLD, "--names", "parser,reference", *FEW),
    "finegrained": ("--per-pair",),
    "explain-profile": (),
    "plugins": (),
    "solvers": (),
    "verify": ("proofs.jsonl",),
    "correlate": (PRED, GOLD, "--foils", "--metric", "smatch,s2match,sembleu,wlk"),
    "lint": (GOLD,),
    "nearest": (PRED, GOLD, "-k", "2"),
    "duplicates": (GOLD,),
    "cluster": (GOLD,),
    "agreement": (PRED, GOLD),
    "ged": ("triples.json", "triples.json"),
    "solve": ("matching.dd",),
    "thresholds": (PRED, GOLD, "--metric", "s2match"),
    "yisi": ("hypotheses.txt", "references.txt", "--per-pair"),
}
"""A page of every command that writes tables; on the sample where no file is named."""


OTHERS = {"report", "draw", "convert", "matrix", "ensemble", "completion"}
OTHERS |= {"ground-truth", "merge"}
"""Commands with a page of their own, or whose ``-o`` names another file."""


def test_every_command_has_its_page_here() -> None:
    assert set(PAGES) | OTHERS == set(COMMANDS)
    assert not set(PAGES) & OTHERS


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that some of the commands read."""
    path = tmp_path_factory.mktemp("files")
    proofs = str(path / "proofs.jsonl")
    assert main([PRED, GOLD, "-q", "--certificates", proofs, "-o", "/dev/null"]) == 0
    graph = {
        "directed": True,
        "multigraph": True,
        "graph": {},
        "nodes": [{"id": "a", "label": "x"}, {"id": "b", "label": "y"}],
        "links": [{"source": "a", "target": "b", "key": 0, "label": "r"}],
    }
    (path / "triples.json").write_text(json.dumps(graph))
    (path / "matching.dd").write_text("p 2 2 2 0\na 0 0 0 -1\na 1 1 1 -2\n")
    (path / "hypotheses.txt").write_text("the cat sat\na dog barks\n")
    (path / "references.txt").write_text("the cat sat down\nthe dog barked\n")
    return path


@pytest.fixture(scope="session")
def page_of(written: Any, folder: Any) -> Any:
    def page(command: Any) -> Any:
        arguments = PAGES[command]
        local = [
            str(folder / each) if (folder / each).is_file() else each
            for each in arguments
        ]
        return written(command, *local, "--format", "html")

    return page


def opened(viewer: Any, path: Any, **options: Any) -> Any:
    """These pages are whole when they have loaded."""
    return viewer.open(path, ready="body", **options)


@pytest.mark.parametrize("command", PAGES)
def test_pages_fit_every_width(
    viewer: Any, page_of: Any, screenshot: Any, command: str
) -> None:
    """No page scrolls sideways; wide tables and drawings scroll by themselves."""
    page = opened(viewer, page_of(command))
    for width in WIDTHS:
        height = 844 if width < 768 else 900
        page.set_viewport_size({"width": width, "height": height})
        for box in ("documentElement", "body"):
            assert page.evaluate(f"document.{box}.scrollWidth") <= width
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            screenshot(page, f"{command}-{width}-{scheme}")


@pytest.mark.parametrize(
    ("command", "width"),
    [("correlate", 1280), ("lint", 1280), ("finegrained", 1920)],
)
def test_tables_fit_a_window(
    viewer: Any, page_of: Any, command: str, width: int
) -> None:
    page = opened(viewer, page_of(command), size=(width, 900))
    for table in page.locator(".scroll").all():
        assert table.evaluate("box => box.scrollWidth - box.clientWidth") <= 0


def test_long_names_do_not_widen_alignments(
    viewer: Any, written: Any, tmp_path: Path
) -> None:
    path = tmp_path / "long.amr"
    path.write_text(f"(a / {'x' * 300} :{'role' * 90} (b / y))\n")
    other = tmp_path / "other.amr"
    other.write_text(f"(a / {'z' * 300})\n")
    page = written("align", str(path), str(other), "--format", "html")
    page = opened(viewer, page, size=(390, 844))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("command", PAGES)
def test_axe_finds_nothing_serious(
    viewer: Any, page_of: Any, serious: Any, command: str
) -> None:
    page = opened(viewer, page_of(command))
    for width, scheme in ((390, "dark"), (1280, "light")):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        assert serious(page) == []


@pytest.mark.parametrize("command", ["align", "audit", "score"])
def test_keys_reach_everything(viewer: Any, page_of: Any, command: str) -> None:
    """Tab comes to all that can be clicked or scrolled, and it can be seen there."""
    page = opened(viewer, page_of(command))
    expected = page.evaluate(
        """[...document.querySelectorAll('a, button, summary, [tabindex="0"]')]
        .filter(each => each.checkVisibility({contentVisibilityAuto: true})).length"""
    )
    seen = 0
    for _ in range(expected):
        page.keyboard.press("Tab")
        shown = page.evaluate(
            "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
        )
        tag = page.evaluate("document.activeElement.tagName")
        assert shown, tag
        seen += tag != "BODY"
    assert seen == expected > 0


def test_a_link_opens_its_pair_by_keys(viewer: Any, page_of: Any) -> None:
    page = opened(viewer, page_of("audit"))
    link = page.locator("nav a").nth(1)
    key = link.get_attribute("href").removeprefix("#")
    pair = page.locator(f"details[id='{key}']")
    assert not pair.locator("svg").first.is_visible()
    link.focus()
    page.keyboard.press("Enter")
    assert pair.locator("svg").first.is_visible()


def test_headings_sort_by_keys(viewer: Any, page_of: Any) -> None:
    page = opened(viewer, page_of("finegrained"))
    table = page.locator(".sortable").last
    head = table.locator("thead button").nth(1)
    head.focus()
    page.keyboard.press("Enter")
    cells = table.locator("tbody tr td:nth-child(2)").all_inner_texts()
    numbers = [float(text) for text in cells if text != "-"]
    assert numbers == sorted(numbers)
    assert page.locator(".sortable th[aria-sort=ascending]").count() == 1


@pytest.mark.parametrize("command", ["ged", "nearest"])
def test_a_row_opens_its_drawing(viewer: Any, page_of: Any, command: str) -> None:
    page = opened(viewer, page_of(command))
    row = page.locator("tbody tr:has(th > a)").last
    key = row.locator("a").get_attribute("href").removeprefix("#")
    drawing = page.locator(f"details[id='{key}'] svg").last
    row.locator("td").last.click()
    assert drawing.is_visible()


@pytest.mark.parametrize("command", ["align", "audit"])
def test_paper_has_no_list_of_links(viewer: Any, page_of: Any, command: str) -> None:
    page = opened(viewer, page_of(command))
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0


@pytest.mark.parametrize("command", PAGES)
def test_nothing_moves(viewer: Any, page_of: Any, command: str) -> None:
    """There is no motion that a reader could ask to be spared."""
    style = Path(page_of(command)).read_text("utf-8").partition("</style>")[0]
    assert not re.search("animation|transition|scroll-behavior", style)
    page = opened(viewer, page_of(command), reduced_motion="reduce")
    assert page.evaluate("document.getAnimations().length") == 0


THEME = """<!DOCTYPE html><html lang="en"><title>x</title><body>
<aside class="sidebar-drawer"><p class="caption" role="heading">Begin</p></aside>
<article role="main"><div class="content-icon-container"><a href="#">View</a></div>
<h1>Title</h1><pre style="width:9rem;overflow:auto">{}</pre>
<table><thead><tr><th></th><th>n</th></tr></thead><tr><th>a</th><td>1</td></tr></table>
</article><aside class="toc-drawer">On this page</aside><script>{}</script>
</body></html>"""


@pytest.mark.parametrize("is_mended", [False, True])
def test_the_sites_script_names_what_the_theme_does_not(
    viewer: Any, tmp_path: Path, serious: Any, is_mended: bool
) -> None:
    """The page has the theme's markup; without the script axe finds faults in it."""
    root = Path(__file__).parents[2]
    script = (root / "docs" / "_static" / "site.js").read_text("utf-8")
    page = tmp_path / "page.html"
    page.write_text(THEME.format("x" * 99, script if is_mended else ""), "utf-8")
    faults = {name for name, _ in serious(viewer.open(page, ready="article"))}
    expected = {
        "aria-required-attr",
        "empty-table-header",
        "scrollable-region-focusable",
    }
    assert faults == (set() if is_mended else expected)
