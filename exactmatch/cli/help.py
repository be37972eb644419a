"""The first screen, and ``exactmatch help WORD``.

The first screen is for people who have just installed the program; it imports nothing.
``help NAME`` explains a command, a metric, a profile, a solver, a format or a topic,
and all of them if several have the name.  Any other word is searched for
(:mod:`.search`).
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from exactmatch.base.registry import imported, registry_of
from exactmatch.base.version import __version__
from exactmatch.cli.commands import COMMANDS, GROUPS, documentation
from exactmatch.cli.parsers import make_parser
from exactmatch.cli.tasks import OTHER_NAMES, TASKS, Task, typed
from exactmatch.cli.topics import TEXTS, TOPICS

OPTIONS = """\
  --metric NAME,…           default: by the format, smatch for AMR
  --profile NAME            what counts (umr, doc-amr …); see 'help profiles'
  --solver NAME             default: auto; see 'exactmatch help solvers'
  --by-id                   pair graphs by '# ::id', not by position
  --on-error skip|empty     leave out what is unreadable, or count it as empty
  --per-pair                show every pair
  --worst N                 the N worst; or --best --below --where --sort --ids
  --confidence [LEVEL]      confidence intervals (default: of 95 %)
  -j, --jobs N              processes that score pairs; the results are the same
  --format NAME             text (default), json, jsonl, csv, latex, html
  -o, --output FILE         write to FILE when complete
"""
"""Main options of ``score``; a copy, because importing their declarations is slow."""


def first_screen() -> str:
    """Return the purpose, the commands, the main options, and where to read on."""
    commands = "\n".join(
        f"  {'' if k else title:<9} {name:<16} {summary}"
        for title, group in GROUPS.items()
        for k, (name, summary) in enumerate(group.items())
    )
    topics = list(TOPICS)
    return f"""\
exactmatch {__version__}: exact, proven, fast scores for graphs of meaning

  exactmatch PRED GOLD [GOLD …]   score predictions against references
  exactmatch sample               score the bundled sample
  exactmatch COMMAND …            one of these:

{commands}

common options
{OPTIONS}
what to type (more: exactmatch help tasks)
{_tasks(task for task in TASKS if task.is_first)}
exactmatch COMMAND --help has a command's options, --help-all every one;
exactmatch help NAME explains a metric, profile, solver, format or topic,
exactmatch help WORD searches everything:
  {" ".join(topics[:7])}
  {" ".join(topics[7:])}
