"""Tables, vectors, TUDatasets and configurations, damaged at random.

Each is read, or refused in a sentence that names it, under 4 GiB and in 30 s.
``make fuzz N=40000`` makes a campaign of it: 2,000 cases of each kind.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import struct
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.mutations import mutated_json, mutated_text

from exactmatch.base.errors import InputError
from exactmatch.cli.configuration import defaults_for
from exactmatch.formats.blocks import read_blocks
from exactmatch.formats.networks import read_graphs
from exactmatch.metrics.similarity.vector_formats import read_vectors

bounded = pytest.importorskip("support.bounded", exc_type=ImportError).bounded

CASES = max(int(os.environ.get("EXACTMATCH_FUZZ", "2000")) // 20, 20)
GRAPH = "(a / b :ARG0 (c / d))"
NUMBERS = (0, 1, 2, 127, 128, 255, 2**15, 2**16, 2**31 - 1, 2**31, 2**62, 2**63 - 1)


def damaged(rng: random.Random, whole: bytes) -> bytes:
    """Return bytes with some changed, cut off, doubled, or a number put over them."""
    content = bytearray(whole)
    for _ in range(rng.choice((1, 1, 2, 4, 12))):
        if not content:
            break
        at = rng.randrange(len(content))
        if rng.random() < 0.5:  # where headers are
            at = rng.choice((at % 200, -1 - at % min(600, len(content))))
            at %= len(content)
        kind = rng.randrange(7)
        if kind < 3:
            content[at] = rng.choice((0, 255, rng.randrange(256), content[at] ^ 1))
        elif kind == 3:
            number = rng.choice((1, -1)) * rng.choice(NUMBERS)
            width = rng.choice((2, 4, 8))
            packed = (number % 2 ** (8 * width)).to_bytes(width, "little")
            content[at : at + width] = packed
        elif kind == 4:
            content[at:at] = content[at : at + rng.choice((1, 4, 8, 64))]
        elif kind == 5:
            del content[at : at + rng.choice((1, 4, 8, 64))]
        elif rng.random() < 0.2:
            del content[at:]
    return bytes(content)


def outcome(path: Path, read: Callable[[], object]) -> str:
    """Read a file, which may be refused in one line that names it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read()
    except InputError as error:
        reason = str(error)
        assert "\n" not in reason, reason
        assert path.name in reason, reason
        return "refused"
    return "read"


def check(outcomes: Counter[str]) -> None:
    """Most cases are not of one outcome alone, which would try nothing."""
    assert outcomes.total() == CASES
    assert outcomes["read"] > CASES // 100, outcomes
    assert outcomes["refused"] > CASES // 20, outcomes


def tables() -> Iterator[Any]:
    pa = pytest.importorskip("pyarrow")
    texts = [GRAPH, None, "", "(x / y)"] * 3
    triples = [[["b", "r", "c"], ["c", "s", "d"]], [], None] * 4
    yield pa.table({"prediction": texts, "id": range(12)})
    yield pa.table({"prediction": pa.array(texts).dictionary_encode(), "q": triples})
    yield pa.table({"prediction": triples, "id": texts})
    yield pa.table({"response": [{"a": text, "b": [1.5, None]} for text in texts]})
    yield pa.table(
        {
            "prediction": pa.array(texts, pa.large_string()),
            "id": pa.array(range(12), pa.timestamp("us")),
        }
    )
    yield pa.table(
        {
            "prediction": pa.array(texts, pa.string_view()),
            "id": pa.array([None, 2**40] * 6, pa.duration("s")),
        }
    )
    fixed = pa.array([["b", "r", "c"]] * 12, pa.list_(pa.string(), 3))
    yield pa.table({"prediction": pa.array([GRAPH.encode()] * 12), "id": fixed})


