"""A matrix in a file is completed after an interruption, with right scores."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactmatch
from exactmatch import InputError
from exactmatch.many import blocks, matrix, targets
from exactmatch.many.blocks import Block

GRAPHS = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(w / want-01 :ARG0 (b / boy) :ARG1 (l / leave-11 :ARG0 b :time (n / now)))",
    "(b / bark-01 :polarity - :ARG0 (d / dog :mod (b2 / big)))",
    "(d / dog)",
]


def test_a_matrix_in_a_file_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks.PackedSides, "block_shape", (2, 2))
    monkeypatch.setattr(matrix, "_FILE_BLOCKS", 1)
    path = tmp_path / "matrix.npy"
    expected = exactmatch.cdist(GRAPHS, GRAPHS)
    whole = blocks.PackedSides.scorer
    done: list[Any] = []

    def failing(limit: Any) -> Any:
        def scorer(sides: Any) -> Any:
            score = whole(sides)

            def counted(block: Any) -> Any:
                if block.triangle:
                    if len(done) == limit:
                        raise KeyboardInterrupt
                    done.append(block)
                return score(block)

            return counted

        return scorer

    monkeypatch.setattr(blocks.PackedSides, "scorer", failing(1))
    with pytest.raises(KeyboardInterrupt):
        exactmatch.cdist(GRAPHS, GRAPHS, out=path)
    assert len(done) == 1
    with pytest.raises(InputError, match="of other graphs"):
        exactmatch.cdist(GRAPHS[:2], GRAPHS[:2], out=path)
    with pytest.raises(InputError, match="of other graphs"):
        exactmatch.cdist(GRAPHS, GRAPHS, out=path, at_least=0.5)
    monkeypatch.setattr(blocks.PackedSides, "scorer", failing(-1))
    found = exactmatch.cdist(GRAPHS, GRAPHS, out=path)
    assert isinstance(found, np.memmap)
    assert np.array_equal(found, expected)
    assert len(done) == len(set(done)) == 3
    assert np.array_equal(np.load(path), expected)
    assert not Path(f"{path}.blocks").exists()
    with pytest.raises(InputError, match="not an unfinished matrix"):
        exactmatch.cdist(GRAPHS, GRAPHS, out=path)


@pytest.fixture
def unfinished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A matrix of ``GRAPHS`` of which the first two of three blocks are done."""
    monkeypatch.setattr(blocks.PackedSides, "block_shape", (2, 2))
    monkeypatch.setattr(matrix, "_FILE_BLOCKS", 1)
    path = tmp_path / "matrix.npy"
    finish = targets.MatrixFile.finish
    done: list[Block] = []

    def finishing(file: targets.MatrixFile, block: Block) -> None:
        finish(file, block)
        done.append(block)
        if len(done) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as interrupted:
        interrupted.setattr(targets.MatrixFile, "finish", finishing)
        with pytest.raises(KeyboardInterrupt):
            exactmatch.cdist(GRAPHS, GRAPHS, out=path)
    return path


