"""The site is found by searches, shows itself in links, and copies commands alone."""

import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def conf() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "conf.py"))


def test_pages_have_an_icon_a_description_and_a_picture(conf: dict[str, Any]) -> None:
    title = 'Say "<em>hello</em>" &amp; more'
    for base in ("", "https://example.org/", "https://example.org"):
        app = SimpleNamespace(config=SimpleNamespace(html_baseurl=base))
        context = {"title": title, "metatags": "<x>"}
        conf["describe_page"](app, "index", "page.html", context, None)
        assert ("og:image" in context["metatags"]) == bool(base)
    tags = context["metatags"]
    assert tags.startswith("<x>")
    assert '<meta name="description" content="Exact, proven' in tags
    assert 'content="Say &quot;hello&quot; &amp; more"' in tags
    picture = re.findall(r'content="https://example.org/(.*?)"', tags)
    assert [(DOCS / name).exists() for name in picture] == [True]
    assert (DOCS / conf["html_favicon"]).exists()


def test_dark_pages_have_a_dark_picture() -> None:
    for page in ("index.md", "report.md"):
        text = (DOCS / page).read_text(encoding="utf-8")
        assert "(report.png){.only-light}" in text
        assert "(report-dark.png){.only-dark}" in text
    assert (DOCS / "report-dark.png").exists()


def test_copy_buttons_copy_commands_without_output(conf: dict[str, Any]) -> None:
    """As sphinx-copybutton does by these settings, on a block with each trait."""
    assert conf["copybutton_only_copy_prompt_lines"]
    prompt = re.compile(f"^(?:{conf['copybutton_prompt_text']})")
    block = (
        "$ exactmatch a \\\n  b\n0.5\n$ cat << 'END'\nx\nEND\n...\n>>> f(\n... 1)\n2"
    )
    kept, goes_on, is_document = [], False, False
    for line in block.splitlines():
        if goes_on or is_document or prompt.match(line):
            kept.append(prompt.sub("", line))
            goes_on = line.endswith(conf["copybutton_line_continuation_character"])
            if conf["copybutton_here_doc_delimiter"] in line:
                is_document = not is_document
    assert kept == ["exactmatch a \\", "  b", "cat << 'END'", "x", "END", "f(", "1)"]


@pytest.mark.parametrize("word", ["install", "DocAMR", "wikidata"])
def test_words_that_people_search_for_stand_on_pages(word: str) -> None:
    texts = [page.read_text(encoding="utf-8") for page in DOCS.rglob("how-to/*.md")]
    texts = (
        [(DOCS / "start.md").read_text(encoding="utf-8")]
        if word == "install"
        else texts
    )
    assert any(re.search(rf"\b{word}\b", text, re.IGNORECASE) for text in texts)
