"""Which files and graphs belong together, and what is said where none do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.formats.block import Block
from exactmatch.formats.pairs import Pairer, checked_counts, sources


@pytest.fixture
def folders(files: Files) -> tuple[Path, Path]:
    """Two folders with two files each, of one and two graphs."""
    for name in ("pred", "gold"):
        files.one(f"{name}/a.amr", "(a / x)\n")
        files.one(f"{name}/b.amr", "(b / y)\n\n(c / z)\n")
    return files.folder / "pred", files.folder / "gold"


def pairs(*paths: Path) -> list[tuple[str, str]]:
    """What is paired with what, in words."""
    named = [str(path) for path in paths]
    checked_counts(named, by_id=False)
    preds, *golds = sources(named)
    found = Pairer().pairs(preds, tuple(golds))
    return [(p.pred.content[0], p.golds[0].content[0]) for p in found]


def test_files_in_folders_are_paired_by_name(folders: tuple[Path, Path]) -> None:
    """Whatever order their full names have: one of them is packed, too."""
    pred, gold = folders
    (pred / "a.amr").rename(pred / "a.amr.gz")
    import gzip

    (pred / "a.amr.gz").write_bytes(gzip.compress(b"(a / x)"))
    (pred / "a.amrx").write_text("(d / w)")
    (gold / "a.amrx").write_text("(d / w)")
    assert pairs(pred, gold) == [(text, text) for text in ALL]


ALL = ("(a / x)", "(d / w)", "(b / y)", "(c / z)")


@pytest.mark.parametrize("side", [0, 1])
def test_a_file_without_a_partner_is_an_error(
    folders: tuple[Path, Path], side: int, cli: Cli
) -> None:
    """Although the numbers of graphs agree."""
    folders[side].joinpath("a.amr").rename(folders[side] / "z.amr")
    with pytest.raises(InputError, match=r"[az]\.amr: .* has no file of that name"):
        pairs(*folders)
    assert "paired by name" in cli.refusal(*[str(folder) for folder in folders])


def test_files_of_one_name_hold_as_many_graphs(folders: tuple[Path, Path]) -> None:
    pred, _ = folders
    (pred / "a.amr").write_text("(a / x)\n\n(a / x)\n")
    (pred / "b.amr").write_text("(b / y)\n")
    with pytest.raises(InputError, match=r"a\.amr: 2 predictions but 1 reference"):
        pairs(*folders)


def test_by_id_the_names_of_files_mean_nothing(folders: tuple[Path, Path]) -> None:
    pred, gold = folders
    (pred / "a.amr").rename(pred / "z.amr")
    assert checked_counts([str(pred), str(gold)], by_id=True) == 3


def test_a_folder_and_a_file_are_paired_by_position(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    path = tmp_path / "all.amr"
    path.write_text("(a / x)\n\n(b / y)\n\n(c / z)\n")
    assert len(pairs(folders[0], path)) == 3


def test_every_folder_of_references_has_the_files(folders: tuple[Path, Path]) -> None:
    pred, gold = folders
    third = pred.parent / "third"
    third.mkdir()
    (third / "a.amr").write_text("(a / x)")
    with pytest.raises(InputError, match=r"pred/b\.amr: .*third' has no file"):
        pairs(pred, gold, third)


@pytest.mark.parametrize(
    ("pred", "golds", "name"),
    [
        ("p", ("g", "g"), "g"),
        ("p", (None, "h"), "h"),
        ("p", (None, None), "p"),
        ("p", ("", None), ""),
        (None, (None, None), None),
    ],
)
def test_a_pair_has_the_first_id_of_its_references_then_the_predictions(
    pred: str | None, golds: tuple[str | None, ...], name: str | None
) -> None:
    def side(name: str | None) -> list[Block]:
        return [Block(("(b / boy)",), ("(b / boy)",), 1, None, name)]

    warned: list[tuple[str, str]] = []
    pairer = Pairer(warn=lambda *warning: warned.append(warning))
    (pair,) = pairer.pairs(side(pred), tuple(map(side, golds)))
    assert (pair.id, len(pair.golds)) == (name, 2)
    known = {one for one in (pred, *golds) if one is not None}
    assert len(warned) == (len(known) > 1)


def test_files_of_other_sentences_are_a_warning(cli: Cli, files: Files) -> None:
    """Letters and digits decide; a few sentences may differ."""
    texts = {
        "a.amr": ["A boy, 3 dogs.", "c", "d"],
        "same.amr": ["a boy 3 dogs", "C!", "other"],
        "other.amr": ["a girl", "no", "d"],
    }
    paths = {
        name: files.one(name, "\n".join(f"# ::snt {t}\n(x / y)\n" for t in sentences))
        for name, sentences in texts.items()
    }
    first = paths["a.amr"]
    assert "sentences" not in cli("score", first, paths["same.amr"]).err
    warning = cli("score", first, paths["other.amr"]).err
    assert "of 2 of 3 pairs differ, the first at position 1" in warning
    plain = files.one("plain.amr", "(x / y)\n\n(x / y)\n\n(x / y)\n")
    assert "sentences" not in cli("score", first, plain).err


def test_graphs_of_mrp_and_of_memory_have_their_sentences_compared(
    cli: Cli, files: Files
) -> None:
    """MRP graphs have ids always, which say nothing about their ``input``."""

    def mrp(*texts: str) -> str:
        start = {"framework": "eds", "flavor": 1, "version": 1.0, "tops": [0]}
        rest = {"nodes": [{"id": 0, "label": "a"}], "edges": []}
        rows = [start | {"id": f"{k}", "input": t} | rest for k, t in enumerate(texts)]
        return "".join(f"{json.dumps(row)}\n" for row in rows)

    one = files.one("one.mrp", mrp("It rains.", "It snows."))
    tokens = files.one("tokens.mrp", mrp("it rains .", "It snows"))
    other = files.one("other.mrp", mrp("Dogs bark.", "Cats sleep."))
    for options in ((), ("--by-id",)):
        assert cli(one, tokens, *options).err == ""
        err = cli(one, other, *options).err
        assert "the sentences of 2 of 2 pairs differ, the first at position 1" in err
    preds, golds = (list(exactmatch.load(Path(path))) for path in (one, other))
    assert "sentences" in exactmatch.evaluate(preds, golds).warnings
    left, right = ([f"# ::snt {text}\n(a / b)"] for text in ("no ids", "other words"))
    assert "sentences" in exactmatch.evaluate(left, right).warnings
    assert not exactmatch.evaluate(left, left).warnings
