"""``exactmatch ensemble``: of several parses of a sentence the one that agrees most."""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output, check_writable
from exactmatch.base.numbers import Share, several
from exactmatch.cli import graphs, options, settings
from exactmatch.cli.answer import shown_score, write_answer
from exactmatch.cli.lists import Listing
from exactmatch.cli.terminal import Terminal
from exactmatch.formats.pairs import different_ids
from exactmatch.scoring.losses import with_losses
from exactmatch.views.tables import (
    FORMATS,
    Column,
    Table,
    Tables,
)

if TYPE_CHECKING:
    from exactmatch.formats.blocks import Block
    from exactmatch.many.ensemble import Choice
    from exactmatch.metrics.base import Metric


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a file of each system, in the same order; or one file of n-best lists: "
        "graphs with the same '# ::id' or growing '# ::nbest' follow one another",
    )
    parser.add_argument(
        "--system-weights",
        action=Listing,
        metavar="W,W,…",
        help="how much each system (or rank) counts (default: all the same)",
    )
    parser.add_argument(
        "--oracle",
        metavar="GOLD",
        help="references: say what the choices score, and what the best ones would",
    )
    parser.add_argument(
        "--every-score",
        action="store_true",
        help="compute the expected score of candidates that cannot win, too",
    )
    options.add_format(parser.add_argument_group("reading"))
    graphs.add_comparing(parser, arguments, "sentences")
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write the chosen graphs to FILE"
    )
    group.add_argument(
        "--format", choices=FORMATS, default="text", help="default: text"
    )
    options.add_looks(group)
    group.add_argument("-q", "--quiet", action="store_true", help="results only")


def run(args: argparse.Namespace) -> int:
    """Choose for each sentence the candidate with the highest expected score.

    The expected score of a candidate is its mean score with all candidates: exact
    minimum Bayes risk under the metric.  Candidates that a bound proves to be worse
    are not solved; their expected score is left out.

    Example:
      exactmatch ensemble parser1.amr parser2.amr parser3.amr -o best.amr
      exactmatch ensemble nbest.amr --oracle gold.amr
    """
    if args.output is not None:
        check_writable(args.output)

    from exactmatch.many.ensemble import ensemble

    metric = graphs.metric_from(args)
    names, sentences = _candidates(args, metric)
    golds = None
    if args.oracle is not None:
        golds = graphs.blocks_from(args, args.oracle, metric)
        if len(golds) != len(sentences):
            raise InputError(
                f"{args.oracle}: holds {several(len(golds), 'reference')} for "
                f"{several(len(sentences), 'sentence')}; give one for each"
            )
    if args.output is not None and any(b.format for s in sentences for b in s):
        raise InputError("-o writes graphs as they stand in PENMAN files only")
    weights = _weights(args, sentences)
    _warn_of_ids(args, sentences, golds)
    executor, workers = settings.workers_from(args)
    choices = ensemble(
        sentences,
        metric,
        weights=weights,
        golds=golds,
        prune=not args.every_score,
        workers=workers,
        executor=executor,
    )
    if args.output is not None:
        with atomic_output(args.output) as stream:
            for sentence, choice in zip(sentences, choices, strict=True):
                stream.write(_as_read(sentence[choice.index]))
    compared = [(sentence, None) for sentence in sentences]
    if golds is not None:
        pairs = zip(sentences, golds, strict=True)
        compared = [([*sentence, gold], None) for sentence, gold in pairs]
    read = [block for group, _ in compared for block in group]
    lost = graphs.lost_in(args, read, metric, compared)
    tables = with_losses(_tables(args, metric, names, sentences, choices), lost)
    with atomic_output(None) as stream:
        write_answer(args, stream, tables)
    return 0


def _candidates(
    args: argparse.Namespace, metric: Metric
) -> tuple[list[str], list[list[Block]]]:
    """What candidates are called, and those of each sentence.

    Raises:
        InputError: if the numbers of graphs differ, or a file holds no n-best lists.
    """
    files = [graphs.blocks_from(args, path, metric) for path in args.files]
    paths = args.files
    if len(files) > 1:
        counts = list(map(len, files))
        if len(set(counts)) > 1:
            told = ", ".join(
                f"{path}: {n}" for path, n in zip(paths, counts, strict=True)
            )
            raise InputError(
                f"the files hold different numbers of graphs ({told}); every system "
                "has one graph for each sentence"
            )
        often = Counter(paths)
        names = [
            path if often[path] == 1 else f"{path} ({place})"
            for place, path in enumerate(paths, 1)
        ]
        return names, [list(row) for row in zip(*files, strict=True)]
    sentences: list[list[Block]] = []
    known: set[str] = set()
    last: tuple[str | None, int] = (None, 0)
    for block in files[0]:
        rank = _rank(block)
        same = block.id is not None and block.id == last[0]
        grows = rank is not None and 0 < last[1] < rank
        if sentences and (same or (block.id is None and grows)):
            sentences[-1].append(block)
        else:
            if block.id in known:
                raise block.origin().error(
                    f"has the id {block.id!r} of an earlier list; the graphs of one "
                    "n-best list must follow one another"
                )
            sentences.append([block])
        if block.id is not None:
            known.add(block.id)
        last = (block.id, rank or 0)
    if all(len(sentence) == 1 for sentence in sentences):
        raise InputError(
            f"{paths[0]}: no two graphs follow one another with the same '# ::id', nor "
            "with growing '# ::nbest'; name a file of each system, or a file of n-best "
            "lists"
        )
    most = max(map(len, sentences))
    return [f"rank {k + 1}" for k in range(most)], sentences


