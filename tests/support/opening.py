"""Records of opened files and connections, and texts that try to open some."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

CANARY = "canary-6f2a"
"""Part of the names that hostile texts name, and nothing else has."""

_EVENTS = ("open", "os.listdir", "os.scandir", "glob.glob", "subprocess.Popen")
_NETWORK = ("socket.connect", "socket.getaddrinfo", "urllib.Request", "http.client")
_listening: list[tuple[str, list[tuple[str, str]]]] = []


def _hook(event: str, arguments: Any) -> None:
    if _listening and (event in _EVENTS or event.startswith(_NETWORK)):
        shown = repr(arguments)
        for part, records in _listening:
            if event.startswith(_NETWORK) or part in shown:
                records.append((event, shown))


sys.addaudithook(_hook)


@contextmanager
def opened(part: str = CANARY) -> Iterator[list[tuple[str, str]]]:
    """Collect what opens files with *part* in their names, or connects to anything."""
    records: list[tuple[str, str]] = []
    _listening.append((part, records))
    try:
        yield records
    finally:
        _listening.pop()


def contexts(name: str) -> dict[str, Any]:
    """JSON-LD documents that name a context, by the place where it stands."""
    own = {"p": "http://x/p"}
    inner = {"@context": name, "p": "b"}
    subject = {"@id": "http://a/s"}
    return {
        "alone": {"@context": name, **subject, "p": "b"},
        "in a list": {"@context": [name], **subject, "p": "b"},
        "in lists": {"@context": [[[name]]], **subject, "p": "b"},
        "second": {"@context": [own, name], **subject, "p": "b"},
        "imported": {"@context": {"@import": name}, **subject, "p": "b"},
        "of a context": {"@context": {"@context": name}, **subject, "p": "b"},
        "scoped": {
            "@context": {"p": {"@id": "http://x/p", "@context": name}},
            **subject,
            "p": {"p": "b"},
        },
        "scoped, in lists": {
            "@context": {"p": {"@id": "http://x/p", "@context": [[name]]}},
            **subject,
            "p": {"p": "b"},
        },
        "of a type": {
            "@context": {"T": {"@id": "http://x/T", "@context": name}},
            **subject,
            "@type": "T",
            "p": "b",
        },
        "inner": {"@context": own, **subject, "p": inner},
        "behind an empty one": {
            "@context": own,
            **subject,
            "p": {"@context": None, "http://x/q": {"@context": [name], "p": "b"}},
        },
        "included": {"@context": own, **subject, "p": "b", "@included": [inner]},
        "in a graph": {"@graph": [{**inner, "@id": "http://a/t"}]},
        "not propagated": {
            "@context": own,
            **subject,
            "p": {"@context": {"@propagate": False, "@import": name}, "p": "b"},
        },
        "reversed": {
            "@context": own,
            **subject,
            "@reverse": {"p": {**inner, "@id": "http://a/t"}},
        },
    }


def hostile_texts(name: str) -> dict[str, str]:
    """Texts that name a file or an address in every way that a format knows."""
    entity = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{name}">'
    return {
        "collection": f'<GraphCollection><print file="{name}"/></GraphCollection>',
        "gxl": f'<gxl><graph id="a" href="{name}"><node id="{name}"/></graph></gxl>',
        "gxl with an entity": f'<?xml version="1.0"?>{entity}]>'
        '<gxl><graph id="a"><node id="n">&e;</node></graph></gxl>',
        "gxl with a parameter entity": f'<!DOCTYPE x [<!ENTITY % e SYSTEM "{name}">'
        '%e;]><gxl><graph id="a"><node id="n"/></graph></gxl>',
        "gxl with a document type": f'<!DOCTYPE gxl SYSTEM "{name}">'
        '<gxl><graph id="a"><node id="n"/></graph></gxl>',
        "graphml with an entity": f'<?xml version="1.0"?>{entity}]>'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph '
        'edgedefault="directed"><node id="n"><desc>&e;</desc></node></graph></graphml>',
        "gexf with an entity": f'<?xml version="1.0"?>{entity}]>'
        '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph><nodes>'
        '<node id="n" label="&e;"/></nodes></graph></gexf>',
        "webnlg with an inclusion": "<benchmark><entries><entry><modifiedtripleset>"
        f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{name}"/>'
        "<mtriple>a | b | c</mtriple></modifiedtripleset></entry></entries>"
        "</benchmark>",
        "turtle": f"@base <{name}> .\n@prefix : <{name}#> .\n<{name}> a <a> .\n"
        f"<> <http://www.w3.org/2002/07/owl#imports> <{name}> .\n",
        "document": json.dumps({"$schema": name, "$ref": name, "nodes": ["a"]}),
        "dot": f'digraph {{ a [image="{name}", shapefile="{name}"]; a -> b }}',
        "mermaid": f'flowchart TD\n a["@{name}"] --> b\n click a href "file://{name}"\n',
        "gml": f'graph [ node [ id 0 label "{name}" ] ]',
        "pajek": f'*Vertices 1\n1 "{name}"\n*Arcs\n',
        "penman": f'(a / and :op1 "{name}" :wiki "file://{name}")',
        "edge list": f"{name} b {{'a': open('{name}')}}\n",
        "yaml": f"nodes: !!python/object/apply:open ['{name}']\nedges: []\n",
        **{
            f"json-ld, a context {place}": json.dumps(data)
            for place, data in contexts(name).items()
        },
    }
