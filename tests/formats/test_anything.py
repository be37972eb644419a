"""One graph is one graph, whatever it comes as."""

from __future__ import annotations

import pickle
from collections import Counter
from importlib.resources import files
from typing import Any

import networkx
import penman
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from penman.models import amr
from support.examples import examples
from support.graph_strategies import Parts, parts
from support.representations import forms

import exactmatch
from exactmatch.base.errors import GraphError, InputError
from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.convert import from_penman, to_networkx
from exactmatch.formats.readings import as_graph, read, read_block
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.penman_text import text_of
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.metrics.score import Score

SMATCH, CLEAN = PROFILES["smatch"], PROFILES["clean"]
AS_SMATCH = ("smatch", "doc-amr", "drs", "drs-synsets")
SAMPLE = [
    "\n".join(block.lines)
    for name in ("pred.amr", "gold.amr")
    for block in blocks_of_text((files("exactmatch") / "sample" / name).read_text())
]

WANT = """\
# ::id 7 ::date today
# ::snt The boy does not want Ann to consist of 2 cells.
(w / want-01
   :polarity -
   :ARG0 (b / boy :mod (y / young))
   :ARG1 (c / cell :quant 2 :consist-of (p / person
      :name (n / name :op1 "Ann" :op1 "Ann")
      :ARG0-of w)))
"""

every_profile = pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)


def counts(score: Score) -> tuple[float | None, ...]:
    return score.score, score.matched, score.pred_total, score.gold_total


@pytest.mark.slow
@every_profile
def test_the_sample_scores_the_same_in_every_form(profile: Profile) -> None:
    """Every form against every form: all counts are those of text against text.

    A text's forms are held against themselves, the next text's each against the next
    form, and so on, so that in many texts every form meets every other.
    """
    metric = exactmatch.make_metric(
        "sembleu" if profile.name == "sembleu" else "smatch", profile=profile
    )
    compared = set()
    for number, text in enumerate(SAMPLE):
        whole = counts(exactmatch.score(text, text, metric=metric))
        graphs = {name: as_graph(form, profile) for name, form in forms(text, profile)}
        names = list(graphs)
        for k, name in enumerate(names):
            other = names[(k + number) % len(names)]
            measured = metric.measure(graphs[name], graphs[other])
            assert counts(metric.scores(measured.statistics)) == whole, text
            compared.add((name, other))
    assert len(compared) == len({name for name, _ in compared}) ** 2


def test_scoring_takes_every_form() -> None:
    whole = exactmatch.smatch(WANT, WANT)
    for name, form in forms(WANT, SMATCH):
        assert counts(exactmatch.smatch(form, WANT)) == counts(whole), name
        assert counts(exactmatch.smatch(WANT, form)) == counts(whole), name
    assert whole.f1 == 1 + 2 / whole.pred_total, "op1 is there twice and counts 4"


@every_profile
@given(plain=parts(connected=True, repeat=True))
@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
def test_what_has_no_text_is_read_as_its_text(profile: Profile, plain: Parts) -> None:
    graph = plain.graph()
    text = text_of(graph)
    if profile.reader in AS_SMATCH:  # :mod-of is read as no annotator means it
        text = text.replace(":mod-of ", ":domain ")
    wanted = outcome(text, profile)
    assert outcome(graph, profile) == wanted
    assert outcome(to_networkx(graph), profile) == wanted


def outcome(item: Any, profile: Profile) -> Graph | str:
    """The graph, or why there is none."""
    try:
        return as_graph(item, profile)
    except GraphError as error:
        return error.reason


def said_by_smatch(triples: list[tuple[str, str, str]], names: set[str]) -> Counter:
    """What smatch makes of triples, written down from what is known of its reader."""
    found: Counter[tuple[str, str, str]] = Counter()
    for source, role, target in triples:
        upright = role.removesuffix("-of")
        turned = upright != role or role == "mod"
        upright = "domain" if role == "mod" else upright
        if role == "instance" or not turned:
            quoted = target.startswith('"') or " " in target
            first, *more = target.strip('"').split(" ")
            if role == "instance":
                value = first + "".join(more) + "_" * quoted
            else:
                value = first if more else first + "_" * quoted
            found[source, role, target if target in names else value] += 1
        elif target in names:
            found[target, upright, source] += 1
    return found


