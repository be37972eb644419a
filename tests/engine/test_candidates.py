"""Who may be aligned with whom, and that the stated problem keeps to it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.documents import umr_graphs
from support.examples import examples
from support.graph_strategies import counted
from support.samples import DOC_AMR

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import InputError
from exactmatch.engine.candidates import allowed_pairs, corresponding
from exactmatch.engine.problem import GraphProblem, encode
from exactmatch.formats.formats import FORMATS
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.document import Document, Sentence
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.graphs.standardise import standardise
from exactmatch.metrics.smatch import Smatch

UMR = PROFILES["umr"]
FAST: Any = kernels.load("exactmatch.engine._statement")
SLOW: Any = kernels.load_interpreted("exactmatch.engine._statement")


def numbered(*numbers: int | None, words: str = "") -> list[Sentence]:
    tokens = words.split() or [""] * len(numbers)
    return [Sentence(n, (w,)) for n, w in zip(numbers, tokens, strict=True)]


@pytest.mark.parametrize(
    ("lefts", "rights", "wanted"),
    [
        (numbered(1, 2, 3), numbered(1, 2, 3), {0: 0, 1: 1, 2: 2}),
        (numbered(1, 2, 3), numbered(2), {1: 0}),
        (numbered(1, 3), numbered(1, 2), {0: 0, 1: 1}),
        (numbered(1, 3, 4), numbered(1, 2, 3), {0: 0, 1: 2}),
        (numbered(114, 115, 116), numbered(114, 1155, 116), {0: 0, 1: 1, 2: 2}),
        (numbered(1, 2, 3), numbered(1, 1, 2), {0: 0, 1: 1, 2: 2}),
        (numbered(None, None), numbered(1, 2), {0: 0, 1: 1}),
        (
            numbered(1, 1, 1, words="a b c"),
            numbered(1, 2, words="b c"),
            {1: 0, 2: 1},
        ),
        (numbered(), numbered(1, 2), {0: 0}),
    ],
)
def test_sentences_correspond_by_number_place_or_words(
    lefts: list[Sentence], rights: list[Sentence], wanted: dict[int, int]
) -> None:
    assert corresponding(lefts, rights) == wanted


def in_sentences(*homes: tuple[int, ...], **changes: Any) -> Graph:
    """A graph whose variables belong to some sentences."""
    n = 1 + max((place for home in homes for place in home), default=0)
    document = Document(tuple(numbered(*range(n))), homes)
    names = tuple(f"v{k}" for k in range(len(homes)))
    names = changes.pop("names", names)
    return Graph(names, (), (), (), (), document=replace(document, **changes))


def pairs(left: Graph, right: Graph, align: Any) -> set[tuple[int, int]] | None:
    allowed = allowed_pairs(left, right, align)
    if allowed is None:
        return None
    begins, partners = allowed
    rows = itertools.pairwise(begins.tolist())
    return {(i, int(j)) for i, (a, b) in enumerate(rows) for j in partners[a:b]}


def test_plain_graphs_are_not_restricted() -> None:
    plain = Graph(("a", "b"), (), (), (), ())
    assert pairs(plain, plain, "same-sentence") is None
    assert pairs(in_sentences((0,)), plain, "free") is None


def test_same_sentence() -> None:
    left, right = in_sentences((0,), (1,), (0, 1)), in_sentences((1,), (0,), ())
    assert pairs(left, right, "same-sentence") == {(0, 1), (1, 0), (2, 0), (2, 1)}


def test_a_graph_without_sentences_is_one() -> None:
    plain = Graph(("a", "b"), (), (), (), ())
    left = in_sentences((0,), (1,))
    assert pairs(left, plain, "same-sentence") == {(0, 0), (0, 1)}
    assert pairs(plain, left, "same-sentence") == {(0, 0), (1, 0)}


def test_constants_meet_their_namesakes_alone() -> None:
    left = in_sentences((0,), (), (), names=("a", "author", "root"), constants={1, 2})
    right = in_sentences((), (0,), (0,), names=("author", "b", "root"), constants={0})
    assert pairs(left, right, "free") == {(0, 1), (0, 2), (1, 0)}
    assert pairs(left, right, "same-sentence") == {(0, 1), (0, 2), (1, 0)}


def test_token_overlap() -> None:
    left = in_sentences((0,), (0,), (0,), anchors=(((1, 2),), ((0, 0),), ()))
    right = in_sentences((0,), (0,), (0,), anchors=(((2, 3),), ((4, 4),), ()))
    everything = {(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)}
    assert pairs(left, right, "token-overlap") == {(0, 0), (0, 2)} | everything


def test_too_many_pairs_are_an_error() -> None:
    graph = in_sentences((0,), (0,))
    with pytest.raises(InputError, match="4 pairs of variables that may be aligned"):
        allowed_pairs(graph, graph, "same-sentence", 3)


def best(left: Graph, right: Graph, profile: Profile) -> int:
    """The optimum, by trying every alignment of what may be aligned."""
    allowed = pairs(left, right, profile.align)
    if allowed is None:
        allowed = set(
            itertools.product(range(len(left.variables)), range(len(right.variables)))
        )
    theirs = set(counted(right, profile))
    ours = counted(left, profile)

    def extend(k: int, to: dict[str, str]) -> int:
        if k == len(left.variables):
            renamed = set()
            for triple in ours:
                ends = [to.get(triple[1])]
                ends.append(to.get(triple[3]) if triple[0] == "r" else triple[-1])
                if None not in ends:
                    renamed.add((triple[0], ends[0], *triple[2:-1], ends[1]))
            return len(renamed & theirs)
        found = [extend(k + 1, to)]
        for i, j in allowed:
            if i == k and right.variables[j] not in to.values():
                name = left.variables[k]
                found.append(extend(k + 1, to | {name: right.variables[j]}))
        return max(found)

    return extend(0, {})


@pytest.mark.slow
@given(
    left=umr_graphs(most=2),
    right=umr_graphs(most=2),
    align=st.sampled_from(("free", "same-sentence", "token-overlap")),
)
@settings(max_examples=examples(60), deadline=None)
def test_the_optimum_is_that_of_all_alignments_that_are_allowed(
    left: Graph, right: Graph, align: Any
) -> None:
    profile = UMR.with_options(align=align)
    graphs = [standardise(graph, profile) for graph in (left, right)]
    score = Smatch(profile).scores(Smatch(profile).measure(left, right).statistics)
    assert score.matched == best(graphs[0], graphs[1], profile)
    assert score.proven


@given(left=umr_graphs(most=3), right=umr_graphs(most=3))
@settings(max_examples=examples(40), deadline=None)
def test_kernels_agree_on_restricted_problems(left: Graph, right: Graph) -> None:
    coded = [encode(standardise(graph, UMR), UMR) for graph in (left, right)]
    n = coded[0].n_variables * coded[1].n_variables
    graded = np.arange(n, dtype=np.int64)
    allowed = allowed_pairs(left, right, "same-sentence")
    for extra in (None, graded):
        found = [
            kernel.state(*coded, False, 10**6, 2, extra, allowed)
            for kernel in (FAST, SLOW)
        ]
        for one, other in zip(*found, strict=True):
            assert np.array_equal(one, other)


def test_an_unrestricted_list_of_pairs_is_no_restriction() -> None:
    """Listing every pair gives the arrays that listing none does."""
    graphs = [as_graph(text, PROFILES["clean"]) for text in (DOC_AMR, DOC_AMR)]
    coded = [encode(graph, PROFILES["clean"]) for graph in graphs]
    n = coded[0].n_variables
    everyone = (
        np.arange(0, n * n + 1, n, dtype=np.int32),
        np.tile(np.arange(n, dtype=np.int32), n),
    )
    plain = FAST.state(*coded, False, 10**6, 1, None, None)
    listed = FAST.state(*coded, False, 10**6, 1, None, everyone)
    for one, other in zip(plain, listed, strict=True):
        assert np.array_equal(one, other)


def test_document_amr_is_aligned_within_sentences() -> None:
    """The same node under another sentence is not the same node."""
    moved = DOC_AMR.replace(":snt1", ":snt3").replace(":snt2", ":snt1")
    profile = PROFILES["doc-amr"]
    within = Smatch(profile).measure(*(as_graph(t, profile) for t in (DOC_AMR, moved)))
    free = replace(profile, align="free")
    across = Smatch(free).measure(*(as_graph(t, free) for t in (DOC_AMR, moved)))
    assert within.statistics[0] < across.statistics[0]
    again = Smatch(profile).measure(*(as_graph(t, profile) for t in (DOC_AMR, DOC_AMR)))
    assert Smatch(profile).scores(again.statistics).f1 == 1


def test_the_problem_states_no_pair_that_is_not_allowed() -> None:
    left, right = (as_graph(DOC_AMR, PROFILES["doc-amr"]) for _ in range(2))
    profile = PROFILES["doc-amr"]
    coded = [encode(graph, profile) for graph in (left, right)]
    problem = GraphProblem(coded[0], coded[1], profile).problem
    stated = set(zip(problem.left.tolist(), problem.right.tolist(), strict=True))
    assert stated <= (pairs(left, right, "same-sentence") or set())
    assert len(stated) < len(left.variables) ** 2


def test_pairs_are_counted_before_they_are_listed() -> None:
    """A sentence of 20,000 variables against itself: 400 million pairs."""
    lines = [f"  :r (s1x{k} / b)" for k in range(20_000)]
    text = "\n".join(["# :: snt1", "# sentence level graph:", "(s1 / a", *lines, ")"])
    (block,) = FORMATS["umr"].blocks(text.splitlines(keepends=True), None)
    graph = FORMATS["umr"].read(block).graph
    for align in ("same-sentence", "token-overlap"):
        with pytest.raises(InputError, match="more than 20,000,000; raise --max-terms"):
            allowed_pairs(graph, graph, align, 20_000_000)
