"""Files broken at random in every format: read and written, or refused."""

import importlib.util
import json
import os
import random
from collections.abc import Callable
from typing import Any

import pytest
from support.mutations import mutated_json, mutated_text

import exactmatch
from exactmatch.base.errors import ExactmatchError
from exactmatch.formats.blocks import Block
from exactmatch.formats.formats import FORMATS, PENMAN, get_format
from exactmatch.formats.readings import read_block
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.making import make_metric

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "2000"))

UMR = """\
# :: snt1
Index: 1    2
Words: Dogs bark

# sentence level graph:
(s1b / bark-01
    :ARG0 (s1d / dog
        :name (s1n / name :op1 "Rex"))
    :aspect habitual)

# alignment:
s1b: 2-2
s1d: 1-1,2-2

# document level annotation:
(s1s0 / sentence
    :temporal ((document-creation-time :before s1b))
    :modal ((author :full-affirmative s1b)))

# :: snt2
Index: 1
Words: Sleep

# sentence level graph:
(s2s / sleep-01 :ARG0 (s2p / person))

# alignment:
s2s: 1-1

# document level annotation:
(s2s0 / sentence
    :coref ((s1d :same-entity s2p)))
"""

MRP: dict[str, Any] = {
    "id": "7",
    "framework": "eds",
    "flavor": 1,
    "version": 1.1,
    "input": "Dogs bark",
    "tops": [0],
    "nodes": [
        {
            "id": 0,
            "label": "_bark_v_1",
            "properties": ["tense"],
            "values": ["pres"],
            "anchors": [{"from": 5, "to": 9}],
        },
        {"id": 1, "label": "_dog_n_1", "anchors": [{"from": 0, "to": 4}]},
    ],
    "edges": [
        {
            "source": 0,
            "target": 1,
            "label": "ARG1",
            "attributes": ["remote"],
            "values": [True],
        }
    ],
}

NODE_LINK: dict[str, Any] = {
    "directed": True,
    "multigraph": True,
    "graph": {"top": "b", "id": "7"},
    "nodes": [{"id": "b", "concept": "bark"}, {"id": "d", "concept": "dog"}],
    "links": [{"source": "b", "target": "d", "role": "ARG0"}],
}

GRAPHML = """\
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d" for="node" attr.name="label" attr.type="string"/>
<graph edgedefault="directed"><node id="a"><data key="d">x</data></node>
<node id="b"/><edge source="a" target="b"/></graph></graphml>
"""

GEXF = """\
<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph><nodes>
<node id="0" label="a"/><node id="1" label="b"/></nodes>
<edges><edge id="0" source="0" target="1"/></edges></graph></gexf>
"""

WEBNLG = """\
<benchmark><entries><entry category="A" eid="Id7"><modifiedtripleset>
<mtriple>Ash | gives | Oak</mtriple></modifiedtripleset></entry></entries></benchmark>
"""

TURTLE = "@prefix e: <http://e.org/> .\ne:a e:b e:c, 7 .\n"

