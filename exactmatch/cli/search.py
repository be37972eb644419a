"""Search of all help: tasks, commands, options, names, topics, Python, docs, messages.

Each source declares its own words.  Only ``help`` imports this module, because it
imports every command and metric.
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import exactmatch
from exactmatch.base.registry import registry_of
from exactmatch.cli.commands import COMMANDS, documentation, purpose, summary
from exactmatch.cli.messages import messages_of
from exactmatch.cli.parsers import make_parser
from exactmatch.cli.tasks import TASKS, typed
from exactmatch.cli.topics import SYNONYMS, TEXTS, TOPICS

MOST = 12  # entries shown
_FEW = 4
_NAME, _TITLE, _TEXT, _PART = 8, 4, 2, 1


class Entry(NamedTuple):
    """Entry that a search can return."""

    shown: str  # what to type or to look up
    about: str
    names: str = ""  # other words for it
    text: str = ""  # its documentation


def search(words: Iterable[str]) -> list[Entry]:
    """Return the entries with all words, or else with most of them; the best first.

    A word counts most among the names of an entry, less in its title, less in its text,
    and least as the beginning of another word.
    """
    stems = [_stem(word) for text in words for word in _words(text) if len(word) > 1]
    ranked = []
    for place, entry in enumerate(_entries()):
        values = [_value(entry, word) for word in stems]
        if any(values):
            hits = sum(map(bool, values))
            ranked.append((-hits, -sum(values), place, entry))
    if not ranked:
        return list(_messages(stems)) if stems else []
    ranked.sort(key=lambda row: row[:3])
    highest = ranked[0][0]
    if -highest < len(stems):
        return [entry for hits, _, _, entry in ranked if hits == highest][:_FEW]
    return list(
        _chosen((-value, entry) for hits, value, _, entry in ranked if hits == highest)
    )


def _chosen(ranked: Iterable[tuple[int, Entry]]) -> Iterator[Entry]:
    """Yield the best entries, with a few mentions and pages, and no page twice."""
    shown: set[str] = set()
    mentions = pages = 0
    for value, entry in ranked:
        is_page = entry.shown.startswith("docs/")
        mentions += value <= _TEXT and not is_page
        pages += is_page
        if (is_page and (pages > _FEW or entry.shown in shown)) or (
            not is_page and value <= _TEXT and mentions > _FEW
        ):
            continue
        shown.add(entry.shown)
        yield entry
        if len(shown) == MOST:
            return


def vocabulary() -> set[str]:
    """Return all words that name something."""
    return {word for entry in _entries() for word in entry.names.split()}


def _value(entry: Entry, word: str) -> int:
    names, title, text = _stems(entry)
    if word in names:
        return _NAME
    if word in title:
        return _TITLE
    if word in text:
        return _TEXT
    if len(word) < 4:
        return 0
    return _PART * any(
        search_word.startswith(word) for search_word in names | title | text
    )


@cache
def _stems(entry: Entry) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    fields = (entry.names, f"{entry.shown} {entry.about}", entry.text)
    names, title, text = (frozenset(map(_stem, _words(field))) for field in fields)
    return names, title, text


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text in lower case, and the parts of hyphenated ones."""
    normalised = unicodedata.normalize("NFKC", text).lower()
    for word in re.findall(r"[^\W_]+(?:[-_.][^\W_]+)*", normalised):
        yield word
        parts = re.split(r"[-_.]", word)
        if len(parts) > 1:
            yield from parts


def _stem(word: str) -> str:
    """Return a word without the plural ending."""
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word


@cache
def _entries() -> tuple[Entry, ...]:
    sources = (_tasks, _topics, _named, _commands, _options, _python, _pages)
    return tuple(entry for source in sources for entry in source())


def _tasks() -> Iterator[Entry]:
    for line, title, words, _ in TASKS:
        yield Entry(typed(line), title, words)


def _topics() -> Iterator[Entry]:
    for name, description in TOPICS.items():
        names = f"{name} {SYNONYMS.get(name, '')}"
        yield Entry(f"exactmatch help {name}", description, names, TEXTS.get(name, ""))


