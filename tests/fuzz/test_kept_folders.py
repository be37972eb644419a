"""Folders and files that are completed later, tampered with in between.

What is damaged is refused in a sentence, or computed again: never another number.
``make fuzz N=100000`` makes a campaign of it.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import random
import shutil
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.mutations import mutated_json, mutated_text

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.many import blocks, matrix, targets
from exactmatch.studies import verify
from exactmatch.studies.ground_truth import study
from exactmatch.studies.ground_truth.folder import TABLES

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "2000"))
GRAPHS = [nx.path_graph(n) for n in (1, 2, 4)] + [nx.cycle_graph(n) for n in (3, 5)]
AMRS = [
    "(a / b :ARG0 (c / d))",
    "(a / b)",
    "(c / d :mod (e / f :mod (g / h)))",
    "(d / d)",
]


def array(rng: random.Random, whole: np.ndarray[Any, Any]) -> bytes:
    """Return the file of another array that has something of the first."""
    kinds: list[Any] = [
        lambda: whole.astype(rng.choice(("f4", ">f8", "i8", "c16", "U5"))),
        lambda: whole[:-1],
        lambda: whole.ravel(),
        lambda: np.asfortranarray(whole),
        lambda: np.full_like(whole, rng.choice((42.0, 0.0, np.nan, np.inf, -1.0))),
        lambda: whole + rng.choice((1.0, 1e-12, -2.0)),
        lambda: whole.T[::-1],
        lambda: np.array([[None]]),
        lambda: np.zeros((0, 0)),
    ]
    file = io.BytesIO()
    if rng.randrange(12) == 0:
        np.savez(file, a=whole)
    else:
        with np.errstate(all="ignore"):
            np.save(file, rng.choice(kinds)(), allow_pickle=True)
    return file.getvalue()


def damaged(rng: random.Random, path: Path) -> None:
    """Cut a file, replace it or change some of its bytes."""
    whole = bytearray(path.read_bytes())
    kind = rng.randrange(8)
    if kind == 0:
        whole = whole[: rng.randrange(len(whole) + 1)]
    elif kind == 1:
        whole += rng.randbytes(rng.choice((1, 8, 4096)))
    elif kind == 2:
        path.unlink()
        return
    elif kind == 3:
        path.unlink()
        path.mkdir()
        return
    elif kind < 6 and path.suffix == ".npy":
        path.write_bytes(array(rng, np.load(path)))
        return
    elif kind < 7 and path.suffix in (".json", ".jsonl", ".blocks"):
        text = path.read_text("utf-8")
        lines = [text] if path.suffix == ".json" else text.splitlines()
        number = rng.randrange(len(lines))
        lines[number] = json.dumps(mutated_json(rng, json.loads(lines[number])))
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return
    else:
        for _ in range(rng.choice((1, 1, 3, 40))):
            whole[rng.randrange(len(whole))] = rng.randrange(256)
    path.write_bytes(whole)


@pytest.fixture
def half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a ground truth of which the first blocks are done."""
    monkeypatch.setattr(study, "_FIRST", 2)
    find, asked = study._finder, []

    def finder(*args: Any) -> Any:
        def some(pairs: Any) -> Any:
            asked.append(len(pairs))
            if len(asked) == 3:
                raise KeyboardInterrupt
            return find(*args)(pairs)

        return some

    with monkeypatch.context() as interrupted:
        interrupted.setattr(study, "_finder", finder)
        with pytest.raises(KeyboardInterrupt):
            exactmatch.ground_truth(GRAPHS, out=tmp_path / "half")
    return tmp_path / "half"


