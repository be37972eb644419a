"""Guess the format of a text that is not a graph, and suggest what to do with it.

Only a file that is not read comes here.  The patterns look at single lines of its
beginning, each cut off, so that none takes long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from exactmatch.base.errors import InputError, shortened
from exactmatch.formats.beginnings import HEAD, WEIGHTED

_LINES, _WIDTH = 50, 1000
"""How many lines are looked at, and how much of each."""

_NAME_IT = (
    "if it is one, --format-in names it ('exactmatch help formats' lists all formats)"
)
_EXTRACT = "{} takes a graph out of it, if it holds one"
_AS_DOCUMENTS = (
    "write it as JSON, whose documents --metric json compares, and --format-in "
    "document reads as graphs"
)


_AS_ROWS = (
    "write its last column as rows of JSON, which are read: "
    """python -c "import json; [print(json.dumps({{'response': """
    """line.rstrip().split('\\t')[-1]}})) for line in open('{path}')]" > """
    "{path}.jsonl"
)


_HEADING = (
    "write subject,relation,object above it, with id, before them if it has four "
    "columns"
)


class Guess(NamedTuple):
    """Likely kind of a text that is in no format, and the way out."""

    kind: str  # a noun phrase
    way_out: str  # a clause


def refusal(
    text: str, format_name: str, path: str, extract: str = "--extract repair"
) -> InputError:
    """Return the error for a file in no format: what it looks like, and the way out.

    Args:
        text: its beginning.
        format_name: what :func:`~exactmatch.formats.formats.looks_like` calls it.
        path: how messages name it.
        extract: the option to type if a graph has to be taken out of a text.
    """
    kind, way_out = guess(text, format_name) or Guess(format_name, _NAME_IT)
    first = text[:HEAD].strip().partition("\n")[0].rstrip()
    return InputError(
        f"{path}: looks like {kind}; no format of graphs begins with "
        f"{shortened(repr(first), 40)}; {way_out.format(extract, path=path)}"
    )


def guess(text: str, format_name: str) -> Guess | None:
    """Guess the format of a text that no reader recognises; ``None`` without a clue.

    Args:
        text: its beginning.
        format_name: what :func:`~exactmatch.formats.formats.looks_like` calls it.
    """
    lines = _first_lines(text)
    return next(
        (
            guessed_format
            for holds, guessed_format in _GUESSES
            if holds(lines, format_name)
        ),
        None,
    )


def is_bracketed(text: str) -> bool:
    """Return whether the last column of lines is triples in brackets."""
    return _are_bracketed(_first_lines(text), "")


def _first_lines(text: str) -> list[str]:
    lines = [line[:_WIDTH].rstrip() for line in text[:HEAD].splitlines()]
    return [line for line in lines if line][:_LINES]


_Holds: TypeAlias = Callable[[list[str], str], bool]


def _first(pattern: str) -> _Holds:
    """Return whether the first line begins with a pattern."""
    return lambda lines, _: bool(lines and re.match(pattern, lines[0].lstrip()))


def _any(pattern: str) -> _Holds:
    return lambda lines, _: any(re.match(pattern, line) for line in lines)


def _most(pattern: str, share: float = 0.8) -> _Holds:
    """Return whether enough lines match a pattern."""
    return lambda lines, _: _share(lines, pattern) >= share


def _share(lines: Iterable[str], pattern: str) -> float:
    is_matching = [bool(re.match(pattern, line)) for line in lines]
    return sum(is_matching) / len(is_matching) if is_matching else 0.0


def _is_table(lines: list[str], _: str) -> bool:
    """Return whether all lines have as many semicolons, and some."""
    counts = {line.count(";") for line in lines}
    return len(counts) == 1 and counts != {0} and len(lines) > 1


def _is_conllu(lines: list[str], _: str) -> bool:
    words = [line for line in lines if not line.startswith("#")]
    return bool(words) and all(
        line.count("\t") >= 7 and re.match(r"\d+([-.]\d+)?\t", line) for line in words
    )


def _is_json(lines: list[str], format_name: str) -> bool:
    return _first(r"[{\[](?![A-Za-z_][\w.-]*\]$)")(lines, format_name)


def _has_comments(lines: list[str], format_name: str) -> bool:
    return _is_json(lines, format_name) and _any(r"\s*(//|/\*)|.*[,\[{]\s+//")(
        lines, format_name
    )


def _is_python(lines: list[str], format_name: str) -> bool:
    pattern = r".*([{\[]|, |: )'|.*\b(None|True|False)\b"
    return _is_json(lines, format_name) and _any(pattern)(lines, format_name)


