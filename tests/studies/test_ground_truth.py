"""The ground truth of a set: every distance, kept, and completed after a stop."""

from __future__ import annotations

import errno
import json
import os
import random
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from support.command import Cli

import exactmatch
from exactmatch import InputError, ground_truth
from exactmatch.edit.matrix import Intervals
from exactmatch.errors import ExactmatchWarning
from exactmatch.studies.ground_truth import study as module


def some_graphs(number: int = 14) -> list[Any]:
    """Small random graphs with labels."""
    rng = random.Random(5)
    found = []
    for _ in range(number):
        graph = nx.gnp_random_graph(rng.randint(1, 5), 0.5, seed=rng.randrange(10**6))
        for known in graph.nodes.values():
            known["chem"] = rng.choice("CN")
        for known in graph.edges.values():
            known["valence"] = rng.choice((1, 2))
        found.append(graph)
    return found


GRAPHS = some_graphs()


def test_it_has_every_distance(tmp_path: Path) -> None:
    truth = ground_truth(GRAPHS, out=tmp_path / "set")
    wanted = exactmatch.ged_matrix(GRAPHS, labels="all")
    for name in ("distances", "bounds", "paths"):
        assert np.array_equal(np.load(tmp_path / "set" / f"{name}.npy"), wanted)
    assert np.array_equal(truth.distances, wanted)
    manifest = json.loads((tmp_path / "set" / "manifest.json").read_text("utf-8"))
    assert manifest["pairs"] == manifest["done"] == manifest["proven"] == 91
    assert manifest["sizes"] == [len(graph) for graph in GRAPHS]


def test_costs_have_other_distances(tmp_path: Path) -> None:
    truth = ground_truth(GRAPHS[:6], out=tmp_path, costs="chem1")
    for i, k in zip(*np.triu_indices(6, 1), strict=True):
        one, other = GRAPHS[i], GRAPHS[k]
        assert (
            truth.distances[i, k] == exactmatch.ged(one, other, costs="chem1").distance
        )


def test_the_table_is_the_matrix(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    truth = ground_truth(GRAPHS, out=tmp_path)
    rows = parquet.read_table(tmp_path / "pairs.parquet").to_pylist()
    assert len(rows) == 91
    for row in rows:
        assert row["distance"] == truth.distances[row["first"], row["second"]]
        assert row["bound"] == row["path"] == row["distance"]
        assert row["proven"] is True


def test_an_interrupted_call_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    found, limit = module._finder, 40
    monkeypatch.setattr(module, "_FIRST", 16)

    def finder(*args: Any) -> Any:
        find = found(*args)

        def some(pairs: Any) -> Intervals:
            if sum(asked) + len(pairs) > limit:
                raise KeyboardInterrupt
            asked.append(len(pairs))
            return find(pairs)

        return some

    monkeypatch.setattr(module, "_finder", finder)
    with pytest.raises(KeyboardInterrupt):
        ground_truth(GRAPHS, out=tmp_path)
    done = json.loads((tmp_path / "manifest.json").read_text("utf-8"))["done"]
    assert 0 < done == sum(asked) < 91
    half = np.load(tmp_path / "distances.npy")
    assert np.isnan(half).any()
    limit = 91
    with pytest.warns(ExactmatchWarning, match="of 91 pairs are there"):
        truth = ground_truth(GRAPHS, out=tmp_path)
    assert sum(asked) == 91  # none twice
    assert np.array_equal(truth.distances, exactmatch.ged_matrix(GRAPHS, labels="all"))
    limit = 0
    assert ground_truth(GRAPHS, out=tmp_path).manifest["done"] == 91


def test_a_sample_is_the_same_pairs_every_time(tmp_path: Path) -> None:
    truths = [
        ground_truth(GRAPHS, out=tmp_path / str(k), sample=10, seed=seed)
        for k, seed in enumerate((1, 1, 2))
    ]
    first, second, other = (np.isnan(truth.distances) for truth in truths)
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)
    assert (~first).sum() == 2 * 10 + len(GRAPHS)


def test_what_is_open_has_an_interval(tmp_path: Path) -> None:
    dense = [nx.gnp_random_graph(24, 0.5, seed=seed) for seed in (1, 2)]
    truth = ground_truth(dense, out=tmp_path, time_limit=0.3)
    lower, upper = (truth.tables_of[name][0, 1] for name in ("bounds", "paths"))
    assert np.isnan(truth.distances[0, 1])
    assert 0 < lower < upper < 2 * 24 + sum(g.number_of_edges() for g in dense)
    assert truth.manifest["proven"] == 0


