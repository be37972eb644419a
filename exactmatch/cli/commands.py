"""Every command: its name, what it does, and where it is.

A command is the row of a question, or a module with two functions:
``add_arguments(parser, arguments)`` adds its options to an
:class:`argparse.ArgumentParser`, and ``run(args) -> int`` does the work and returns the
exit code; the docstring of ``run`` is the help.  A module is imported when its command
is called, so that help costs next to nothing.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from exactmatch.base.registry import Registry, imported

GROUPS: dict[str, dict[str, str]] = {
    "score": {
        "score": "score predictions against references",
        "finegrained": "score single aspects",
        "yisi": "score sentences with YiSi",
        "ged": "edit distances of graphs of any kind",
        "ground-truth": "edit distances of a whole set, kept",
        "solve": "solve graph matching problems",
    },
    "explain": {
        "align": "show alignments and differing triples",
        "report": "write a page to browse every pair",
        "serve": "show the report of files that change",
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
    "papers": {
        "principles": "measure what metrics promise",
        "kgrams": "list the k-grams that SemBleu compares",
        "data": "get public test sets by name",
    },
}
"""Our commands by what they are for, each with what it does.

Those of papers are a plug-in: ``pyproject.toml`` declares their places.
"""

TASKS = {
    "score": "evaluate eval smatch f1 run",
    "align": "diff explain show match alignment",
    "report": "browse view visualise visualize html page",
    "errors": "mistakes confusions",
    "compare": "significance test rank versus vs systems",
    "audit": "hillclimb published reproduce",
    "correlate": "correlation human meta",
    "agreement": "iaa kappa alpha annotators",
    "verify": "certificates proof proofs",
    "nearest": "search similar find knn neighbours neighbors retrieve",
    "duplicates": "dedup deduplicate dups",
    "ensemble": "consensus mbr vote merge choose",
    "cluster": "clusters clustering group",
    "convert": "format translate export",
    "lint": "check validate fix wellformed",
    "draw": "plot picture svg",
    "ged": "distance edit edit-distance mcs",
    "yisi": "text sentences",
    "explain-profile": "profile",
    "data": "download datasets fetch",
    "plugins": "plug-ins",
    "help metrics": "metrics",
    "help profiles": "profiles",
    "help formats": "formats",
    "help signature": "signature",
    "--version": "version",
    "--cite": "cite citation bibtex",
    "PRED GOLD --worst 10": "worst lowest ten",
    "PRED GOLD --ids A,B": "ids id subset",
    "PRED GOLD --by-id": "order shuffled unordered",
    "PRED GOLD GOLD2": "references multi-reference",
    "ANSWERS.jsonl GOLD": "models llm answers responses output",
    "PRED GOLD --metric graph": "triples kg json networkx",
    "PRED GOLD --metric s2match --vectors FILE": "vectors embeddings synonyms",
    "PRED GOLD --profile umr": "umr",
    "PRED GOLD --profile drs": "drs sbn",
    "PRED GOLD --metric mrp --framework eds": "mrp eds dm psd frameworks",
    "PRED GOLD --profile doc-amr": "documents document docsmatch doc-amr",
    "PRED GOLD --confidence": "confidence bootstrap interval intervals",
    "compare GOLD A B --format latex": "table tables paper latex",
    "ged A B --labels KEY": "labels label",
    "exactmatch.feedback(exactmatch.score('smatch', pred, gold))": "feedback",
    "from exactmatch.adapters.trl import smatch_reward": "reward training rl",
    "networkx.graph_edit_distance(a, b, backend='exactmatch')": "backend",
}
"""What to type, and the words that people have for it elsewhere."""

OTHER_NAMES = {word: line for line, words in TASKS.items() for word in words.split()}


def typed(line: str) -> str:
    """Return a line of :data:`TASKS` as it is typed."""
    is_python = "import" in line or "(" in line
    return f"in Python: {line}" if is_python else f"exactmatch {line}"


def meant(word: str) -> str:
    """Say what to type for a word that people use elsewhere, if it is known."""
    line = OTHER_NAMES.get(word.lower().lstrip("-"))
    if line is None:
        return ""
    if line in _SUMMARIES or line.startswith(("help ", "--")):
        return f"did you mean {line!r}?"
    told = typed(line)
    return f"type {told!r}" if told.startswith("exactmatch") else told


_SUMMARIES = {name: text for group in GROUPS.values() for name, text in group.items()}


AnyCommand: TypeAlias = Any
"""What runs a command: a module, or what is made of the row of a question."""


def _is_command(found: object) -> bool:
    parts = (getattr(found, name, None) for name in ("add_arguments", "run"))
    return hasattr(found, "study") or all(map(callable, parts))


class _Commands(Registry[AnyCommand]):
    """The commands; a question's row becomes a command when it is asked for."""

    def __getitem__(self, name: str) -> AnyCommand:
        found = super().__getitem__(name)
        if hasattr(found, "study"):
            return imported("exactmatch.cli.questions:Question")(found)
        return found


_MODULES = {
    "cli.{}": ("completion", "plugins"),
    "studies.{}": (*GROUPS["select"], "convert", "draw", "solve", "solvers"),
    "studies.{}.study": ("explain-profile", "finegrained", "lint", "serve", "verify"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}
"""The modules of our commands whose module is not the options of the study."""


def _place(name: str) -> str:
    module = _HOMES.get(name, "studies.{}.options").format(name.replace("-", "_"))
    return f"exactmatch.{module}:COMMAND"


COMMANDS = _Commands(
    "command",
    {name: _place(name) for name in _SUMMARIES if name not in GROUPS["papers"]},
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
"""The functions that say which files words stand for that begin with ``@``."""


def summary(name: str) -> str:
    """Return what a command does, in a line; that of another package is imported."""
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
    (stated,) = ast.parse(source).body
    assert isinstance(stated, ast.FunctionDef | ast.ClassDef)
    return ast.get_docstring(stated) or ""
