"""Graphs from and to networkx and penman.

The model that users see and bring is a ``networkx.MultiDiGraph`` whose nodes are the
variables and whose edges are the relations, so that a graph can be built by hand::

    graph = networkx.MultiDiGraph(top="w", id="1", snt="The boy does not want.")
    graph.add_node("w", concept="want-01", attributes=[("polarity", "-")])
    graph.add_node("b", concept="boy")
    graph.add_edge("w", "b", role="ARG0")

:func:`from_networkx` and :func:`to_networkx` say what each key means.
"""

from __future__ import annotations

import numbers
from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError, check_kind
from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import INSTANCE, Graph, GraphCoder, Origin

if TYPE_CHECKING:
    import networkx
    import penman

_RESERVED = ("top", "order", "document")
_LONGEST = 60


def to_networkx(graph: Graph) -> networkx.MultiDiGraph[Any]:
    """Give a graph as a ``networkx.MultiDiGraph``, without loss.

    Args:
        graph: the graph.

    Returns:
        A graph whose nodes are the variables and whose edges are the relations.

        Each *node* has ``concept`` (a string; ``None`` where it has none, a list where
        it has several) and ``attributes``, the list of its ``(role, constant)`` pairs.

        Each *edge* has ``role``, without a colon.

        The *graph* has ``top``, the root's node, and the metadata: ``id``, ``snt`` and
        so on (``::top`` where a key is taken).  Where the triples do not stand node by
        node, ``order`` lists the nodes of the ``instances`` and ``attributes`` and the
        pairs of nodes of the ``relations`` as they stand; ``document`` holds what the
        graph says beside its triples, as plain data.

    Raises:
        InputError: if it is not a :class:`Graph`.

    >>> import exactmatch
    >>> graph = exactmatch.read("(b / bark-01 :ARG0 (d / dog))")
    >>> list(exactmatch.formats.to_networkx(graph).edges(data="role"))
    [('b', 'd', 'ARG0')]
    """
    from networkx import MultiDiGraph

    if not isinstance(graph, Graph):
        raise InputError(
            f"{type(graph).__name__} is not a Graph; make one by exactmatch.read"
        )
    network = MultiDiGraph()
    names, labels = graph.variables, graph.labels
    network.graph["top"] = None if graph.top is None else names[graph.top]
    for key, text in graph.metadata.items():
        is_reserved = key in _RESERVED or key.startswith("::")
        network.graph[f"::{key}" if is_reserved else key] = text
    for name, instances in zip(names, graph.instance_numbers(), strict=True):
        concepts = [labels[graph.instances[k][1]] for k in instances]
        shown = concepts[0] if len(concepts) == 1 else concepts or None
        network.add_node(name, concept=shown, attributes=[])
    for v, role, value in graph.attributes:
        pairs = network.nodes[names[v]]["attributes"]
        pairs.append((_marked(labels[role]), labels[value]))
    for source, role, target in graph.relations:
        network.add_edge(names[source], names[target], role=_marked(labels[role]))
    order: dict[str, list[Any]] = {
        "instances": [names[v] for v, _ in graph.instances],
        "attributes": [names[v] for v, _, _ in graph.attributes],
        "relations": [(names[s], names[t]) for s, _, t in graph.relations],
    }
    number = {name: v for v, name in enumerate(names)}
    by_nodes = [order[kind] for kind in ("instances", "attributes")]
    if any(nodes != sorted(nodes, key=number.__getitem__) for nodes in by_nodes) or (
        order["relations"] != list(network.edges())
    ):
        network.graph["order"] = order
    if graph.document is not None:
        network.graph["document"] = graph.document.as_data(dict(enumerate(names)))
    return network


def _marked(role: str) -> str:
    """Double a role's leading colon: :func:`from_networkx` drops one."""
    return f":{role}" if role.startswith(":") else role


