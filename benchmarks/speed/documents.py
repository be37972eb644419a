"""Build documents: pairs of long graphs, made of the sentences of real corpora.

A document joins the graphs of consecutive sentences under one root::

    (m / multi-sentence :snt1 (...) :snt2 (...) ...)

with variables renamed, so that no two sentences share one.  The prediction's side
joins the predictions and the gold side the references of the same sentences.
Half of a document comes from the Little Prince (``data/lp``: parsed, gold), the
other half from PARA (``data/bamboo/para/main``: source, target); the seed decides
where each half begins.

    python -m benchmarks.speed.documents --size 250 --seed 0..9 --output documents/
"""

from __future__ import annotations

import argparse
import os
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

PairOfTexts: TypeAlias = tuple[str, str]

LITTLE_PRINCE = ("data/lp/parsed.amr", "data/lp/gold.amr")
PARA = (
    "data/bamboo/para/main/src.test.amr",
    "data/bamboo/para/main/tgt.test.amr",
)

_QUOTED = re.compile(r'"[^"]*"')


def read_graphs(path: Path) -> list[str]:
    """Return the texts of a file's graphs, without their comments."""
    blocks = re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))
    texts = (
        "\n".join(line for line in block.splitlines() if not line.startswith("#"))
        for block in blocks
    )
    return [text.strip() for text in texts if text.strip()]


def read_pairs(root: Path, names: Sequence[str]) -> list[PairOfTexts]:
    """Return the pairs of graphs of two files under *root*."""
    pred, gold = (read_graphs(root / name) for name in names)
    return list(zip(pred, gold, strict=True))


def n_variables(text: str) -> int:
    """Count the variables of a graph: its brackets outside quotes."""
    return _QUOTED.sub("", text).count("(")


def mean_variables(pair: PairOfTexts) -> float:
    """Return the mean number of variables of a pair's two sides."""
    return (n_variables(pair[0]) + n_variables(pair[1])) / 2


def joined(texts: Sequence[str]) -> str:
    """Return one graph that holds the given ones as its sentences."""
    import penman

    branches: list[tuple[str, object]] = [("/", "multi-sentence")]
    for number, text in enumerate(texts, 1):
        tree = penman.parse(text)
        tree.reset_variables(f"s{number}x{{i}}")
        branches.append((f":snt{number}", tree.node))
    return str(penman.format(penman.Tree(("m", branches))))


def document(
    size: int, seed: int, corpora: Sequence[Sequence[PairOfTexts]]
) -> PairOfTexts:
    """Return a pair of documents of about *size* variables a side.

    Args:
        size: variables a side.
        seed: decides which sentences are joined.
        corpora: pairs of sentences to choose from; each gives an equal share.
    """
    chance = random.Random(f"{size}/{seed}")
    chosen: list[PairOfTexts] = []
    count = 1.0
    for number, corpus in enumerate(corpora, 1):
        share = size * number / len(corpora)
        place = chance.randrange(len(corpus))
        while True:
            following = corpus[place % len(corpus)]
            if count + mean_variables(following) / 2 > share:
                break
            chosen.append(following)
            count += mean_variables(following)
            place += 1
    return joined([pred for pred, _ in chosen]), joined([gold for _, gold in chosen])


def sentences(
    size: int, number: int, corpora: Sequence[Sequence[PairOfTexts]]
) -> list[PairOfTexts]:
    """Return the *number* pairs of sentences that are nearest to *size* variables."""
    every = [pair for corpus in corpora for pair in corpus]
    every.sort(key=lambda pair: abs(mean_variables(pair) - size))
    return every[:number]


def write_pairs(pairs: Sequence[PairOfTexts], folder: Path, name: str) -> list[Path]:
    """Write pairs as two PENMAN files and return their paths, prediction first."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for side, kind in enumerate(("pred", "gold")):
        path = folder / f"{name}.{kind}.amr"
        blocks = (f"# ::id {name}.{k}\n{pair[side]}" for k, pair in enumerate(pairs))
        path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
        paths.append(path)
    return paths


def numbers(text: str) -> tuple[int, ...]:
    """Convert ``0..9``, ``3`` or ``0,2,5`` to numbers."""
    seeds: list[int] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        seeds += range(int(first), int(last) + 1) if dots else [int(first)]
    return tuple(seeds)


def main() -> None:
    """Write one pair of files for each seed."""
    parser = argparse.ArgumentParser(description="Build pairs of long graphs.")
    parser.add_argument("--size", type=int, default=250, help="variables a side")
    parser.add_argument("--seed", type=numbers, default=(0,), metavar="N|N..M")
    parser.add_argument("--output", type=Path, default=Path("documents"))
    parser.add_argument(
        "--data",
        type=Path,
        default=os.environ.get("EXACTMATCH_DATA"),
        help="the folder that holds data/ (default: EXACTMATCH_DATA)",
    )
    args = parser.parse_args()
    if args.data is None:
        parser.error("name the data with EXACTMATCH_DATA or --data")
    corpora = [read_pairs(args.data, names) for names in (LITTLE_PRINCE, PARA)]
    for seed in args.seed:
        pair = document(args.size, seed, corpora)
        paths = write_pairs([pair], args.output, f"{args.size}.{seed}")
        print(f"{n_variables(pair[0])}×{n_variables(pair[1])}", *paths)


if __name__ == "__main__":
    main()
