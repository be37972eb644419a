"""The changes that a profile makes to a graph between reading and counting.

Each step is a function from graph to graph; a profile's fields say which are taken.
Reification follows penman's AMR model, or the part of it that SMATCH++ undoes.  What a
UMR document or an MRP graph says beside its triples becomes triples as well, so that
all that counts can be aligned at once.

Sources: the guidelines of UMR; for MRP, Oepen et al. (2019, 2020) and the scorer of the
shared tasks, mtool.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from exactmatch.base.errors import suggestion
from exactmatch.base.records import NamedTuple, replace
from exactmatch.graphs.graph import INSTANCE, INVERSE, TAG, Graph, GraphCoder
from exactmatch.graphs.profile import NORMALISERS, Comparison, Profile

if TYPE_CHECKING:
    from exactmatch.graphs.document import Document, Span


CONCEPT = (
    "concept",
    "instance",
)  # what --roles calls instances
TOP_ROLE, TOP_VALUE = "TOP", "top"  # of the mark of the root
MOD = {"mod": "domain", "domain": "mod"}  # either says the other turned around

TURNED = {"after": "before", "contains": "contained", "subset": "subset-of"}
"""Document-level roles that say the same as another one from its target's side.

UMR has ``:before`` and ``:after``; ``:contained`` and what annotators write as its
inverse; and of two sets ``:subset-of``.
"""

MRP_TOP, MRP_ANCHOR = "top", "anchor"
MRP_TOP_ROLE, MRP_ANCHOR_ROLE = "@top", "@anchor"  # which no property has
MRP_EDGE_FACT = " @"  # between the label of an edge and a fact about it

PUNCTUATION = frozenset('.?!;,:“"”‘’()[]{} \t\n\f')
"""Punctuation and white space, which do not count at the ends of an anchor."""

_SPACE = frozenset(" \t\n\f")


def counted_beside(graph: Graph, profile: Profile) -> Graph:
    """Add the further triples that a profile counts; drop those that do not count."""
    kept = graph
    if profile.chooses_roles:
        kept = graph.with_roles(lambda label: is_counted((label,), profile))
        if not is_counted(CONCEPT, profile):
            kept = kept.revised(instances=())
    if profile.beside == "mrp":
        return _with_mrp(kept, profile)
    if profile.beside == "document" and graph.document is not None:
        return _with_document(kept, graph.document, profile, graph.concepts())
    return _with_mark(kept, graph, profile) if profile.chooses_roles else kept


def is_counted(names: Iterable[str], profile: Profile) -> bool:
    """Return whether triples of this role or level count under a profile."""
    lower_names = {name.lower() for name in names}
    if profile.turns_mod and not lower_names.isdisjoint(MOD):
        lower_names |= MOD.keys()
    if profile.only and not _any_of(lower_names, profile.only):
        return False
    return not _any_of(lower_names, profile.leave_out)


def idle_options(profile: Profile, in_python: bool) -> Iterator[tuple[str, str]]:
    """Yield options that change nothing about the triples that count, with the reason.

    They are written as the command line takes them, or as Python does.

    Where more than the graph's own triples counts, such as documents, there are none.
    """
    if profile.beside != "nothing":
        return
    has_top = profile.just in (None, "attribute") and is_counted((TOP_ROLE,), profile)
    may_split = profile.only or profile.name.startswith("drs")
    has_senses = (
        (profile.just in (None, "instance") and is_counted(CONCEPT, profile))
        or (has_top and profile.top == "concept")
        or (may_split and is_counted(("sense",), profile))
    )
    has_wiki = profile.just in (None, "attribute") and is_counted(("wiki",), profile)

    def written(name: str, value: str) -> str:
        return (
            f"{name}={value!r}" if in_python else f"--{name.replace('_', '-')} {value}"
        )

    for is_idle, option, names, what in (
        (not profile.sense and not has_senses, "sense", CONCEPT, "concept"),
        (not profile.wiki and not has_wiki, "wiki", ("wiki",), "wiki"),
    ):
        flag = f"{option}=False" if in_python else f"--no-{option}"
        if is_idle and is_counted(names, profile):
            yield flag, f"{written('just', str(profile.just))} counts no {what}"
        elif is_idle and profile.only:
            roles = written("roles", ",".join((*profile.only, what)))
            yield flag, f"no {what} counts; {roles} counts it, too"
        elif is_idle:
            roles = written("except_roles", ",".join(profile.leave_out))
            yield flag, f"{roles} leaves every {what} out"


def _any_of(names: Set[str], roles: Iterable[str]) -> bool:
    """Return whether a name is among the roles, which may be patterns with ``*``."""
    if not names.isdisjoint(roles):
        return True
    return any(fnmatchcase(n, role) for role in roles if "*" in role for n in names)


def role_names(graph: Graph) -> set[str]:
    """Return the names that choose a graph's roles, without concepts and root."""
    codes = {row[1] for row in (*graph.attributes, *graph.relations)}
    names = {graph.labels[code] for code in codes}
    document = graph.document
    if document is not None:
        names.update(name for t in document.triples for name in (t.role, t.level))
        names.update(fact.key.removeprefix("@") for fact in document.edge_facts)
        names.update([MRP_ANCHOR] if any(document.anchors) else ())
    return {name.lower() for name in names}


