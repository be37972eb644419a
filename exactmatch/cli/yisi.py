"""``exactmatch yisi``: YiSi on sentences."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exactmatch.cli import options, settings
from exactmatch.errors import InputError

if TYPE_CHECKING:
    from exactmatch.metrics.yisi.conll import Sentence
    from exactmatch.metrics.yisi.sentences import WordSimilarity, YisiScorer
    from exactmatch.metrics.yisi.words import Idf
    from exactmatch.similarity import Vectors

_NAME = {"yisi0": "YiSi-0", "yisi1": "YiSi-1", "yisi2": "YiSi-2"}


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
    group = parser.add_argument_group("frames (CoNLL-2009, or AMR with alignments)")
    group.add_argument("--srl-hyp", metavar="FILE", help="of the hypotheses")
    group.add_argument("--srl-ref", metavar="FILE", help="of the references")
    group.add_argument("--srl-ref2", metavar="FILE", help="of the second references")
    group.add_argument("--srl-input", metavar="FILE", help="of the input (yisi2)")
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
    formats = ("text", "json", "jsonl", "csv", "latex", "html")
    options.add_output(parser, formats, False)
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
      exactmatch yisi hyp.txt --variant yisi2 --input src.txt --vectors en.vec,de.vec
    """
    from exactmatch.report import RENDERERS
    from exactmatch.writing.files import delivered

    document = _document(args)
    with delivered(args.output) as stream:
        renderer = RENDERERS[args.format](
            stream, args.per_pair, False, args.significant
        )
        report = _score(args, document, renderer)
        renderer.finish(report)
    return 0


@dataclass(frozen=True, slots=True)
class _Document:
    """The sentences of a run.

    Attributes:
        hypotheses: a sentence each.
        others: for each of them its references, or its input.
        hypothesis_words, other_words: the words that word weights are learned from.
    """

    hypotheses: list[Sentence]
    others: list[tuple[Sentence, ...]]
    hypothesis_words: list[tuple[str, ...]]
    other_words: list[tuple[str, ...]]

    @property
    def has_frames(self) -> bool:
        """Whether any sentence has a frame."""
        either = [*self.hypotheses, *(o for others in self.others for o in others)]
        return any(sentence.frames for sentence in either)


def _document(args: argparse.Namespace) -> _Document:
    """Read the files of a run.

    Raises:
        InputError: if one is missing, malformed, or of another length.
    """
    from exactmatch.metrics.yisi.conll import Sentence, tokens_of
    from exactmatch.metrics.yisi.files import read_parses, read_sentences

    sides, frames = _sides(args)
    if [args.hyp, *sides].count("-") > 1:
        raise InputError("standard input can be only one of the files")
    texts = [read_sentences(path) for path in (args.hyp, *sides)]
    for path, lines in zip(sides, texts[1:], strict=True):
        if len(lines) != len(texts[0]):
            raise InputError(
                f"{args.hyp}: holds {len(texts[0])} sentences but {path} "
                f"{len(lines)}; give one line for each sentence in both"
            )
    if not texts[0]:
        raise InputError(f"{args.hyp}: holds no sentence")
    parsed = [
        [Sentence.of(line) for line in lines]
        if path is None
        else read_parses(path, lines)
        for path, lines in zip(frames, texts, strict=True)
    ]
    return _Document(
        parsed[0],
        list(zip(*parsed[1:], strict=True)),
        [tokens_of(line) for line in texts[0]],
        [tokens_of(line) for lines in texts[1:] for line in lines],
    )


def _sides(args: argparse.Namespace) -> tuple[list[str], list[str | None]]:
    """What the hypotheses are compared with, and the files of frames of all sides."""
    if args.variant == "yisi2":
        unused = {"--ref2": args.ref2, "--srl-ref": args.srl_ref}
        if args.input is None:
            raise InputError("yisi2 compares with the input; name it with --input")
        if args.ref is not None:
            settings.note(args, "yisi2 compares with the input; REF is not read")
        sides, frames = [args.input], [args.srl_input]
    else:
        unused = {"--input": args.input, "--srl-input": args.srl_input}
        if args.ref is None:
            raise InputError(f"{args.variant} compares with references; name REF")
        sides, frames = [args.ref], [args.srl_ref]
        if args.ref2 is not None:
            sides, frames = [*sides, args.ref2], [*frames, args.srl_ref2]
    if args.srl_ref2 is not None and (args.ref2 is None or args.variant == "yisi2"):
        unused["--srl-ref2"] = args.srl_ref2
    for flag, value in unused.items():
        if value is not None:
            raise InputError(f"{flag} is not read by {args.variant} as it stands")
    everything = [args.srl_hyp, *frames]
    if any(everything) and not all(everything):
        names = "--srl-input" if args.variant == "yisi2" else "--srl-ref"
        raise InputError(
            "frames are needed on all sides or on none; give --srl-hyp and "
            f"{names}{' and --srl-ref2' if args.ref2 else ''}"
        )
    return sides, everything


def _scorer(
    args: argparse.Namespace, document: _Document, vectors: list[Vectors]
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
        similarity=yisi.word_similarity(_similarity(args), args.yisi, *vectors),
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


def _similarity(args: argparse.Namespace) -> WordSimilarity:
    """The similarity of words, by option or variant."""
    own: WordSimilarity = "lcs" if args.variant == "yisi0" else "vectors"
    kind: WordSimilarity = own if args.similarity is None else args.similarity
    if kind == "vectors" and not args.vectors:
        raise InputError(
            f"{args.variant} needs word vectors; name a file with --vectors"
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


def _vectors(args: argparse.Namespace, document: _Document) -> list[Vectors]:
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


def _score(args: argparse.Namespace, document: _Document, renderer: Any) -> Any:
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
        renderer.pair(PairResult(index, None, score, statistics))
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
