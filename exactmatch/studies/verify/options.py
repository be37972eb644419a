"""Options of checking certificates."""

from __future__ import annotations

import os
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from exactmatch.base import values
from exactmatch.base.options import Options, option, optional, redeclared
from exactmatch.metrics import ALIGNING
from exactmatch.metrics.options import Metrics, Solvers
from exactmatch.scoring.options import Reading, Working
from exactmatch.studies.command import Command
from exactmatch.studies.options import Graphs, Pairs

if TYPE_CHECKING:
    pass


class Certificates(Options, purpose="opens"):
    """File of certificates."""

    certificates: str | os.PathLike[str] = option(
        "a file, as written by exactmatch score --certificates, or a folder, by "
        "--proofs",
        read=values.named,
        operand="CERTIFICATES",
        kw_only=False,
    )


class Checkers(Options, purpose="runs"):
    """Options of another program that checks a folder of proofs."""

    TITLE = "checking a folder"

    checker: str | None = optional(
        "for a folder: also check each proof by another program, such as veripb",
        flags=("--with",),
        metavar="PROGRAM",
    )
    jobs: int = redeclared(
        Working,
        "jobs",
        about="processes that check certificates, and how many programs of --with run "
        "at once",
    )
    executor: Executor | None = redeclared(Working, "executor")


class VerifyOptions(
    Reading, Metrics, Pairs, Checkers, Certificates, purpose="opens", waits=True
):
    """Certificates, and the graphs that they are about."""

    TITLE = "metrics"

    preds: Graphs | None = option(  # type: ignore[assignment]  # none by default
        "the predicted graphs (default: those that the certificates name)",
        default=None,
        flags=(),
        kw_only=False,
    )
    golds: Graphs | None = option(default=None, kw_only=False)  # type: ignore[assignment]  # none by default
    metric: str | None = optional(
        "refuse certificates of another metric (default: accept the one that they "
        "name)",
        choices=ALIGNING,
        metavar="NAME",
        purpose="measures",
        registry="metric",
        brief=("NAME", "default: {default}; see 'exactmatch help metrics'"),
    )
    max_terms: int | None = redeclared(Solvers, "max_terms")


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
