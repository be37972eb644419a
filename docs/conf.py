"""The documentation site: Sphinx with Furo over the Markdown pages of this folder.

Sphinx, because it builds the reference from the docstrings, checks links and stops at
the first warning by itself; Furo, because it is light, reads well on a telephone and in
the dark, and needs no network; MyST, so that every page is Markdown that also reads
well where it lies.

    sphinx-build -W --keep-going -b html docs site
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import exactmatch
from exactmatch.base.version import __version__
from exactmatch.cli.commands import COMMANDS, summary
from exactmatch.cli.parsers import make_parser

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "exactmatch"
author = "exactmatch contributors"
project_copyright = "exactmatch contributors"
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
exclude_patterns = ["reference/generated/*"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]

autodoc_typehints = "description"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_title = f"exactmatch {release}"
copybutton_prompt_text = r"\$ |>>> "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = False
copybutton_here_doc_delimiter = "END"

linkcheck_ignore = [r"http://127\.0\.0\.1.*"]
linkcheck_anchors = False


def write_pages(app: Sphinx) -> None:
    """Write the parts of the reference that the program itself knows."""
    folder = Path(app.srcdir, "reference", "generated")
    folder.mkdir(exist_ok=True)
    for name, lines in (("cli", _commands()), ("api", _names())):
        page = folder / f"{name}.md"
        text = "\n".join(lines) + "\n"
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def _commands() -> Iterator[str]:
    """What ``--help-all`` says of every command."""
    for name in COMMANDS.own:
        parser = make_parser(COMMANDS[name], f"exactmatch {name}", [])
        does = summary(name)
        yield from (f"## exactmatch {name}", "", does[0].upper() + does[1:] + ".")
        yield from ("", "```text", parser.format_help_all().rstrip(), "```", "")


def _names() -> Iterator[str]:
    """Every public name: those of the front by what they are, then room by room."""
    names = [name for name in exactmatch.__all__ if not name.startswith("_")]
    yield from _listed("exactmatch", names, "##")
    for room in exactmatch._PACKAGES:
        place = importlib.import_module(f"exactmatch.{room}")
        more = [n for n in getattr(place, "__all__", dir(place)) if n not in names]
        yield from (f"## exactmatch.{room}", "")
        yield from _listed(place.__name__, more, "###")


def _listed(place: str, names: list[str], heading: str) -> Iterator[str]:
    """The names of a module, by what they are."""
    found = {name: getattr(importlib.import_module(place), name) for name in names}
    kinds = {name: _kind(value) for name, value in found.items()}
    for kind, title in _KINDS.items():
        of_kind = sorted((n for n in names if kinds[n] == kind), key=str.lower)
        if not of_kind:
            continue
        yield from (f"{heading} {title}", "")
        yield from ("```{eval-rst}", f".. currentmodule:: {place}")
        for name in of_kind:
            yield f".. {kind}:: {name}"
            if kind == "autoclass" and not issubclass(found[name], tuple):
                yield "   :members:"
        yield from ("```", "")


_KINDS = {
    "autofunction": "Functions",
    "autoclass": "Classes",
    "autoexception": "Errors and warnings",
    "py:data": "Data",
}


def _kind(value: object) -> str:
    if isinstance(value, type):
        is_error = issubclass(value, BaseException)
        return "autoexception" if is_error else "autoclass"
    return "autofunction" if callable(value) else "py:data"


def setup(app: Sphinx) -> None:
    """Sphinx calls this before it reads the pages."""
    app.connect("builder-inited", write_pages)
