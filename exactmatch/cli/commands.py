"""Commands: their names, summaries and modules.

A command is the row of a question, or a module with two functions:
``add_arguments(parser, arguments)`` adds its options to an
:class:`argparse.ArgumentParser`, and ``run(args) -> int`` does the work and returns the
exit code; the docstring of ``run`` is the help.  A module is imported when its command
is called, so that help costs next to nothing.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from exactmatch.base.registry import Registry, imported

GROUPS: dict[str, dict[str, str]] = {
    "score": {
        "score": "score predictions against references",
        "finegrained": "score single aspects",
        "merge": "add up parts of a corpus that were scored apart",
        "yisi": "score sentences with YiSi",
        "ged": "edit distances of graphs of any kind",
        "ground-truth": "edit distances of a whole set, kept",
        "solve": "solve graph matching problems",
    },
    "explain": {
        "align": "show alignments and differing triples",
        "report": "write a page to browse every pair",
        "errors": "count types of errors",
        "draw": "draw a graph, or a pair of graphs",
        "explain-profile": "how much each choice of what counts moves the score",
    },
    "trust": {
        "compare": "test systems against each other: GOLD A B …",
        "audit": "how wrong hill-climbing is; check a published score",
        "thresholds": "how much hangs on the cutoff of similarity",
        "correlate": "hold metrics against people",
        "agreement": "compare several annotators: FILE FILE …",
        "verify": "check certificates of optimality",
    },
    "select": {
        "matrix": "score every graph with every graph",
        "nearest": "find the most similar graphs of a file or a bank",
        "duplicates": "find graphs that say nearly the same",
        "ensemble": "consensus: choose among several parses",
        "cluster": "put similar graphs together",
    },
    "prepare": {
        "convert": "write graphs in another format",
        "lint": "say what is wrong with files of graphs",
        "completion": "complete commands in the shell",
        "solvers": "list the solvers and their versions",
        "plugins": "list what plug-ins add",
    },
}
"""Our commands by their purpose, each with its summary."""

INSTALLED_APART = dict.fromkeys(("principles", "kgrams", "data"), "exactmatch-papers")
"""Commands of other packages of the repository, each with its package."""


def meant(word: str, files: Sequence[str] = ()) -> str:
    """Return what to type for a word that other tools use, or "".

    Two *files* take the place of PRED and GOLD, or of the graphs of a call in Python.
    """
    from shlex import join

    from exactmatch.cli.tasks import OTHER_NAMES, typed

    task = OTHER_NAMES.get(word.lower().lstrip("-"))
    if task is None:
        return ""
    command, *operands = task.line.split()
    is_command = command in _SUMMARIES and all(map(str.isupper, operands))
    if is_command or task.line.startswith(("help ", "--")):
        return f"did you mean {(command if is_command else task.line)!r}?"
    name, bracket, _ = task.line.partition("(a, b")
    if bracket and len(files) == 2:
        call = f"{name}({', '.join(f'Path({file!r})' for file in files)})"
        code = f"import exactmatch; from pathlib import Path; print({call})"
        return f'type: python -c "{code}"'
    line = typed(task.line)
    if len(files) == 2:
        line = line.replace("PRED GOLD", join(files))
    return f"type {line!r}" if line.startswith("exactmatch") else line


def in_python(word: str) -> str:
    """Return the code for a word that other tools use, or ""."""
    from exactmatch.cli.tasks import TASKS, typed

    words = {word.lower(), word.lower().removesuffix("s")}
    lines = [task.line for task in TASKS if words & {*task.words.split()}]
    start = "in Python: "
    code = [line for line in lines if typed(line).startswith(start)]
    return f"use {' or '.join(code)}" if code else ""


_SUMMARIES = {name: text for group in GROUPS.values() for name, text in group.items()}


AnyCommand: TypeAlias = Any
"""A module with a command, or the command made from the row of a question."""


def _is_command(registered: object) -> bool:
    parts = (getattr(registered, name, None) for name in ("add_arguments", "run"))
    return hasattr(registered, "study") or all(map(callable, parts))


class _Commands(Registry[AnyCommand]):
    """Registry of commands; the row of a question becomes a command on access."""

    def __getitem__(self, name: str) -> AnyCommand:
        command = super().__getitem__(name)
        if hasattr(command, "study"):
            return imported("exactmatch.cli.questions:Question")(command)
        return command


_PLACES = {
    name: f"exactmatch.studies.{name.replace('-', '_')}.options:COMMAND"
    for name in _SUMMARIES
}
_PLACES |= {
    name: f"exactmatch.cli.{name}:COMMAND" for name in ("completion", "plugins")
}

COMMANDS = _Commands(
    "command",
    _PLACES,
    _is_command,
    "a module with add_arguments(parser, arguments) and run(args), or a Command",
)
"""Every command by name."""


PATHS: Registry[Callable[[str], str]] = Registry(
    "path",
    {},
    callable,
    "a function that is called with a word and returns it, or the path it stands for",
)
"""Functions that replace words that begin with ``@`` by the paths of files."""


def summary(name: str) -> str:
    """Return what a command does, in a line; import a command of another package."""
    if name in _SUMMARIES:
        return _SUMMARIES[name]
    return purpose(COMMANDS[name]).partition("\n")[0].rstrip(".")


def purpose(command: AnyCommand) -> str:
    """Return the help of a command: its row's, or the docstring of its ``run``."""
    return getattr(command, "does", None) or documentation(command.run)


def documentation(described: Callable[..., Any]) -> str:
    """Return the docstring of a function or class, not indented.

    ``python -OO`` drops docstrings; then it is read from the source, and empty where
    there is none.
    """
    import inspect

    if described.__doc__ is not None:
        return inspect.cleandoc(described.__doc__)
    import ast
    import textwrap

    try:
        source = textwrap.dedent(inspect.getsource(described))
    except (OSError, TypeError):
        return ""
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.FunctionDef | ast.ClassDef)
    return ast.get_docstring(definition) or ""
