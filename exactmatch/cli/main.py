"""The command line: one function and one line in :data:`COMMANDS` per command.

Without a command's name the arguments are those of ``score``.  A command's
module is imported when it is called, so that ``--help`` and ``--version`` cost
next to nothing.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from exactmatch.version import __version__

COMMANDS = {
    "score": ("exactmatch.cli.score", "score predictions against references"),
    "align": ("exactmatch.cli.align", "show alignments and differing triples"),
    "report": ("exactmatch.cli.report", "write a page to browse every pair"),
    "serve": ("exactmatch.cli.serve", "show the report of files that change"),
    "errors": ("exactmatch.cli.errors", "count types of errors"),
    "draw": ("exactmatch.cli.draw", "draw a graph, or a pair of graphs"),
    "verify": ("exactmatch.cli.verify", "check certificates of optimality"),
    "explain-profile": (
        "exactmatch.cli.explain_profile",
        "how much each choice of what counts moves the score",
    ),
    "audit": ("exactmatch.cli.audit", "how wrong hill-climbing is"),
    "compare": ("exactmatch.cli.compare", "test systems against each other"),
    "finegrained": ("exactmatch.cli.finegrained", "score single aspects"),
    "correlate": ("exactmatch.cli.correlate", "hold metrics against people"),
    "kgrams": ("exactmatch.cli.kgrams", "list the k-grams that SemBleu compares"),
    "principles": ("exactmatch.cli.principles", "measure what metrics promise"),
    "ged": ("exactmatch.cli.ged", "edit distances of graphs of any kind"),
    "solve": ("exactmatch.cli.solve", "solve graph matching problems"),
    "nearest": ("exactmatch.cli.nearest", "find the most similar graphs of a bank"),
    "duplicates": ("exactmatch.cli.duplicates", "find graphs that say nearly the same"),
    "ensemble": ("exactmatch.cli.ensemble", "choose among several parses"),
    "cluster": ("exactmatch.cli.cluster", "put similar graphs together"),
    "solvers": ("exactmatch.cli.solvers", "list the solvers and their versions"),
    "convert": ("exactmatch.cli.convert", "write graphs in another format"),
    "yisi": ("exactmatch.cli.yisi", "score sentences with YiSi"),
}
"""Every command by name: its module and what it does."""

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

OK, PROPERTY_FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the examples as written and the options in narrow columns."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=min(_width(), 100))


class _Parser(argparse.ArgumentParser):
    """Meets bad usage with one sentence, and says which metric an option is for."""

    def error(self, message: str) -> NoReturn:
        """Print the sentence and exit with 2."""
        hint = _metric_with(message) or f"see '{self.prog} --help'"
        _say(f"error: {message}; {hint}")
        self.exit(BAD_INPUT)


def _metric_with(message: str) -> str | None:
    """Whose an option is that no metric in use knows, in words."""
    from exactmatch.metrics import METRICS, metric_class

    _, found, given = message.partition("unrecognized arguments: --")
    if not found:
        return None
    name = given.split()[0].partition("=")[0].replace("-", "_")
    owners = [
        metric
        for metric in METRICS
        if any(option.name == name for option in metric_class(metric).options)
    ]
    return f"it belongs to --metric {' or '.join(owners)}" if owners else None


def _width() -> int:
    import shutil

    return shutil.get_terminal_size((88, 24)).columns - 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0: fine; 1: a demanded property does not hold; 2: bad input, bad usage or a
    missing package; 130: interrupted, for which a process of its own has more codes
    (:mod:`exactmatch.cli.process`).
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    for name in _THREADS:
        os.environ.setdefault(name, "1")
    if arguments[:1] == ["--version"] or arguments[:1] == ["-V"]:
        print(f"exactmatch {__version__}")
        return OK
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        _say(f"error: {error}")
        return BAD_INPUT
    except MemoryError:
        _say("error: out of memory; lower --max-terms")
        return BAD_INPUT
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("exactmatch"):
            raise
        package = error.name.partition(".")[0]  # all of ours are called as they install
        print(
            f"exactmatch: error: the package {package} is not installed: "
            f"pip install {package}",
            file=sys.stderr,
        )
        return BAD_INPUT
    except Exception as error:
        from exactmatch.errors import ExactmatchError
        from exactmatch.solvers.errors import ProblemError, SolverError

        if not isinstance(error, ExactmatchError | ProblemError | SolverError):
            raise
        _say(f"error: {error}")
        return BAD_INPUT
    finally:
        # Where Ctrl-C met code that was made from a string (every dataclass is), Python
        # means to die of the signal at its end; running such code again undoes that.
        exec("")


def _say(text: str) -> None:
    """Tell the person at the keyboard something, if there still is one."""
    from contextlib import suppress

    from exactmatch.writing.visible import visible

    with suppress(OSError):
        print(f"exactmatch: {visible(text)}", file=sys.stderr)


def _run(arguments: list[str]) -> int:
    name = "score"
    if arguments and arguments[0] in COMMANDS:
        name = arguments.pop(0)
        prog = f"exactmatch {name}"
    else:
        _refuse_misspelt_command(arguments)
        prog = "exactmatch"
    module = importlib.import_module(COMMANDS[name][0])
    parser = make_parser(module, prog, arguments)
    options = parser.parse_args(arguments)
    quiet_penman()
    code: int = module.run(options)
    return code


def quiet_penman() -> None:
    """Keep penman's remarks on what it reads off the terminal; ours say enough."""
    import logging

    logging.getLogger("penman").setLevel(logging.ERROR)


def make_parser(
    module: ModuleType, prog: str, arguments: Sequence[str]
) -> argparse.ArgumentParser:
    """The parser of one command; its help is the docstring of its ``run``.

    Args:
        module: the command's module.
        prog: what the command is called in its help.
        arguments: what will be parsed, so that options need not be made that
            cannot be meant.
    """
    epilog = None
    if prog == "exactmatch":
        lines = [f"  {name:<16} {summary}" for name, (_, summary) in COMMANDS.items()]
        epilog = "commands (exactmatch COMMAND --help):\n" + "\n".join(lines)
    parser = _Parser(
        prog=prog,
        description=_dedented(module.run.__doc__),
        epilog=epilog,
        formatter_class=_HelpFormatter,
        allow_abbrev=False,
    )
    if prog == "exactmatch":
        parser.add_argument(
            "-V", "--version", action="version", version=f"exactmatch {__version__}"
        )
    module.add_arguments(parser, arguments)
    return parser


def _dedented(text: str) -> str:
    import inspect

    return inspect.cleandoc(text)


def _refuse_misspelt_command(arguments: list[str]) -> None:
    """Say so when a lone word is nearly a command and no file of that name exists."""
    if not arguments or arguments[0].startswith("-") or os.path.exists(arguments[0]):
        return
    from exactmatch.solvers.errors import suggestion

    meant = suggestion(arguments[0], COMMANDS, 0.7)
    if meant and "." not in arguments[0]:
        from exactmatch.errors import InputError

        raise InputError(f"no file and no command is called {arguments[0]!r}{meant}")
