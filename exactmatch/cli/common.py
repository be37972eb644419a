"""Options of the command line alone: the names of files, and the output.

Functions in Python take graphs and return results, so they do not have these options.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactmatch.base import values
from exactmatch.base.options import Declared, Options, flag, optional
from exactmatch.views.tables import FORMATS


class Output(Options, purpose="shows", waits=True):
    """Options of the output: its format, file and details."""

    TITLE = "output"

    format: str | None = optional(
        "default: by the ending of the file of -o (.csv, .tex …), else text",
        choices=FORMATS,
        brief=("NAME", "text (default), json, jsonl, csv, latex, html"),
    )
    output: str | None = optional(
        "write to FILE when complete",
        flags=("-o", "--output"),
        metavar="FILE",
        purpose="writes",
        brief=("FILE", "write to FILE when complete"),
    )
    comments: bool = flag(
        "begin CSV with signature and provenance, in lines after '#'; by default CSV "
        "holds only the table"
    )
    percent: bool = flag("show scores in percent, as LaTeX does")
    decimals: int | None = optional(
        "decimals of scores in text, LaTeX and HTML (default: mostly 4; 2 in smatch's "
        "own lines)",
        read=values.digits,
        flags=("--significant", "--decimals"),
    )
    short: bool = flag("omit fields of the signature that the profile's name implies")
    quiet: bool = flag(
        "print results only; if the answer is one number or a few, only these",
        flags=("-q", "--quiet"),
        purpose="runs",
    )
    verbose: bool = flag("show how each pair was solved", flags=("-v", "--verbose"))
    open: bool = flag("open the page in a browser (with -o FILE)", purpose="opens")


class Naming(Options):
    """Names of the systems."""

    names: Sequence[str] | None = optional(
        "what to call the systems (default: their files)",
        metavar="NAME[,NAME…]",
        is_list=True,
        purpose="shows",
    )


class Demands(Options):
    """Properties that the result must have."""

    require_optimal: bool = flag(
        "exit with 1 unless every pair is proven optimal", purpose="runs"
    )


FILES = Declared("files", (), purpose="opens")
"""Declaration of input files, whose flags and places depend on the command."""
