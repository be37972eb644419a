"""Documents and graphs that are no AMR, from the command line: the stable interface."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.samples import MRP, SBN, UMR

from exactmatch.cli.main import main


def objects(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[Any]:
    assert main([*arguments, "--per-pair", "--format", "jsonl", "-q"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def written(tmp_path: Path, suffix: str, pred: str, gold: str) -> list[str]:
    paths = tmp_path / f"pred{suffix}", tmp_path / f"gold{suffix}"
    for path, text in zip(paths, (pred, gold), strict=True):
        path.write_text(text, encoding="utf-8")
    return [str(path) for path in paths]


@pytest.fixture
def documents(tmp_path: Path) -> list[str]:
    """Two documents of two sentences, whose second ones have changed places."""
    second = UMR.index("#" * 80, 1)
    blocks = UMR[:second], UMR[second:]
    swapped = blocks[1].replace("snt2", "snt1") + blocks[0].replace("snt1", "snt2")
    return written(tmp_path, ".umr", UMR, swapped)


def test_a_document_is_one_object(
    capsys: pytest.CaptureFixture[str], documents: list[str]
) -> None:
    (found,) = objects(capsys, *documents, "--profile", "umr", "--align", "free")
    assert found["index"] == 0
    assert found["proven"]
    assert found["matched"] == found["bound"] == found["pred_total"]
    assert found["f1"] == 1


def test_alignments_are_kept_within_sentences(
    capsys: pytest.CaptureFixture[str], documents: list[str]
) -> None:
    """Sentences that changed places have their partners elsewhere."""
    matched = {}
    for align in ("free", "same-sentence", "token-overlap"):
        (found,) = objects(capsys, *documents, "--profile", "umr", "--align", align)
        matched[align] = found["matched"]
    assert matched["free"] > matched["same-sentence"] >= matched["token-overlap"]
    (found,) = objects(capsys, *documents, "--profile", "umr")
    assert found["matched"] == matched["same-sentence"]


def test_roles_and_levels_that_count(
    capsys: pytest.CaptureFixture[str], documents: list[str]
) -> None:
    def total(*options: str) -> int:
        (found,) = objects(
            capsys, documents[0], documents[0], "--profile", "umr", *options
        )
        assert found["f1"] == 1
        count: int = found["pred_total"]
        return count

    whole = total()
    assert total("--only", "temporal") == 2
    assert total("--only", ":temporal,modal") == 4
    assert total("--only", "same-entity") == total("--only", "coref") == 1
    assert total("--except", "temporal") == whole - 2
    assert total("--only", "concept") == whole - total("--except", "concept") == 6
    assert total("--only", "aspect,ARG0") == 3


def test_roles_that_the_references_lack_are_not_charged(
    capsys: pytest.CaptureFixture[str], documents: list[str]
) -> None:
    gold = Path(documents[1])
    gold.write_text(UMR.replace("    :aspect performance)", ")"), encoding="utf-8")
    (plain,) = objects(capsys, *documents, "--profile", "umr")
    arguments = (*documents, "--profile", "umr", "--ignore-unannotated")
    (found,) = objects(capsys, *arguments)
    assert found["pred_total"] == plain["pred_total"] - 1
    assert found["precision"] == 1 > plain["precision"]


def test_one_framework_of_several(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    eds, dm = MRP.splitlines(keepends=True)
    paths = written(tmp_path, ".mrp", eds, dm + eds)
    arguments = (*paths, "--profile", "mrp")
    for options in (("--framework", "eds"), ("--framework", "eds", "--by-id")):
        (found,) = objects(capsys, *arguments, *options)
        assert (found["id"], found["f1"]) == ("1", 1)
    assert main([*arguments, "--framework", "ucca"]) == 2
    err = capsys.readouterr().err
    assert "pred.mrp: has no graph of framework 'ucca' (it has eds)" in err
    assert main([*arguments, "--by-id"]) == 2
    err = capsys.readouterr().err
    assert "graph '2' has no prediction of that id in framework 'dm'; --fr" in err


def test_ids_belong_to_their_framework(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    eds, dm = MRP.replace('"id": "2"', '"id": "1"').splitlines(keepends=True)
    paths = written(tmp_path, ".mrp", eds + dm, dm + eds)
    found = objects(capsys, *paths, "--profile", "mrp", "--by-id")
    assert [(one["id"], one["f1"]) for one in found] == [("1", 1), ("1", 1)]


def test_a_file_without_frameworks_has_none(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    paths = written(tmp_path, ".amr", "(a / b)", "(a / b)")
    assert main([*paths, "--framework", "eds"]) == 2
    assert "--framework is for MRP files" in capsys.readouterr().err


def test_drs_in_sbn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    paths = written(tmp_path, ".sbn", SBN, SBN.replace("dog.n.01", "dog.n.02"))
    first, second = objects(capsys, *paths, "--profile", "drs")
    assert first["f1"] == 1
    assert second["matched"] == second["gold_total"] - 1
    both = objects(capsys, *paths, "--profile", "drs-lenient")
    assert [found["f1"] for found in both] == [1, 1]


def test_a_format_by_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One line with two tabs might be a triple or a graph of its own."""
    paths = written(tmp_path, ".txt", "(a\t/ b\t)", "(a\t/ b\t)")
    (found,) = objects(capsys, *paths)
    assert found["pred_total"] == 2
    (found,) = objects(capsys, *paths, "--format-in", "triples")
    assert found["pred_total"] == 2


def test_documents_that_are_many_on_one_side(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    paths = written(tmp_path, ".umr", UMR + UMR, UMR)
    assert main([*paths, "--profile", "umr"]) == 2
    assert "--format-in umr-file takes each file for one" in capsys.readouterr().err
    (found,) = objects(capsys, *paths, "--profile", "umr", "--format-in", "umr-file")
    shared = 1  # root :modal author, of constants
    assert found["pred_total"] == 2 * found["gold_total"] - shared
