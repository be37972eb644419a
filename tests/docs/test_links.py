"""Links of the documentation lead somewhere: files, headings, well-formed addresses.

Sphinx checks the pages of its site, and ``-b linkcheck`` asks the network.  Here are
the other texts too (README, changelog, notebook, paper), all without a network: a
relative link must lead to a file, its anchor to a heading of it, as GitHub and MyST
both name headings; an address must be one.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
TEXTS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "docs").rglob("*.ipynb"),
        *(ROOT / "paper").glob("*.md"),
    ]
    if not {"generated", "site"} & {*path.parts}
)
MADE = ("docs/reference/generated/",)
"""What only the build of the site makes."""

_LINK = re.compile(
    r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)"
)
_REFERENCE = re.compile(r"^\[[^\]^@][^\]]*\]:\s+(\S+)", re.MULTILINE)
_BARE = re.compile(r"<(https?://[^>\s]+)>|(?<![(<\"'\w/])(https?://[^\s)>\]\"'`]+)")
_FENCE = re.compile(r"^(```+|~~~+)[^\n]*\n.*?^\1\s*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}")


@cache
def prose(name: str) -> str:
    """A text without its code, in which brackets are not links."""
    text = (ROOT / name).read_text(encoding="utf-8")
    if name.endswith(".ipynb"):
        cells = json.loads(text)["cells"]
        text = "\n\n".join(
            "".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"
        )
    return _CODE.sub("", _FENCE.sub("", text))


def targets(name: str) -> list[str]:
    """Where the links of a text lead."""
    return _LINK.findall(prose(name)) + _REFERENCE.findall(prose(name))


@cache
def anchors(name: str) -> frozenset[str]:
    """What the headings of a text are called in addresses, the second of two ``-1``."""
    text = _FENCE.sub("", (ROOT / name).read_text(encoding="utf-8"))
    found: set[str] = set(re.findall(r"^\(([\w-]+)\)=$", text, re.MULTILINE))
    seen: Counter[str] = Counter()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", text, re.MULTILINE):
        shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", shown.strip().lower()).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return frozenset(found)


def test_there_are_links() -> None:
    assert {"README.md", "CHANGELOG.md", "CONTRIBUTING.md"} < {*TEXTS}
    assert any(name.endswith(".ipynb") for name in TEXTS)
    assert len(targets("README.md")) > 20


@pytest.mark.parametrize("name", [name for name in TEXTS if targets(name)])
def test_relative_links_lead_to_files_and_headings(name: str) -> None:
    for target in targets(name):
        if "://" in target or target.startswith("mailto:"):
            continue
        path, _, anchor = unquote(target).partition("#")
        place = (ROOT / name).parent / path if path else ROOT / name
        found = place.resolve()
        assert found.is_relative_to(ROOT.resolve()), f"{name}: {target} leads outside"
        shown = found.relative_to(ROOT.resolve()).as_posix()
        if shown.startswith(MADE):
            continue
        assert found.exists(), f"{name}: {target} leads nowhere"
        if anchor and found.suffix == ".md":
            assert anchor in anchors(shown), f"{name}: {target} names no heading"


def addresses(name: str) -> list[str]:
    """Every address of a text, in links and beside them."""
    linked = [target for target in targets(name) if "://" in target]
    bare = [left or right for left, right in _BARE.findall(prose(name))]
    return linked + [address.rstrip(".,;:") for address in bare]


@pytest.mark.parametrize("name", [name for name in TEXTS if addresses(name)])
def test_addresses_are_well_formed(name: str) -> None:
    for address in addresses(name):
        parts = urlsplit(address)
        local = parts.hostname in ("127.0.0.1", "localhost")
        assert parts.scheme == "https" or (local and parts.scheme == "http"), address
        assert local or _HOST.fullmatch(parts.hostname or ""), address
        assert parts.username is None, address


def test_one_address_has_one_spelling() -> None:
    """Two that differ in a slash at the end or in letters of the host are one page."""
    spelled: dict[str, set[str]] = {}
    for name in TEXTS:
        for address in addresses(name):
            parts = urlsplit(address)
            key = f"{parts.hostname}{parts.path.rstrip('/')}?{parts.query}"
            spelled.setdefault(key, set()).add(address.partition("#")[0])
    assert {key: found for key, found in spelled.items() if len(found) > 1} == {}
