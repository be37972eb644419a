"""Texts of one graph, read as published programs read them."""

from __future__ import annotations

from exactmatch.formats.block import Block
from exactmatch.formats.dialects.s2match import read_s2match
from exactmatch.formats.dialects.sembleu import read_sembleu
from exactmatch.graphs.graph import Graph


def block_of(text: str, path: str | None = None, line: int = 1) -> Block:
    """Return a text's lines as one block; blank ones are left out."""
    lines = tuple(filter(None, map(str.strip, text.split("\n"))))
    content = tuple(line for line in lines if line[0] != "#")
    return Block(lines, content, line, path)


def s2match_graph(text: str, *, mark_quotes: bool = True) -> Graph:
    """Return the graph that S²match reads."""
    return read_s2match(block_of(text), mark_quotes=mark_quotes).graph


def sembleu_graph(text: str) -> Graph:
    """Return the graph that SemBleu reads."""
    return read_sembleu(block_of(text)).graph
