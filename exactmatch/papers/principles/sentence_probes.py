"""The probes that metrics on sentences are put to.

They are the counterparts of those of graphs
(:mod:`exactmatch.papers.principles.probes`): pairs
of the user's sentences, sentences with one known error, and near-synonyms in a sentence
that is otherwise the same.  What a principle says of nodes and triples has no
counterpart.

Two sentences are equal if they have the same words, which are what stands between
spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from exactmatch.papers.principles.judging import FixedScores, Judge, VariedScores
from exactmatch.papers.principles.probes import SYNONYMS

_SENSE = re.compile(r"-\d+$")

_STRANGE = "xyzzy"
"""What stands in the place of a word."""


@dataclass(frozen=True, slots=True)
class SentenceProbe:
    """A sentence and what was made of it.

    Attributes:
        place: its place among the sentences.
        original: the sentence itself.
        different: the sentence with one error: a word replaced, a word left out, two
            words exchanged.
    """

    place: int
    original: str
    different: tuple[str, ...]

    @property
    def copied(self) -> str:
        """Return the sentence as it is."""
        return self.original

    def put(self, judge: Judge) -> VariedScores:
        """Score every version against the sentence itself."""
        sentence = judge.prepared(self.original)

        def score(variant: str) -> float:
            return judge.score(judge.prepared(variant), sentence, self.place)

        return VariedScores(score(self.copied), tuple(map(score, self.different)))


@dataclass(frozen=True, slots=True)
class SynonymProbe:
    """Near-synonyms in a sentence, which need no data."""

    def put(self, judge: Judge) -> FixedScores:
        """Score the near-synonym and the unrelated word in the place of a word."""
        found = []
        for concepts in SYNONYMS:
            word, near, far = (judge.prepared(_sentence(c)) for c in concepts)
            found.append((judge.score(near, word), judge.score(far, word)))
        return FixedScores({}, tuple(found))


def _sentence(concept: str) -> str:
    return f"Today somebody said the word {_SENSE.sub('', concept)} to me ."


def same_words(first: str, second: str) -> bool:
    """Whether two sentences differ in nothing but their spaces."""
    return first.split() == second.split()


def varied_sentences(
    sentences: Sequence[str], sample: int, seed: int
) -> Iterator[SentenceProbe]:
    """Draw the user's sentences to vary, and vary them.

    Args:
        sentences: the user's references; empty ones are passed over.
        sample: how many of them to draw.
        seed: seed of everything random.
    """
    rng = np.random.default_rng([seed, 1])
    usable = [sentence for sentence in sentences if sentence.split()]
    chosen = sorted(rng.permutation(len(usable))[:sample].tolist())
    errors = np.random.default_rng([seed, 2])
    for place, number in enumerate(chosen):
        sentence = usable[number]
        others = (
            o for o in _different(sentence, errors) if not same_words(o, sentence)
        )
        yield SentenceProbe(place, sentence, tuple(others))


def _different(sentence: str, rng: np.random.Generator) -> Iterator[str]:
    """The sentence with each kind of error that it has room for."""
    words = sentence.split()
    place = int(rng.integers(len(words)))
    yield " ".join([*words[:place], _STRANGE, *words[place + 1 :]])
    if len(words) > 1:
        yield " ".join([*words[:place], *words[place + 1 :]])
    others = [k for k, word in enumerate(words) if word != words[place]]
    if others:
        other = int(rng.choice(others))
        words[place], words[other] = words[other], words[place]
        yield " ".join(words)
