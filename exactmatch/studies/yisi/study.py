"""Score the sentences of a document with YiSi."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.metrics.yisi.document import Document, Side
from exactmatch.metrics.yisi.variants import YiSiDocument
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.run import Run
from exactmatch.scoring.settings import Settings
from exactmatch.studies.answer import Looks
from exactmatch.studies.pairs import finish, note_exchanged
from exactmatch.studies.score.study import note_scores
from exactmatch.studies.score.view import Scores
from exactmatch.studies.yisi.options import YiSiOptions

_OWN = (
    *("similarity", "vectors", "ngram", "alpha", "beta", "idf", "yisi"),
    *("role_weights", "frame_weights"),
)
_SETTINGS = ("by_id", "on_error", "seed", "jobs", "executor")


def study(options: YiSiOptions, reporter: Listener = SILENCE) -> Report:
    """Score the sentences of files with YiSi-0, YiSi-1 or YiSi-2.

    The score of a document is the mean of its sentences' scores.

    Raises:
        InputError: if a file is missing, malformed, of another length, or not used.

    >>> import exactmatch
    >>> from importlib.resources import files
    >>> gold = files("exactmatch") / "sample" / "gold.amr"
    >>> report = exactmatch.studies.yisi(gold, gold)
    >>> report.score, len(report)
    (1.0, 40)
    """
    document = _document(options, reporter)
    if options.variant != "yisi2":
        refs = [str(path) for path in (options.ref, options.ref2) if path is not None]
        hyp = str(options.hyp)
        note_exchanged(refs, {Path(hyp).name: hyp}, reporter)
    metric_options = {name: getattr(options, name) for name in _OWN}
    metric = YiSiDocument(
        document, options.variant, warn=reporter.warn, **metric_options
    )
    shown = reporter.show is not None
    shared = {name: getattr(options, name) for name in _SETTINGS}
    shared |= {"intervals": options.intervals(), "keep_pairs": not shown}
    settings = Settings(**shared, partial=shown)
    report = finish(Run(document, [metric], settings, reporter), reporter, "scoring")
    note_scores(report, reporter, options.confidence is not None)
    return report


yisi = function("yisi", YiSiOptions, study)


def display(looks: Looks, macro: bool = False, **shown: Any) -> Scores:
    """Show scores as they come, without averages."""
    if macro:
        looks.note(
            "--macro has no effect on yisi, whose score of a document is the mean of "
            "its sentences' scores anyway"
        )
    return Scores(looks, **shown)


def _document(options: YiSiOptions, reporter: Listener) -> Document:
    """Read the files of a run."""
    sides = _sides(options, reporter)
    frames = _files(options, "srl", "frames", sides)
    embeddings = _files(options, "embeddings", "embeddings", sides)
    units = _files(options, "units", "units", sides)
    encoder = None
    if options.encoder is not None:
        from exactmatch.metrics.similarity.encoder import HiddenLayer

        if any(embeddings) or any(units):
            raise InputError(
                "--encoder computes the embeddings; leave out the files of embeddings "
                "and units"
            )
        encoder = HiddenLayer(options.encoder, options.layer)
    elif options.layer is not None:
        raise InputError("--layer is of an encoder; name one with --encoder")
    paths = [getattr(options, side) for side in sides]
    return Document(*map(Side, paths, frames, embeddings, units), encoder=encoder)


def _sides(options: YiSiOptions, reporter: Listener) -> list[str]:
    """Return the names of the sides that are compared; the hypotheses come first."""
    if options.variant == "yisi2":
        if options.input is None:
            raise InputError("yisi2 compares with the input; name it with --input")
        if options.ref is not None:
            reporter.note("yisi2 compares with the input; REF is not read")
        sides, other = ["hyp", "input"], "ref2"
    else:
        if options.ref is None:
            raise InputError(
                f"{options.variant} compares with references; name a file of them "
                "after HYP"
            )
        sides, other = ["hyp", "ref"] + ["ref2"] * (options.ref2 is not None), "input"
    kinds = ("srl", "embeddings", "units")
    unused = [s for s in ("hyp", "ref", "ref2", "input") if s not in sides]
    for name in (other, *(f"{kind}_{side}" for kind in kinds for side in unused)):
        if getattr(options, name) is not None:
            flag = name.replace("_", "-")
            raise InputError(
                f"{options.variant} does not use --{flag} as it is called; leave it out"
            )
    return sides


def _files(
    options: YiSiOptions, kind: str, what: str, sides: Sequence[str]
) -> list[str | None]:
    """Return the files of one kind, of all sides or of none."""
    files = [getattr(options, f"{kind}_{side}") for side in sides]
    if any(files) and not all(files):
        names = [f"--{kind}-{side}" for side in sides]
        raise InputError(
            f"{what} are needed on all sides or on none; give "
            f"{', '.join(names[:-1])} and {names[-1]}"
        )
    return files
