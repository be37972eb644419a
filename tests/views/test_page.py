"""What every page is made with."""

import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from exactmatch.base.markup import Markup, element, escape
from exactmatch.views import page

ROOT = files("exactmatch.views.assets")


def test_the_script_is_valid(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    path = tmp_path / "page.js"
    path.write_text(ROOT.joinpath("page.js").read_text("utf-8"), encoding="utf-8")
    done = subprocess.run(
        ["node", "--check", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_style_sheet_is_valid() -> None:
    """Braces pair up, and each rule is a list of ``property: value;``."""
    text = re.sub(r"/\*.*?\*/", "", page.STYLE, flags=re.S)
    depth = 0
    for part in re.findall(r"[{};]|[^{};]+", text):
        depth += (part == "{") - (part == "}")
        assert depth in (0, 1, 2)
    assert depth == 0
    for rules in re.findall(r"\{([^{}]*)\}", text):
        for rule in filter(str.strip, rules.split(";")):
            assert re.fullmatch(r"\s*-{0,2}[a-z-]+\s*:\s*[^:]+", rule, re.S), rule


def test_nothing_ends_the_script_or_the_style_early() -> None:
    assert "</" not in page.SCRIPT + page.STYLE


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b>&\"'", "&lt;b&gt;&amp;&quot;&#x27;"),
        ("\x01\u202e\n", r"\x01\u202e\n"),
        (Markup("<b>"), "<b>"),
    ],
)
def test_text_is_escaped_and_markup_is_not(text: Any, html: str) -> None:
    assert escape(text) == html


def test_attributes_are_escaped_left_out_or_bare() -> None:
    made = element("a", "x<", class_='"', href=None, open=True, hidden=False)
    assert made == '<a class="&quot;" open>x&lt;</a>'
