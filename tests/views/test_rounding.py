"""A score has the same digits wherever it is shown."""

from __future__ import annotations

import json
import shutil
import subprocess
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import Cli
from support.examples import examples
from support.files import Files

import exactmatch
from exactmatch.base.numbers import Share, fixed

TIES = {
    1 / 32: "0.0313",
    9 / 32: "0.2813",
    131 / 160: "0.8188",
    1 / 160: "0.0063",
    0.00005: "0.0001",
    0.99995: "1.0000",
    1.0: "1.0000",
    0.0: "0.0000",
}
"""Numbers halfway between two of four decimals, and what is shown of them."""


@given(pred=st.integers(0, 400), gold=st.integers(1, 400))
@settings(max_examples=examples(300), deadline=None)
def test_percent_moves_the_point_alone(pred: int, gold: int) -> None:
    """Four decimals and percent with two are the same digits."""
    share = Share(4)
    plain, percent = share(pred / gold), share.in_percent()(pred / gold)
    assert Decimal(plain) * 100 == Decimal(percent)
    exact = Decimal(json.dumps(pred / gold))
    assert Decimal(plain) == exact.quantize(Decimal("1e-4"), ROUND_HALF_UP)


def test_halves_are_rounded_away_from_zero() -> None:
    for value, text in TIES.items():
        assert fixed(value, 4) == text
        assert fixed(-value, 4) == (f"-{text}" if value else text)
    assert fixed(-0.00004, 2, signed=True, percent=True) == "+0.00"
    assert fixed(float("inf"), 4) == "inf"


def test_a_corpus_on_a_tie_is_shown_alike(cli: Cli, files: Files) -> None:
    """131 of 160 triples match: 0.81875."""
    golds = ["(a / y)" if k < 29 else "(a / x)" for k in range(80)]
    pair = files.pair("\n\n".join(["(a / x)"] * 80), "\n\n".join(golds))
    assert cli.record(*pair)["f1"] == 131 / 160
    assert "0.8188" in cli.out(*pair).splitlines()[1]
    assert "81.88" in cli.out(*pair, "--percent").splitlines()[1]
    assert "81.88" in cli.out(*pair, "--format", "latex")
    page = cli.out(*pair, "--format", "html")
    assert "0.8188" in page
    assert ">0.8187<" not in page


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js")
def test_pages_round_as_texts_do() -> None:
    """The script of pages, over ties, tiny and huge numbers."""
    script = Path(exactmatch.__file__).with_name("views") / "assets" / "shared.js"
    text = script.read_text("utf-8")
    start = text.index("const shown = ")
    function = text[start : text.index("\n};\n", start) + 4]
    numbers = [*TIES, 1e-9, 123456.5, 2.5, 1e21, 0.1 + 0.2, 81.875, 5e-324]
    numbers += [k / 160 for k in range(161)] + [-k / 32 for k in range(33)]
    made = f"{function}const n = {json.dumps(numbers)};"
    made += (
        "console.log(JSON.stringify(n.map((x) => [0, 2, 4].map((d) => shown(x, d)))))"
    )
    ran = subprocess.run(["node", "-e", made], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == [
        [fixed(number, digits) for digits in (0, 2, 4)] for number in numbers
    ]
