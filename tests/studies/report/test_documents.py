"""The page of JSON documents: fields that open, and partners on one line."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from support.command import Cli

from exactmatch import InputError, studies

GOLD = {"id": "A-1", "items": [{"n": "red pen", "q": 1}, {"n": "<b>", "q": 2}]}
PRED = {"id": "A-1", "items": [{"n": "red pens", "q": 1}], "note": "thanks"}


def lines(page: str) -> list[str]:
    """Return the rows of the page's tables, with two blanks for each level."""
    rows = []
    for row in re.findall(r"<tr[^>]*>(.*?)</tr>", page):
        cells = re.findall(
            r'<td(?: style="padding-left: (.*?)rem")?.*?>(.*?)</td>', row
        )
        if cells:
            levels = [round((float(width or 0.5) - 0.5) / 1.2) for width, _ in cells]
            texts = [unescape(re.sub(r"<[^>]*>", "", text)) for _, text in cells]
            rows.append("  " * max(levels) + " | ".join(texts))
    return rows


def test_trees_have_the_order_of_the_reference() -> None:
    gold = {"z": {"b": 1, "a": "ab"}, "l": [{"k": 1, "v": 2}, {"k": 3}], "m": {"x": 1}}
    pred = {
        "z": {"a": "abc", "c": 5},
        "l": [{"k": 9}, {"k": 3}, {"k": 1, "v": 4}],
        "m": {"x": 1},
    }
    rows = lines(str(studies.report([pred], [gold], metric="json")))
    assert rows[-12:] == [
        "z | z |  | 0.33",
        "   | b: 1 | missing | 0.00",
        '  a: "abc" | a: "ab" | similar 0.33 | 0.33',
        "  c: 5 |  | extra | 0.00",
        "l | l |  | 2.00",
        "  [2] | [0] |  | 1.00",
        "    k: 1 | k: 1 | equal | 1.00",
        "    v: 4 | v: 2 | wrong | 0.00",
        "  [1]: 1 valuel[1].k: 3 | equal | 1.00",
        "  [0] |  |  | 0.00",
        "    k: 9 |  | extra | 0.00",
        "m: 1 valuem.x: 1 | equal | 1.00",
    ]


def test_the_page_shows_partners_on_one_line() -> None:
    page = studies.report([PRED, GOLD], [GOLD, GOLD], metric="json")
    text = str(page)
    assert repr(page) == "a page of 2 pairs of JSON documents"
    assert '    n: "red pens" | n: "red pen" | similar 0.75 | 0.75' in lines(text)
    assert "<b>" not in text
    assert 'href="#field-1"' in text
    assert 'id="field-1"' in text
    assert "items[0].n: &quot;red pens&quot; should be &quot;red pen&quot;" in text
    assert "note: &quot;thanks&quot; is too much" in text
    assert text.index("pair 1") < text.index("pair 2")


def test_the_command_writes_it(cli: Cli, tmp_path: Path) -> None:
    one, other = tmp_path / "p.json", tmp_path / "g.json"
    one.write_text('{"a": 1}')
    other.write_text('{"a": 2}')
    page = tmp_path / "page.html"
    asked = (str(one), str(other), "--metric", "json", "-o", str(page))
    assert cli("report", *asked, "--weights", "a=2").code == 0
    assert "a: 1 should be 2" in page.read_text()


def test_several_systems_are_compared_elsewhere() -> None:
    with pytest.raises(InputError, match="shows one system"):
        studies.report({"a": [PRED], "b": [PRED]}, [GOLD], metric="json")
