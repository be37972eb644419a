"""The command line: one function and one line in :data:`COMMANDS` per command.

Without a command's name the arguments are those of ``score``; without any, on a
terminal, there is the first screen.
"""

from __future__ import annotations

import os
import sys
import time

from exactmatch.base.version import __version__
from exactmatch.cli.message import say, say_where_interpreted

TYPE_CHECKING = False  # importing typing takes a while
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from exactmatch.cli.commands import AnyCommand

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

SAMPLE = "sample"  # the word for the bundled files
OK, PROPERTY_FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0: fine; 1: a demanded property does not hold; 2: bad input, bad usage or a
    missing package; 130: interrupted, for which a process of its own has more codes
    (:mod:`exactmatch.cli.process`).
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    for name in _THREADS:
        os.environ.setdefault(name, "1")
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        say(f"error: {place}{error.strerror or error}")
        return BAD_INPUT
    except MemoryError:
        say(
            "error: out of memory; lower --max-bytes or --max-terms, or ask for fewer "
            "runs, restarts or samples"
        )
        return BAD_INPUT
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("exactmatch"):
            raise
        package = error.name.partition(".")[0]  # all of ours are called as they install
        say(f"error: the package {package} is not installed: pip install {package}")
        return BAD_INPUT
    except ImportError as error:
        if error.name is not None and error.name.startswith("exactmatch"):
            raise
        said = [line for line in str(error).splitlines() if line.strip()]
        say(f"error: a package cannot be loaded: {said[-1] if said else error.name}")
        return BAD_INPUT
    except Exception as error:
        from exactmatch.base import errors

        ours = (errors.ExactmatchError, errors.ProblemError, errors.SolverError)
        if not isinstance(error, ours):
            raise
        say(f"error: {error}{getattr(error, 'way_out', '')}")
        if isinstance(error, errors.GraphError) and sys.stderr.isatty():
            print(error.excerpt(), file=sys.stderr)
        return BAD_INPUT
    finally:
        # Where Ctrl-C met code that was made from a string (every dataclass is), Python
        # means to die of the signal at its end; running such code again undoes that.
        exec("")


def _run(arguments: list[str]) -> int:
    started = time.time()
    first = arguments[0] if arguments else ""
    if first in ("--version", "-V"):
        print(f"exactmatch {__version__}")
        say_where_interpreted()
        return OK
    if arguments == ["--cite"]:
        from exactmatch.cli.cite import citation

        print(citation(), end="")
        return OK
    if first in ("-h", "--help") or (not arguments and sys.stdout.isatty()):
        from exactmatch.cli.help import first_screen

        print(first_screen(), end="")
        return OK
    if first == "help":
        from exactmatch.cli.help import explain

        return explain(arguments[1:])
    from exactmatch.cli.commands import COMMANDS

    given = ["exactmatch", *arguments]
    name, prog = "score", "exactmatch"
    if first == SAMPLE or _is_command(first):
        prog = f"exactmatch {first}"
        name = name if first == SAMPLE else first
        del arguments[0]
    else:
        _refuse_misspelt_command(arguments)
    module = COMMANDS[name]
    options = _parsed(module, name, prog, arguments)
    if first == SAMPLE and (options.files or options.smatch_files):
        from exactmatch.base.errors import InputError

        raise InputError("'exactmatch sample' scores the bundled files; name no others")
    from contextlib import ExitStack
    from shlex import join

    from exactmatch.base.errors import GraphError, callers_not_warned
    from exactmatch.base.inputs import MAX_BYTES, inputs_noted

    most = getattr(options, "max_bytes", MAX_BYTES)
    with inputs_noted(most, join(given)), callers_not_warned(), ExitStack() as at_end:
        options.started, options.at_end, options.workers = started, at_end, None
        options.prog = prog
        try:
            code: int = module.run(options)
        except GraphError as error:
            if getattr(options, "on_error", "") in ("raise", "fail"):
                error.way_out = (
                    "; --on-error skip leaves it out, --on-error empty counts it as "
                    "empty"
                )
            raise
    return code


