"""``exactmatch yisi``: YiSi on sentences."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from exactmatch.cli import options, settings
from exactmatch.errors import InputError
from exactmatch.writing.tables import FORMATS, write

if TYPE_CHECKING:
    from exactmatch.metrics.yisi.document import Document
    from exactmatch.metrics.yisi.sentences import WordSimilarity, YisiScorer
    from exactmatch.metrics.yisi.words import Idf, Similarity
    from exactmatch.similarity import Vectors

_NAME = {"yisi0": "YiSi-0", "yisi1": "YiSi-1", "yisi2": "YiSi-2"}

_SIDES = {
    "hyp": "the hypotheses",
    "ref": "the references",
    "ref2": "the second references",
    "input": "the input (yisi2)",
}

FRAMES = "frames (CoNLL-2009, or AMR with alignments)"
DETAILS = "layer, n-grams and weights"
WAITING = (DETAILS, "units with embeddings of their own, from files", FRAMES)


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
        choices=tuple(_NAME),
        default="yisi0",
        help="yisi0: longest common substring (default); yisi1: word vectors; "
        "yisi2: vectors of two languages, against the input instead of a reference",
    )
    group.add_argument(
        "--yisi",
        choices=("official", "paper"),
        default="official",
        help="where NRC's program and the paper differ: the program (default)",
    )
    group.add_argument(
        "--similarity",
        choices=("lcs", "exact", "vectors"),
        help="of words (default: the variant's own)",
    )
    group.add_argument(
        "--vectors",
        metavar="FILE[,FILE2]",
        help="word vectors; for yisi2 of the hypotheses' language, then of the input's",
    )
    group.add_argument(
        "--encoder",
        metavar="MODEL",
        help="compare word pieces by contextual embeddings, computed by a model of "
        "transformers (yisi1, yisi2)",
    )
    group = parser.add_argument_group(DETAILS)
    group.add_argument(
        "--layer",
        type=options.natural_int,
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
        help="say of recall in the F-score, 0 to 1 (default: 0.7; 0.5 is F1)",
    )
    group.add_argument(
        "--beta",
        type=float,
        metavar="B",
        help="share of frames, 0 to 1 (default: 0.1 with frames, else 0)",
    )
    group.add_argument(
        "--idf",
        default=None,
        metavar="SOURCE",
        help="word weights: reference (default), own (each side from itself; default "
        "of yisi2), uniform, or counts:FILE",
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
    options.add_output(parser, FORMATS, False)
    group = parser.add_argument_group("what is shown")
    group.add_argument("--per-pair", action="store_true", help="show every sentence")
    group.add_argument(
        "--significant",
        type=options.natural_int,
        default=4,
        metavar="N",
        help="decimals in text, LaTeX and HTML (default: 4)",
    )


def run(args: argparse.Namespace) -> int:
    """Score sentences with YiSi-0, YiSi-1 or YiSi-2, with or without frames.

    The score of a document is the mean of its sentences' scores.

    Example:
      exactmatch yisi hyp.txt ref.txt
      exactmatch yisi hyp.txt ref.txt --variant yisi1 --vectors en.vec --per-pair
      exactmatch yisi hyp.txt ref.txt --srl-hyp hyp.conll --srl-ref ref.conll
      exactmatch yisi hyp.txt --variant yisi2 --input src.txt --vectors en,de
      exactmatch yisi hyp.txt ref.txt --variant yisi1 --encoder bert-base-cased
    """
    from exactmatch.report.score import Scores
    from exactmatch.writing.files import atomic_output

    document = _document(args)
    with atomic_output(args.output) as stream:
        scores = Scores(args.per_pair, False, args.significant)
        report = _score(args, document, scores.take)
        write(stream, scores.tables(report), args.format)
    return 0


def _document(args: argparse.Namespace) -> Document:
    """Read the files of a run.

    Raises:
        InputError: if one is missing, malformed, of another length, or not used.
    """
    from exactmatch.metrics.yisi.document import Side, read_document

    sides = _sides(args)
    frames = _files(args, "srl", "frames", sides)
    embeddings = _files(args, "embeddings", "embeddings", sides)
    units = _files(args, "units", "units", sides)
    encoder = None
    if args.encoder is not None:
        from exactmatch.metrics.yisi.encoder import UnitEncoder

        if any(embeddings) or any(units):
            raise InputError("--encoder makes embeddings; name no files of them")
        encoder = UnitEncoder(args.encoder, args.layer)
        args.layer = encoder.layer
    elif args.layer is not None:
        raise InputError("--layer is an encoder's; name one with --encoder")
    paths = [getattr(args, side) for side in sides]
    files = zip(paths, frames, embeddings, units, strict=True)
    return read_document(*(Side(*names) for names in files), encoder=encoder)


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
            raise InputError(f"{args.variant} compares with references; name REF")
        sides = ["hyp", "ref"] + ["ref2"] * (args.ref2 is not None)
    for kind in ("srl", "embeddings", "units"):
        for side in _SIDES:
            if side not in sides:
                unused[f"--{kind}-{side}"] = getattr(args, f"{kind}_{side}")
    for flag, value in unused.items():
        if value is not None:
            raise InputError(f"{flag} is not read by {args.variant} as it stands")
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


def _scorer(
    args: argparse.Namespace, document: Document, vectors: list[Vectors]
) -> YisiScorer:
    """The scorer that the arguments ask for."""
    from exactmatch.metrics.yisi import sentences as yisi
    from exactmatch.metrics.yisi.files import read_role_weights

    others = [sentence for sides in document.others for sentence in sides]
    role_weights: Any
    if args.role_weights in ("estimated", "uniform", "lexical"):
        role_weights = yisi.document_role_weights(args.role_weights, others, args.yisi)
    else:
        role_weights = read_role_weights(args.role_weights)
    beta = args.beta
    if beta is None:
        beta = yisi.BETA if args.srl_hyp else 0.0
    return yisi.YisiScorer(
        similarity=_similarity_of_words(args, vectors),
        weights=yisi.document_weights(
            _idf(args), document.hypothesis_words, document.other_words
        ),
        ngram=yisi.check_ngram(args.ngram, args.yisi),
        alpha=yisi.check_share("alpha", args.alpha),
        beta=yisi.check_share("beta", beta),
        role_weights=role_weights,
        frame_weights=args.frame_weights,
        edition=args.yisi,
    )


def _similarity_of_words(
    args: argparse.Namespace, vectors: list[Vectors]
) -> Similarity:
    """The similarity of words or units itself."""
    from exactmatch.metrics.yisi.sentences import word_similarity
    from exactmatch.metrics.yisi.units import occurrence_similarity

    kind = _similarity(args)
    if kind == "contextual":
        return occurrence_similarity
    return word_similarity(kind, args.yisi, *vectors)


def _similarity(args: argparse.Namespace) -> WordSimilarity | Literal["contextual"]:
    """The similarity of words or units, by option or variant."""
    if args.encoder is not None or args.embeddings_hyp is not None:
        for flag in ("similarity", "vectors"):
            if getattr(args, flag) is not None:
                raise InputError(
                    f"--{flag} is not used with contextual embeddings; leave one out"
                )
        if args.variant == "yisi0":
            raise InputError(
                "yisi0 does not compare embeddings; choose --variant yisi1 or yisi2"
            )
        return "contextual"
    own: WordSimilarity = "lcs" if args.variant == "yisi0" else "vectors"
    kind: WordSimilarity = own if args.similarity is None else args.similarity
    if kind == "vectors" and not args.vectors:
        raise InputError(
            f"{args.variant} compares embeddings; name word vectors with --vectors, or "
            "contextual embeddings with --encoder or --embeddings-hyp …"
            if args.similarity is None
            else "--similarity vectors needs word vectors; name a file with --vectors"
        )
    if kind != "vectors" and args.vectors:
        raise InputError(
            f"--vectors is not used by {args.variant} with similarity {kind!r}; choose "
            "--similarity vectors or another --variant"
        )
    if kind != "vectors" and args.variant == "yisi2":
        raise InputError(
            f"yisi2 compares two languages, which similarity {kind!r} cannot; leave "
            "--similarity out"
        )
    return kind


def _vectors(args: argparse.Namespace, document: Document) -> list[Vectors]:
    """The vectors of the words, the hypotheses' language first.

    Two files in the wrong order would score next to nothing; which language a file
    is of shows in the words it has.
    """
    from exactmatch.metrics.yisi.words import words_to_load
    from exactmatch.similarity import Vectors

    if _similarity(args) != "vectors":
        return []
    files = args.vectors.split(",")
    allowed = 2 if args.variant == "yisi2" else 1
    if len(files) > allowed or not all(files):
        raise InputError(
            f"--vectors {args.vectors} names {len(files)} files; {args.variant} "
            f"takes {'one or two' if allowed == 2 else 'one'}"
        )
    others = (sentence for sides in document.others for sentence in sides)
    words = (
        {word for sentence in document.hypotheses for word in sentence.tokens},
        {word for sentence in others for word in sentence.tokens},
    )
    wanted = words_to_load(words[0] | words[1])
    loaded = [Vectors.load(path, wanted) for path in files]
    sizes = {vectors.matrix.shape[1] for vectors in loaded if len(vectors)}
    if len(sizes) > 1:
        raise InputError(
            f"--vectors {args.vectors}: the files have {min(sizes)} and {max(sizes)} "
            "dimensions; take two of one space"
        )
    if len(loaded) == 2:
        as_given, swapped = (
            sum(word in loaded[first] for word in words[0])
            + sum(word in loaded[1 - first] for word in words[1])
            for first in (0, 1)
        )
        if swapped > as_given:
            settings.note(
                args,
                f"warning: {files[0]} has the words of the input and {files[1]} those "
                "of the hypotheses; they are used so",
            )
            loaded.reverse()
    return loaded


def _idf(args: argparse.Namespace) -> str | Idf:
    """Where word weights come from."""
    source: str = args.idf or ("own" if args.variant == "yisi2" else "reference")
    if source in ("reference", "own", "uniform"):
        return source
    kind, _, path = source.partition(":")
    if kind == "counts" and path:
        from exactmatch.metrics.yisi.files import read_lines
        from exactmatch.metrics.yisi.words import read_counts

        return read_counts(read_lines(path), path)
    raise InputError(
        f"--idf is {source!r}; it is reference, own, uniform or counts:FILE"
    )


def _score(args: argparse.Namespace, document: Document, take: Any) -> Any:
    """Score every sentence, show it, and make the report."""
    from exactmatch.metrics.base import Score
    from exactmatch.scoring.results import CorpusScore, PairResult, Report

    vectors = _vectors(args, document)
    scorer = _scorer(args, document, vectors)
    if args.beta and not document.has_frames and args.yisi == "official":
        settings.note(
            args, "warning: no frames are given, so --beta lowers every score"
        )
    if scorer.ngram == 0:
        settings.note(args, "warning: --ngram 0 scores nothing but 0; 3 is usual")
    name = args.variant + ("_srl" if scorer.beta > 0 and document.has_frames else "")
    total = precision = recall = 0.0
    pairs = zip(document.hypotheses, document.others, strict=True)
    for index, (hypothesis, others) in enumerate(pairs):
        found = scorer.score(hypothesis, *others)
        total += found.score
        precision += found.precision
        recall += found.recall
        score = Score(name, found.score, found.precision, found.recall)
        statistics = (found.score, found.precision, found.recall, 1.0)
        take(PairResult(index, None, score, statistics))
    count = len(document.hypotheses)
    mean = Score(name, total / count, precision / count, recall / count)
    macro = {"precision": mean.precision, "recall": mean.recall, "f1": None}
    items = _signature(args, scorer, name, vectors)
    signature = "|".join(f"{key}:{value}" for key, value in items)
    corpus = CorpusScore(mean, {**macro, "score": mean.score}, count, None, signature)
    return Report((corpus,))


def _signature(
    args: argparse.Namespace, scorer: YisiScorer, name: str, vectors: list[Vectors]
) -> list[tuple[str, str]]:
    """Everything that determines the number beside the sentences."""
    from exactmatch.version import __version__

    items = [("metric", name), ("yisi", args.yisi), ("sim", _similarity(args))]
    if vectors:
        names = (f"{os.path.basename(v.path)}@{v.digest[:12]}" for v in vectors)
        items.append(("vectors", ",".join(names)))
    items += _units_signature(args)
    items += [
        ("ngram", str(scorer.ngram)),
        ("alpha", f"{scorer.alpha:g}"),
        ("beta", f"{scorer.beta:g}"),
        ("idf", args.idf or ("own" if args.variant == "yisi2" else "reference")),
        ("nrefs", "0" if args.variant == "yisi2" else str(1 + bool(args.ref2))),
    ]
    if scorer.beta > 0:
        items += [("roles", args.role_weights), ("frames", args.frame_weights)]
    return [*items, ("version", __version__)]


def _units_signature(args: argparse.Namespace) -> list[tuple[str, str]]:
    """What is compared instead of words."""
    from exactmatch.similarity.cache import digest_of

    if args.encoder is not None:
        return [("encoder", args.encoder), ("layer", str(args.layer))]
    found = []
    for kind in ("embeddings", "units"):
        paths = [getattr(args, f"{kind}_{side}") for side in _SIDES]
        names = [
            f"{os.path.basename(p)}@{digest_of(p)[:12]}" for p in paths if p is not None
        ]
        if names:
            found.append((kind, ",".join(names)))
    return found
