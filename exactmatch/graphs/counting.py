"""Add triples for what counts besides a graph's own, and drop those that do not count.

A profile's ``beside`` makes triples of what a graph says elsewhere, so that all that
counts can be aligned at once:

* of a UMR ``document`` its document-level triples are relations, and the first node of
  each sentence is marked where the profile marks roots;
* of an ``mrp`` graph every top is an attribute ``top``, every anchor an attribute
  ``anchor`` whose value is the characters it covers, and what is said of an edge is a
  relation beside it.

Source: for UMR, its guidelines; for MRP, Oepen et al. (2019, 2020) and the scorer of
the shared tasks, mtool.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from exactmatch.base.errors import suggestion
from exactmatch.graphs.graph import Graph, GraphCoder
from exactmatch.graphs.profile import Profile

if TYPE_CHECKING:  # sentences have none
    from exactmatch.graphs.document import Document, EdgeFact, Span

CONCEPT = ("concept", "instance")
"""The names of instances in ``--only`` and ``--except``."""

TOP_ROLE, TOP_VALUE = "TOP", "top"
"""Role and value of the mark of the root; the role is its name in both options, too."""

MOD = {"mod": "domain", "domain": "mod"}
"""Either says the other turned around; some profiles read both as one of them."""

TURNED = {"after": "before", "contains": "contained", "subset": "subset-of"}
"""Document-level roles that say the same as another one from its target's side.

UMR has ``:before`` and ``:after``; ``:contained`` and what annotators write as its
inverse; and of two sets ``:subset-of``.
"""

MRP_TOP, MRP_ANCHOR = "top", "anchor"
MRP_TOP_ROLE, MRP_ANCHOR_ROLE = "@top", "@anchor"
"""The roles of tops and anchors, which no property has."""

MRP_SAID_OF_EDGE = " @"
"""Separates the label of an edge from what is said of it."""

PUNCTUATION = frozenset('.?!;,:“"”‘’()[]{} \t\n\f')
"""Punctuation and white space, which do not count at the ends of an anchor."""

_SPACE = frozenset(" \t\n\f")
_DEFAULTS = {("remote", "false")}


def counted_beside(graph: Graph, profile: Profile) -> Graph:
    """Make triples of what counts besides a graph's own, and drop what does not count.

    Args:
        graph: the graph.
        profile: ``beside`` names what is added, ``only`` and ``leave_out`` name the
            roles that count.

    Returns:
        The graph with exactly the triples that count.
    """
    document = graph.document
    kept = graph
    if profile.chooses_roles:
        kept = graph.with_roles(lambda label: is_counted((label,), profile))
        if not is_counted(CONCEPT, profile):
            kept = kept.revised(instances=())
    if profile.beside == "mrp":
        from exactmatch.graphs.document import Document

        return _with_mrp(kept, document or Document(), profile)
    if profile.beside == "document" and document is not None:
        return _with_document(kept, document, profile, graph.concepts())
    return _with_mark(kept, graph, profile) if profile.chooses_roles else kept


def is_counted(names: Iterable[str], profile: Profile) -> bool:
    """Whether a triple of this role, or of this level, counts under a profile."""
    known = {name.lower() for name in names}
    if profile.only and known.isdisjoint(profile.only):
        return False
    return known.isdisjoint(profile.leave_out)


def role_names(graph: Graph) -> set[str]:
    """The names by which what a graph states can be chosen, concepts and root aside."""
    stated = {row[1] for row in (*graph.attributes, *graph.relations)}
    names = {graph.labels[code] for code in stated}
    document = graph.document
    if document is not None:
        names.update(name for t in document.triples for name in (t.role, t.level))
        names.update(fact.key.removeprefix("@") for fact in document.edge_facts)
        names.update([MRP_ANCHOR] if any(document.anchors) else ())
    return {name.lower() for name in names}


def unknown_roles(profile: Profile, names: Set[str]) -> Iterator[str]:
    """Say of each role that a profile chooses, and that no graph has, what it may be.

    Args:
        profile: ``only`` and ``leave_out`` choose roles.
        names: those of all graphs, as :func:`role_names` finds them.
    """
    known = names | {*CONCEPT, TOP_ROLE.lower()}
    chosen = {"--only": profile.only, "--except": profile.leave_out}
    for option, roles in chosen.items():
        for role in roles:
            if role not in known:
                near = suggestion(role, sorted(known))
                if (other := MOD.get(role)) in names:
                    near = f"; did you mean {other!r}, the same turned around?"
                yield f"no graph has the role {role!r} of {option}{near}"


def without_vacant(graph: Graph) -> Graph:
    """Leave out the variables of which no triple is left."""
    kept = {v for v, *_ in (*graph.instances, *graph.attributes, *graph.relations)}
    kept.update(target for _, _, target in graph.relations)
    return graph.part(kept)


def _with_mark(kept: Graph, graph: Graph, profile: Profile) -> Graph:
    """Return the rest of a graph, with the mark of its root if that counts.

    Where the mark is the root's concept and concepts are left out, it is stated here.
    """
    if graph.top is None or profile.top == "none":
        return kept
    if not is_counted((TOP_ROLE,), profile):
        return kept.revised(top=None)
    if profile.top == "constant" or is_counted(CONCEPT, profile):
        return kept
    coder = GraphCoder.of(kept)
    value = coder.label(graph.concept(graph.top) or TOP_VALUE)
    coder.attributes.append((graph.top, coder.label(TOP_ROLE), value))
    return coder.stated_in(kept).revised(top=None)


def _with_document(
    graph: Graph, document: Document, profile: Profile, concepts: list[str | None]
) -> Graph:
    """Document-level triples as relations, and marks of the sentences' first nodes."""
    coder = GraphCoder.of(graph)
    for level, source, role, target, _ in document.triples:
        if is_counted((role, level), profile):
            if role in TURNED:
                source, role, target = target, TURNED[role], source
            coder.relations.append((source, coder.label(role), target))
    if profile.top != "none" and is_counted((TOP_ROLE,), profile):
        for top in (sentence.top for sentence in document.sentences):
            if top is not None:
                concept = None if profile.top == "constant" else concepts[top]
                mark = coder.label(concept or TOP_VALUE)
                coder.attributes.append((top, coder.label(TOP_ROLE), mark))
    return coder.stated_in(graph)


