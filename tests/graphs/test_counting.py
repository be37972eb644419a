"""What counts beside a graph's own triples: documents, MRP graphs, chosen roles."""

from __future__ import annotations

from typing import Any

import pytest
from support.samples import MRP, UMR

from exactmatch.formats.formats import FORMATS
from exactmatch.formats.readings import as_graph, read_block
from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.graphs.standardise import changes_nothing, standardise


def counted(name: str, text: str, profile: Profile) -> list[str]:
    (block, *_) = FORMATS[name].blocks(text.splitlines(keepends=True), None)
    graph = standardise(read_block(block, profile).graph, profile)
    return [" ".join(triple) for triple in graph.triples()]


def umr(**options: Any) -> list[str]:
    return counted("umr", UMR, PROFILES["umr"].with_options(**options))


def test_document_triples_count_and_inverse_ones_are_turned() -> None:
    plain = umr(beside="nothing")
    assert umr()[: len(plain)] == plain
    assert umr()[len(plain) :] == [
        "document-creation-time before s1r",
        "root modal author",
        "author full-affirmative s1r",
        "s2f before s1r",
        "s1p same-entity s2p",
    ]


def test_sentences_first_nodes_are_marked_where_roots_are() -> None:
    assert not any(" TOP " in triple for triple in umr())
    assert [t for t in umr(top="constant") if " TOP " in t] == [
        "s1r TOP top",
        "s2f TOP top",
    ]
    assert "s2f TOP #fall-01" in umr(top="concept")


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({"only": ("concept",)}, {"instance"}),
        ({"only": ("arg0", "aspect")}, {"ARG0", "aspect"}),
        ({"only": ("coref",)}, {"same-entity"}),
        ({"only": ("modal",)}, {"modal", "full-affirmative"}),
        ({"only": ("after",)}, {"before"}),
        ({"only": ("arg0", "coref"), "leave_out": ("arg0",)}, {"same-entity"}),
    ],
)
def test_only_some_roles_or_levels(options: dict[str, Any], kept: set[str]) -> None:
    assert {triple.split()[1] for triple in umr(**options)} == kept


def test_without_some_roles_or_levels() -> None:
    every = umr()
    left = umr(leave_out=("temporal", "time", "instance"))
    lost = {triple.split()[1] for triple in set(every) - set(left)}
    assert lost == {"before", "time", "instance"}


def test_roles_are_chosen_of_plain_graphs_too() -> None:
    profile = PROFILES["smatch"].with_options(only=("mod", "domain"), top="none")
    graph = standardise(as_graph("(a / x :mod (b / y) :ARG0 b)", profile), profile)
    assert [" ".join(triple) for triple in graph.triples()] == ["b domain a"]


def test_mrp_graphs_count_in_pieces() -> None:
    found = counted("mrp", MRP, PROFILES["mrp"])
    assert found == [
        "n0 instance named",
        "n1 instance _run_v_away",
        "n0 carg Mary",
        "n1 @top ",
        "n0 @anchor 0 1 2 3",
        "n1 @anchor 5 6 7 9 10 11 12",
        "n1 ARG1 n0",
        "n1 ARG2 n2",
        "n0 mod n2",
        "n1 ARG2 @remote=true n2",
    ]


def test_default_values_of_edges_do_not_count() -> None:
    text = MRP.replace('"values": ["true"]', '"values": ["False"]')
    assert not any(
        "remote" in triple for triple in counted("mrp", text, PROFILES["mrp"])
    )


def test_profiles_that_ask_for_nothing_change_nothing() -> None:
    assert changes_nothing(PROFILES["doc-amr"])
    for name in ("umr", "mrp", "drs-lenient"):
        assert not changes_nothing(PROFILES[name])
    assert not changes_nothing(PROFILES["smatch"].with_options(only=("x",)))


def test_senses_of_synsets_are_left_out() -> None:
    whole = as_graph('(b / box :member (s / "run.v.02"))', PROFILES["drs"])
    split = as_graph(
        '(b / "box" :member (s / "synset" :lemma "run" :sense "02" :pos "v"))',
        PROFILES["drs"],
    )
    lenient = PROFILES["drs-lenient"]
    found = [list(standardise(graph, lenient).triples()) for graph in (whole, split)]
    assert ("s", "instance", "run.v_") in found[0]
    assert not any(triple.role == "sense" for triple in found[1])
    other = as_graph('(a / thing :sense "02")', PROFILES["drs"])
    assert any(t.role == "sense" for t in standardise(other, lenient).triples())


def test_reification_keeps_a_document() -> None:
    profile = PROFILES["umr"].with_options(reification="reify")
    document = Document(homes=((0,), (0,)), anchors=(((1, 1),), ((2, 2),)))
    graph = Graph.from_triples(
        [("a", "instance", "x"), ("b", "instance", "y"), ("a", "location", "b")]
    )
    graph = Graph(
        graph.variables,
        graph.labels,
        graph.instances,
        graph.attributes,
        graph.relations,
        graph.top,
        document=document,
    )
    found = standardise(graph, profile)
    assert len(found.variables) == 3
    kept = found.document or Document()
    spans = {name: kept.spans(v) for v, name in enumerate(found.variables)}
    assert (spans["a"], spans["b"]) == (((1, 1),), ((2, 2),))