def _warn_of_ids(
    args: argparse.Namespace,
    sentences: Sequence[Sequence[Block]],
    golds: Sequence[Block] | None,
) -> None:
    """Warn of graphs that stand at one position and have different ids."""
    terminal = Terminal(args)
    for place, sentence in enumerate(sentences):
        group = [*sentence, *([] if golds is None else [golds[place]])]
        if len({block.id for block in group} - {None}) > 1:
            terminal.warn("ids", different_ids(place + 1, group))
    terminal.sum_up()


def _as_read(block: Block) -> str:
    """A graph with an empty line behind it, or a sentence, which has a line."""
    end = "\n\n" if block.known is None else "\n"
    return "\n".join(block.lines).strip("\n") + end


def _rank(block: Block) -> int | None:
    """The ``# ::nbest`` of a graph, from 1; whatever starts at 0 is moved."""
    text = block.metadata().get("nbest", "")
    return int(text) + 1 if text.isascii() and text.isdigit() else None


def _weights(
    args: argparse.Namespace, sentences: Sequence[Sequence[Block]]
) -> list[list[float]] | None:
    """The weights of each sentence's candidates."""
    if args.system_weights is None:
        return None
    try:
        given = [float(text) for text in args.system_weights.split(",")]
    except ValueError:
        raise InputError(
            f"--system-weights {args.system_weights}: these are no numbers with "
            "commas between them"
        ) from None
    most = max(map(len, sentences))
    if len(given) != most:
        raise InputError(
            f"--system-weights {args.system_weights}: {several(len(given), 'weight')} "
            f"for {several(most, 'candidate')}; give one for each"
        )
    weighed = 0 < sum(given) < math.inf and min(given) >= 0
    if not weighed or not all(any(given[: len(s)]) for s in sentences):
        raise InputError(
            f"--system-weights {args.system_weights}: weights are zero or more, and "
            "not zero for every candidate of a sentence"
        )
    return [given[: len(sentence)] for sentence in sentences]


def _tables(
    args: argparse.Namespace,
    metric: Metric,
    names: Sequence[str],
    sentences: Sequence[Sequence[Block]],
    choices: Sequence[Choice],
) -> Tables:
    rows: list[dict[str, Any]] = []
    shown = Share(4)
    columns = [Column("sentence", "sentence"), Column("chosen", "chosen")]
    columns.append(Column("expected", "expected", shown))
    for place, (sentence, choice) in enumerate(zip(sentences, choices, strict=True), 1):
        row = {
            "sentence": sentence[0].id or str(place),
            "chosen": names[choice.index],
            "index": choice.index,
            "expected": choice.score,
            "all": list(choice.expected),
        }
        if choice.gold is not None and choice.oracle is not None:
            row |= {
                "score": choice.gold[choice.index],
                "oracle": names[choice.oracle],
                "oracle_score": choice.gold[choice.oracle],
            }
        rows.append(row)
    often = Counter(row["chosen"] for row in rows)
    notes = [f"{name}: chosen {often[name]} of {len(rows)} times" for name in names]
    number = shown_score(args)
    expected = number(fmean(c.score for c in choices))
    notes.append(f"mean expected score {expected}")
    data: dict[str, Any] = {"sentences": rows, "chosen": dict(often)}
    if args.oracle is not None:
        columns += [
            Column("score", "score", shown),
            Column("oracle", "oracle"),
            Column("oracle_score", "oracle's", shown),
        ]
        means = {key: fmean(row[key] for row in rows) for key in _GOLD}
        data |= {"mean_score": means["score"], "mean_oracle": means["oracle_score"]}
        notes.append(
            f"mean score against {args.oracle}: {number(means['score'])} as chosen, "
            f"{number(means['oracle_score'])} by an oracle"
        )
        for k, name in enumerate(names):
            own = [c.gold[k] for c in choices if c.gold is not None and len(c.gold) > k]
            if own:
                mean = number(math.fsum(own) / len(own))
                notes.append(f"mean score of {name} alone: {mean}")
    table = Table("", tuple(columns), rows)
    signature = graphs.signature_of(metric, ("weights", args.system_weights or "equal"))
    return Tables(
        "Consensus",
        (table,),
        data | {"signatures": [signature]},
        notes=notes,
        signatures=(signature,),
    )


_GOLD = ("score", "oracle_score")