NAMES = ("a", "b", "c c", "-", "d:")
LABELS = ("x", '"New York"', "Los Angeles", "x-01", '"y"')
ROLES = ("ARG0", "mod", "ARG1-of", "capable of", "part of-of")


@given(
    concepts=st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(LABELS))),
    others=st.lists(
        st.tuples(
            st.sampled_from(NAMES),
            st.sampled_from(ROLES),
            st.sampled_from(NAMES + LABELS),
        )
    ),
    top=st.booleans(),
)
def test_what_no_text_says_keeps_its_triples(
    concepts: list[tuple[str, str]], others: list[tuple[str, str, str]], top: bool
) -> None:
    """Several pieces, concepts and tops; none of them; names and roles with blanks."""
    names = dict.fromkeys(NAMES)
    triples = [(v, "instance", c) for v, c in concepts]
    triples += [t for t in others if t[2] in names or t[2] in LABELS]
    coder_names = tuple(names)
    graph = Graph.from_triples([(v, "instance", "x") for v in coder_names] + triples)
    kept = graph.instances[len(coder_names) :]
    graph = Graph(
        graph.variables,
        graph.labels,
        kept,
        graph.attributes,
        graph.relations,
        2 if top else None,
    )
    found = as_graph(graph, SMATCH)
    assert Counter(map(tuple, found.triples())) == said_by_smatch(triples, set(names))
    assert set(found.variables) == set(names)
    named = None if found.top is None else found.variables[found.top]
    assert named == ("c c" if top else None)


def test_the_names_of_variables_that_no_text_can_have_come_back() -> None:
    network = networkx.MultiDiGraph()
    network.add_edge("New York", "part of:", role="is a")
    for profile in PROFILES.values():
        graph = as_graph(network, profile)
        assert set(graph.variables) == {"New York", "part of:"}
        assert [triple.role for triple in graph.triples()] == ["is a"]


def test_a_line_break_in_a_label_is_refused() -> None:
    with pytest.raises(GraphError, match="line break in 'a"):
        as_graph([("a", "instance", "a\nb")], SMATCH)


def test_a_constant_that_is_called_like_a_variable_stays_one() -> None:
    graph = Graph(("b",), ("x", "r", "b"), ((0, 0),), ((0, 1, 2),), (), 0)
    assert list(as_graph(graph, SMATCH).triples())[1] == ("b", "r", "b_")


def test_read_makes_a_graph_once() -> None:
    graph = read(WANT)
    assert graph == as_graph(WANT, SMATCH)
    assert as_graph(graph, SMATCH) is graph
    assert exactmatch.smatch(graph, WANT).f1 == exactmatch.smatch(WANT, WANT).f1
    assert exactmatch.read is read
    assert pickle.loads(pickle.dumps(graph)) == graph


def test_a_graph_read_for_one_profile_is_read_again_for_another() -> None:
    for first in PROFILES:
        graph = read(WANT, first)
        for profile in PROFILES.values():
            assert as_graph(graph, profile) == as_graph(WANT, profile)
    tagged = read("(a / x~e.1)")
    stripped = as_graph(tagged, SMATCH.with_options(strip_alignments=True))
    assert stripped == read("(a / x)")


def test_a_graph_whose_text_is_lost_is_not_read_again_in_silence() -> None:
    """A file's blocks are not kept."""
    (block,) = blocks_of_text(WANT, "some.amr")
    graph = read_block(block, SMATCH).graph
    assert as_graph(graph, SMATCH) is graph
    with pytest.raises(GraphError, match="was read by reader 'smatch', not"):
        as_graph(graph, CLEAN)


def test_a_graph_that_is_edited_counts_as_it_stands() -> None:
    """It comes from triples, not from a text."""
    decoded = penman.decode(WANT, model=amr.model)
    assert from_penman(decoded).reader is None
    assert as_graph(from_penman(decoded), CLEAN) == as_graph(WANT, CLEAN)