def test_proofs_are_written(tmp_path: Path) -> None:
    ground_truth(GRAPHS[:3], out=tmp_path, proofs=True)
    names = {path.name for path in (tmp_path / "proofs").iterdir()}
    assert names == {
        f"{ends}.{kind}" for ends in ("1-2", "1-3", "2-3") for kind in ("opb", "pbp")
    }


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"labels": "none"}, "under another labels"),
        ({"time_limit": 3}, "under another time-limit"),
        ({"graphs": GRAPHS[1:4]}, "of other graphs"),
    ],
)
def test_a_folder_holds_one_ground_truth(
    changed: Any, why: str, tmp_path: Path
) -> None:
    asked: dict[str, Any] = {"graphs": GRAPHS[:3], "out": tmp_path}
    ground_truth(**asked)
    with pytest.raises(InputError, match=why):
        ground_truth(**asked | changed)


def test_it_refuses_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("", "utf-8")
    for graphs, why in (
        (GRAPHS, "holds no ground truth"),
        (GRAPHS[:1], "there is one graph"),
        ([], "there are no graphs"),
        ([3, 4], "graph 1 is of int"),
    ):
        with pytest.raises(InputError, match=why):
            ground_truth(graphs=graphs, out=tmp_path)
    with pytest.raises(InputError, match="is a function"):
        ground_truth(GRAPHS, out=tmp_path / "new", labels=any)  # type: ignore[arg-type]  # a function
    (tmp_path / "manifest.json").write_text("{}", "utf-8")
    with pytest.raises(InputError, match="no whole ground truth"):
        ground_truth(GRAPHS, out=tmp_path)


def test_the_command_shows_what_is_proven(cli: Cli, tmp_path: Path) -> None:
    path, folder = tmp_path / "set.jsonl", tmp_path / "out"
    rows = [
        {"n": len(g), "edges": [list(edge) for edge in g.edges]} for g in GRAPHS[:5]
    ]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    made = cli.json("ground-truth", path, "-o", folder)
    assert (made["pairs"], made["proven"]) == (10, 10)
    (row,) = made["classes"]
    wanted = exactmatch.ged_matrix(rows)[np.triu_indices(5, 1)]
    assert row["mean"] == pytest.approx(wanted.mean())
    assert "0 to 10" in cli.out("ground-truth", path, "-o", folder)
    refusal = cli.refusal("ground-truth", path)
    assert refusal.endswith(
        "error: name the folder to write, on the command line by -o\n"
    )
    assert "no such file" in cli.refusal("ground-truth", tmp_path / "x", "-o", folder)


def test_a_seed_below_0_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the seed is -1"):
        ground_truth(GRAPHS, out=tmp_path, sample=2, seed=-1)


# What is kept is checked


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Return the folder of three graphs' distances."""
    ground_truth(GRAPHS[:3], out=tmp_path / "kept")
    return tmp_path / "kept"


def right() -> Any:
    return exactmatch.ged_matrix(GRAPHS[:3], labels="all")


@pytest.mark.parametrize("name", ["distances", "bounds", "paths", "seconds"])
@pytest.mark.parametrize(
    "how", ["value", "one side", "cut", "type", "gone", "longer", "padding"]
)
def test_a_damaged_matrix_is_named_and_computed_again(
    kept: Path, name: str, how: str
) -> None:
    path = kept / f"{name}.npy"
    whole, table = path.read_bytes(), np.load(path)
    if how == "value":
        table[0, 1] = table[1, 0] = 42
    elif how == "one side":
        table[2, 0] += 1
    elif how == "type":
        table = table.astype("f4")
    np.save(path, table)
    if how == "gone":
        path.unlink()
    elif how in ("cut", "longer"):
        path.write_bytes(whole[:200] if how == "cut" else whole + b"\0" * 8)
    if how == "padding":  # which NumPy refuses to read
        path.write_bytes(whole.replace(b"} ", b"}\v"))
    if how == "cut":
        assert len(whole) == 200
        path.write_bytes(whole[:160])
    with pytest.warns(ExactmatchWarning) as heard:
        truth = ground_truth(GRAPHS[:3], out=kept)
    assert any(f"{name}.npy" in str(each.message) for each in heard)
    assert np.array_equal(truth.distances, right())
    for known in ("distances", "bounds", "paths"):
        assert np.array_equal(np.load(kept / f"{known}.npy"), right())
    assert truth.manifest["proven"] == 3
    ground_truth(GRAPHS[:3], out=kept)  # without a warning


