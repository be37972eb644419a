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


def study(asked: YiSiOptions, reporter: Listener = SILENCE) -> Report:
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
    document = _document(asked, reporter)
    if asked.variant != "yisi2":
        refs = [str(path) for path in (asked.ref, asked.ref2) if path is not None]
        hyp = str(asked.hyp)
        note_exchanged(refs, {Path(hyp).name: hyp}, reporter)
    own = {name: getattr(asked, name) for name in _OWN}
    metric = YiSiDocument(document, asked.variant, warn=reporter.warn, **own)
    shown = reporter.show is not None
    shared = {name: getattr(asked, name) for name in _SETTINGS}
    shared |= {"intervals": asked.intervals(), "keep_pairs": not shown}
    settings = Settings(**shared, partial=shown)
    report = finish(Run(document, [metric], settings, reporter), reporter, "scoring")
    note_scores(report, reporter, asked.confidence is not None)
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


def _document(asked: YiSiOptions, reporter: Listener) -> Document:
    """Read the files of a run."""
    sides = _sides(asked, reporter)
    frames = _files(asked, "srl", "frames", sides)
    embeddings = _files(asked, "embeddings", "embeddings", sides)
    units = _files(asked, "units", "units", sides)
    encoder = None
    if asked.encoder is not None:
        from exactmatch.metrics.similarity.encoder import HiddenLayer

        if any(embeddings) or any(units):
            raise InputError(
                "--encoder computes the embeddings; leave out the files of embeddings "
                "and units"
            )
        encoder = HiddenLayer(asked.encoder, asked.layer)
    elif asked.layer is not None:
        raise InputError("--layer is of an encoder; name one with --encoder")
    paths = [getattr(asked, side) for side in sides]
    return Document(*map(Side, paths, frames, embeddings, units), encoder=encoder)


def _sides(asked: YiSiOptions, reporter: Listener) -> list[str]:
    """The hypotheses, and what they are compared with."""
    if asked.variant == "yisi2":
        if asked.input is None:
            raise InputError("yisi2 compares with the input; name it with --input")
        if asked.ref is not None:
            reporter.note("yisi2 compares with the input; REF is not read")
        sides, other = ["hyp", "input"], "ref2"
    else:
        if asked.ref is None:
            raise InputError(
                f"{asked.variant} compares with references; name a file of them after "
                "HYP"
            )
        sides, other = ["hyp", "ref"] + ["ref2"] * (asked.ref2 is not None), "input"
    kinds = ("srl", "embeddings", "units")
    unused = [s for s in ("hyp", "ref", "ref2", "input") if s not in sides]
    for name in (other, *(f"{kind}_{side}" for kind in kinds for side in unused)):
        if getattr(asked, name) is not None:
            flag = name.replace("_", "-")
            raise InputError(
                f"{asked.variant} does not use --{flag} as it is called; leave it out"
            )
    return sides


def _files(
    asked: YiSiOptions, kind: str, what: str, sides: Sequence[str]
) -> list[str | None]:
    """The files of one kind, of all sides or of none."""
    found = [getattr(asked, f"{kind}_{side}") for side in sides]
    if any(found) and not all(found):
        names = [f"--{kind}-{side}" for side in sides]
        raise InputError(
            f"{what} are needed on all sides or on none; give "
            f"{', '.join(names[:-1])} and {names[-1]}"
        )
    return found