def test_damaged_parquet_files_are_read_or_refused(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    hows: list[dict[str, Any]] = [
        {},
        {"compression": "zstd", "row_group_size": 5},
        {"use_dictionary": False, "data_page_version": "2.0"},
        {"compression": "gzip", "use_dictionary": False, "store_schema": False},
    ]
    wholes = []
    path = tmp_path / "a.parquet"
    for table in tables():
        for how in hows:
            pq.write_table(table, path, **how)
            wholes.append(path.read_bytes())

    def run(seed: int) -> str:
        rng = random.Random(seed)
        path.write_bytes(damaged(rng, rng.choice(wholes)))
        return outcome(path, lambda: [*read_blocks(str(path))])

    check(bounded(range(CASES), run))


@pytest.mark.slow
def test_a_footer_with_one_wrong_byte_is_read_or_refused(tmp_path: Path) -> None:
    """What pyarrow says of some of its columns ends the process."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"prediction": [GRAPH]}), path, store_schema=False)
    whole = path.read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")

    def run(place: int) -> str:
        wrong = bytes([whole[place] ^ 16])
        path.write_bytes(whole[:place] + wrong + whole[place + 1 :])
        return outcome(path, lambda: [*read_blocks(str(path))])

    outcomes = bounded(range(footer, len(whole)), run)
    assert min(outcomes["read"], outcomes["refused"]) > 10


def test_damaged_datasets_are_read_or_refused(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    folder = tmp_path / "set"
    folder.mkdir()
    path, state = folder / "d.arrow", folder / "state.json"
    (folder / "dataset_info.json").write_text("{}")
    wholes = []
    for table in tables():
        for compression in (None, "zstd", "lz4"):
            options = pa.ipc.IpcWriteOptions(compression=compression)
            with pa.ipc.new_stream(str(path), table.schema, options=options) as file:
                file.write_table(table, 5)
            wholes.append(path.read_bytes())
    listed = {"_data_files": [{"filename": "d.arrow"}], "_split": "train"}

    def run(seed: int) -> str:
        rng = random.Random(seed)
        whole, value = rng.choice(wholes), listed
        if rng.randrange(8):
            whole = damaged(rng, whole)
        else:
            value = mutated_json(rng, listed)
        path.write_bytes(whole)
        state.write_text(json.dumps(value))
        return outcome(folder, lambda: [*read_blocks(str(folder))])

    check(bounded(range(CASES), run))


PARTS = ("\n", ",", " ", "-", ".", "0", "1", "3", "9" * 19, "nan", "inf", "1e9", "é")
TUDATASET = {
    "A": "1, 2\n2, 1\n3, 4\n4, 3\n",
    "graph_indicator": "1\n1\n2\n2\n3\n",
    "graph_labels": "1\n-1\n1\n",
    "node_labels": "0\n1\n1\n2\n0\n",
    "node_attributes": "0.5, 1\n1, 1\n1, 2\n2, 0\n0, 1e-3\n",
    "edge_labels": "1\n1\n2\n2\n",
}


def test_damaged_tudatasets_have_all_their_nodes_or_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "set"

    def run(seed: int) -> str:
        rng = random.Random(seed)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        names = [name for name in TUDATASET if name[0] in "Ag" or rng.randrange(2)]
        texts = {name: TUDATASET[name] for name in names}
        if rng.randrange(4) == 0:
            texts.pop("graph_labels")
        for _ in range(rng.choice((1, 1, 2))):
            name = rng.choice([*texts])
            texts[name] = mutated_text(rng, texts[name], PARTS)
        for name, text in texts.items():
            (folder / f"T_{name}.txt").write_text(text, "utf-8")

        def read() -> None:
            graphs = [one.graph for one in read_graphs(str(folder))]
            owners = texts["graph_indicator"].split()
            assert sum(map(len, graphs)) == len(owners), seed
            assert len(graphs) >= len({*map(float, owners)}), seed
            edges = {*map(str.strip, texts["A"].splitlines())} - {""}
            assert sum(graph.number_of_edges() for graph in graphs) <= len(edges), seed

        return outcome(folder, read)

    check(bounded(range(CASES), run))


def vectors() -> Iterator[bytes]:
    lines = b"boy 0.5 1 -2e-3\ngirl 1 0 0\nnew york 1 2 3\n"
    yield lines
    yield b"\xef\xbb\xbf" + lines
    yield b"2 3\n" + lines[: lines.index(b"new")]
    numbers = struct.pack("<3f", 0.5, 1, -2)
    yield b"3 3\n" + b"".join(word + numbers for word in (b"boy ", b"\ngirl ", b"a "))


def test_damaged_vectors_are_read_or_refused(tmp_path: Path) -> None:
    path, wholes = tmp_path / "v", [*vectors()]

    def run(seed: int) -> str:
        rng = random.Random(seed)
        whole = rng.choice(wholes)
        is_packed = rng.randrange(3) == 0
        if is_packed and rng.randrange(2):
            content = damaged(rng, gzip.compress(whole))
        else:
            content = damaged(rng, whole)
            content = gzip.compress(content) if is_packed else content
        path.write_bytes(content)

        def read() -> None:
            found = read_vectors(str(path), rng.choice((None, ["boy", "a"])))
            assert len({vector.shape for vector in found.values()}) < 2, seed

        return outcome(path, read)

    check(bounded(range(CASES), run))


CONFIGURATION = """\
profile = "clean"
on-error = "skip"
only = [1, 2]
[compare]
test = "exchange"
seed = 3
[score]
per-pair = true
"""
SIGNS = (
    "[",
    "]",
    "[[",
    "=",
    ".",
    '"',
    '"""',
    "'",
    "\n",
    "{",
    "}",
    "#",
    "\\u",
    "9" * 30,
)


@pytest.mark.parametrize("name", ["exactmatch.toml", "pyproject.toml"])
def test_damaged_configurations_are_read_or_refused(name: str, tmp_path: Path) -> None:
    path, text = tmp_path / name, CONFIGURATION
    if name == "pyproject.toml":
        text = text.replace("[", "[tool.exactmatch.").replace(
            "[tool.exactmatch.1", "[1"
        )
        text = f"[tool.exactmatch]\n{text}"

    def run(seed: int) -> str:
        rng = random.Random(seed)
        path.write_bytes(mutated_text(rng, text, SIGNS).encode("utf-8"))
        return outcome(path, lambda: defaults_for("score", str(tmp_path)))

    check(bounded(range(CASES), run))
