"""Document AMR: multi-sentence graphs, whose sentences hang from ``:snt1``, ``:snt2``.

The triples are those that smatch reads.  In addition, every variable belongs to each
sentence whose root reaches it

* by relations in their own direction, ``:ARG0-of`` turned around, but not from
  ``:mod``'s target to its source;
* by relations as they are written, where they are written inverted;
* by ``:part``, ``:subset`` and ``:coref`` from their target, too.

So a chain of coreference belongs to every sentence that mentions it.  ``:sntN-of`` is
``:sntN`` turned around, and a graph without either is one sentence.

Source: docSmatch (Naseem et al. 2022, "DocAMR"), as its program assigns nodes to
sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from exactmatch.formats.blocks import Block
from exactmatch.formats.dialects.smatch import read_smatch
from exactmatch.formats.penman_graphs import Tree, parse_tree
from exactmatch.formats.remarks import Reading
from exactmatch.graphs.document import Document, Sentence
from exactmatch.graphs.graph import INVERSE, UPRIGHT, reached

_SENTENCE = re.compile(r"snt(\d+)")
_FROM_TARGET = ("part", "subset", "coref")


def read_doc_amr(block: Block) -> Reading:
    """Read one document."""
    reading = read_smatch(block, "doc-amr")
    graph = reading.graph
    tree = parse_tree(block.numbered(), graph.origin)
    number = {name: v for v, name in enumerate(graph.variables)}
    rows = _sentences(tree)
    homes: list[list[int]] = [[] for _ in graph.variables]
    sentences = []
    for place, (snt, root, members) in enumerate(rows):
        sentences.append(Sentence(snt, top=number.get(root)))
        for name in members:
            if name in number:
                homes[number[name]].append(place)
    document = Document(tuple(sentences), tuple(map(tuple, homes)))
    return reading._replace(graph=replace(graph, document=document))


def _sentences(tree: Tree) -> list[tuple[int, str, Iterable[str]]]:
    """Return each sentence's number, root and variables, the document's root first."""
    top = tree.top or ""
    roots: dict[int, str] = {}
    follows: dict[str, list[str]] = {name: [] for name in tree.concepts}
    corefs = []
    for source, role, target in tree.statements:
        if target not in follows:
            continue
        if target == top and _SENTENCE.fullmatch(role.removesuffix(INVERSE)):
            source, role, target = target, role.removesuffix(INVERSE), source
        if source == top and (match := _SENTENCE.fullmatch(role)):
            roots[int(match[1])] = target
        inverted = role == "mod" or (role.endswith(INVERSE) and role not in UPRIGHT)
        if inverted and role != "mod":
            role = role.removesuffix(INVERSE)
        begin, end = (target, source) if inverted else (source, target)
        if role == "coref":
            corefs.append((begin, end))
        elif role != "mod" and not (role == "domain" and inverted):
            follows[begin].append(end)
        if inverted or role in _FROM_TARGET:
            follows[end].append(begin)
    if not roots:
        return [(0, top, tuple(tree.concepts))]
    for begin, end in corefs:
        below = reached(top, follows.__getitem__)
        if end not in below and begin in below:
            follows[begin].append(end)
    sentences: list[tuple[int, str, Iterable[str]]] = [(0, top, (top,))]
    for snt, root in sorted(roots.items()):
        sentences.append((snt, root, reached(root, follows.__getitem__)))
    return sentences
