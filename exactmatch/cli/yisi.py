"""``exactmatch yisi``: YiSi on sentences."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.cli import options, settings
from exactmatch.cli.arguments import add_options, options_of
from exactmatch.cli.lists import Listing
from exactmatch.cli.questions import show_as_it_comes
from exactmatch.cli.terminal import Terminal
from exactmatch.studies.pairs import finish
from exactmatch.studies.score.options import DISPLAY, Shown
from exactmatch.studies.score.study import note_scores
from exactmatch.views.pictures import check
from exactmatch.views.tables import FORMATS

if TYPE_CHECKING:
    from exactmatch.metrics.yisi.document import Document
    from exactmatch.scoring.report import Report
    from exactmatch.scoring.run import Run

_SIDES = {
    "hyp": "the hypotheses",
    "ref": "the references",
    "ref2": "the second references",
    "input": "the input (yisi2)",
}

FRAMES = "frames (CoNLL-2009, or AMR with alignments)"
DETAILS = "layer, n-grams, weights and means"
WAITING = (DETAILS, "units with embeddings of their own, from files", FRAMES)

_ABSENT = {
    **dict.fromkeys(("format_in", "framework", "smatch_files")),
    **dict.fromkeys(("time_limit", "total_time")),
    **dict.fromkeys(("strict", "common", "certify", "require_optimal"), False),
    **dict.fromkeys(("ms", "pr"), False),
}
"""Options of ``score`` that say nothing of sentences."""


def add_arguments(
    parser: argparse.ArgumentParser, arguments: Sequence[str] = ()
) -> None:
    """Add the command's options."""
    del arguments
    parser.add_argument(
        "hyp", metavar="HYP", help="hypotheses, one sentence a line; - for stdin"
    )
    parser.add_argument(
        "ref",
        metavar="REF",
        nargs="?",
        help="references, line by line; yisi2 does not read them",
    )
    parser.add_argument("--ref2", metavar="FILE", help="a second reference")
    parser.add_argument(
        "--input", metavar="SRC", help="the input in the other language (yisi2)"
    )
    group = parser.add_argument_group("what is computed")
    group.add_argument(
        "--variant",
        choices=("yisi0", "yisi1", "yisi2"),
        default="yisi0",
        help="yisi0: common substrings (default); yisi1: word vectors; yisi2: those "
        "of two languages, against the input",
    )
    group.add_argument(
        "--yisi",
        choices=("official", "paper"),
        default="official",
        help="as NRC's program (default), or the paper",
    )
    group.add_argument(
        "--similarity",
        choices=("lcs", "exact", "vectors"),
        help="of words (default: the variant's own)",
    )
    group.add_argument(
        "--vectors",
        action=Listing,
        metavar="FILE[,FILE]",
        help="word vectors; for yisi2 those of HYP, then of SRC",
    )
    group.add_argument(
        "--encoder",
        metavar="MODEL",
        help="embed word pieces in context by this model",
    )
    group = parser.add_argument_group(DETAILS)
    group.add_argument(
        "--layer",
        type=values.natural_int,
        metavar="N",
        help="the encoder's hidden layer (default: three quarters up)",
    )
    group.add_argument(
        "--ngram", type=int, default=3, metavar="N", help="n-gram length (default: 3)"
    )
    group.add_argument(
        "--alpha",
        type=float,
        default=0.7,
        metavar="A",
        help="how much recall counts in the F-score, 0 to 1 (default: 0.7; 0.5 is F1)",
    )
    group.add_argument(
        "--beta",
        type=float,
        metavar="B",
        help="how much frames count in the score, 0 to 1 (default: 0.1 with frames, "
        "else 0)",
    )
    group.add_argument(
        "--idf",
        default=None,
        metavar="SOURCE",
        help="word weights: reference (default), own (each side from itself; default "
        "of yisi2), uniform, or counts:FILE",
    )
    group.add_argument(
        "--macro",
        action="store_true",
        help="no effect: scores are means over sentences anyway",
    )
    group = parser.add_argument_group(
        "units with embeddings of their own, from files",
        "embeddings: a line for each unit, an empty line behind each sentence; "
        "units: a line for each sentence",
    )
    for side, whose in _SIDES.items():
        group.add_argument(f"--embeddings-{side}", metavar="FILE", help=f"of {whose}")
    for side, whose in _SIDES.items():
        group.add_argument(f"--units-{side}", metavar="FILE", help=f"of {whose}")
    group = parser.add_argument_group(FRAMES)
    for side, whose in _SIDES.items():
        group.add_argument(f"--srl-{side}", metavar="FILE", help=f"of {whose}")
    group.add_argument(
        "--role-weights",
        default="estimated",
        metavar="SOURCE",
        help="estimated from the references (default), uniform, lexical, or a file of "
        "eight numbers: did who what whom when where why how",
    )
    group.add_argument(
        "--frame-weights",
        choices=("coverage", "uniform"),
        default="coverage",
        help="a frame weighs as many words as it covers (default), or 1",
    )
    group = parser.add_argument_group("reading, pairing and errors")
    options.add_partners(group)
    options.add_jobs(group)
    options.add_confidence(parser)
    options.add_output(parser, FORMATS)
    group = parser.add_argument_group("what is shown")
    add_options(group, Shown, ("score_only", "per_pair", "plot"))
    parser.set_defaults(**_ABSENT)


