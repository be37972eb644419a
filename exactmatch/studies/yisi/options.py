"""Options of YiSi on sentences, and the command."""

from __future__ import annotations

import os
from typing import Any, Literal

from exactmatch.base import values
from exactmatch.base.options import Options, flag, option, optional
from exactmatch.scoring.options import OptionalIntervals, Pairing, Units, Working
from exactmatch.studies.command import Command
from exactmatch.studies.options import Selecting, picture


def _file(about: str) -> Any:
    return optional(
        about, read=values.path, metavar="FILE", is_input=True, purpose="opens"
    )


class Sentences(Options, purpose="opens"):
    """Files of sentences."""

    TITLE = "what is computed"

    hyp: os.PathLike[str] = option(
        "hypotheses, one sentence a line; - for standard input",
        read=values.path,
        operand="HYP",
        kw_only=False,
    )
    ref: os.PathLike[str] | None = option(
        "references, line by line; yisi2 does not read them",
        default=None,
        read=values.path,
        operand="REF",
        kw_only=False,
    )
    ref2: os.PathLike[str] | None = _file("a second reference")
    input: os.PathLike[str] | None = _file("the input in the other language (yisi2)")


class Details(Options, purpose="measures", waits=True):
    """Options of weights and means."""

    TITLE = "layer, n-grams, weights and means"

    layer: int | None = optional(
        "the encoder's hidden layer (default: three quarters up)",
        read=values.natural_int,
    )
    ngram: int = option("n-gram length (default: 3)", default=3, read=values.integer)
    alpha: float = option(
        "weight of recall in the F-score, 0 to 1 (default: 0.7; 0.5 is F1)",
        default=0.7,
        read=values.between(0, 1),
        metavar="A",
    )
    beta: float | None = optional(
        "weight of frames in the score, 0 to 1 (default: 0.1 with frames, else 0)",
        read=values.between(0, 1),
        metavar="B",
    )
    idf: str | None = optional(
        "word weights: reference (default), own (each side from itself; default of "
        "yisi2), uniform, or counts:FILE",
        metavar="SOURCE",
        purpose="opens",
    )


class UnitFiles(Options, waits=True):
    """Files of units and their embeddings."""

    TITLE = "units with their own embeddings, from files"

    embeddings_hyp: os.PathLike[str] | None = _file(
        "embeddings of the hypotheses: a line for each unit, an empty line after "
        "each sentence"
    )
    embeddings_ref: os.PathLike[str] | None = _file("of the references")
    embeddings_ref2: os.PathLike[str] | None = _file("of the second references")
    embeddings_input: os.PathLike[str] | None = _file("of the input (yisi2)")
    units_hyp: os.PathLike[str] | None = _file(
        "units of the hypotheses: a line for each sentence"
    )
    units_ref: os.PathLike[str] | None = _file("of the references")
    units_ref2: os.PathLike[str] | None = _file("of the second references")
    units_input: os.PathLike[str] | None = _file("of the input (yisi2)")


class Frames(Options, waits=True):
    """Files of frames, and options of their weights."""

    TITLE = "frames (CoNLL-2009, or AMR with alignments)"

    srl_hyp: os.PathLike[str] | None = _file("of the hypotheses")
    srl_ref: os.PathLike[str] | None = _file("of the references")
    srl_ref2: os.PathLike[str] | None = _file("of the second references")
    srl_input: os.PathLike[str] | None = _file("of the input (yisi2)")
    role_weights: str = option(
        "estimated from the references (default), uniform, lexical, or a file of eight "
        "numbers: did who what whom when where why how",
        default="estimated",
        metavar="SOURCE",
        purpose="opens",
    )
    frame_weights: Literal["coverage", "uniform"] = option(
        "a frame weighs as many words as it covers (default), or 1",
        default="coverage",
        choices=("coverage", "uniform"),
        purpose="measures",
    )


class YiSiOptions(
    Frames,
    UnitFiles,
    Details,
    Units,
    OptionalIntervals,
    Working,
    Pairing,
    Sentences,
    purpose="measures",
):
    """Options of scoring sentences."""

    TITLE = Sentences.TITLE

    variant: Literal["yisi0", "yisi1", "yisi2"] = option(
        "yisi0: common substrings (default); yisi1: word vectors; yisi2: those of two "
        "languages, against the input",
        default="yisi0",
        choices=("yisi0", "yisi1", "yisi2"),
    )
    yisi: Literal["official", "paper"] = option(
        "follow NRC's program (default) or the paper",
        default="official",
        choices=("official", "paper"),
    )
    similarity: Literal["lcs", "exact", "vectors"] | None = optional(
        "similarity of words (default: the variant's own)",
        choices=("lcs", "exact", "vectors"),
    )
    vectors: str | None = optional(
        "word vectors; for yisi2 first those of HYP, then those of SRC",
        metavar="FILE[,FILE]",
        is_list=True,
        purpose="opens",
    )
    encoder: str | None = optional(
        "embed word pieces in context with this model", metavar="MODEL", purpose="opens"
    )


class Shown(Selecting, purpose="shows"):
    """Options of the view of scores."""

    TITLE = "what is shown"

    score_only: bool = flag("print the number alone", flags=("-b", "--score-only"))
    per_pair: bool = flag("show every sentence")
    macro: bool = flag(
        "no effect: scores are means over sentences anyway", purpose="measures"
    )
    plot: str | None = picture("draw the scores of sentences")
    confidence: float | None = option(default=None, purpose="measures")
    percent: bool = option(default=False)
    short: bool = option(default=False)


COMMAND = Command(
    """Score sentences with YiSi-0, YiSi-1 or YiSi-2, with or without frames.

Example:
  exactmatch yisi hyp.txt ref.txt
  exactmatch yisi hyp.txt ref.txt --srl-hyp h.conll --srl-ref r.conll --worst 5
  exactmatch yisi hyp.txt --variant yisi2 --input src.txt --vectors en,de
  exactmatch yisi hyp.txt ref.txt --variant yisi1 --encoder bert-base-cased""",
    YiSiOptions,
    "exactmatch.studies.yisi.study:study",
    Shown,
    display="exactmatch.studies.yisi.study:display",
)
