"""Options of adding up parts."""

from __future__ import annotations

import os
from collections.abc import Sequence

from exactmatch.base import values
from exactmatch.base.options import Options, option, redeclared
from exactmatch.studies.command import Command
from exactmatch.studies.score.options import Shown


class MergeOptions(Options, purpose="opens"):
    """Files of the parts."""

    parts: Sequence[str | os.PathLike[str]] = option(
        "files that 'exactmatch PRED GOLD --format jsonl -o PART' wrote (or --format "
        "parquet), one for each part, in the order of the corpus, or folders of them",
        read=values.all_named,
        operand="PART",
        is_repeated=True,
        kw_only=False,
    )


class ShownMerged(Options, purpose="shows"):
    """Options of the view of the scores."""

    TITLE = "what is shown"

    score_only: bool = redeclared(Shown, "score_only")
    macro: bool = redeclared(Shown, "macro")
    percent: bool = option(default=False)
    short: bool = option(default=False)


COMMAND = Command(
    """Add up the parts of a corpus that were scored apart.

The answer is that of one run over all pairs: sums, proofs, intervals, warnings
and what was left out. Parts that were scored in different ways are refused, and
so is a part that is named twice.

Example:
  exactmatch parsed-0.amr gold-0.amr --format jsonl -o part-0.jsonl
  exactmatch parsed-1.amr gold-1.amr --format jsonl -o part-1.jsonl
  exactmatch merge part-0.jsonl part-1.jsonl""",
    MergeOptions,
    "exactmatch.studies.merge.study:study",
    ShownMerged,
    is_verbose=False,
    display="exactmatch.studies.score.view:Scores",
)