def run(args: argparse.Namespace) -> int:
    """Score sentences with YiSi-0, YiSi-1 or YiSi-2, with or without frames.

    The score of a document is the mean of its sentences' scores.

    Example:
      exactmatch yisi hyp.txt ref.txt
      exactmatch yisi hyp.txt ref.txt --srl-hyp hyp.conll --srl-ref ref.conll
      exactmatch yisi hyp.txt --variant yisi2 --input src.txt --vectors en,de
      exactmatch yisi hyp.txt ref.txt --variant yisi1 --encoder bert-base-cased
    """
    shown = vars(options_of(Shown, args))
    plot = shown.pop("plot")
    if plot is not None:
        check(plot)
    if args.macro:
        settings.note(
            args,
            "--macro has no effect on yisi, whose score of a document is the mean of "
            "its sentences' scores anyway",
        )
        shown["macro"] = False
    terminal = Terminal(args)

    def find() -> Report:
        report = finish(_opened(args, terminal), terminal, "scoring")
        note_scores(report, terminal, args.confidence is not None)
        return report

    return show_as_it_comes(args, terminal, DISPLAY, shown, find, plot)


def _opened(args: argparse.Namespace, terminal: Terminal) -> Run:
    """Read the document, and make the metric that belongs to it."""
    from exactmatch.metrics.yisi.variants import YiSiDocument
    from exactmatch.scoring.run import Run

    document = _document(args)
    if args.variant != "yisi2":
        refs = [path for path in (args.ref, args.ref2) if path is not None]
        settings.note_mistaken(args, refs, {Path(args.hyp).name: args.hyp})
    metric = YiSiDocument(
        document,
        args.variant,
        similarity=args.similarity,
        vectors=args.vectors,
        ngram=args.ngram,
        alpha=args.alpha,
        beta=args.beta,
        idf=args.idf,
        role_weights=args.role_weights,
        frame_weights=args.frame_weights,
        yisi=args.yisi,
        warn=terminal.warn,
    )
    chosen = settings.settings_from(
        args,
        intervals=settings.intervals_from(args),
        keep_pairs=False,
        keep_solutions=False,
        partial=True,
    )
    return Run(document, [metric], chosen, terminal)


def _document(args: argparse.Namespace) -> Document:
    """Read the files of a run.

    Raises:
        InputError: if one is missing, malformed, of another length, or not used.
    """
    from exactmatch.metrics.yisi.document import Document, Side

    sides = _sides(args)
    frames = _files(args, "srl", "frames", sides)
    embeddings = _files(args, "embeddings", "embeddings", sides)
    units = _files(args, "units", "units", sides)
    encoder = None
    if args.encoder is not None:
        from exactmatch.metrics.yisi.encoder import UnitEncoder

        if any(embeddings) or any(units):
            raise InputError(
                "--encoder computes the embeddings; leave out the files of embeddings "
                "and units"
            )
        encoder = UnitEncoder(args.encoder, args.layer)
    elif args.layer is not None:
        raise InputError("--layer is of an encoder; name one with --encoder")
    paths = [getattr(args, side) for side in sides]
    files = zip(paths, frames, embeddings, units, strict=True)
    return Document(*(Side(*names) for names in files), encoder=encoder)


def _sides(args: argparse.Namespace) -> list[str]:
    """What is compared: the hypotheses, and with what."""
    if args.variant == "yisi2":
        unused = {"--ref2": args.ref2}
        if args.input is None:
            raise InputError("yisi2 compares with the input; name it with --input")
        if args.ref is not None:
            settings.note(args, "yisi2 compares with the input; REF is not read")
        sides = ["hyp", "input"]
    else:
        unused = {"--input": args.input}
        if args.ref is None:
            raise InputError(
                f"{args.variant} compares with references; name a file of them after "
                "HYP"
            )
        sides = ["hyp", "ref"] + ["ref2"] * (args.ref2 is not None)
    for kind in ("srl", "embeddings", "units"):
        for side in _SIDES:
            if side not in sides:
                unused[f"--{kind}-{side}"] = getattr(args, f"{kind}_{side}")
    for flag, value in unused.items():
        if value is not None:
            raise InputError(
                f"{args.variant} does not use {flag} as it is called; leave it out"
            )
    return sides


def _files(
    args: argparse.Namespace, kind: str, what: str, sides: Sequence[str]
) -> list[str | None]:
    """The files of one kind, of all sides or of none."""
    found = [getattr(args, f"{kind}_{side}") for side in sides]
    if any(found) and not all(found):
        names = [f"--{kind}-{side}" for side in sides]
        raise InputError(
            f"{what} are needed on all sides or on none; give "
            f"{', '.join(names[:-1])} and {names[-1]}"
        )
    return found