def from_networkx(
    network: networkx.DiGraph[Any], origin: Origin | None = None
) -> Graph:
    """Make a graph from a directed ``networkx`` graph.

    Its nodes are the variables, its edges the relations.

    * A *node* has ``concept`` (a string; ``None`` or nothing where it has none, a list
      where it has several) and ``attributes``, a list of ``(role, constant)`` pairs.
      Any other key with a string or a number is a constant, too, as in
      ``add_node("w", concept="want-01", polarity="-")``.  Nodes and constants may be
      numbers, which stand for their text.
    * An *edge* must have ``role``, without a colon; other keys are not looked at.
    * The *graph* has ``top``, the root's node (default: the first node), and strings or
      numbers as metadata, such as ``id`` and ``snt``; ``order`` and ``document`` are as
      :func:`to_networkx` gives them and may be left out.

    Args:
        network: the graph.
        origin: where it comes from, for messages.

    Raises:
        GraphError: if the graph is undirected, an edge has no role, the top is
            no node, a concept or constant is of another kind, or two nodes have
            the same name as text.

    >>> import exactmatch
    >>> import networkx
    >>> network = networkx.MultiDiGraph(top="b")
    >>> network.add_node("b", concept="bark-01")
    >>> network.add_node("d", concept="dog")
    >>> _ = network.add_edge("b", "d", role="ARG0")
    >>> graph = exactmatch.formats.from_networkx(network)
    >>> exactmatch.smatch(graph, "(x / bark-01)").recall
    1.0
    """
    import networkx as nx

    check_kind("the graph", network, nx.Graph, "a networkx.MultiDiGraph")
    metadata = {
        str(key).removeprefix("::"): str(value)
        for key, value in network.graph.items()
        if key not in _RESERVED and _is_constant(value)
    }
    origin = origin or Origin(graph_id=metadata.get("id"))
    if not network.is_directed():
        raise origin.error(
            "is undirected, so a relation's source cannot be told from its target; use "
            "networkx.MultiDiGraph"
        )
    coder = GraphCoder()
    number: dict[Hashable, int] = {}
    for node in network:
        number[node] = len(number)
        if coder.variable(str(node)) != number[node]:
            raise origin.error(f"has two nodes that are both {str(node)!r} as text")
    order = _order_of(network)
    concepts: _Queues = {}
    constants: _Queues = {}
    edges: _Queues = {}
    for node, keys in network.nodes(data=True):
        concepts[node] = deque(_concepts_of(node, keys, origin))
        constants[node] = deque(_constants_of(node, keys, origin))
    for source, target, keys in network.edges(data=True):
        role = _role_of(source, target, keys, origin)
        edges.setdefault((source, target), deque()).append(role)
    for node, concept in _in_order(concepts, order.get("instances", ())):
        coder.instances.append((number[node], coder.label(concept)))
    for node, (role, value) in _in_order(constants, order.get("attributes", ())):
        coder.attributes.append((number[node], coder.label(role), coder.label(value)))
    for (source, target), role in _in_order(edges, order.get("relations", ())):
        coder.relations.append((number[source], coder.label(role), number[target]))
    top = network.graph.get("top", next(iter(number), None))
    if top is not None and not (_is_key(top) and top in number):
        raise origin.error(f"has the top {_shown(top)}, which is not a node")
    document = _document_of(network, tuple(coder.numbers), origin)
    named = None if top is None else list(coder.numbers)[number[top]]
    return coder.graph(named, metadata, origin, document=document)


def _document_of(
    network: networkx.DiGraph, names: tuple[str, ...], origin: Origin
) -> Document | None:
    """Return the document that a network holds beside nodes and edges."""
    data = network.graph.get("document")
    if data is None:
        return None
    try:
        document, unknown = Document.from_data(data, names)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        reason = f"that cannot be read ({type(error).__name__} at {error})"
    else:
        if not unknown:
            return document
        reason = f"with {unknown[0]!r}, which is unknown"
    raise origin.error(f"has 'document' data {reason}; give what to_networkx wrote")


def to_penman(graph: Graph) -> penman.Graph:
    """Give a graph as a ``penman.Graph``, triple by triple.

    Raises:
        GraphError: if penman would read a triple as another one: its constant is also
            a variable's name, or its role is called ``instance``.

    >>> import exactmatch
    >>> import penman
    >>> graph = exactmatch.read("(b / bark-01 :ARG0 (d / dog))")
    >>> print(penman.encode(exactmatch.formats.to_penman(graph), indent=None))
    (b / bark-01 :ARG0 (d / dog))
    """
    from exactmatch.graphs.quiet_penman import penman

    check_kind("the graph", graph, Graph, "a Graph, such as exactmatch.read makes")
    names, labels = graph.variables, graph.labels
    variables = set(names)
    for _, _, value in graph.attributes:
        if labels[value] in variables:
            raise graph.origin.error(
                f"has the constant {labels[value]!r}, which is also a variable; "
                "rename the variable"
            )
    statements: list[tuple[str, str, str | None]] = list(graph.triples())
    first = len(graph.instances)
    if any(role == INSTANCE for _, role, _ in statements[first:]):
        raise graph.origin.error("has a role called 'instance'; rename it")
    named = zip(names, graph.concepts(), strict=True)
    statements[first:first] = [(name, INSTANCE, None) for name, c in named if c is None]
    triples = [(source, f":{role}", target) for source, role, target in statements]
    top = None if graph.top is None else names[graph.top]
    return penman.Graph(triples, top=top, metadata=dict(graph.metadata))


