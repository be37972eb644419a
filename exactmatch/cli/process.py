"""The command line as a process of its own: the signals that end it, and its exit code.

Ctrl-C (SIGINT), SIGTERM and SIGHUP all end a run in one way: work stops where it is,
what was scored is reported as partial, and the exit code is 128 and the signal's
number: 130, 143, 129.  A second one that follows at once, as when a window is closed,
does not disturb what the first one began; later it ends that, too.  A signal that was
ignored when the program was started, such as SIGHUP under ``nohup``, stays ignored.

The garbage collector is set here, too, so that a program that calls
:func:`exactmatch.cli.main.main` keeps its own settings.

The module imports next to nothing, so that almost all of the start-up is heard too.
"""

import _thread
import gc
import math
import os
import signal
import sys
import time
from contextlib import suppress
from io import TextIOWrapper
from types import FrameType

_SOON = 0.01

_IN_PEACE = 0.5  # seconds after a signal without others, so that its work is done
_COLLECT_EVERY = 50_000  # objects between two collections: graphs hold no cycles
_ENDING = [
    number
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if (number := getattr(signal, name, None)) is not None
]


def run() -> int:
    """Run the command line on this process's arguments and return its exit code."""
    ending = _Ending()
    _open_closed_streams()
    try:
        _show_every_character()
        gc.set_threshold(_COLLECT_EVERY)
        from exactmatch.cli.main import main

        gc.freeze()
        code = main(owns_process=True)
    except BaseException:
        if ending.signal is None:
            raise
        with suppress(OSError):
            print("exactmatch: interrupted", file=sys.stderr)
        code = 0
    # Where Ctrl-C met code that was made from a string (every dataclass is), Python
    # means to die of the signal at its end; running such code again undoes that.
    exec("")
    ending.is_over = True
    code = _flushed(code)
    gc.freeze()  # else Python goes over every object once more before it ends
    return code if ending.signal is None else 128 + ending.signal


def _open_closed_streams() -> None:
    """Give the streams that we were started without a place of their own.

    Else the next file that is opened would take the number of one, and what is meant
    for the stream would be written into it.  To use the first two is an error, as it
    is anywhere else; messages are lost.
    """
    for number, name, mode, flags in _STREAMS:
        if getattr(sys, name) is None:
            place = os.open(os.devnull, flags)
            if place != number:
                os.dup2(place, number)
                os.close(place)
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 -- open as long as we run
            setattr(sys, name, stream)


_STREAMS = (
    (0, "stdin", "r", os.O_WRONLY),
    (1, "stdout", "w", os.O_RDONLY),
    (2, "stderr", "w", os.O_WRONLY),
)
"""Their numbers, names, modes, and how the place of a closed one is opened."""


def _show_every_character() -> None:
    """Write UTF-8 to files and pipes; escape what a terminal cannot show.

    Whoever reads a file or a pipe expects UTF-8, as a page says in its head that it
    is, whatever the system's own encoding.  A terminal shows what its encoding has, and
    the rest as escapes that JSON knows.
    """
    import codecs

    codecs.register_error("exactmatch.escapes", _escaped)
    if isinstance(sys.stdout, TextIOWrapper):
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="exactmatch.escapes")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    units = (found[k : k + 2].hex() for k in range(0, len(found), 2))
    return "".join(f"\\u{unit}" for unit in units), error.end


def _flushed(code: int) -> int:
    """Write out what is left, or drop it where nothing reads it any more.

    Returns:
        The exit code: what it was, or 2 if something that is read was not written.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            from exactmatch.cli.message import say

            if code != 2:  # else it has been said
                say(f"error: standard output: cannot be written: {error.strerror}")
            return 2
    return code


class _Ending:
    """Hears the signals that end a run."""

    def __init__(self) -> None:
        self.signal: int | None = None  # the one that was heard first
        self.is_over = False  # whether all is said; then a signal ends it at once
        self._raised = -math.inf
        for number in _ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._heard)
        sys.unraisablehook = self._unraisable

    def _heard(self, number: int, _frame: FrameType | None) -> None:
        if self.is_over:
            os._exit(128 + number)
        if time.monotonic() - self._raised < _IN_PEACE:
            return
        if self.signal is None:
            self.signal = number
        self._raised = time.monotonic()
        raise KeyboardInterrupt

    def _unraisable(self, found: "sys.UnraisableHookArgs") -> None:
        """Raise again what Python ignores, as inside a destructor or an import."""
        if isinstance(found.exc_value, KeyboardInterrupt) and self.signal:
            self._raised = -math.inf
            given = (self.signal, _thread.get_ident())
            _thread.start_new_thread(_raise_soon, given)
        else:
            sys.__unraisablehook__(found)


def _raise_soon(number: int, thread: int) -> None:
    """Send a signal again when the thread is past what it was interrupted in."""
    time.sleep(_SOON)
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:
        signal.pthread_kill(thread, number)  # wakes it, too