def _is_command(word: str) -> bool:
    """Tell a command from a file; entry points are read only for what looks like one.

    A file in the current folder counts more than a command of another package.
    """
    from exactmatch.cli.commands import COMMANDS, GROUPS

    if word in COMMANDS.own:
        return True
    if not word.replace("-", "_").isidentifier() or word.startswith("-"):
        return False
    if COMMANDS.is_ours(word):
        return True
    if os.path.exists(word):
        return False
    if word in GROUPS["papers"] and word not in COMMANDS:
        from exactmatch.base.errors import InputError

        raise InputError(
            f"the command {word!r} comes with an installed exactmatch, and this one is "
            "none, or an older one; install it (once more) with pip install"
        )
    return word in COMMANDS


def _parsed(
    module: AnyCommand, command: str, prog: str, arguments: list[str]
) -> argparse.Namespace:
    """The options, of which files may hold defaults."""
    from contextlib import suppress

    from exactmatch.cli.configuration import IGNORE, apply, defaults_for
    from exactmatch.cli.parsers import make_parser, refuse_files

    if any(word.startswith("@") for word in arguments) and command != "data":
        from exactmatch.cli.commands import PATHS

        for _, path_of in PATHS.working():
            arguments = [path_of(word) for word in arguments]
    defaults = None
    if IGNORE not in arguments:
        with suppress(FileNotFoundError):  # the current folder has been removed
            defaults = defaults_for(command, os.getcwd())
    meant = arguments
    asked = any(word.partition("=")[0] == "--metric" for word in arguments)
    if defaults is not None and "metric" in defaults.values and not asked:
        named = defaults.values["metric"]
        names = named if isinstance(named, list) else [named]
        meant = ["--metric", ",".join(map(str, names)), *arguments]
    parser = make_parser(module, prog, meant)
    applied = [] if defaults is None else apply(parser, arguments, defaults)
    options, left = parser.parse_known_args(arguments)
    if left:  # options stand between files, or there are unknown ones
        options = parser.parse_intermixed_args(arguments)
    _say_what_has_no_effect(options, arguments)
    refuse_files(parser, options)
    if defaults is not None and applied:  # also where somebody asks for quiet
        say(f"defaults from {defaults.path}: {', '.join(applied)}")
    return options


def _say_what_has_no_effect(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Name options of a draw where nothing is drawn."""
    asked = getattr(options, "confidence", 0) is not None
    if asked or getattr(options, "quiet", False):
        return
    flags = {word.partition("=")[0] for word in given}
    idle = [flag for flag in ("--samples", "--interval") if flag in flags]
    if idle:
        say(f"{' and '.join(idle)} without effect: no --confidence is asked for")
    draws = ("chance_pairs", "restarts", "time_limit")
    drawn = any(getattr(options, name, None) is not None for name in draws)
    if "--seed" in flags and not drawn and getattr(options, "solver", "auto") == "auto":
        say("--seed without effect on scores: they are proven, and nothing is drawn")


def _refuse_misspelt_command(arguments: list[str]) -> None:
    """Say so when the first word is no file and looks like a command."""
    word = arguments[0] if arguments else ""
    is_name = word.replace("-", "_").isidentifier() and not word.startswith("-")
    if not is_name or os.path.exists(word):
        return
    from exactmatch.base.errors import InputError, suggestion
    from exactmatch.cli.commands import COMMANDS, meant

    known = meant(word)
    hint = f"; {known}" if known else suggestion(word, [*COMMANDS, "help"], 0.7)
    if not hint and len(arguments) > 1:  # two files, of which one is not there
        return
    hint = hint or "; 'exactmatch --help' lists the commands"
    raise InputError(f"{word!r} is no command, and no file{hint}")