def test_a_line_that_was_being_written_is_written_anew(
    unfinished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = Path(f"{unfinished}.blocks")
    listed.write_text(listed.read_text()[:-5])
    with monkeypatch.context() as interrupted:
        interrupted.setattr(targets.MatrixFile, "close", failing_to_close)
        with pytest.raises(KeyboardInterrupt):
            exactmatch.cdist(GRAPHS, GRAPHS, out=unfinished)
    _, *lines = map(json.loads, listed.read_text().splitlines())
    assert sorted(line[:4] for line in lines) == [
        [0, 2, 0, 2],
        [0, 2, 2, 4],
        [2, 4, 2, 4],
    ]
    found = exactmatch.cdist(GRAPHS, GRAPHS, out=unfinished)
    assert np.array_equal(found, exactmatch.cdist(GRAPHS, GRAPHS))


def failing_to_close(file: targets.MatrixFile) -> None:
    del file
    raise KeyboardInterrupt


def test_a_second_writer_is_refused(
    unfinished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = exactmatch.cdist(GRAPHS, GRAPHS)
    finish = targets.MatrixFile.finish
    refusals: list[str] = []

    def finishing(file: targets.MatrixFile, block: Block) -> None:
        finish(file, block)
        with pytest.raises(InputError) as refused:
            exactmatch.cdist(GRAPHS, GRAPHS, out=unfinished)
        refusals.append(str(refused.value))

    with monkeypatch.context() as twice:
        twice.setattr(targets.MatrixFile, "finish", finishing)
        found = exactmatch.cdist(GRAPHS, GRAPHS, out=unfinished)
    assert np.array_equal(found, expected)
    assert all("another process or thread is writing" in each for each in refusals)
    assert len(refusals) == 1
    assert not Path(f"{unfinished}.blocks").exists()


WRITE = """
import sys, exactmatch
from exactmatch.errors import InputError
try:
    exactmatch.cdist(sys.argv[2:], sys.argv[2:], out=sys.argv[1])
except InputError as error:
    sys.exit(str(error))
"""


def test_of_several_writers_at_once_one_writes(tmp_path: Path) -> None:
    """The others are refused, whether threads or processes, and nothing is damaged."""
    expected = exactmatch.cdist(GRAPHS, GRAPHS)
    for number in range(10):
        path, start = tmp_path / f"{number}.npy", threading.Barrier(4)
        refusals: list[str] = []

        def write(
            path: Path = path,
            start: threading.Barrier = start,
            refusals: list[str] = refusals,
        ) -> None:
            start.wait()
            try:
                exactmatch.cdist(GRAPHS, GRAPHS, out=path)
            except InputError as error:
                refusals.append(str(error))

        threads = [threading.Thread(target=write) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(refusals) == 3
        for text in refusals:
            assert "is writing to it" in text or "not an unfinished matrix" in text
        assert np.array_equal(np.load(path), expected)
    assert sorted(tmp_path.iterdir()) == [tmp_path / f"{n}.npy" for n in range(10)]


@pytest.mark.slow  # four processes
def test_of_several_processes_one_writes(tmp_path: Path) -> None:
    path = tmp_path / "matrix.npy"
    command = [sys.executable, "-c", WRITE, str(path), *GRAPHS]
    running = [
        subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)
    ]
    ended = [(process.communicate()[1], process.returncode) for process in running]
    assert sorted(code for _, code in ended) == [0, 1, 1, 1]
    for text, code in ended:
        is_refused = "is writing to it" in text or "not an unfinished matrix" in text
        assert code == 0 or is_refused
    assert np.array_equal(np.load(path), exactmatch.cdist(GRAPHS, GRAPHS))


@pytest.mark.parametrize("place", [(0, 1), (0, 2), (3, 0)])
def test_a_block_that_is_not_as_it_was_written_is_scored_again(
    unfinished: Path, place: tuple[int, int]
) -> None:
    damaged = np.load(unfinished, mmap_mode="r+")
    damaged[place] += 0.25
    del damaged
    found = exactmatch.cdist(GRAPHS, GRAPHS, out=unfinished)
    assert np.array_equal(found, exactmatch.cdist(GRAPHS, GRAPHS))


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "3\n", "[1]\n", '{"matrix of": "x"}\n[0, 2]\n', "\xff\n"),
        "[" * 100_000 + "\n",
        *(f"{{}}\n{line}\n" for line in ("{}", "null", "[0, 2, 0, 2, false, 1e999]")),
    ],
)
def test_a_damaged_list_of_blocks_is_refused(unfinished: Path, text: str) -> None:
    listed = Path(f"{unfinished}.blocks")
    listed.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"damaged|other graphs"):
        exactmatch.cdist(GRAPHS, GRAPHS, out=unfinished)


@pytest.mark.parametrize(
    "line",
    [
        *('["a", 2, 0, 2, true, 1]', "[0, 2, 0, 2, true, 1.5]", "[0, 2, 0, 2, 1, 1]"),
        *("[0, 2, 0, 2, true]", "[0, 9, 0, 2, true, 1]", "[2, 0, 0, 2, true, 1]"),
        *(
            "[-1, 2, 0, 2, true, 1]",
            "[0, 2, 0, 2, true, true]",
            "[[], 2, 0, 2, true, 1]",
        ),
        *("[0, 2, 0, 1e999, true, 1]", '{"0": 1}', "7", "null", '"abcdef"'),
    ],
)
def test_a_damaged_line_of_the_list_is_refused(unfinished: Path, line: str) -> None:
    with Path(f"{unfinished}.blocks").open("a") as listed:
        listed.write(f"{line}\n")
    with pytest.raises(InputError, match="list of finished blocks is damaged"):
        exactmatch.cdist(GRAPHS, GRAPHS, out=unfinished)