DAMAGED: dict[str, list[Any]] = {
    "done": [-1, 2, 10**30, "3", None, [], 3.0, True],
    "sizes": [[], None, [1], "abc", 7],
    "names": [[], None, ["1"], {"a": 1}, "123"],
    "pairs": [0, None, 99, []],
    "proven": [0, None, 99, "all"],
    "blocks": [
        *(None, 3, [3], [[]], [[0, 3]], {}, "x"),
        *([[0, 3, *sums]] for sums in ([1] * 4, [1.5] * 4, [None] * 4)),
        *([[*ends, 1, 1, 1, 1]] for ends in ((0, 99), (2, 1), (-1, 3))),
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name, values in DAMAGED.items() for value in values],
)
@pytest.mark.parametrize("gone", [False, True])
def test_a_damaged_manifest_is_named(
    kept: Path, name: str, value: Any, gone: bool
) -> None:
    path = kept / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    wanted = dict(manifest)
    if gone:
        del manifest[name]
    else:
        manifest[name] = value
    path.write_text(json.dumps(manifest), "utf-8")
    with pytest.warns(ExactmatchWarning, match=r"manifest\.json|\.npy: is damaged"):
        truth = ground_truth(GRAPHS[:3], out=kept)
    assert np.array_equal(truth.distances, right())
    del wanted["blocks"]  # which holds checksums of times
    assert wanted.items() <= truth.manifest.items()


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "3", "[]", "null", "[" * 100_000, '{"kind": 1}', "\ufffe"),
        '{"kind": "exactmatch ground truth 1"}',
        '{"kind": "exactmatch ground truth 1", "asked": []}',
    ],
)
def test_a_manifest_of_another_kind_is_refused(kept: Path, text: str) -> None:
    (kept / "manifest.json").write_text(text, "utf-16" if text > "z~" else "utf-8")
    before = (kept / "distances.npy").read_bytes()
    with pytest.raises(InputError, match=r"manifest\.json"):
        ground_truth(GRAPHS[:3], out=kept)
    assert (kept / "distances.npy").read_bytes() == before


@pytest.mark.parametrize("name", ["distances.npy", "manifest.json"])
def test_a_link_in_the_folder_is_not_followed(
    kept: Path, name: str, tmp_path: Path
) -> None:
    (kept / name).rename(tmp_path / "elsewhere")
    before = (tmp_path / "elsewhere").read_bytes()
    (kept / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="is not a plain file"):
        ground_truth(GRAPHS[:3], out=kept)
    assert (tmp_path / "elsewhere").read_bytes() == before


@pytest.mark.parametrize("how", ["gone", "cut", "changed"])
def test_a_damaged_proof_is_written_again(tmp_path: Path, how: str) -> None:
    ground_truth(GRAPHS[:3], out=tmp_path, proofs=True)
    proof = tmp_path / "proofs" / "1-3.pbp"
    text = proof.read_text("ascii")
    if how == "gone":
        proof.unlink()
    else:
        proof.write_text(text[:-9] if how == "cut" else text.replace("1", "2", 1))
    with pytest.warns(ExactmatchWarning, match="proofs: is damaged"):
        ground_truth(GRAPHS[:3], out=tmp_path, proofs=True)
    assert proof.read_text("ascii") == text
    ground_truth(GRAPHS[:3], out=tmp_path, proofs=True)


def test_a_list_of_labels_is_the_same_list_again(tmp_path: Path) -> None:
    for labels in (("chem",), ["chem"]):
        truth = ground_truth(GRAPHS[:3], out=tmp_path, labels=labels)
    assert truth.manifest["done"] == 3


def test_a_second_writer_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder = module._finder
    asked: list[str] = []

    def twice(*args: Any) -> Any:
        if not asked:
            asked.append("once")
            with pytest.raises(InputError, match="another process or thread is writ"):
                ground_truth(GRAPHS[:3], out=tmp_path)
        return lambda pairs: finder(*args)(pairs)

    def found(*args: Any) -> Any:
        find = finder(*args)
        return lambda pairs: (twice(*args), find(pairs))[1]

    monkeypatch.setattr(module, "_finder", found)
    truth = ground_truth(GRAPHS[:3], out=tmp_path)
    assert asked
    assert np.array_equal(truth.distances, right())


@pytest.mark.skipif(
    not hasattr(os, "posix_fallocate"), reason="the system cannot reserve room"
)
@pytest.mark.parametrize("is_new", [True, False])
@pytest.mark.parametrize("room", [0, 2])
def test_a_full_disk_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_new: bool, room: int
) -> None:
    """The room of all matrices is taken before anything is written to them."""
    taken: list[int] = []

    def full(number: int, start: int, length: int) -> None:
        assert os.fstat(number).st_size == length > start == 0
        taken.append(length)
        if len(taken) > room:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    folder = tmp_path / "new" if is_new else tmp_path
    with pytest.raises(InputError, match="cannot be written: No space left"):
        ground_truth(GRAPHS[:3], out=folder)
    assert list(tmp_path.iterdir()) == []
