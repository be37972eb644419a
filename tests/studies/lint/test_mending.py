"""What lint mends: brackets, where no reader loses anything by it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command import Cli
from support.files import Files

from exactmatch import read
from exactmatch.studies.lint.mending import mend
from exactmatch.studies.pairs import SAMPLE

BARK = "(b / bark-01\n   :ARG0 (d / dog\n      :mod (s / small)))"


@pytest.mark.parametrize("wrong", [BARK[:-1], BARK[:-3], f"{BARK})", f"{BARK}))))"])
@pytest.mark.parametrize("end", ["", "\n", "\n\n", "  \r\n"])
def test_brackets_are_mended_and_nothing_else_changes(
    cli: Cli, files: Files, wrong: str, end: str
) -> None:
    before = f"# ::id x\n{wrong}{end}"
    path = files.one("a.amr", before)
    shown = cli("lint", "--diff", path)
    assert (shown.code, Path(path).read_bytes()) == (1, before.encode())
    assert f"-{wrong.splitlines()[-1]}" in shown.out
    mended = cli("lint", "--fix", path)
    assert mended.code == 0
    assert "nothing is wrong" in mended.out
    assert Path(path).read_bytes().decode() == f"# ::id x\n{BARK}{end}"
    assert cli("lint", "--fix", path).out.startswith("nothing is wrong")


@pytest.mark.slow
@given(data=st.data())
def test_whatever_is_torn_from_the_end_is_added_again(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    blocks = Path(SAMPLE[1]).read_text("utf-8").strip().split("\n\n")
    number = data.draw(st.integers(0, len(blocks) - 1))
    whole = blocks[number].rstrip()
    closing = len(whole) - len(whole.rstrip(")"))
    torn = data.draw(st.integers(1, closing))
    path = tmp_path_factory.mktemp("torn") / "a.amr"
    path.write_text(
        "\n\n".join([*blocks[:number], whole[:-torn], *blocks[number + 1 :]]), "utf-8"
    )
    changes = list(mend(str(path), write=True))
    assert sum(line[:1] == "-" and line[:3] != "---" for line in changes) == 1
    assert path.read_text("utf-8").split("\n\n")[number] == whole


@pytest.mark.parametrize(
    "text",
    [
        '(b / bark-01 :ARG0 "a dog)',
        "(b / bark-01 :ARG0 (d / dog) :ARG1 c)",
        "(b / bark-01 :ARG0 (d / dog) :ARG0 d)",
        "b / bark-01",
        "(b / bark-01 (",
    ],
)
def test_what_is_in_doubt_is_left_alone(cli: Cli, files: Files, text: str) -> None:
    path = files.one("a.amr", text)
    cli("lint", "--fix", path)
    assert Path(path).read_text() == text


def test_lenient_readers_lose_nothing(cli: Cli, files: Files) -> None:
    torn = "(b / bark-01 :ARG0 (d / dog :mod (s / small)"
    path = files.one("a.amr", torn)
    cli("lint", "--fix", path)
    before = read(torn, profile="smatch")
    after = read(Path(path).read_text(), profile="smatch")
    assert list(before.triples()) == list(after.triples())
    assert after.top == before.top


def test_dangling_variables_come_first_and_readers_are_named(
    cli: Cli, files: Files
) -> None:
    text = '(b / bark-01 :ARG0 (d / dog) :ARG0 d :ARG0 d :ARG1 c :name "a b")'
    path = files.one("a.amr", text)
    rules = [
        one["rule"]
        for one in json.loads(cli("lint", path, "--format", "json").out)["findings"]
    ]
    assert rules[0] == "undefined"
    out = cli("lint", path, "--profile", "all").out
    assert "quoted value cut at its first space (under smatch, s2match" in out
    assert "unknown profile 'al'" in cli.refusal("lint", path, "--profile", "al")