def unknown_roles(profile: Profile, names: Set[str]) -> Iterator[str]:
    """Say of each role that a profile chooses, and that no graph has, what it may be.

    *names* are those of all graphs, as :func:`role_names` finds them.
    """
    known_roles = names | {*CONCEPT, TOP_ROLE.lower()}
    if profile.turns_mod and not known_roles.isdisjoint(MOD):
        known_roles |= MOD.keys()
    chosen = [("--roles", role) for role in profile.only]
    chosen += [("--except-roles", role) for role in profile.leave_out]
    for option, role in chosen:
        if not _any_of(known_roles, (role,)):
            hint = "" if "*" in role else suggestion(role, sorted(known_roles))
            if (other_spelling := MOD.get(role)) in names:
                hint = f"; did you mean {other_spelling!r}, the same turned around?"
            yield f"no graph has the role {role!r} of {option}{hint}"


def without_vacant(graph: Graph) -> Graph:
    """Leave out the variables that have no triple left."""
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
    return coder.revise(kept).revised(top=None)


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
    marks = profile.top != "none" and is_counted((TOP_ROLE,), profile)
    for sentence in document.sentences if marks else ():
        if (top := sentence.top) is not None:
            concept = None if profile.top == "constant" else concepts[top]
            mark = coder.label(concept or TOP_VALUE)
            coder.attributes.append((top, coder.label(TOP_ROLE), mark))
    return coder.revise(graph)


def _with_mrp(graph: Graph, profile: Profile) -> Graph:
    """Return tops, anchors and facts of edges as triples, with roles turned upright."""
    from exactmatch.graphs.document import Document

    document = graph.document or Document()
    normal = {
        fact[:3]: fact.value for fact in document.edge_facts if fact.key == "normal"
    }

    def turned(source: int, role: str, target: int) -> tuple[int, str, int]:
        """Return an edge as its source states it."""
        upright = normal.get((source, role, target)) or _upright(role)
        return (source, role, target) if upright is None else (target, upright, source)

    coder = GraphCoder.of(replace(graph, relations=()))
    for source, code, target in graph.relations:
        start, role, end = turned(source, graph.labels[code], target)
        coder.relations.append((start, coder.label(role), end))
    for source, role, target, key, value in document.edge_facts:
        name = key.removeprefix("@")
        by_default = (name.lower(), value.lower()) == ("remote", "false")
        if key != "normal" and not by_default and is_counted((name,), profile):
            start, role, end = turned(source, role, target)
            code = coder.label(f"{role}{MRP_EDGE_FACT}{name}={value}")
            coder.relations.append((start, code, end))
    tops = document.tops or (() if graph.top is None else (graph.top,))
    for v in tops if is_counted((MRP_TOP,), profile) else ():
        coder.attributes.append((v, coder.label(MRP_TOP_ROLE), coder.label("")))
    text = graph.metadata.get("input", "")
    for v in range(len(graph.variables)) if is_counted((MRP_ANCHOR,), profile) else ():
        if spans := document.spans(v):
            covered = coder.label(_characters(spans, text))
            coder.attributes.append((v, coder.label(MRP_ANCHOR_ROLE), covered))
    return coder.revise(graph).revised(top=None)


def _upright(role: str) -> str | None:
    """Return a role as its source states it, if its target does."""
    if role == "mod":
        return "domain"
    if role.endswith("-of-of") or (
        role.endswith("-of")
        and role not in ("consist-of", "subset-of")
        and not role.startswith("prep-")
    ):
        return role.removesuffix("-of")
    return None


