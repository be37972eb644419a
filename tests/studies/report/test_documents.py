"""The page of JSON documents: fields that open, and partners on one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Cli

from exactmatch import InputError, studies

GOLD = {"id": "A-1", "items": [{"n": "red pen", "q": 1}, {"n": "<b>", "q": 2}]}
PRED = {"id": "A-1", "items": [{"n": "red pens", "q": 1}], "note": "thanks"}


def test_the_page_shows_partners_on_one_line() -> None:
    page = studies.report([PRED, GOLD], [GOLD, GOLD], metric="json")
    text = str(page)
    assert repr(page) == "a page of 2 pairs of JSON documents"
    ours, theirs = ("n: &quot;red pens&quot;", "n: &quot;red pen&quot;")
    assert f'{ours}</td><td class="in">{theirs}</td>' in text
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
