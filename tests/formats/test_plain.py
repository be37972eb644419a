"""Plain texts: the kernel that scans them says what each reader would have said.

The oracle of a reader is the same reader without the kernel: penman itself, and the
readers that go through a text sign by sign.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import Block, blocks_of_text
from exactmatch.formats.dialects import clean, s2match, sembleu, smatchpp
from exactmatch.formats.readings import get_reader

FAST: Any = kernels.load("exactmatch.formats.dialects._plain")
SLOW: Any = kernels.load_interpreted("exactmatch.formats.dialects._plain")
BLIND = SimpleNamespace(
    scan=lambda _: None, code_early=FAST.code_early, code_nodes=FAST.code_nodes
)
"""A kernel that finds no text plain."""

READERS = (
    *("penman", "s2match", "s2match-unmarked", "sembleu"),
    *("smatchpp", "smatchpp-generic", "smatchpp-none", "damonte"),
)

NAMES = st.sampled_from(("a", "b", "c", "d2", "xv3", "domain", "-of"))
CONCEPTS = st.sampled_from(("want-01", "a", "boy", "#Forn", "x.y", "-", "1"))
ROLES = st.sampled_from(
    (
        *("ARG0", "ARG0-of", "A-of", "-of", "x-of-of", "mod", "mod-of", "MOD", "op1"),
        *("domain", "domain-of", "Domain", "consist-of", "prep-on-behalf-of"),
        *("part-of", "TOP", "wiki", "instance", "instance-of", "polarity"),
    )
)
VALUES = st.sampled_from(
    (
        *("-", "1", "a", "b", "xv3", "x-of", "imperative", "z9"),
        *('"Foo"', '"New York"', '""', '" x"', '"a"', '"it\'s"', '"b-of"'),
        *('"(b:c/d)"', '"x  y "'),
    )
)
BREAKS = st.sampled_from((" ", " ", "\n  ", "  "))


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Graphs that are plain, or almost."""

    def node(depth: int) -> str:
        said = f"({draw(NAMES)} / {draw(CONCEPTS)}"
        for _ in range(draw(st.integers(0, 3 if depth < 3 else 0))):
            value = node(depth + 1) if draw(st.booleans()) else draw(VALUES)
            said += f"{draw(BREAKS)}:{draw(ROLES)} {value}"
        return said + ")"

    text = node(0)
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(text)))
        more = draw(st.sampled_from(("", "(", ")", ":", "/", '"', "~e.1", " ", "\n")))
        more = draw(st.sampled_from((more, "\t", "\\", "\xa0", "\u2028", "#", "é")))
        text = text[:place] + more + text[place + draw(st.integers(0, 1)) :]
    return text


def said_by(reader: str, block: Block) -> Any:
    """All that a reader says of a block, in the order in which it says it."""
    try:
        graph, lenient, dropped = get_reader(reader)(block)
    except GraphError as error:
        return str(error)
    names = (graph.variables, graph.labels, graph.top, graph.reader, graph.origin)
    return names, graph.instances, graph.attributes, graph.relations, lenient, dropped


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
@given(text=texts())
def test_every_reader_says_what_it_says_without_the_kernel(
    reader: str, text: str
) -> None:
    for block in blocks_of_text(text):
        if not block.content:
            continue
        found = said_by(reader, block)
        with pytest.MonkeyPatch.context() as patch:
            for module in (clean, s2match, sembleu, smatchpp):
                patch.setattr(module, "_kernel", BLIND)
            assert found == said_by(reader, block)


@given(text=texts())
def test_the_interpreted_kernel_is_its_twin(text: str) -> None:
    lines = tuple(line.strip() for line in text.splitlines())
    said = FAST.scan(lines)
    assert said == SLOW.scan(lines)
    if said is not None:
        coded = SLOW.code_upright(said, lambda role: role != "consist-of")
        assert coded == FAST.code_upright(said, lambda role: role != "consist-of")
        assert SLOW.code_nodes(said) == FAST.code_nodes(said)
        for mark, collapse in (("_", True), ("", True), ("_", False)):
            coded = SLOW.code_early(said, mark, collapse)
            assert coded == FAST.code_early(said, mark, collapse)


@pytest.mark.parametrize("kernel", [FAST, SLOW], ids=["loaded", "interpreted"])
def test_what_a_plain_text_says(kernel: Any) -> None:
    lines = ("(a / want-01", ':ARG0 (b / boy :op1 "New York")', ":ARG1 b :mode -)")
    assert kernel.scan(lines) == [
        (None, None, "a", "want-01", False),
        ("a", "ARG0", "b", "boy", False),
        ("b", "op1", '"New York"', None, True),
        ("a", "ARG1", "b", None, False),
        ("a", "mode", "-", None, True),
    ]


@pytest.mark.parametrize("kernel", [FAST, SLOW], ids=["loaded", "interpreted"])
@pytest.mark.parametrize(
    "text",
    [
        *("", "a", "/", ":", '"', "(a)", "(a / )", "(a / b", "(a / b))", "(" * 10**5),
        *("(a / b) c", "(a / b) (c / d)", "(a / b :c)", "(a / b :c d e)", "(a/b:c d)"),
        *("(a / b :c (a / d))", "(a / b :c~e.1 d)", "(a / b~e.1)", "(a / b : d)"),
        *('(a / "b")', '(a / b :c "d)', '(a / b :c "d\\"")', '(a / b :c"d")'),
        *('(a / b :c "d"e)', "(a / b :instance d)", "(a / b :c d:e f)"),
        *("(a / b :c 1/2)", "(a / b (c / d))", "(a / b :c (d / e):f g)"),
        *("(a / b :c\td)", "(a / b\xa0:c d)"),
    ],
)
def test_a_text_that_leaves_a_choice_is_not_plain(kernel: Any, text: str) -> None:
    assert kernel.scan((text,)) is None


def test_graphs_that_nest_too_deeply_for_penman_are_left_to_it() -> None:
    deep = "".join(f"(v{k} / c :r " for k in range(101)) + "1" + ")" * 101
    assert FAST.scan((deep,)) is None
    assert FAST.scan((deep.replace("(v0 / c :r ", "")[:-1],)) is not None