def _with_mrp(graph: Graph, document: Document, profile: Profile) -> Graph:
    """Tops, anchors and what is said of edges as triples; roles turned upright."""
    normal = {
        fact[:3]: fact.value for fact in document.edge_facts if fact.key == "normal"
    }
    coder = GraphCoder.of(replace(graph, relations=()))
    for source, code, target in graph.relations:
        start, role, end = _turned((source, graph.labels[code], target), normal)
        coder.relations.append((start, coder.label(role), end))
    for fact in document.edge_facts:
        _state_fact(coder, fact, normal, profile)
    tops = document.tops or (() if graph.top is None else (graph.top,))
    for v in tops if is_counted((MRP_TOP,), profile) else ():
        coder.attributes.append((v, coder.label(MRP_TOP_ROLE), coder.label("")))
    text = graph.metadata.get("input", "")
    for v in range(len(graph.variables)) if is_counted((MRP_ANCHOR,), profile) else ():
        if spans := document.spans(v):
            value = coder.label(_characters(spans, text))
            coder.attributes.append((v, coder.label(MRP_ANCHOR_ROLE), value))
    return coder.stated_in(graph).revised(top=None)


def _turned(
    edge: tuple[int, str, int], normal: dict[tuple[int, str, int], str]
) -> tuple[int, str, int]:
    """Return an edge as its source states it."""
    source, role, target = edge
    upright = normal.get(edge) or _upright(role)
    return edge if upright is None else (target, upright, source)


def _upright(role: str) -> str | None:
    """Return a role as its source states it, even if its target states it."""
    if role == "mod":
        return "domain"
    if role.endswith("-of-of") or (
        role.endswith("-of")
        and role not in ("consist-of", "subset-of")
        and not role.startswith("prep-")
    ):
        return role.removesuffix("-of")
    return None


def _state_fact(
    coder: GraphCoder,
    fact: EdgeFact,
    normal: dict[tuple[int, str, int], str],
    profile: Profile,
) -> None:
    """State an attribute of an edge as a relation beside it."""
    name = fact.key.removeprefix("@")
    said = (name.lower(), fact.value.lower())
    if fact.key == "normal" or said in _DEFAULTS or not is_counted((name,), profile):
        return
    start, label, end = _turned(fact[:3], normal)
    role = coder.label(f"{label}{MRP_SAID_OF_EDGE}{name}={fact.value}")
    coder.relations.append((start, role, end))


def _characters(spans: Iterable[Span], text: str) -> str:
    """The characters of some spans, white space and punctuation at their ends aside."""
    found: set[int] = set()
    for begin, end in spans:
        begin, end = max(begin, 0), min(end, len(text)) if text else end
        while begin < end and text[begin : begin + 1] in PUNCTUATION:
            begin += 1
        while end > begin and text[end - 1 : end] in PUNCTUATION:
            end -= 1
        found |= {k for k in range(begin, end) if text[k : k + 1] not in _SPACE}
    return " ".join(map(str, sorted(found)))