exactmatch --cite prints what to cite, as text and as BibTeX
"""


def explain(names: Sequence[str]) -> int:
    """Print what the names mean, or the first screen without names.

    If one of the words is not a name, all are searched for together.
    """
    explained = [_explained(name) for name in names]
    if not all(explained):
        shown = [_search(names)]
    else:
        shown = [part for parts in explained for part in parts] or [first_screen()]
    print("\n".join(shown), end="")
    return 0


def _kinds() -> list[tuple[Sequence[str], Callable[[str], str]]]:
    """Return all names by kind, each kind with the function that explains a name."""
    kinds: list[tuple[Sequence[str], Callable[[str], str]]] = [(list(TOPICS), _topic)]
    kinds += [
        (list(registry_of(kind)), explained) for kind, explained in _OF_KIND.items()
    ]
    return kinds


def _explained(name: str) -> list[str]:
    """Return the explanations of a name; none if it is unknown."""
    parts = [explained(name) for names, explained in _kinds() if name in names]
    if name not in COMMANDS:
        task = OTHER_NAMES.get(name)
        if parts and task and not task.line.startswith("help "):
            parts[-1] += f"\n{task.title}: {typed(task.line)}\n"
        return parts
    command = make_parser(COMMANDS[name], f"exactmatch {name}", ()).format_help()
    parts = [f"{part}\nsee also: exactmatch {name} --help\n" for part in parts]
    return parts or [command]


def _search(words: Sequence[str]) -> str:
    """Return the results of a search for words."""
    from exactmatch.base.errors import InputError, suggestion
    from exactmatch.cli.search import search, vocabulary

    sought = " ".join(words)
    all_names = {name for names, _ in _kinds() for name in names} | {*COMMANDS}
    hint = suggestion(sought, all_names, 0.8)
    entries = [] if hint and sought not in vocabulary() else search(words)
    if not entries:
        hint = hint or suggestion(sought, all_names | vocabulary())
        raise InputError(
            f"there is no help on {sought!r}{hint} ('exactmatch help tasks' lists what "
            "can be done)"
        )
    listed = "".join(_entry(entry.shown, entry.about) for entry in entries)
    return f"search: {sought}\n\n{listed}"


def _topic(name: str) -> str:
    lines: dict[str, Callable[[str, Any], str]] = {
        "metrics": lambda _, entry: documentation(entry).partition("\n")[0],
        "profiles": _about_profile,
        "solvers": lambda _, entry: str(entry.summary),
        "formats": lambda _, entry: str(entry.title),
    }
    head = f"{name}: {TOPICS[name]}\n"
    if name in TEXTS:
        return f"{head}\n{TEXTS[name]}\n"
    if name == "tasks":
        return f"{head}\n{_tasks(TASKS)}\nmore: exactmatch help WORD\n"
    working = registry_of(name.removesuffix("s")).working()
    listed = "".join(_entry(n, lines[name](n, entry)) for n, entry in working)
    return f"{head}\n{listed}\nmore: exactmatch help NAME\n"


def _tasks(tasks: Iterable[Task]) -> str:
    """Return tasks, each with its command on one line, so that it can be copied."""
    text = ""
    for task in tasks:
        line = typed(task.line)
        shown = f"  {task.title:<25} {line}\n"
        text += shown if len(shown) <= 81 else f"  {task.title}\n    {line}\n"
    return text


def _entry(name: str, text: str) -> str:
    """Return a name and its explanation in lines of at most 80 columns."""
    import textwrap

    indent = " " * 20
    first = f"  {name:<16}  " if len(name) <= 16 else f"  {name}\n{indent}"
    lines = textwrap.wrap(text, 60)
    return first + f"\n{indent}".join(lines) + "\n"


def _about(documented: type) -> str:
    """Return the docstring of a class up to its arguments."""
    text = documentation(documented)
    for heading in ("Args", "Class attributes", "Attributes", "Statistics", "Raises"):
        text = text.partition(f"\n\n{heading}:")[0]
    return text.replace("``", "")


def _metric(name: str) -> str:
    cls = registry_of("metric")[name]
    text = f"metric {name}: {_about(cls)}\n"
    if hasattr(cls, "profiles"):
        text += f"\nprofiles: {', '.join(cls.profiles)} ({cls.default_profile})\n"
    declared_options = cls.options_class.DECLARED
    text += "\noptions:\n" if declared_options else ""
    for name, declared in declared_options.items():
        if declared.flags != ():
            choices = f" ({', '.join(declared.choices)})" if declared.choices else ""
            text += _entry(f"--{name.replace('_', '-')}", declared.about + choices)
    return text


def _about_profile(name: str, profile: Any) -> str:
    added = registry_of("profile").active_entry_points.get(name)
    return f"a profile of {added.package}" if added else str(profile.summary)


def _profile(name: str) -> str:
    profile = registry_of("profile")[name]
    parts = "|".join(f"{key}:{value}" for key, value in profile.signature())
    return (
        f"profile {name}: {_about_profile(name, profile)}\n\nsignature: {parts}\n"
        "options that compose with it: exactmatch score --help-all, 'what counts'\n"
    )


def _solver(name: str) -> str:
    cls = registry_of("solver")[name]
    options = [
        f"{p.name}={p.default}" if p.default is not p.empty else p.name
        for p in inspect.signature(cls).parameters.values()
    ]
    text = f"solver {name}: {cls.summary}\n\n{_about(cls)}\n"
    shown = f"\noptions: --solver {name}:{','.join(options)}\n"
    return text + shown if options else text


def _format(name: str) -> str:
    form = registry_of("format")[name]
    text = f"format {name}: {form.title}\n\nfiles: *{form.suffix}\n"
    if not callable(form.scored_by):  # else the text decides
        metric, profile, options, *_ = form.scored_by
        flags = [("metric", metric), ("profile", profile), *options]
        named = (f"--{flag} {value}" for flag, value in flags if value)
        text += f"scored by: {' '.join(named)}\n"
    columns = imported(_COLUMNS[name])() if name in _COLUMNS else {}
    text += "columns:\n" if columns else ""
    return text + "".join(
        _entry(key, ", ".join(column_names)) for key, column_names in columns.items()
    )


_COLUMNS = {
    "answers": "exactmatch.formats.machine.answers:columns",
    "table": "exactmatch.formats.machine.columns:columns_of_triples",
}
"""Functions that return the names that the columns of a format may have."""

_OF_KIND: dict[str, Callable[[str], str]] = {
    "metric": _metric,
    "profile": _profile,
    "solver": _solver,
    "format": _format,
}
"""Functions that explain a name, by its kind."""