TEXTS = {
    "umr": UMR,
    "umr-file": UMR + UMR,
    "umr-sentences": UMR,
    "mrp": json.dumps(MRP),
    "sbn": 'dog.n.01 Name "Rex" % Dogs [0-4]\n    NEGATION <1\nbark.v.01 Agent -1\n',
    "clauses": 'b1 REF x1\nb1 dog "n.01" x1\nb1 NOT b2\nb2 Agent e1 x1 % b [5...9]\n',
    "triples": "b\tinstance\tbark\nb\tARG0\td\nd\tinstance\tdog\n",
    "node-link": json.dumps(NODE_LINK),
    "penman": "# ::id 7\n(b / bark :ARG0 (d / dog))\n",
    "json": '{"id": "7", "nodes": ["bark", "dog"], "edges": [[0, "ARG0", 1]]}\n',
    "answers": '{"id": 7, "response": "Sure: {\\"nodes\\": [\\"bark\\"]}"}\n',
    "table": 'id,subject,relation,object\n7,dog,barks at,"cat, old"\n',
    "relations": "# ::id 7\nbarksAt(dog, cat)\n",
    "worfbench": "Node:\n1. open door\n2. walk in\nEdges: (START,1) (1,2) (2,END)\n",
    "mermaid": 'flowchart TD\n a["Is?"] -->|yes| b{Go} & c\n  b -. no .-> c\n',
    "gml": 'graph [ directed 1 node [ id 0 label "a" ]\n edge [ source 0 target 0 ]]',
    "graphml": GRAPHML,
    "webnlg": WEBNLG,
    "gspan": "t # 0\nv 0 C\nv 1 O\ne 0 1 2\nt # 1\nv 0 N\n",
    "document": '{"name": "a", "parts": [{"k": 1}, {"k": [true, null]}]}\n',
    "ged-json": '{"n": 2, "labels": ["C", "O"], "edges": [[0, 1]], "id": 3}\n',
    "gexf": GEXF,
    "gxl": '<gxl><graph id="a"><node id="1"/><edge from="1" to="1"/></graph></gxl>',
    "pajek": '*Vertices 2\n1 "a"\n2 "b"\n*Arcs\n1 2 1\n',
    "dot": "digraph { a -> b }\n",
    "edge-list": "a b\nb c 2\n",
    "directed-edge-list": "a b\nb c {'w': 2}\n",
    "adjacency-list": "a b c\nb c\n",
    "directed-adjacency-list": "a b c\nb c\n",
}
MOL = """\
ethanol
     RDKit          2D

  3  2  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    1.2990    0.7500    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    2.5981   -0.0000    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0
  1  2  1  0
  2  3  1  0
M  END
"""

PACKAGES = {
    "rdf": ("rdflib", TURTLE),
    "smiles": ("rdkit", "CCO ethanol\nc1ccccc1[N+](=O)[O-]\n"),
    "sdf": ("rdkit", f"{MOL}$$$$\n{MOL}$$$$\n"),
    "mol": ("rdkit", MOL),
}
"""Formats that need packages that may be missing."""

TEXTS |= {
    name: text
    for name, (package, text) in PACKAGES.items()
    if importlib.util.find_spec(package)
}

WORDS: tuple[str, ...] = (
    *("(", ")", "/", ":", '"', " ", "\n", "\t", "\r", "#", "%", "\x1b", "é", "\u2028"),
    *("\ufeff", "\x00", "s1", "snt2", "# ", "-01", ",", "[", "]", "{", "}", "null"),
    *("1", "-1", "1e999", "NaN", "true", '"id"', "<", ">", "b1", "REF", "e1", "0-0"),
)


def stated(block: Block) -> Graph:
    return get_format(block.format or PENMAN).read(block).graph


def test_every_format_is_broken() -> None:
    assert {*TEXTS, *PACKAGES} == set(FORMATS)
    for name, text in TEXTS.items():
        blocks = FORMATS[name].blocks(text.splitlines(keepends=True), None)
        assert all(stated(block).variables for block in blocks)


def told_of(doing: Callable[..., Any], *arguments: Any) -> str:
    """What is said against something; nothing if it can be done."""
    told = ""
    try:
        doing(*arguments)
    except ExactmatchError as error:
        told = str(error) or "an error without a message"
    assert "\n" not in told, told
    return told


def written_everywhere(graph: Graph) -> None:
    for target in FORMATS.values():
        told_of(target.write, graph)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_broken_file_is_read_or_refused() -> None:
    def read(rng: random.Random) -> None:
        name = rng.choice(list(TEXTS))
        text = mutated_text(rng, TEXTS[name], WORDS)
        profile = rng.choice(list(PROFILES.values()))
        for block in FORMATS[name].blocks(text.splitlines(keepends=True), "file"):
            written_everywhere(stated(block))
            read_block(block, profile)

    done = sum(not told_of(read, random.Random(seed)) for seed in range(CASES))
    assert CASES / 20 < done < CASES


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("whole", [MRP, NODE_LINK], ids=["mrp", "node-link"])
def test_broken_json_is_scored_or_refused(whole: dict[str, Any]) -> None:
    metrics = [make_metric(name) for name in ("mrp", "edm", "sdp", "smatch")]

    def score(rng: random.Random) -> None:
        text = json.dumps(mutated_json(rng, whole))
        written_everywhere(exactmatch.read(text, rng.choice(list(PROFILES))))
        for metric in metrics:
            graph = metric.read(text).item
            metric.measure(graph, graph)

    done = sum(not told_of(score, random.Random(seed)) for seed in range(CASES // 2))
    assert CASES / 20 < done < CASES
