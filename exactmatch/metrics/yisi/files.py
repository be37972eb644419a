"""Files that YiSi on text reads beside sentences: frames and weights of role types."""

from __future__ import annotations

import math
from collections.abc import Sequence

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.formats.alignments import tagged_words
from exactmatch.formats.blocks import Block, blocks_of_lines
from exactmatch.formats.dialects.clean import read_clean
from exactmatch.formats.files import whole
from exactmatch.metrics.yisi.conll import ROLE_TYPES, Sentence, read_conll09, tokens_of
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


def read_lines(path: str) -> list[str]:
    """The lines of a UTF-8 file, ``.gz`` or not, or of standard input (``-``).

    Raises:
        InputError: if the file cannot be opened, unpacked or decoded.
    """
    name = "standard input" if path == "-" else path
    content = whole(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{name}:{line}: byte 0x{content[error.start]:02x} is not UTF-8; convert "
            "the file, for example with iconv -t UTF-8"
        ) from None
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def read_parses(path: str, texts: Sequence[str]) -> list[Sentence]:
    """The frames of sentences: CoNLL-2009, or AMR graphs aligned to their words.

    Args:
        path: a file with the parse of every sentence, in order.
        texts: the sentences themselves.

    Raises:
        InputError: if the file is malformed, or has not one parse a sentence.
    """
    lines = read_lines(path)
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith(("(", "# ::")):
        parses = read_aligned_graphs(lines, path, texts)
    else:
        parses = read_conll09(lines, path)
        if len(parses) > len(texts):
            parses = _without_empty(parses, len(texts))
        missing = texts[len(parses) :]
        if not any(text.strip() for text in missing):
            parses += [Sentence(())] * len(missing)
        pairs = zip(parses, texts, strict=False)
        parses = [parse.in_text(text) for parse, text in pairs] + parses[len(texts) :]
    if len(parses) != len(texts):
        raise InputError(
            f"{path}: holds the frames of {several(len(parses), 'sentence')}, not of "
            f"{len(texts)}; give one parse for each sentence, in order"
        )
    return parses


def _without_empty(parses: list[Sentence], wanted: int) -> list[Sentence]:
    """Without blank lines too many: those at the end, or if need be all."""
    trimmed = list(parses)
    while len(trimmed) > wanted and not trimmed[-1].tokens:
        trimmed.pop()
    if len(trimmed) == wanted:
        return trimmed
    return [parse for parse in parses if parse.tokens]


def read_role_weights(path: str) -> dict[str, float]:
    """Eight numbers, the weights of the role types from ``did`` to ``how``.

    Raises:
        InputError: if they are not eight numbers of 0 or more.
    """
    fields = " ".join(read_lines(path)).split()
    try:
        weights = [float(field) for field in fields]
    except ValueError as error:
        raise InputError(f"{path}: {error}; write {len(ROLE_TYPES)} numbers") from None
    if len(weights) != len(ROLE_TYPES):
        raise InputError(
            f"{path}: holds {several(len(weights), 'number')}; write "
            f"{len(ROLE_TYPES)}, one for "
            f"each of {', '.join(ROLE_TYPES)}"
        )
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights):
        raise InputError(f"{path}: weights of role types must be 0 or more")
    return dict(zip(ROLE_TYPES, weights, strict=True))
