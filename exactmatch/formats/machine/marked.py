"""Triples between marks of their own: REBEL's, GraphRAG's and LightRAG's.

Sources: Huguet Cabot and Navigli (2021), "REBEL: Relation extraction by end-to-end
language generation", whose models write ``<triplet> head <subj> tail <obj> relation``,
and name types in place of ``subj`` and ``obj`` in many languages; the prompts of
GraphRAG and LightRAG, whose records are ``("relationship"<|>source<|>target<|>…)``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

Triple = tuple[str, str, str]

_TRIPLET = re.compile(r"<triplet>", re.IGNORECASE)
_TAG = re.compile(r"<(/?[\w-]{1,40})>")
_ENDS = frozenset(("s", "/s", "pad", "unk", "bos", "eos", "/triplet"))
_DELIMITER = re.compile(r"<\|[^|<>\n]{0,3}\|>|<\|>")
_RECORD_END = re.compile(r"##|\n|<\|COMPLETE\|>|\)\s*(?=\(\s*[\"'])")
_AROUND = " \t\r\n\"'`*()[]{},;“”‘’"


class Marked(NamedTuple):
    """Text between marks.

    Attributes:
        triples: the triples.
        entities: the names of all things that are listed.
        broken: how many records have too few parts.
        facts: how many types, descriptions and strengths were left out.
    """

    triples: list[Triple]
    entities: list[str]
    broken: int = 0
    facts: int = 0


def marked_in(text: str) -> Marked | None:
    """Return the triples between the marks of a text; ``None`` if it has no marks.

    >>> marked_in("<triplet> Azzurro <subj> Paolo Conte <obj> composer").triples
    [('Azzurro', 'composer', 'Paolo Conte')]
    """
    if _TRIPLET.search(text):
        return _rebel(text)
    if _DELIMITER.search(text):
        return _records(text)
    return None


def _rebel(text: str) -> Marked:
    triples: list[Triple] = []
    broken = 0
    for part in _TRIPLET.split(text)[1:]:
        head, *tagged_parts = _TAG.split(part)
        tags, texts = tagged_parts[0::2], tagged_parts[1::2]
        triples_of_text = []
        for tag, inner in zip(tags, texts, strict=True):
            if tag.lower() in _ENDS:
                break
            triples_of_text.append(inner.strip())
        last = triples_of_text[-1].split("\n")[0] if triples_of_text else ""
        triples_of_text[-1:] = [last.strip()] if triples_of_text else []
        name = head.strip()
        all_triples = [*zip(triples_of_text[0::2], triples_of_text[1::2], strict=False)]
        for tail, relation in all_triples:
            if name and tail and relation:
                triples.append((name, relation, tail))
        broken += 2 * len(all_triples) != len(triples_of_text) or not triples_of_text
    return Marked(triples, [], broken)


def _records(text: str) -> Marked:
    triples: list[Triple] = []
    entities: list[str] = []
    broken = facts = 0
    for record in _RECORD_END.split(text):
        is_light = "|#|" in record
        kind, *fields = [field.strip(_AROUND) for field in _DELIMITER.split(record)]
        record_name = kind.lower().rpartition("(")[2].strip(_AROUND)
        if not fields:
            continue
        if record_name == "entity" and fields[0]:
            entities.append(fields[0])
            facts += len([*filter(None, fields[1:])])
        elif record_name in ("relationship", "relation") and all(fields[:2]):
            place = 2 if is_light or len(fields) < 5 else 3  # keywords, or the only one
            label = fields[place] if len(fields) > place else ""
            triples.append((fields[0], label, fields[1]))
            facts += len([*filter(None, fields[2:])]) - bool(label)
        elif record_name not in ("content_keywords", ""):
            broken += 1
    return Marked(triples, entities, broken, facts)
