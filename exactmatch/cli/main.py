"""The command line: one function and one line in :data:`COMMANDS` per command.

Without a command's name the arguments are those of ``score``; without any, on a
terminal, there is the first screen.
"""

from __future__ import annotations

import os
import sys
import time

from exactmatch.cli.message import say
from exactmatch.cli.words import SAMPLE, answered, command_of, with_paths

TYPE_CHECKING = False  # importing typing takes a while
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from exactmatch.cli.commands import AnyCommand

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

OK, PROPERTY_FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None, *, owns_process: bool = False) -> int:
    """Run the command line and return its exit code.

    0: fine; 1: a demanded property does not hold; 2: bad input, bad usage or a
    missing package; 130: interrupted, for which a process of its own has more codes
    (:mod:`exactmatch.cli.process`).

    Args:
        argv: the arguments; default: those of the process.
        owns_process: whether signals of the process may be taken.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    for name in _THREADS:
        os.environ.setdefault(name, "1")
    try:
        return _run(arguments, owns_process)
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
        package = error.name.partition(".")[0]  # each is installed by this name
        say(f"error: the package {package} is not installed: pip install {package}")
        return BAD_INPUT
    except ImportError as error:
        if error.name is not None and error.name.startswith("exactmatch"):
            raise
        from exactmatch.base.errors import MissingExtraError

        if isinstance(error, MissingExtraError):
            say(f"error: {error}")
            return BAD_INPUT
        lines = [line for line in str(error).splitlines() if line.strip()]
        say(f"error: a package cannot be loaded: {lines[-1] if lines else error.name}")
        return BAD_INPUT
    except BaseException as error:
        from exactmatch.base import errors
        from exactmatch.base.deadline import ReadingStopped

        if isinstance(error, ReadingStopped):  # a signal came between two readings
            say("error: the time limit is over; give more time, or none")
            return BAD_INPUT

        own_errors = (errors.ExactmatchError, errors.ProblemError, errors.SolverError)
        if not isinstance(error, own_errors):
            raise
        say(f"error: {error}{getattr(error, 'way_out', '')}")
        if isinstance(error, errors.GraphError) and sys.stderr.isatty():
            print(error.excerpt(), file=sys.stderr)
        return BAD_INPUT


def _run(arguments: list[str], owns_process: bool) -> int:
    started = time.time()
    if (answer := answered(arguments)) is not None:
        return answer
    from exactmatch.cli.commands import COMMANDS

    typed = ["exactmatch", *arguments]
    first = arguments[0] if arguments else ""
    name, prog = command_of(arguments)
    module = COMMANDS[name]
    options = _parsed(module, name, prog, arguments)
    if first == SAMPLE and (options.files or options.smatch_files):
        from exactmatch.base.errors import InputError

        raise InputError("'exactmatch sample' scores the bundled files; name no others")
    from contextlib import ExitStack
    from shlex import join

    from exactmatch.base.errors import GraphError, callers_not_warned
    from exactmatch.base.inputs import MAX_BYTES, inputs_noted

    max_bytes = getattr(options, "max_bytes", MAX_BYTES)
    with (
        inputs_noted(max_bytes, join(typed)),
        callers_not_warned(),
        ExitStack() as at_end,
    ):
        options.started, options.at_end, options.workers = started, at_end, None
        options.prog, options.owns_process = prog, owns_process
        try:
            code: int = module.run(options)
        except GraphError as error:
            if getattr(options, "on_error", "") in ("raise", "fail"):
                error.way_out = _way_out(error.path, getattr(options, "extract", None))
            raise
    return code


def _way_out(path: str | None, extract: str | None) -> str:
    """Return what to do where a graph of a file cannot be read."""
    import os

    from exactmatch.formats.blocks import begins_with_triple, has_fences
    from exactmatch.formats.formats import PENMAN

    if extract is None and path and os.path.isfile(path):
        from exactmatch.formats.beginnings import is_penman
        from exactmatch.formats.files import beginning
        from exactmatch.formats.unknown import guess

        if has_fences(path):
            return "; to take graphs out of fences: --extract all"
        text = beginning(path)
        is_strange = not is_penman(text) or begins_with_triple(text)
        if is_strange and (likely := guess(text, PENMAN)) is not None:
            way_out = likely.way_out.format("--extract repair", path=path)
            return f"; the file looks like {likely.kind}: {way_out}"
    return "; --on-error skip leaves it out, --on-error empty counts it as empty"


def _parsed(
    module: AnyCommand, command: str, prog: str, arguments: list[str]
) -> argparse.Namespace:
    """Parse the arguments; configuration files supply defaults."""
    from contextlib import suppress

    from exactmatch.cli.configuration import apply, defaults_for
    from exactmatch.cli.parsers import NO_CONFIG, make_parser, refuse_files

    arguments = with_paths(arguments)
    defaults = None
    if NO_CONFIG not in arguments:
        with suppress(FileNotFoundError):  # the current folder has been removed
            defaults = defaults_for(command, os.getcwd())
    meant = arguments
    names_metric = any(word.partition("=")[0] == "--metric" for word in arguments)
    if defaults is not None and not names_metric and (names := defaults.metrics()):
        meant = ["--metric", ",".join(names), *arguments]
    elif defaults is not None and not names_metric:
        # a format may choose the metric that has these options
        meant = [*(f"--{name}" for name in defaults.values), *arguments]
    parser = make_parser(module, prog, meant)
    applied = [] if defaults is None else apply(parser, arguments, defaults)
    options, unparsed = parser.parse_known_args(arguments)
    if unparsed:  # options stand between files, or there are unknown ones
        options = parser.parse_intermixed_args(arguments)
    _say_what_has_no_effect(options, arguments)
    refuse_files(parser, options)
    if defaults is not None and applied:  # also under --quiet
        say(f"defaults from {defaults.path}: {', '.join(applied)}")
        options.by_file = applied
    return options


def _say_what_has_no_effect(
    options: argparse.Namespace, arguments: Sequence[str]
) -> None:
    """Name the options of random draws that have no effect."""
    has_intervals = getattr(options, "confidence", 0) is not None
    if has_intervals or getattr(options, "quiet", False):
        return
    flags = {word.partition("=")[0] for word in arguments}
    unused = [flag for flag in ("--samples", "--interval") if flag in flags]
    if unused:
        say(f"{' and '.join(unused)} without effect: there is no --confidence")
    draws = ("chance_pairs", "restarts", "time_limit")
    drawn = any(getattr(options, name, None) is not None for name in draws)
    if "--seed" in flags and not drawn and getattr(options, "solver", "auto") == "auto":
        say("--seed without effect on scores: they are proven, and nothing is drawn")