@pytest.mark.slow
def test_a_tampered_ground_truth_is_refused_or_of_no_consequence(
    tmp_path: Path, half: Path
) -> None:
    whole, tried = tmp_path / "whole", tmp_path / "tried"
    right = np.array(exactmatch.ground_truth(GRAPHS, out=whole).distances)
    assert np.array_equal(right, exactmatch.ged_matrix(GRAPHS))
    refused = named = 0
    cases = max(CASES // 25, 80)
    for seed in range(cases):
        rng = random.Random(seed)
        shutil.rmtree(tried, ignore_errors=True)
        shutil.copytree(rng.choice((half, whole)), tried)
        names = ["manifest.json", *(f"{name}.npy" for name in TABLES)]
        for name in rng.sample(names, rng.choice((1, 1, 2))):
            damaged(rng, tried / name)
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                result = exactmatch.ground_truth(GRAPHS, out=tried)
        except InputError as error:
            refusal = str(error)
        else:
            refusal = ""
        if refusal:
            assert "\n" not in refusal, seed
            assert str(tried) in refusal, seed
            refused += 1
            continue
        named += any("damaged" in str(each.message) for each in caught)
        for name in ("distances", "bounds", "paths"):
            assert np.array_equal(np.load(tried / f"{name}.npy"), right), seed
        assert np.all(np.load(tried / "seconds.npy") >= 0), seed
        counts = {n: result.manifest[n] for n in ("pairs", "done", "proven")}
        assert counts == {"pairs": 10, "done": 10, "proven": 10}, seed
        assert json.loads((tried / "manifest.json").read_text()) == result.manifest, (
            seed
        )
    assert refused > cases // 20
    assert named > cases // 5


def test_a_tampered_matrix_is_refused_or_of_no_consequence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks.PackedSides, "block_shape", (2, 2))
    monkeypatch.setattr(matrix, "_FILE_BLOCKS", 1)
    right, path = exactmatch.cdist(AMRS, AMRS), tmp_path / "kept" / "matrix.npy"
    path.parent.mkdir()

    def closing(file: targets.MatrixFile) -> None:
        del file
        raise KeyboardInterrupt

    with monkeypatch.context() as interrupted:
        interrupted.setattr(targets.MatrixFile, "close", closing)
        with pytest.raises(KeyboardInterrupt):
            exactmatch.cdist(AMRS, AMRS, out=path)
    tried = tmp_path / "tried"
    refused, cases = 0, max(CASES // 25, 80)
    for seed in range(cases):
        rng = random.Random(seed)
        shutil.rmtree(tried, ignore_errors=True)
        shutil.copytree(path.parent, tried)
        damaged(rng, rng.choice([*tried.iterdir()]))
        try:
            found = exactmatch.cdist(AMRS, AMRS, out=tried / "matrix.npy")
        except InputError as error:
            told = str(error)
        else:
            told = ""
        if told:
            assert "\n" not in told, seed
            assert str(tried) in told, seed
            refused += 1
            continue
        assert np.array_equal(found, right), seed
        assert np.array_equal(np.load(tried / "matrix.npy"), right), seed
    assert cases // 10 < refused < cases


def changed_proofs(rng: random.Random, folder: Path) -> None:
    """Damage a file of a folder of proofs, mostly so that the manifest fits it."""
    path = rng.choice(sorted(p for p in folder.rglob("*") if p.is_file()))
    if path.name.endswith(".gz") and rng.randrange(3):
        lines = gzip.decompress(path.read_bytes()).decode("ascii").splitlines()
        number = rng.randrange(len(lines))
        lines[number] = mutated_text(rng, lines[number], WORDS)
        path.write_bytes(gzip.compress("\n".join(lines).encode("utf-8", "replace")))
    else:
        damaged(rng, path)
    if rng.randrange(4) and path.is_file() and (folder / "manifest.json").is_file():
        refit(folder, path)


def refit(folder: Path, path: Path) -> None:
    """Write the checksum of a file into the manifest, if that can still be read."""
    manifest = folder / "manifest.json"
    with suppress(ValueError, TypeError, KeyError, AttributeError):
        stated = json.loads(manifest.read_text("utf-8"))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if path.name == "certificates.jsonl":
            stated["certificates"] = digest
        for pair in stated["pairs"]:
            for which in ("problem", "proof"):
                if pair[which]["path"].endswith(f"/{path.name}"):
                    pair[which]["sha256"] = digest
        manifest.write_text(json.dumps(stated), "utf-8")


WORDS = ("begin", "end", "e", "c", "i", ">=", "~x1", "-1", "0", ";", ":", "conclusion")


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.2", "2.0", "3.0"])
def test_a_tampered_folder_of_proofs_claims_no_other_score(
    tmp_path: Path, version: str
) -> None:
    sides = [tmp_path / name for name in ("pred.amr", "gold.amr")]
    for path, graphs in zip(sides, (AMRS, AMRS[::-1]), strict=True):
        path.write_text("\n\n".join(graphs) + "\n", "utf-8")
    whole, tried = tmp_path / "whole", tmp_path / "tried"
    report = exactmatch.evaluate(
        sides[0], sides[1], proofs=str(whole), proof_version=version, gzip=True
    )
    right = report.scores[0].score.f1
    verified, cases = 0, max(CASES // 50, 40)
    for seed in range(cases):
        rng = random.Random(seed)
        shutil.rmtree(tried, ignore_errors=True)
        shutil.copytree(whole, tried)
        changed_proofs(rng, tried)
        told = ""
        try:
            found = verify(str(tried), *map(Path, sides))
        except InputError as error:
            told = str(error)
        if told:
            assert "\n" not in told, seed
        elif found.exit_code == 0:
            assert (found.verified, found.f1) == (4, right), seed
            verified += 1
    assert 0 < verified < cases // 2