@pytest.mark.parametrize(
    "broken",
    ["cut", "empty", "shape", "type", "longer", "objects", "zip", "columns", "later"],
)
def test_a_file_that_is_not_the_matrix_of_its_list_is_refused(
    unfinished: Path, broken: str
) -> None:
    whole = unfinished.read_bytes()
    if broken == "shape":
        np.save(unfinished, np.zeros((2, 2)))
    elif broken == "type":
        np.save(unfinished, np.zeros((4, 4), dtype="f4"))
    elif broken == "objects":
        np.save(unfinished, np.array([[None] * 4] * 4), allow_pickle=True)
    elif broken == "columns":
        np.save(unfinished, np.asfortranarray(np.zeros((4, 4))))
    elif broken == "zip":
        with unfinished.open("wb") as file:
            np.savez(file, a=np.zeros((4, 4)))
    elif broken == "later":
        unfinished.write_bytes(whole[:6] + b"\x03" + whole[7:])
    elif broken == "longer":
        unfinished.write_bytes(whole + b"\0" * 8)
    else:
        unfinished.write_bytes(whole[:200] if broken == "cut" else b"")
    before = unfinished.read_bytes()
    with pytest.raises(InputError, match="is not the matrix that"):
        exactmatch.cdist(GRAPHS, GRAPHS, out=unfinished)
    assert unfinished.read_bytes() == before


@pytest.mark.skipif(
    not hasattr(os, "posix_fallocate"), reason="the system cannot reserve room"
)
def test_a_full_disk_is_told_before_anything_is_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(number: int, start: int, length: int) -> None:
        assert os.fstat(number).st_size == length > start == 0
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(InputError, match="cannot be written: No space left"):
        exactmatch.cdist(GRAPHS, GRAPHS, out=tmp_path / "matrix.npy")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["nowhere/matrix.npy", ""])
def test_a_place_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        exactmatch.cdist(GRAPHS, GRAPHS, out=name)
    assert list(tmp_path.iterdir()) == []


# What is not ours


@pytest.mark.parametrize("content", ["my notes\n", "", "{}\n", "[1]\n", '{"a": 1}\n'])
def test_a_file_of_the_lists_name_is_not_touched(tmp_path: Path, content: str) -> None:
    path, listed = tmp_path / "x.npy", tmp_path / "x.npy.blocks"
    listed.write_text(content)
    with pytest.raises(InputError, match=r"x.npy.blocks: .* move it"):
        exactmatch.cdist(GRAPHS, GRAPHS, out=path)
    assert listed.read_text() == content
    assert not path.exists()


@pytest.mark.parametrize("has_matrix", [False, True])
def test_a_link_of_the_lists_name_is_not_followed(
    tmp_path: Path, unfinished: Path, has_matrix: bool
) -> None:
    """Neither at the beginning nor on going on, though the list it leads to is one."""
    listed, elsewhere = Path(f"{unfinished}.blocks"), tmp_path / "elsewhere"
    listed.rename(elsewhere)
    content = elsewhere.read_text()
    listed.symlink_to(elsewhere)
    if not has_matrix:
        unfinished.unlink()
    with pytest.raises(InputError, match="is not a plain file"):
        exactmatch.cdist(GRAPHS, GRAPHS, out=unfinished)
    assert listed.is_symlink()
    assert elsewhere.read_text() == content


def test_a_list_without_its_matrix_is_begun_anew(unfinished: Path) -> None:
    unfinished.unlink()
    found = exactmatch.cdist(GRAPHS, GRAPHS, out=unfinished)
    assert np.array_equal(found, exactmatch.cdist(GRAPHS, GRAPHS))
    assert not Path(f"{unfinished}.blocks").exists()
