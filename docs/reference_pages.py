"""The pages of the reference that the program itself knows.

Each command and each public name has one.  They are written when the site is built, and
not kept.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import exactmatch
from exactmatch.cli.commands import COMMANDS, GROUPS, summary
from exactmatch.cli.messages import messages_of
from exactmatch.cli.parsers import make_parser

PYTHON = {
    "score": "evaluate",
    "align": "studies.align",
    "errors": "studies.errors",
    "solvers": "",
    "thresholds": "studies.thresholds",
}
"""The Python function that asks what a command asks, where it has another name."""

SHOWN = ("score", "finegrained", "errors", "explain-profile", "solvers")
"""Commands whose answer about the bundled sample is shown, its first lines."""

LINES = 24

PURPOSES = {
    "Score": "smatch score evaluate Scorer make_metric align "
    "finegrained feedback thresholds Metric Profile PROFILES Settings Limits register",
    "Ask about scores": "compare audit agreement correlate ensemble",
    "Edit distances": "ged ged_matrix ged_search ground_truth "
    "maximum_common_edge_subgraph maximum_common_induced_subgraph",
    "Many graphs": "cdist search",
    "Read and draw": "read load draw Graph Triple",
    "What is found": "Score FScore Report Solution",
    "Errors": "ExactmatchError GraphError InputError",
}
"""The names of the front by what they are for."""

ROOMS = {
    "studies": "Studies: the commands' questions",
    "many": "Many graphs",
    "edit": "Edit distances and common subgraphs",
    "formats": "Formats",
    "scoring": "Parts of reports",
    "engine": "Alignments",
    "solvers": "Solvers",
    "errors": "Errors and warnings",
}


SITUATIONS = {
    "A file cannot be read": ("formats", "graphs", "adapters"),
    "Files or pairs do not fit": ("scoring", "metrics", "engine"),
    "An option is refused": ("base", "cli", "studies", "views"),
    "Edit distances": ("edit",),
    "Many graphs": ("many",),
    "Solvers and proofs": ("solvers",),
}
"""The folders whose messages are about a situation."""


def write_reference(folder: Path) -> None:
    """Write all pages, and the two lists of them."""
    for name in _all_commands():
        _write(folder / "commands" / f"{name}.md", _command(name))
    places = {place: [*names] for place, names in _names()}
    for place, names in places.items():
        for name in names:
            _write(folder / "python" / f"{_page(place, name)}.md", _python(place, name))
    _write(folder / "cli.md", _commands())
    _write(folder / "api.md", _functions(places))
    _write(folder / "errors.md", _messages())


def _write(page: Path, lines: Iterable[str]) -> None:
    """Write a page, if it says something else than before."""
    text = "\n".join(lines) + "\n"
    page.parent.mkdir(parents=True, exist_ok=True)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def _all_commands() -> list[str]:
    return [name for names in GROUPS.values() for name in names]


def _commands() -> Iterator[str]:
    for title, names in GROUPS.items():
        yield from (f"### {title}", "", "| command | |", "|---|---|")
        for name in names:
            anchor = f'<a id="exactmatch-{name}"></a>'
            link = f"[`exactmatch {name}`](generated/commands/{name}.md)"
            yield f"| {anchor}{link} | {summary(name)} |"
        yield ""
    pages = (f"generated/commands/{name}" for name in _all_commands())
    yield from (":::{toctree}", ":hidden:", "", *pages, ":::")


def _messages() -> Iterator[str]:
    """Yield every message of an error, by the situation that it is about."""
    package = Path(exactmatch.__file__).parent
    for title, rooms in SITUATIONS.items():
        entries = {
            message
            for room in rooms
            for file in (package / room).resolve().rglob("*.py")
            for message in messages_of(file.read_text(encoding="utf-8"))
        }
        yield from (f"## {title}", "", "```text", *sorted(entries, key=str.lower))
        yield from ("```", "")


def _command(name: str) -> Iterator[str]:
    """Yield a command: its purpose, an answer, the function, and its help."""
    does = summary(name)
    yield from (f"# exactmatch {name}", "", does[0].upper() + does[1:] + ".", "")
    python = PYTHON.get(name, name.replace("-", "_"))
    if _installed(python) is not None:
        place, _, last = f"exactmatch.{python}".rpartition(".")
        yield from (
            f"In Python: [`{place}.{last}`](../python/{_page(place, last)}.md).",
            "",
        )
    if name in SHOWN:
        yield from ("On the bundled sample:", "", "```text", f"$ exactmatch {name}")
        yield from (*_answer(name), "```", "")
    parser = make_parser(COMMANDS[name], f"exactmatch {name}", [])
    yield from ("## Every option", "")
    yield from ("```text", parser.format_help_all().rstrip(), "```", "")
    others = next(list(group) for group in GROUPS.values() if name in group)
    links = (f"[`{other}`]({other}.md)" for other in others if other != name)
    yield from ("See also: " + ", ".join(links) + ".",)


def _answer(name: str) -> list[str]:
    """Return the first lines of what a command says without files."""
    command = [sys.executable, "-m", "exactmatch", name, "--no-config"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    lines = done.stdout.rstrip().splitlines()
    shown = [line for line in lines if not line.startswith("provenance:")]
    return shown[:LINES] + ["…"] * (len(shown) > LINES)


def _names() -> Iterator[tuple[str, list[str]]]:
    """Yield each package with its public names, those of the front first."""
    front = [n for n in exactmatch.__all__ if not n.startswith("_")]
    front += [n for names in PURPOSES.values() for n in names.split() if n not in front]
    yield "exactmatch", front
    for room in exactmatch._PACKAGES:
        place = importlib.import_module(f"exactmatch.{room}")
        public = [n for n in getattr(place, "__all__", dir(place)) if n[0] != "_"]
        yield place.__name__, [n for n in public if not _is_of_front(n, place, front)]


def _is_of_front(name: str, place: Any, front: list[str]) -> bool:
    """Tell a name of the front from another one's that is called the same."""
    return name in front and getattr(exactmatch, name) is getattr(place, name)


