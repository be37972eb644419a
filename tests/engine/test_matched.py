"""The matches of pairs that the kernel counts, without a problem or a solver."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from support.examples import examples
from support.graph_strategies import best_match, graphs

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import CertificationError
from exactmatch.engine import matched as module
from exactmatch.engine.coding import CodedGraph, encode
from exactmatch.engine.matched import LARGE, MatchCounter
from exactmatch.formats.anything import as_graph
from exactmatch.graphs.document import Document
from exactmatch.graphs.profile import PROFILES, Profile

SMATCH = PROFILES["smatch"]
NAME = "exactmatch.engine._matched"
SLOW = list(HealthCheck)


@pytest.fixture(params=["loaded", "interpreted"])
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The kernel as it is installed, and as Python."""
    load = kernels.load if request.param == "loaded" else kernels.load_interpreted
    monkeypatch.setattr(module, "_kernel", load(NAME))
    return load(NAME)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The kernel as Python, to be changed."""
    monkeypatch.setattr(module, "_kernel", kernels.load_interpreted(NAME))
    return kernels.load_interpreted(NAME)


def coded(text: str, profile: Profile = SMATCH) -> CodedGraph:
    return encode(as_graph(text, profile), profile)


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("name", ["smatch", "clean", "smatchpp", "smatchpp-generic"])
@pytest.mark.parametrize("just", [None, "attribute"])
def test_no_alignment_matches_more_and_one_as_many(name: str, just: Any) -> None:
    """One counter for all pairs, so that what is left of a pair would be seen."""
    profile = replace(PROFILES[name], just=just)
    counter = MatchCounter(profile)

    @settings(max_examples=examples(60), deadline=None, suppress_health_check=SLOW)
    @given(left=graphs(), right=graphs())
    def check(left: Any, right: Any) -> None:
        found = counter.matched(encode(left, profile), encode(right, profile))
        assert found == best_match(left, right, profile)

    check()


@pytest.mark.usefixtures("kernel")
def test_nothing_in_common_and_nothing_at_all() -> None:
    one, other = coded("(a / b)"), coded("(c / d)")
    assert MatchCounter(SMATCH).matched(one, other) == 1  # the mark of the root
    assert MatchCounter(SMATCH).matched(one, one) == 2
    profile = replace(SMATCH, just="relation")
    empty = [coded(text, profile) for text in ("(a / b)", "(c / d)")]
    assert MatchCounter(profile).matched(*empty) == 0


@pytest.mark.usefixtures("kernel")
def test_what_is_large_is_left_to_the_solvers() -> None:
    """Of the number of variables, or of the pair terms."""
    left = coded("(a / b :ARG0 (c / d) :ARG0 (e / f))")
    right = coded("(a / b :ARG0 (c / d))")
    assert MatchCounter(SMATCH, max_terms=5).matched(left, right) is None
    assert MatchCounter(SMATCH, max_terms=6).matched(left, right) == 4
    wide = " ".join(f":ARG0 (c{k} / d)" for k in range(150))
    many = coded(f"(a / b {wide})")
    assert many.n_variables**2 > LARGE
    assert MatchCounter(SMATCH).matched(many, many) is None
    assert MatchCounter(SMATCH, max_terms=10**9).matched(many, many) is None


def test_what_is_not_proved_at_once_is_left_to_the_solvers(
    interpreted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = coded("(a / and :op (x / x1) :op (y / y1) :ARG0 x :ARG1 y)")
    right = coded("(o / or :op (z / z1) :op (w / w1) :ARG1 z :ARG0 w)")
    assert MatchCounter(SMATCH).matched(left, right) == 5
    monkeypatch.setattr(interpreted, "NODES", 0)
    assert MatchCounter(SMATCH).matched(left, right) is None


def test_an_alignment_that_matches_something_else_is_an_error(
    interpreted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreted.Statement, "counted", lambda *_: 3)
    one = coded("(a / b)")
    with pytest.raises(CertificationError, match="matches another number"):
        MatchCounter(SMATCH).matched(one, one)


def test_documents_are_left_to_the_solvers() -> None:
    """They say which variables may be aligned."""
    text = "(a / b :ARG0 (c / d))"
    graph = replace(as_graph(text, SMATCH), document=Document())
    counter = MatchCounter(SMATCH)
    assert counter.matched(coded(text), coded(text)) == 4
    for sides in ((graph, graph), (graph, as_graph(text, SMATCH))):
        pair = [encode(side, SMATCH) for side in sides]
        assert counter.matched(*pair) is None
        assert counter.matched(*reversed(pair)) is None
