"""The graphs that are measured on, as pairs of texts and as files.

A smoke run uses the bundled sample in place of every corpus.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from benchmarks.speed.documents import (
    LITTLE_PRINCE,
    PARA,
    PairOfTexts,
    n_variables,
    read_pairs,
    write_pairs,
)
from benchmarks.speed.spec import Setting

STS = (
    "data/bamboo/sts/main/src.test.amr",
    "data/bamboo/sts/main/tgt.test.amr",
)
STS_DEV = (
    "data/bamboo/sts/main/src.dev.amr",
    "data/bamboo/sts/main/tgt.dev.amr",
)
SAMPLE = ("sample/pred.amr", "sample/gold.amr")

SMALL_VARIABLES = 6
SMALL_PAIRS = 1500
_SMOKE_PAIRS = 8


@dataclass(frozen=True, slots=True)
class Corpus:
    """Two files of graphs that belong together.

    Attributes:
        name: what it is called.
        pred, gold: the files.
        pairs: how many pairs they hold.
    """

    name: str
    pred: Path
    gold: Path
    pairs: int


def pairs_of(setting: Setting, names: tuple[str, str]) -> list[PairOfTexts]:
    """Return the pairs of a corpus; those of the sample in a smoke run."""
    if setting.smoke or setting.data is None:
        root = Path(__file__).parents[2] / "exactmatch"
        return read_pairs(root, SAMPLE)[:_SMOKE_PAIRS]
    return read_pairs(setting.data, names)


def para(setting: Setting) -> Corpus:
    """PARA test, as it stands."""
    return _corpus(setting, "para", PARA)


def sts(setting: Setting) -> Corpus:
    """STS test, as it stands."""
    return _corpus(setting, "sts", STS)


def small(setting: Setting) -> Corpus:
    """Return STS pairs, dev and test, of at most six variables a side; 1,500 in all.

    There are fewer, so the first ones come twice.
    """
    every = [pair for names in (STS_DEV, STS) for pair in pairs_of(setting, names)]
    few = [p for p in every if max(map(n_variables, p)) <= SMALL_VARIABLES]
    if not setting.smoke:
        few = list(islice(cycle(few), SMALL_PAIRS))
    return written(setting, "small", few)


def long_texts(setting: Setting) -> list[list[PairOfTexts]]:
    """Return the corpora that documents are made of."""
    return [pairs_of(setting, names) for names in (LITTLE_PRINCE, PARA)]


def written(setting: Setting, name: str, pairs: list[PairOfTexts]) -> Corpus:
    """Write pairs to the scratch folder."""
    pred, gold = write_pairs(pairs, setting.work, name)
    return Corpus(name, pred, gold, len(pairs))


def _corpus(setting: Setting, name: str, names: tuple[str, str]) -> Corpus:
    pairs = pairs_of(setting, names)
    if setting.smoke or setting.data is None:
        return written(setting, name, pairs)
    return Corpus(name, setting.data / names[0], setting.data / names[1], len(pairs))
