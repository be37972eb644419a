"""``exactmatch --cite`` says what ``CITATION.cff`` says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command import Cli

from exactmatch.base.version import __version__
from exactmatch.cli.cite import AUTHORS, PAPERS, TITLE, citation

CFF = Path(__file__).parents[2] / "CITATION.cff"


@pytest.fixture(scope="module")
def stated() -> list[str]:
    """The program's part of the file and that of each reference, in one line each."""
    if not CFF.exists():
        pytest.skip("CITATION.cff is not installed with the package")
    text = CFF.read_text(encoding="utf-8")
    return [re.sub(r"\s+", " ", part) for part in text.split("  - type: ")]


def test_the_program_is_that_of_the_file(stated: list[str]) -> None:
    assert f'title: "{TITLE}"' in stated[0]
    assert f"- name: {AUTHORS}" in stated[0]


def test_the_papers_are_those_of_the_file(stated: list[str]) -> None:
    assert len(stated) == len(PAPERS) + 1
    for paper, part in zip(PAPERS, stated[1:], strict=True):
        names = re.findall(r"family-names: (.+?) given-names: (\S+)", part)
        assert tuple(names) == paper.authors
        assert re.search(rf'title: (>- )?"?{re.escape(paper.title)}', part)
        assert paper.venue in part
        assert f"year: {paper.year} " in part
        assert f"start: {paper.pages[0]} end: {paper.pages[1]}" in part
        assert (f"doi: {paper.doi}" if paper.doi else f"url: {paper.url}") in part
        assert (f"volume: {paper.volume} " in part) == bool(paper.volume)


def test_what_is_printed_can_be_read_by_bibtex(
    cli: Cli,
) -> None:
    out = cli.out("--cite")
    assert out == citation()
    assert __version__ in out
    assert out.count("{") == out.count("}")
    entries = re.findall(r"^@(\w+)\{([\w-]+),\n((?:  \w+ = \{.+\},\n)+)\}", out, re.M)
    assert [key for _, key, _ in entries] == ["exactmatch", *(p.key for p in PAPERS)]
    for kind, _, fields in entries:
        names = re.findall(r"^  (\w+) =", fields, re.M)
        assert {"author", "title"} <= set(names)
        assert len(names) == len(set(names))
        assert kind in ("software", "article", "inproceedings")
