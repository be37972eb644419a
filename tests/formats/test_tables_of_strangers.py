"""Parquet files and datasets of strangers: read rightly, or refused in a sentence.

Each of these small files stands for gigabytes, or for memory that is not its own.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exactmatch import InputError
from exactmatch.base.inputs import inputs_noted, provenance
from exactmatch.formats.blocks import read_blocks
from exactmatch.formats.machine.tables import ColumnNames, read_table

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402  # of the package that may be missing

GRAPH = "(a / b :ARG0 (c / d))"
LONG = "x" * 2**20
WANTED = ColumnNames(("prediction", "response"), ("id",))


def rows(path: Path | str, wanted: ColumnNames = WANTED) -> list[dict[str, Any]]:
    return list(read_table(str(path), wanted).rows)


def parquet(folder: Path, table: Any, **how: Any) -> Path:
    path = folder / "a.parquet"
    pq.write_table(table, path, **how)
    return path


def dataset(folder: Path, *columns: Any, names: str = "prediction", **how: Any) -> Path:
    """Write one batch as Hugging Face saves it."""
    batch = pa.record_batch([*columns], names=names.split())
    options = pa.ipc.IpcWriteOptions(**how)
    stream = str(folder / "d.arrow")
    with pa.ipc.new_stream(stream, batch.schema, options=options) as file:
        file.write(batch)
    state(folder, {"_data_files": [{"filename": "d.arrow"}]})
    return folder


def state(folder: Path, content: Any) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / "state.json").write_text(text)
    (folder / "dataset_info.json").write_text("{}")


def repeated(number: int) -> Any:
    indices = pa.array([0] * number, pa.int32())
    return pa.DictionaryArray.from_arrays(indices, pa.array([LONG]))


def lists_of_nulls(number: int) -> Any:
    return pa.array([[None] * number], pa.list_(pa.int8()))


IN_PARQUET: dict[str, Callable[[], Any]] = {
    "a text in a dictionary": lambda: repeated(10_000),
    "texts in lists": lambda: pa.array([[LONG] * 100]),
    "texts in structs": lambda: pa.array([{"a": LONG}] * 100),
    "texts of fixed length": lambda: pa.array(
        [LONG.encode()] * 100, pa.binary(len(LONG))
    ),
    "nulls": lambda: pa.nulls(5_000_000, pa.string()),
    "nulls in a list": lambda: lists_of_nulls(5_000_000),
    "equal rows": lambda: pa.array([GRAPH] * 500_000),
    "empty lists": lambda: pa.array([[[]] * 3_000_000], pa.list_(pa.list_(pa.int8()))),
}


@pytest.mark.parametrize("what", IN_PARQUET)
def test_what_parquet_unpacks_to_is_bounded(what: str, tmp_path: Path) -> None:
    table = pa.table({"prediction": IN_PARQUET[what]()})
    path = parquet(tmp_path, table, compression="zstd")
    assert path.stat().st_size < 20_000
    with pytest.raises(InputError, match=r"unpack to more than .*--max-bytes"):
        rows(path)


@pytest.mark.slow
def test_a_hundred_thousand_equal_rows_are_read(tmp_path: Path) -> None:
    columns = {"prediction": [GRAPH] * 100_000, "id": range(100_000)}
    table = pa.table({name: pa.array(column) for name, column in columns.items()})
    how: dict[str, Any] = {"compression": "zstd", "use_dictionary": ["prediction"]}
    how["column_encoding"] = {"id": "DELTA_BINARY_PACKED"}
    path = parquet(tmp_path, table, **how)
    assert path.stat().st_size < 20_000
    assert len(rows(path)) == 100_000


def test_texts_that_repeat_the_one_before_are_bounded(tmp_path: Path) -> None:
    how = {"use_dictionary": False, "compression": "zstd"}
    encoding = {"column_encoding": {"prediction": "DELTA_BYTE_ARRAY"}}
    few = parquet(tmp_path, pa.table({"prediction": [GRAPH] * 3}), **how, **encoding)
    assert rows(few) == [{"prediction": GRAPH}] * 3
    many = pa.table({"prediction": [LONG] * 100})
    with pytest.raises(InputError, match="--max-bytes"):
        rows(parquet(tmp_path, many, **how, **encoding))


def test_columns_that_nobody_names_are_not_read(tmp_path: Path) -> None:
    days = pa.array([2**31 - 1], pa.int32()).cast(pa.date32())
    seconds = pa.array([2**63 - 1], pa.duration("s"))
    unused = {"q": lists_of_nulls(10_000_000), "d": days, "s": seconds}
    table = pa.table({"prediction": [GRAPH], **unused})
    expected = [{"prediction": GRAPH}]
    assert rows(parquet(tmp_path, table, compression="zstd")) == expected
    nulls = pa.nulls(2**31 - 1)
    lists = pa.ListArray.from_arrays([0, 2**31 - 1], nulls)
    folder = dataset(tmp_path, pa.array([GRAPH]), lists, days, names="prediction q d")
    assert rows(folder) == expected


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("timestamp[us]", 2**62),
        ("duration[s]", 2**63 - 1),
        ("date32[day]", 2**31 - 1),
        ("date64[ms]", 2**62),
    ],
)
def test_times_that_python_lacks_are_refused(
    kind: str, value: int, tmp_path: Path
) -> None:
    width = pa.int32() if kind.startswith("date32") else pa.int64()
    column = pa.array([value], width).view(kind)
    with pytest.raises(InputError, match="cannot be read as a table"):
        rows(parquet(tmp_path, pa.table({"prediction": column})))
    with pytest.raises(InputError, match="cannot be read as a table"):
        rows(dataset(tmp_path, column))


IN_ARROW: dict[str, Callable[[], Any]] = {
    "a text in a dictionary": lambda: repeated(10_000),
    "nulls": lambda: pa.nulls(10**8),
    "a list of nulls": lambda: pa.ListArray.from_arrays(
        [0, 2**31 - 1], pa.nulls(2**31 - 1)
    ),
    "texts in a dictionary in a list": lambda: pa.ListArray.from_arrays(
        [0, 10_000], repeated(10_000)
    ),
    "lists of fixed size": lambda: pa.FixedSizeListArray.from_arrays(
        pa.FixedSizeListArray.from_arrays(pa.nulls(10**8), 1000), 1000
    ),
}


@pytest.mark.parametrize("what", IN_ARROW)
def test_what_arrow_unpacks_to_is_bounded(what: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"unpack to more than .*--max-bytes"):
        rows(dataset(tmp_path, IN_ARROW[what]()))


@pytest.mark.parametrize("codec", ["zstd", "lz4"])
def test_compressed_buffers_are_counted_first(codec: str, tmp_path: Path) -> None:
    zeros = pa.array(["x" * 10**8])
    folder = dataset(tmp_path, pa.array([GRAPH]), compression=codec)
    assert rows(folder) == [{"prediction": GRAPH}]
    folder = dataset(tmp_path, zeros, compression=codec)
    with pytest.raises(InputError, match="--max-bytes"):
        rows(folder)
    path = folder / "d.arrow"
    content = path.read_bytes()
    said = (10**8).to_bytes(8, "little")
    path.write_bytes(content.replace(said, (2**62).to_bytes(8, "little")))
    with pytest.raises(InputError, match="--max-bytes"):
        rows(folder)


@pytest.mark.parametrize(
    "column",
    [
        lambda: pa.RunEndEncodedArray.from_arrays([2**31 - 1], pa.array([GRAPH])),
        lambda: pa.array([[("a", "b")]], pa.map_(pa.string(), pa.string())),
        lambda: pa.FixedSizeListArray.from_arrays(pa.nulls(10**9), 10**9),
    ],
)
def test_types_that_grow_are_refused(column: Callable[[], Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="column 'prediction'"):
        rows(dataset(tmp_path, column()))


def test_offsets_outside_of_a_file_are_refused(tmp_path: Path) -> None:
    """They would show other memory of the process, or end it."""
    texts = pa.array(["abc" * 40] * 3)
    for wrong in (2**30, -(2**30), 130):
        folder = dataset(tmp_path, texts)
        path = folder / "d.arrow"
        right, bent = (k.to_bytes(4, "little", signed=True) for k in (240, wrong))
        content = path.read_bytes()
        assert content.count(right) == 1
        path.write_bytes(content.replace(right, bent))
        if wrong == 130:  # still in order, and in the file
            assert rows(folder)[1]["prediction"] == "abc" * 3 + "a"
            continue
        with pytest.raises(InputError, match="Offset invariant failure"):
            rows(folder)


STATES: list[Any] = [
    *([], 3, None, {}, {"_data_files": 3}, {"_data_files": [3]}),
    {"_data_files": [{"filename": 3}]},
    *("{", "[" * 100_000, "9" * 5000, "\0", ""),
    *(
        {"_data_files": [{"filename": name}]}
        for name in ("../d.arrow", "/etc/passwd", "", ".", "x\0", "no", "a/d.arrow")
    ),
]


@pytest.mark.parametrize("content", STATES, ids=range(len(STATES)))
def test_a_state_of_another_shape_is_refused(content: Any, tmp_path: Path) -> None:
    dataset(tmp_path, pa.array([GRAPH]))
    state(tmp_path, content)
    with pytest.raises(InputError, match=r"state\.json"):
        rows(tmp_path)


def test_links_and_pipes_are_no_files_of_a_dataset(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    dataset(folder, pa.array([GRAPH]))
    file = folder / "d.arrow"
    file.rename(tmp_path / "d.arrow")
    file.symlink_to(tmp_path / "d.arrow")
    with pytest.raises(InputError, match="not a regular file in this folder"):
        rows(folder)
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(InputError, match="not a regular file in this folder"):
        rows(folder)


def test_the_provenance_names_each_file_of_a_dataset(tmp_path: Path) -> None:
    dataset(tmp_path, pa.array([GRAPH]))
    (tmp_path / "other").write_text("not read")
    with inputs_noted():
        list(read_blocks(str(tmp_path)))
        found = provenance().files
    assert [file.name for file in found] == ["state.json", "d.arrow"]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view"])
def test_texts_of_every_kind_are_read(kind: str, tmp_path: Path) -> None:
    column = pa.array([GRAPH, None, ""], getattr(pa, kind)())
    expected = [{"prediction": GRAPH}, {"prediction": None}, {"prediction": ""}]
    assert rows(dataset(tmp_path, column)) == expected
    assert rows(parquet(tmp_path, pa.table({"prediction": column}))) == expected


def test_values_within_values_are_read_as_they_were(tmp_path: Path) -> None:
    """Against pyarrow's own reading of the whole table."""
    triple = pa.list_(pa.string(), 3)
    table = pa.table(
        {
            "id": [1, None],
            "prediction": pa.array([[["b", "r", "c"]], []], pa.list_(triple)),
            "q": ["x", "y"],
        }
    )
    expected = [dict(id=row.pop("id"), **row) for row in table.drop("q").to_pylist()]
    assert rows(parquet(tmp_path, table)) == expected
    nested = pa.array([{"a": {"b": GRAPH}, "c": 1}, {"a": None, "c": 2}])
    path = parquet(tmp_path, pa.table({"prediction": nested}))
    assert rows(path, ColumnNames(("prediction.a.b",)))[0] == {
        "prediction": {"a": {"b": GRAPH}}
    }


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    column = pa.array([GRAPH])
    table = pa.Table.from_arrays([column, column], names=["prediction"] * 2)
    with pytest.raises(InputError, match="two columns 'prediction'"):
        rows(parquet(tmp_path, table))


