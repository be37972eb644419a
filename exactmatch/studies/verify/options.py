"""Options of checking certificates, and the command."""

from __future__ import annotations

import os
from typing import Any, cast

from exactmatch.base import values
from exactmatch.base.options import Options, option
from exactmatch.metrics import ALIGNING
from exactmatch.metrics.options import Metrics, Solvers
from exactmatch.scoring.options import Reading
from exactmatch.studies.command import Command
from exactmatch.studies.options import Graphs, Pairs


class Certificates(Options):
    """A file of certificates."""

    certificates: str | os.PathLike[str] = option(
        "a file, as written by exactmatch score --certificates, or a folder, by "
        "--proofs",
        read=values.path,
        flags=(),
        metavar="CERTIFICATES",
        kw_only=False,
    )


class Checkers(Options):
    """Options of the program that checks a folder of proofs besides us."""

    TITLE = "checking a folder"

    checker: str | None = option(
        "for a folder: also check each proof by another program, such as veripb",
        default=None,
        flags=("--with",),
        metavar="PROGRAM",
    )
    jobs: int = option(
        "how many of them run at once",
        default=1,
        read=values.positive_int,
        flags=("-j", "--jobs"),
        metavar="N",
    )


class VerifyOptions(Reading, Metrics, Pairs, Checkers, Certificates):
    """The certificates, and the graphs that they are about."""

    TITLE = "metrics"

    preds: Graphs | None = option(  # type: ignore[assignment]  # none by default
        "the predicted graphs (default: those that the certificates name)",
        default=None,
        flags=(),
        kw_only=False,
    )
    golds: Graphs | None = option(  # type: ignore[assignment]  # none by default
        "their references, in the same order", default=None, flags=(), kw_only=False
    )
    metric: str | None = option(
        "refuse certificates of another metric (default: accept the one that they "
        "name)",
        default=None,
        choices=ALIGNING,
        metavar="NAME",
        file=True,
    )
    max_terms: int | None = cast("Any", Solvers.DECLARED["max_terms"])


COMMAND = Command(
    """Check every pair's certificate: its alignment, its value and its bound.

Each problem is rebuilt from the two files of graphs; the checker shares no
code with any solver.  Exit code 1 if a certificate is rejected or missing.

A folder of proofs is checked as a whole: its problems are those of the graphs,
its proofs claim what the certificates prove, and its score follows from them.

Example:
  exactmatch score parsed.amr gold.amr --certificates proofs.jsonl
  exactmatch verify proofs.jsonl
  exactmatch score parsed.amr gold.amr --proofs proofs --proof-version 1.2
  exactmatch verify proofs --with veripb -j 2""",
    VerifyOptions,
    "exactmatch.studies.verify.study:study",
    metrics=ALIGNING,
    references=True,
    otherwise="those that the certificates name",
    is_verbose=False,
)
