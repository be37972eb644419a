"""The command line as a process of its own: the signals that end it, and its exit code.

Ctrl-C (SIGINT), SIGTERM and SIGHUP all end a run in the same way: work stops, the pairs
that were scored are reported as partial, and the exit code is 128 plus the signal's
number: 130, 143, 129.  A second signal at once, as when a window is closed, is ignored;
a later one also ends the report.  A signal that was ignored when the program was
started, such as SIGHUP under ``nohup``, stays ignored.

The garbage collector is set here, too, so that a program that calls
:func:`exactmatch.cli.main.main` keeps its own settings.

The module imports almost nothing, so that signals are handled early in the start-up.
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

_IN_PEACE = 0.5  # seconds after a signal in which others are ignored
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
    """Open the standard streams that the process was started without.

    Otherwise the next file to be opened would get the number of a stream, and receive
    its output.  Using the first two is an error, as elsewhere; messages are lost.
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
"""Numbers, names and modes of the streams, and the flags that open a closed one."""


def _show_every_character() -> None:
    """Write UTF-8 to files and pipes; escape what a terminal cannot show.

    Readers of files and pipes expect UTF-8, whatever the system's encoding is, and a
    page declares it.  A terminal gets the characters of its encoding, and escapes as in
    JSON for others.
    """
    import codecs

    codecs.register_error("exactmatch.escapes", _escaped)
    if isinstance(sys.stdout, TextIOWrapper):
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="exactmatch.escapes")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    encoded = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    units = (encoded[k : k + 2].hex() for k in range(0, len(encoded), 2))
    return "".join(f"\\u{unit}" for unit in units), error.end


def _flushed(code: int) -> int:
    """Write the rest of the output, or drop it if nothing reads it any more.

    Returns:
        The exit code: the same, or 2 if output could not be written.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            from exactmatch.cli.message import say

            if code != 2:  # otherwise the error has been reported
                say(f"error: standard output: cannot be written: {error.strerror}")
            return 2
    return code


class _Ending:
    """Handler of the signals that end a run."""

    def __init__(self) -> None:
        self.signal: int | None = None  # the first signal
        self.is_over = False  # whether the run is over; then a signal ends it at once
        self._raised = -math.inf
        for number in _ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._on_signal)
        sys.unraisablehook = self._unraisable

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self.is_over:
            os._exit(128 + number)
        if time.monotonic() - self._raised < _IN_PEACE:
            return
        if self.signal is None:
            self.signal = number
        self._raised = time.monotonic()
        raise KeyboardInterrupt

    def _unraisable(self, unraisable: "sys.UnraisableHookArgs") -> None:
        """Raise again what Python ignores, as inside a destructor or an import."""
        if isinstance(unraisable.exc_value, KeyboardInterrupt) and self.signal:
            self._raised = -math.inf
            target = (self.signal, _thread.get_ident())
            _thread.start_new_thread(_raise_soon, target)
        else:
            sys.__unraisablehook__(unraisable)


def _raise_soon(number: int, thread: int) -> None:
    """Send a signal again when the thread is past what it was interrupted in."""
    time.sleep(_SOON)
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:
        signal.pthread_kill(thread, number)  # wakes it, too