_BRACKETED = r"(?:.*\t)?\s*\([^()/;\t]+;[^()/;\t]+;[^()/;\t]+\)"
"""A line whose last column begins with a triple such as ``(cat; eats; mouse)``."""

_are_bracketed = _most(_BRACKETED)

_are_triples = _most(r"(?:[-*] |\d+[.)] )?\([^()/,;]+[,;][^()/,;]+[,;][^()]+\)[.,;]?$")


def _has_columns(sign: str) -> _Holds:
    """Return whether every line has three columns, or four if the first is an id."""

    def holds(lines: list[str], _: str) -> bool:
        counts = {len(re.split(sign, line.strip().strip("|"))) for line in lines}
        return counts in ({3}, {4}) and not any(line[:1] in "(#" for line in lines)

    return holds


_GUESSES: tuple[tuple[_Holds, Guess], ...] = (
    (_are_bracketed, Guess("a graph of bracketed triples in each line", _AS_ROWS)),
    (
        _first(r"(?i)(<\?xml.*>\s*)?<svg\b"),
        Guess("an SVG drawing", "give the graph that it draws"),
    ),
    (
        _first(r"(?i)<!doctype html|<(?:html|body|div|p|table|[uo]l)\b"),
        Guess("HTML", f"save the graph alone; {_EXTRACT}"),
    ),
    (
        _first(r"<(\?xml|!--|!doctype|[A-Za-z_][\w.-]*(:[\w.-]+)?(\s|/?>))"),
        Guess(
            "XML of an unknown kind",
            "of XML, GraphML, GXL, GEXF and WebNLG are read",
        ),
    ),
    (
        lambda _, kind: kind in ("graph6", "LEDA"),
        Guess("graph6 or LEDA", "write it as GraphML, which networkx does"),
    ),
    (
        lambda _, kind: kind == WEIGHTED,
        Guess(WEIGHTED, "--format-in edge-list, or directed-edge-list, reads it"),
    ),
    (
        lambda _, kind: kind == "JSON",
        Guess(
            "JSON without nodes, edges or triples",
            "documents of JSON are scored by --metric json; if its rows hold graphs, "
            "--field names their column",
        ),
    ),
    (
        _has_comments,
        Guess("JSON with comments", "remove them, or let {} do it"),
    ),
    (
        _is_python,
        Guess("a value of Python", "write it by json.dumps; {} reads it, too"),
    ),
    (
        _is_conllu,
        Guess(
            "CoNLL-U",
            "write each tree as triples: head, relation and word with tabs between",
        ),
    ),
    (
        _first(
            r"(stateDiagram(-v2)?|sequenceDiagram|classDiagram(-v2)?|erDiagram|mindmap|"
            r"gantt|journey|gitGraph|timeline|sankey-beta|block-beta|architecture-beta|"
            r"requirementDiagram|C4\w+|quadrantChart|xychart-beta|pie( title\b.*)?)\s*$"
        ),
        Guess("a Mermaid diagram that is not a flowchart", "flowcharts are read"),
    ),
    (
        _any(r"(?i)\s*(create|match|merge)\s*\("),
        Guess("Cypher", "{} reads its nodes and relations"),
    ),
    (_are_triples, Guess("triples in brackets", "{} reads them")),
    (_has_columns(r"\|"), Guess("triples with bars between", "{} reads them")),
    (_has_columns("[\t,]"), Guess("a table without a heading", _HEADING)),
    (
        _is_table,
        Guess(
            "a table with semicolons",
            "part its columns by commas or tabs, and name them subject, relation, "
            "object",
        ),
    ),
    (
        _first(r"\\(documentclass|begin|usepackage|section|newcommand)\b"),
        Guess("LaTeX", f"save the graph alone; {_EXTRACT}"),
    ),
    (_any(r"```|#{2,6} \w|[-*] \w|\[.+\]\(.+\)"), Guess("Markdown", _EXTRACT)),
    (
        lambda lines, _: (
            _share(lines, r"\[+[A-Za-z_][\w.-]*\]+$|[\w.\"-]+\s*=\s*\S") == 1
        ),
        Guess("TOML or another file of settings", _AS_DOCUMENTS),
    ),
    (
        _most(r"\s*(- )?[\w\"' .-]+:(\s|$)|\s*- |---$"),
        Guess("YAML", _AS_DOCUMENTS),
    ),
    (
        _most(r"\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|(INFO|WARN|ERROR|DEBUG)\b"),
        Guess("a log", _EXTRACT),
    ),
)