def from_penman(decoded: penman.Graph) -> Graph:
    """Make a graph of the triples of a ``penman.Graph``, as they stand.

    Roles keep the direction in which the graph was decoded, which depends on the
    penman model that was used.  To count a graph as if it
    were read from its text, use :func:`exactmatch.formats.readings.read` instead.

    Raises:
        GraphError: if a role other than ``:instance`` has no value, or something is
            neither a string nor a number.

    >>> import exactmatch
    >>> import penman
    >>> decoded = penman.decode("(b / bark-01 :ARG0 (d / dog))")
    >>> exactmatch.formats.from_penman(decoded).variables
    ('b', 'd')
    """
    from exactmatch.graphs.quiet_penman import penman

    check_kind("the graph", decoded, penman.Graph, "a penman.Graph")
    metadata = dict(decoded.metadata)
    origin = Origin(graph_id=metadata.get("id"))
    coder = GraphCoder()
    for source, role, target in decoded.triples:
        is_attribute = target is None or _is_constant(target)
        if not (_is_constant(source) and isinstance(role, str) and is_attribute):
            raise origin.error(
                f"has the triple {_shown((source, role, target))}; a triple is "
                "strings and numbers"
            )
        coder.variable(str(source))
    top = decoded.top
    if top is not None:
        coder.variable(str(top))
    for source, role, target in decoded.triples:
        name = role.removeprefix(":")
        if target is not None:
            coder.add(str(source), name, str(target))
        elif name != INSTANCE:
            raise origin.error(f"has role ':{name}' without a value")
    return coder.graph(None if top is None else str(top), metadata, origin)


_Queues = dict[Hashable, "deque[Any]"]


def _in_order(queues: _Queues, order: Iterable[Hashable]) -> Iterable[tuple[Any, Any]]:
    """Empty the queues, in the wanted order as far as it goes, then one by one."""
    for key in order:
        if queues.get(key):
            yield key, queues[key].popleft()
    for key, queue in queues.items():
        for item in queue:
            yield key, item


def _order_of(network: networkx.DiGraph) -> dict[str, list[Hashable]]:
    """Return the ``order`` of a network, without the parts that cannot be one."""
    order = network.graph.get("order")
    if not isinstance(order, Mapping):
        return {}
    keys_of: dict[str, list[Hashable]] = {}
    for kind, nodes in order.items():
        if isinstance(nodes, (list, tuple)):  # a pair that went through JSON is a list
            keys = [tuple(key) if isinstance(key, list) else key for key in nodes]
            keys_of[kind] = list(filter(_is_key, keys))
    return keys_of


def _is_key(key: Any) -> bool:
    """Return whether a value can be a node or a pair of nodes: those are hashable."""
    try:
        hash(key)
    except TypeError:
        return False
    return True


def _shown(value: Any) -> str:
    """Return a value of any kind, in one line of bounded length."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _concepts_of(node: Any, keys: Mapping[Any, Any], origin: Origin) -> list[str]:
    concept = keys.get("concept")
    concepts = concept if isinstance(concept, (list, tuple)) else [concept]
    if concept is None:
        return []
    for label in concepts:
        if not isinstance(label, str):
            raise origin.error(
                f"has the concept {_shown(label)} at node {node!r}; a concept is a "
                "string"
            )
    return list(concepts)


def _constants_of(
    node: Any, keys: Mapping[Any, Any], origin: Origin
) -> list[tuple[str, str]]:
    attributes = keys.get("attributes", ())
    if not isinstance(attributes, (Mapping, list, tuple)):
        raise origin.error(
            f"has the attributes {_shown(attributes)} at node {node!r}; they are a "
            "list of pairs of role and constant"
        )
    pairs = list(attributes.items() if isinstance(attributes, Mapping) else attributes)
    pairs += [p for p in keys.items() if p[0] not in ("concept", "attributes")]
    constants = []
    for pair in pairs:
        is_pair = isinstance(pair, (list, tuple)) and len(pair) == 2
        if not is_pair or not isinstance(pair[0], str):
            raise origin.error(
                f"has the attribute {_shown(pair)} at node {node!r}; an attribute is a "
                "pair of role and constant"
            )
        role, value = pair
        if not _is_constant(value):
            raise origin.error(
                f"has the constant {_shown(value)} for {role!r} at node {node!r}; a "
                "constant is a string or a number"
            )
        constants.append((role.removeprefix(":"), str(value)))
    return constants


def _role_of(source: Any, target: Any, keys: Mapping[Any, Any], origin: Origin) -> str:
    role = keys.get("role")
    if not isinstance(role, str):
        role_in_words = "no role" if role is None else f"the role {_shown(role)}"
        raise origin.error(
            f"has {role_in_words} on the edge from {source!r} to {target!r}; give "
            "it a string as role="
        )
    return role.removeprefix(":")


def _is_constant(value: object) -> bool:
    return isinstance(value, (str, numbers.Real)) and not isinstance(value, bool)
