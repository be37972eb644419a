"""Predicate frames of sentences from AMR graphs that are aligned to their words.

Alignments are ``~e.N`` tags behind concepts and constants; *N* counts the words of
``# ::tok`` from 0, or those of the sentence itself.  The frames are those of
:mod:`exactmatch.metrics.yisi.graph_frames`; a predicate or filler is the words that its
nodes are aligned to, and one without any is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactmatch.base.numbers import several
from exactmatch.formats.alignments import tagged_words
from exactmatch.formats.blocks import Block, blocks_of_lines
from exactmatch.formats.dialects.clean import read_clean
from exactmatch.metrics.yisi.conll import Sentence, tokens_of
from exactmatch.metrics.yisi.frames import Filler, Frame
from exactmatch.metrics.yisi.graph_frames import meaning_of


def read_aligned_graphs(
    lines: Sequence[str], path: str, texts: Sequence[str]
) -> list[Sentence]:
    """Read the frames of sentences from graphs.

    Args:
        lines: the lines of a PENMAN file.
        path: its name, for messages.
        texts: the sentences, used where a graph has no ``# ::tok``.

    Raises:
        GraphError: if a graph cannot be read, or is aligned to a word that its
            sentence does not have.
    """
    blocks = [block for block in blocks_of_lines(lines, path) if block.content]
    padded = [*texts, *[""] * (len(blocks) - len(texts))]
    return [_sentence(block, text) for block, text in zip(blocks, padded, strict=False)]


def _sentence(block: Block, text: str) -> Sentence:
    tokens = tokens_of(block.metadata().get("tok", text))
    graph = read_clean(block).graph
    aligned = tagged_words(block.lines)
    words = [aligned.get((name, ":instance"), ()) for name in graph.variables]
    for source, role, value in graph.attributes:
        label = f":{graph.labels[role]} {graph.labels[value]}"
        words.append(aligned.get((graph.variables[source], label), ()))
    last = max((place for places in words for place in places), default=0)
    if last >= len(tokens) and any(words):
        raise block.origin().error(
            f"is aligned to word {last}, but its sentence has "
            f"{several(len(tokens), 'word')}, counted from 0"
        )

    def at_words(part: Filler) -> Filler:
        places = {place for node in part.places for place in words[node]}
        return Filler(part.role, (), tuple(sorted(places)))

    every = [frame.change(at_words) for frame in meaning_of(graph, str).frames]
    frames = [
        Frame(frame.predicate, tuple(f for f in frame.fillers if f.places))
        for frame in every
        if frame.predicate.places
    ]
    return Sentence(tokens, tuple(frames)).with_tokens(tokens)