def test_many_rows_come_back_in_batches(tmp_path: Path) -> None:
    texts = [f"(a / b-{k})" for k in range(5000)]
    table = pa.table({"prediction": texts, "id": list(range(5000))})
    for how in ({}, {"use_dictionary": False}, {"data_page_version": "2.0"}):
        found = rows(parquet(tmp_path, table, row_group_size=1700, **how))
        assert found == table.to_pylist()


def test_files_of_other_columns_are_no_dataset(tmp_path: Path) -> None:
    dataset(tmp_path, pa.array([GRAPH]), names="response")
    (tmp_path / "d.arrow").rename(tmp_path / "e.arrow")
    dataset(tmp_path, pa.array([GRAPH]))
    files = [{"filename": name} for name in ("d.arrow", "e.arrow")]
    state(tmp_path, {"_data_files": files})
    with pytest.raises(InputError, match=r"e\.arrow: has other columns"):
        rows(tmp_path)


REPLIES: list[dict[str, Any]] = [
    {"body": {"choices": [{"message": {"role": "assistant", "content": GRAPH}}]}},
    {"message": {"role": "assistant", "content": [{"type": "text", "text": GRAPH}]}},
    {"role": "assistant", "content": GRAPH},
    {"generated_text": GRAPH},
]


@pytest.mark.parametrize("reply", REPLIES, ids=range(len(REPLIES)))
def test_replies_of_services_are_read(reply: dict[str, Any], tmp_path: Path) -> None:
    """Each under its own id, and the id of the service where it has none."""
    ids = [{"custom_id": None, "id": "a"}, {"custom_id": "c", "id": "b"}]
    table = pa.Table.from_pylist([one | reply for one in ids])
    is_plain = "content" in reply or "generated_text" in reply
    if is_plain:  # a name of an answer only where no other column is beside
        table = table.drop("custom_id")
    path = parquet(tmp_path, table)
    blocks = [*read_blocks(str(path))]
    assert [block.content for block in blocks] == [(GRAPH,)] * 2
    names = ["a", "b" if is_plain else "c"]
    assert [block.id for block in blocks] == names


