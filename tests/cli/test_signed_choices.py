"""Different numbers have different signatures: what measures or pairs is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

GRAPHS = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(s / see-01 :ARG0 (g / girl :mod (s2 / small)))",
    "(b / bark-01 :ARG0 (d / dog))",
]


def text(order: tuple[int, ...], old: str = "", new: str = "") -> str:
    return "\n\n".join(
        f"# ::id {k}\n# ::snt line {k}\n{GRAPHS[k].replace(old, new)}" for k in order
    )


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files.one("pred.amr", text((0, 1, 2), "go-02", "leave-11"))
    files.one("gold.amr", text((2, 0, 1)))
    files.one("other.amr", text((1, 2, 0), "dog", "cat"))
    Path("human.txt").write_text("1\n0.5\n0.25\n")


PAIR = ("pred.amr", "gold.amr")

RUNS: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
    ("score", PAIR, ("--by-id",)),
    ("score", PAIR, ("--by-id", "--refs", "mean")),
    ("score", (*PAIR, "other.amr"), ("--refs", "mean")),
    ("score", (*PAIR, "other.amr"), ("--refs", "pooled")),
    ("score", PAIR, ("--metric", "graph", "--count", "edges")),
    ("finegrained", PAIR, ("--by-id",)),
    ("finegrained", PAIR, ("--macro",)),
    ("compare", ("gold.amr", "pred.amr", "other.amr"), ("--by-id",)),
    ("errors", PAIR, ("--by-id",)),
    ("thresholds", (*PAIR, "--metric", "s2match"), ("--by-id",)),
    ("thresholds", (*PAIR, "--metric", "s2match"), ("--macro",)),
    ("agreement", PAIR, ("--by-id",)),
    ("agreement", PAIR, ("--chance-pairs", "3")),
    ("correlate", (*PAIR, "human.txt"), ("--by-id",)),
    ("correlate", (*PAIR, "--human", "human.txt"), ("--human-range", "0,4")),
    ("correlate", (*PAIR, "--human", "human.txt"), ("--standardise",)),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("command", "named", "more"), RUNS)
def test_another_choice_has_another_signature(
    command: str, named: tuple[str, ...], more: tuple[str, ...], cli: Cli
) -> None:
    found = [
        set(signatures(cli.json(command, *named, *own, "-q"))) for own in ((), more)
    ]
    assert found[0]
    assert not found[0] & found[1]


def signatures(record: object) -> list[str]:
    """Every signature in a record."""
    if isinstance(record, list):
        return [text for part in record for text in signatures(part)]
    if not isinstance(record, dict):
        return []
    own = [record["signature"]] if "signature" in record else []
    own += record.get("signatures", [])
    return own + [text for part in record.values() for text in signatures(part)]


def test_what_is_not_chosen_is_not_named(cli: Cli) -> None:
    out = cli.out(*PAIR)
    for key in ("pairs:", "format:", "framework:", "field:", "strict:"):
        assert f"|{key}" not in out


def test_how_graphs_are_read_and_paired_is_named(cli: Cli) -> None:
    out = cli.out(*PAIR, "--by-id", "--common", "--strict", "--format-in", "penman")
    assert "|pairs:by-id,common|format:penman|strict:yes|" in out