def _characters(spans: Iterable[Span], text: str) -> str:
    """Return the characters of spans, without blanks and punctuation at the ends."""
    places: set[int] = set()
    for begin, end in spans:
        begin, end = max(begin, 0), min(end, len(text)) if text else end
        while begin < end and text[begin : begin + 1] in PUNCTUATION:
            begin += 1
        while end > begin and text[end - 1 : end] in PUNCTUATION:
            end -= 1
        places |= {k for k in range(begin, end) if text[k : k + 1] not in _SPACE}
    return " ".join(map(str, sorted(places)))


_SENSE = re.compile(rf"(?<=.)-\d\d+(?=(?:{TAG})?$)")
_SYNSET_SENSE = re.compile(rf'(?<=\.[nvasr])\.\d\d+(?=[_"]?(?:{TAG})?$)')
_SPLIT_SYNSET = ("synset", "synset_", '"synset"')


def standardise(graph: Graph, profile: Profile) -> Graph:
    """Change a graph before counting, as a profile's fields say.

    These are ``reification``, ``wiki``, ``sense``, ``beside``, ``only`` and
    ``leave_out``; if they change nothing, the graph is the same one.
    """
    if profile.reification == "smatchpp":
        graph = dereified_as_smatchpp(graph, profile.comparison)
    elif profile.reification != "keep":
        graph = reified(graph, inverse=profile.reification == "dereify")
    if not profile.wiki:
        graph = graph.with_roles(lambda label: label.lower() != "wiki")
    if not profile.sense:
        graph = without_senses(graph)
    return counted_beside(graph, profile)


def as_whole(graph: Graph, profile: Profile) -> Graph:
    """Change a graph for a metric that compares more of it at once than triples.

    Its root is not marked, and a variable of which nothing counts is not a node of it.
    """
    graph = standardise(graph, profile.with_options(top="none"))
    return without_vacant(graph) if profile.chooses_roles else graph


def changes_nothing(profile: Profile) -> bool:
    """Return whether :func:`standardise` leaves every graph as it is."""
    return (
        profile.reification == "keep"
        and profile.wiki
        and profile.sense
        and profile.beside == "nothing"
        and not (profile.only or profile.leave_out)
    )


def without_senses(graph: Graph) -> Graph:
    """Take the sense from every concept: ``want-01`` becomes ``want``.

    A synset loses its sense, too: ``want.v.01`` becomes ``want.v``.  If the sense is an
    attribute of the synset, that attribute is left out.  Tags of alignments stay where
    the reader left them: ``want-01~e.1`` becomes ``want~e.1``.
    """
    labels = graph.labels
    codes = {label: k for k, label in enumerate(labels)}
    code_of = codes.setdefault
    instances = tuple(
        [(v, code_of(_senseless(labels[c]), len(codes))) for v, c in graph.instances]
    )
    graph = graph.revised(labels=tuple(codes), instances=instances)
    if codes.keys().isdisjoint(_SPLIT_SYNSET):
        return graph
    split = {v for v, concept in instances if graph.labels[concept] in _SPLIT_SYNSET}
    sense = codes.get("sense", -1)
    kept = (row for row in graph.attributes if row[0] not in split or row[1] != sense)
    return graph.revised(attributes=tuple(kept))


@lru_cache(maxsize=1 << 16)
def _senseless(concept: str) -> str:
    return _SYNSET_SENSE.sub("", _SENSE.sub("", concept))


def reified(graph: Graph, *, inverse: bool = False) -> Graph:
    """Reify roles, or dereify nodes.

    To reify is to replace a role by a node that stands for it, such as ``:location`` by
    ``be-located-at-91``, wherever AMR has a concept for the role; the *inverse* is to
    replace such nodes by roles.

    Source: the reification table of ``penman.models.amr``.
    """
    from penman import Graph as PenmanGraph
    from penman import transform

    from exactmatch.graphs.quiet_penman import amr

    top = None if graph.top is None else graph.variables[graph.top]
    triples: list[Any] = [
        (source, f":{role}", target) for source, role, target in graph.triples()
    ]
    before = PenmanGraph(triples, top=top, epidata={t: [] for t in triples})
    step = transform.dereify_edges if inverse else transform.reify_edges
    after = step(before, amr.model)
    defined = (s for s, role, _ in after.triples if role == f":{INSTANCE}")
    coder = GraphCoder(map(str, defined))
    for source, role, target in after.triples:
        coder.add(str(source), role.removeprefix(":"), str(target))
    document = graph.document
    if document is not None:
        numbers = coder.numbers
        place = {v: numbers[n] for v, n in enumerate(graph.variables) if n in numbers}
        document = document.renumbered(place, len(numbers))
    return coder.graph(after.top, graph.metadata, graph.origin, graph.reader, document)