@pytest.mark.parametrize("item", [networkx.MultiDiGraph(), networkx.DiGraph(), []])
def test_nothing_at_all_is_refused(item: Any) -> None:
    with pytest.raises(GraphError, match="has no node"):
        as_graph(item, SMATCH)
    empty = Graph((), (), (), (), ())
    assert as_graph(empty, SMATCH) == empty


def test_the_name_of_a_file_is_no_text(tmp_path: Any) -> None:
    path = tmp_path / "gold.amr"
    path.write_text("(a / x)")
    for profile in PROFILES.values():
        with pytest.raises(InputError, match=r"to read the file, give Path\("):
            as_graph(str(path), profile)


@pytest.mark.parametrize("profile", ["smatch", "clean", "sembleu"])
@pytest.mark.parametrize("model", [None, amr.model], ids=["default", "amr"])
def test_a_penman_graph_counts_as_its_text(profile: str, model: Any) -> None:
    """Whichever model decoded it: ``:consist-of`` is not an inverse in AMR."""
    decoded = penman.decode(WANT, model=model)
    assert as_graph(decoded, PROFILES[profile]) == as_graph(WANT, PROFILES[profile])
    assert as_graph(decoded, PROFILES[profile]).id == "7"


@pytest.mark.parametrize("model", [None, amr.model], ids=["default", "amr"])
def test_a_role_that_is_no_inverse_is_inverted_with_a_second_of(model: Any) -> None:
    text = "(p / person :consist-of-of (c / cell))"
    decoded = penman.decode(text, model=model)
    for profile in (SMATCH, CLEAN):
        assert as_graph(decoded, profile) == as_graph(text, profile)


def test_a_penman_graph_in_pieces_is_read_all_the_same() -> None:
    stated = [("a", ":instance", "x"), ("b", ":instance", "y")]
    decoded = penman.Graph(stated, metadata={"id": "3"})
    for profile in PROFILES.values():
        graph = as_graph(decoded, profile)
        assert [triple[::2] for triple in graph.triples()] == [("a", "x"), ("b", "y")]
        assert graph.id == "3"


def test_alignment_tags_are_stripped_where_the_profile_says_so() -> None:
    tagged = '# ::tok a~b\n(a / x~e.1 :ARG0~e.2 (b / y~e.3,4)\n :op1 "c~d"~e.5)'
    bare = '(a / x :ARG0 (b / y) :op1 "c~d")'
    stripping = SMATCH.with_options(strip_alignments=True)
    assert as_graph(tagged, stripping) == as_graph(bare, SMATCH)
    assert as_graph(tagged, stripping).metadata == {"tok": "a~b"}
    assert as_graph(tagged, SMATCH) != as_graph(bare, SMATCH)
    assert as_graph(tagged, CLEAN) == as_graph(bare, CLEAN)


def test_anything_that_stands_for_a_graph_is_taken() -> None:
    text = "(w / want-01 :polarity - :ARG0 (b / boy))"
    wanted = as_graph(text, SMATCH)
    triples = list(wanted.triples())
    tree = penman.parse(text)
    network = to_networkx(wanted)
    directed = networkx.DiGraph(network)
    lists = map(list, triples)
    for item in (wanted, tree, network, directed, triples, iter(triples), lists):
        assert as_graph(item, SMATCH) == wanted
    assert as_graph(wanted, SMATCH) is wanted


@pytest.mark.parametrize("item", [None, 5, b"(a / x)", {"a": "x"}])
def test_anything_else_is_refused(item: Any) -> None:
    with pytest.raises(InputError, match="is not a graph; give PENMAN text"):
        as_graph(item, SMATCH)


def test_a_text_holds_one_graph() -> None:
    with pytest.raises(InputError, match="2 graphs where one is wanted"):
        as_graph("(a / x)\n\n(b / y)", SMATCH)
    for empty in ("", "  \n", "# ::id 1\n"):
        with pytest.raises(GraphError, match="is empty"):
            as_graph(empty, SMATCH)