def _named() -> Iterator[Entry]:
    """Yield the metrics, profiles, solvers and formats."""
    for kind in ("metric", "profile", "solver", "format"):
        for name, thing in registry_of(kind).working():
            text = documentation(thing) if isinstance(thing, type) else ""
            description = getattr(thing, "summary", "") or getattr(thing, "title", "")
            description = (
                text.partition("\n")[0] if kind == "metric" else str(description)
            )
            suffix = str(getattr(thing, "suffix", "")).lstrip(".")
            shown = f"exactmatch help {name}"
            yield Entry(shown, f"{kind}: {description}", f"{name} {suffix}", text)


def _commands() -> Iterator[Entry]:
    for name, command in COMMANDS.working():
        yield Entry(f"exactmatch {name}", summary(name), name, purpose(command))


def _options() -> Iterator[Entry]:
    """Yield the options of commands and metrics, each once with all its owners."""
    owners: dict[tuple[str, str], list[str]] = {}
    values: dict[str, str] = {}
    for name, command in COMMANDS.working():
        parser = make_parser(command, name, [])
        for action in parser._actions:
            flags = [flag for flag in action.option_strings if flag.startswith("--")]
            meaning = " ".join(str(action.help or "").replace("%%", "%").split())
            if flags and meaning != argparse.SUPPRESS:
                owners.setdefault((", ".join(flags), meaning), []).append(name)
                values[", ".join(flags)] = " ".join(map(str, action.choices or ()))
    for metric, metric_class in registry_of("metric").working():
        for option, declared in metric_class.options_class.DECLARED.items():
            if declared.flags != ():
                flag = f"--{option.replace('_', '-')}"
                choices = (
                    f" ({', '.join(declared.choices)})" if declared.choices else ""
                )
                key = (flag, f"{declared.about}{choices}")
                owners.setdefault(key, []).append(f"--metric {metric}")
    for (shown, meaning), commands_with_option in owners.items():
        first_commands = ", ".join(commands_with_option[:3]) + (
            " …" if len(commands_with_option) > 3 else ""
        )
        names = f"{shown.replace('-', ' ')} {values.get(shown, '')}"
        yield Entry(shown, f"{meaning} [{first_commands}]", names)


def _python() -> Iterator[Entry]:
    """Yield the public functions of Python, and the methods of public classes."""
    for name in exactmatch.__all__:
        thing = getattr(exactmatch, name)
        if not callable(thing):
            continue
        text = documentation(thing)
        shown = f"exactmatch.{name}"
        yield Entry(f"in Python: {shown}", _first(text), name, text)
        for method, function in vars(thing).items() if isinstance(thing, type) else ():
            if not method.startswith("_") and callable(function):
                text = documentation(function)
                yield Entry(f"in Python: {shown}.{method}", _first(text), method, text)


def _first(text: str) -> str:
    return text.partition("\n")[0].replace("``", "")


def _pages() -> Iterator[Entry]:
    """Yield the headings of the documentation, if this is a checkout."""
    docs = Path(exactmatch.__file__).resolve().parents[1] / "docs"
    if not (docs / "index.md").is_file():
        return
    for page in sorted(docs.rglob("*.md")):
        if "generated" in page.parts:
            continue
        text = page.read_text(encoding="utf-8")
        for heading, beneath in _sections(text):
            place = page.relative_to(docs.parent).as_posix()
            yield Entry(place, heading, text=beneath)


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield the headings of a page, each with the text beneath it."""
    parts = re.split(r"^#+ (.+)$", re.sub(r"(?ms)^```.*?^```$", "", text), flags=re.M)
    yield from zip(parts[1::2], parts[2::2], strict=True)


def _messages(stems: list[str]) -> Iterator[Entry]:
    """Yield the messages of errors that have all words (as stems)."""
    package = Path(exactmatch.__file__).parent
    count = 0
    for file in sorted(package.rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        if not all(word in source.lower() for word in stems):
            continue
        for message in messages_of(source):
            if {*stems} <= {*map(_stem, _words(message))}:
                yield Entry("message", message)
                count += 1
                if count == _FEW:
                    return
