"""Four questions of a parser's developer, put to the report of two parsers.

The graphs are the Little Prince's, parsed by a BART-based and a T5-based parser
(AMRParseEval, Opitz and Frank 2022); they are read from the folder that
``EXACTMATCH_DATA`` names, and the test is skipped without it.  The answers are held
against the library's.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.report_page import address, count_of, follow, rows_of

from exactmatch.cli.main import main

DATA = Path(os.environ.get("EXACTMATCH_DATA", "")) / "data" / "lp"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (DATA / "gold.amr").is_file(),
        reason="EXACTMATCH_DATA names no folder of data",
    ),
]


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> dict[Any, Any]:
    """The two parsers' graphs and the references: the graphs alternate."""
    folder = tmp_path_factory.mktemp("lp")
    found = {}
    for name, file, start in (
        ("BART", "parsed", 0),
        ("T5", "parsed", 1),
        ("gold", "gold", 0),
    ):
        text = (DATA / f"{file}.amr").read_text("utf-8").strip()
        found[name] = folder / f"{name}.amr"
        graphs = re.split(r"\n\s*\n", text)[start::2]
        found[name].write_text("\n\n".join(graphs) + "\n", "utf-8")
    return {name: str(path) for name, path in found.items()}


@pytest.fixture(scope="module")
def page_of_parsers(written: Any, parsed: Any) -> Any:
    names = ("--names", "BART,T5", "--samples", "20")
    systems = ("--systems", parsed["BART"], parsed["T5"])
    return written("report", parsed["gold"], *systems, *names)


@pytest.fixture(scope="module")
def scores(
    parsed: Any, tmp_path_factory: pytest.TempPathFactory
) -> list[dict[Any, Any]]:
    """Each pair's F1 by id, of both parsers."""
    out = tmp_path_factory.mktemp("scores") / "scores.jsonl"
    found = []
    for name in ("BART", "T5"):
        given = ["score", parsed[name], parsed["gold"], "--per-pair"]
        assert main([*given, "--format", "jsonl", "-q", "-o", str(out)]) == 0
        records = map(json.loads, out.read_text("utf-8").splitlines())
        found.append({record["id"]: record["f1"] for record in records})
    return found


@pytest.fixture(scope="module")
def errors(parsed: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Each pair of BART's with its edits."""
    out = tmp_path_factory.mktemp("errors") / "errors.json"
    given = ["errors", parsed["BART"], parsed["gold"], "--per-pair"]
    assert main([*given, "--format", "json", "-q", "-o", str(out)]) == 0
    return json.loads(out.read_text("utf-8"))["systems"][0]


def shown(page: Any, number: Any) -> list[Any]:
    """The ids of the first rows, without scrolling."""
    rows = rows_of(page)
    return [rows[place] for place in range(1, number + 1)]


def test_the_ten_worst_pairs(
    viewer: Any, page_of_parsers: Any, scores: Any, screenshot: Any
) -> None:
    """One click: the heading of the parser."""
    page = viewer.open(page_of_parsers, size=(1280, 1200))
    page.click("[data-part=heads] button:has-text('BART')")
    worst = sorted(scores[0].values())[:10]
    assert [scores[0][name] for name in shown(page, 10)] == worst
    screenshot(page, "lp-worst")


def test_where_one_parser_beats_the_other_most(
    viewer: Any, page_of_parsers: Any, scores: Any
) -> None:
    """Nothing to do but to read the first row."""
    page = viewer.open(page_of_parsers)
    gains = {name: scores[1][name] - scores[0][name] for name in scores[0]}
    assert gains[shown(page, 1)[0]] == max(gains.values())


def test_pairs_with_a_lost_polarity_by_keys(
    viewer: Any, page_of_parsers: Any, errors: Any
) -> None:
    page = viewer.open(page_of_parsers)
    page.locator(".filters summary").focus()
    page.keyboard.press("Enter")
    page.locator("[data-part=role]").focus()
    for key in ":polarity":
        page.keyboard.press(key)
    page.keyboard.press("Tab")
    lost = [
        pair["id"]
        for pair in errors["per_pair"]
        if any(":polarity " in (edit["gold"] or "") for edit in pair["edits"])
    ]
    assert "role=-polarity" in address(page)
    assert count_of(page) == len(lost) > 0


def test_the_most_frequent_role_confusion(
    viewer: Any, page_of_parsers: Any, errors: Any, screenshot: Any
) -> None:
    """Two clicks: open the kind, follow its first type."""
    found = Counter(
        edit["detail"]
        for pair in errors["per_pair"]
        for edit in pair["edits"]
        if edit["kind"] == "role confusion"
    )
    detail, times = found.most_common(1)[0]
    page = viewer.open(page_of_parsers)
    page.click("button[data-kind='role confusion']")
    first = page.locator("tr.detail").first
    assert first.locator("a").inner_text() == detail
    assert first.locator("td").nth(1).inner_text() == str(times)
    follow(page, first.locator("a"))
    pairs = [
        pair["id"]
        for pair in errors["per_pair"]
        if any(
            edit["kind"] == "role confusion" and edit["detail"] == detail
            for edit in pair["edits"]
        )
    ]
    assert count_of(page) == len(pairs)
    assert set(shown(page, min(len(pairs), 5))) <= set(pairs)
    screenshot(page, "lp-confusion")


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_its_pages_fit_every_width(
    viewer: Any, page_of_parsers: Any, screenshot: Any, width: int
) -> None:
    for name, fragment in (
        ("all", ""),
        ("polarity", "role=-polarity"),
        ("pair", "pair=lpp_1943.657"),
    ):
        page = viewer.open(page_of_parsers, fragment, size=(width, 900))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            screenshot(page, f"lp-{name}-{width}-{scheme}")