def test_a_reply_beside_unknown_columns_is_not_guessed(tmp_path: Path) -> None:
    table = pa.Table.from_pylist([{"content": GRAPH, "topic": "x"}])
    with pytest.raises(InputError, match=r"has no column 'prediction'.*'topic'"):
        [*read_blocks(str(parquet(tmp_path, table)))]


@pytest.mark.parametrize(
    "kind",
    [
        *("string", "large_string", "binary", "large_binary", "string_view"),
        *("binary_view", "dictionary", "fixed"),
    ],
)
def test_sizes_of_texts_are_their_bytes(kind: str) -> None:
    """Lengths are read off the buffers, also of slices, without those of nulls."""
    from exactmatch.formats.machine.tables import _size

    rng = random.Random(kind)
    types = {
        "dictionary": pa.dictionary(pa.uint8(), pa.string()),
        "fixed": pa.binary(3),
    }
    for _ in range(50):
        texts = [
            None
            if rng.random() < 0.3
            else b"abc"
            if kind == "fixed"
            else b"\xc3\xa9" * rng.randrange(20)
            for _ in range(rng.randrange(30))
        ]
        array = pa.array(texts, pa.binary())
        if kind == "dictionary":
            array = array.cast(pa.string()).dictionary_encode().cast(types[kind])
        else:
            array = array.cast(types.get(kind) or getattr(pa, kind)())
        begin = rng.randrange(len(texts) + 1)
        count = rng.randrange(len(texts) - begin + 1)
        wanted = sum(len(one or b"") for one in texts[begin : begin + count])
        assert _size(array.slice(begin, count), 10**6, 10**9, 0) == wanted


def test_a_table_is_read_without_the_functions_of_arrow(tmp_path: Path) -> None:
    """``pyarrow.compute`` alone takes a tenth of a second to be imported."""
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"prediction": ["(a / b)"] * 3}), path)
    code = (
        "import sys, pathlib, exactmatch; "
        f"assert len(exactmatch.load(pathlib.Path({str(path)!r}))) == 3; "
        "assert 'pyarrow.compute' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_answers_are_not_read_to_be_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from exactmatch.formats.blocks import count_blocks
    from exactmatch.formats.machine import answers
    from exactmatch.formats.reading import Answers

    path = tmp_path / "a.jsonl"
    path.write_text('{"prediction": "(a / b)"}\n{"prediction": null}\n', "utf-8")
    monkeypatch.delattr(answers, "graph_in")
    assert count_blocks(path, Answers()) == 2