_LEFT_ALONE = (
    *("cause-01", "cost-01", "have-03", "have-org-role-91", "include-91", "mean-01"),
    "receive-01",
)
"""Reifications of penman's model that SMATCH++ does not undo."""

_INSTEAD = {"have-degree-92": "have-degree-91"}
"""Where SMATCH++ undoes another concept than penman's model has."""


class Reification(NamedTuple):
    """A node that stands for a role, whose two ends its own roles lead to."""

    role: str
    source_role: str
    target_role: str


@cache
def smatchpp_reifications(comparison: Comparison) -> Mapping[str, Reification]:
    """Return the reifications that SMATCH++ undoes, by concept, normalised.

    Source: the reification table of ``penman.models.amr``, which follows that of the
    AMR guidelines, as far as smatchpp 1.8.0 undoes what it lists (each concept was
    tried with each two of ``:ARG0`` to ``:ARG6``).
    """
    from exactmatch.graphs.quiet_penman import amr

    normalise = NORMALISERS[comparison]
    by_concept = {}
    for role, concept, source_role, target_role in amr.reifications:
        if concept not in _LEFT_ALONE:
            ends = (
                normalise(end.removeprefix(":")) for end in (source_role, target_role)
            )
            concept = normalise(_INSTEAD.get(concept, concept))
            by_concept[concept] = Reification(role.removeprefix(":"), *ends)
    return by_concept


def dereified_as_smatchpp(graph: Graph, comparison: Comparison) -> Graph:
    """Replace reified nodes by the roles they stand for, where SMATCH++ does.

    A node is replaced if it is not the root, nothing points at it, and its concept
    and the two roles of the reification, each stated once, are all it has.
    """
    table = smatchpp_reifications(comparison)
    labels = [NORMALISERS[comparison](label) for label in graph.labels]
    if table.keys().isdisjoint(labels):
        return graph
    nodes = _reified_nodes(graph, labels, table)
    kept = [v for v in range(len(graph.variables)) if v not in nodes]
    place = {v: k for k, v in enumerate(kept)}
    part = graph.part(kept)
    coder = GraphCoder.of(part)
    for role, (from_variable, source), (to_variable, target) in nodes.values():
        if not from_variable:
            code = coder.label(role + INVERSE)
            coder.attributes.append((place[target], code, source))
        elif not to_variable:
            coder.attributes.append((place[source], coder.label(role), target))
        else:
            coder.relations.append((place[source], coder.label(role), place[target]))
    return coder.revise(part)


_End: TypeAlias = tuple[bool, int]
"""Where a role leads: whether that is a variable, and its number or the constant's."""


def _reified_nodes(
    graph: Graph, labels: list[str], table: Mapping[str, Reification]
) -> dict[int, tuple[str, _End, _End]]:
    """Return the nodes to be replaced, each with its role and that role's ends.

    Nothing points at any of them, so no two of them are each other's ends.
    """
    concepts = Counter(v for v, _ in graph.instances)
    ends: defaultdict[int, list[tuple[str, _End]]] = defaultdict(list)
    fixed = {graph.top}
    for v, role, value in graph.attributes:
        if labels[role].endswith(INVERSE):
            fixed.add(v)
        else:
            ends[v].append((labels[role], (False, value)))
    for source, role, target in graph.relations:
        fixed.add(target)
        ends[source].append((labels[role], (True, target)))
    nodes = {}
    for v, concept in graph.instances:
        rule = table.get(labels[concept])
        if rule is None or v in fixed or concepts[v] > 1 or len(ends[v]) != 2:
            continue
        roles = dict(ends[v])
        if roles.keys() == {rule.source_role, rule.target_role}:
            rule_roles = roles[rule.source_role], roles[rule.target_role]
            if any(is_variable for is_variable, _ in rule_roles):
                nodes[v] = (rule.role, *rule_roles)
    return nodes