def _functions(places: dict[str, list[str]]) -> Iterator[str]:
    """Yield the list of all names with what each is, in one line."""
    front = {title: names.split() for title, names in PURPOSES.items()}
    listed = {name for names in front.values() for name in names}
    missing = set(places["exactmatch"]) - listed
    if missing:
        sys.exit(f"no purpose is known of {', '.join(sorted(missing))}")
    for title, names in front.items():
        yield from _table(f"## {title}", "exactmatch", names)
    for room in exactmatch._PACKAGES:
        place = f"exactmatch.{room}"
        names = [n for n in places[place] if _is_shown(getattr(_module(place), n))]
        yield from _table(f"## {ROOMS[room]}: `{place}`", place, names)
    pages = (
        f"generated/python/{_page(place, name)}"
        for place, names in places.items()
        for name in names
    )
    yield from (":::{toctree}", ":hidden:", "", *pages, ":::")


def _table(heading: str, place: str, names: list[str]) -> Iterator[str]:
    yield from (heading, "", "| name | |", "|---|---|")
    for name in names:
        anchor = f'<a id="{place}.{name}"></a>'
        link = f"[`{name}`](generated/python/{_page(place, name)}.md)"
        yield f"| {anchor}{link} | {_first_line(getattr(_module(place), name))} |"
    yield ""


def _first_line(value: Any) -> str:
    """Return the first sentence of a docstring; none for a plain value's class."""
    if not _is_shown(value):
        return ""
    line = (value.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
    return " ".join(line.replace("|", "\\|").replace("``", "`").split())


def _python(place: str, name: str) -> Iterator[str]:
    value = getattr(_module(place), name)
    kind = _kind(value)
    yield from (f"# {name}", "", "```{eval-rst}", f".. currentmodule:: {place}")
    yield f".. {kind}:: {name}"
    if kind == "autoclass" and not issubclass(value, tuple):
        yield "   :members:"
    yield "```"


def _kind(value: object) -> str:
    if isinstance(value, type):
        is_error = issubclass(value, BaseException)
        return "autoexception" if is_error else "autoclass"
    return "autofunction" if callable(value) else "py:data"


def _is_shown(value: object) -> bool:
    return callable(value)


def _module(place: str) -> Any:
    return importlib.import_module(place)


def _installed(python: str) -> Any:
    """Return a public function by its place in the package; ``None`` without one."""
    place, _, name = f"exactmatch.{python}".rpartition(".")
    return getattr(_module(place), name, None) if name else None


def _page(place: str, name: str) -> str:
    return f"{place}.{name}".removeprefix("exactmatch.")
