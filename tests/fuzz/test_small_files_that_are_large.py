"""Small files that stand for much: refused in a sentence, in little memory."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from support.command import Cli

from exactmatch import InputError
from exactmatch.base.inputs import inputs_noted
from exactmatch.base.unpacking import unpacked
from exactmatch.edit.matching import MAX_NODES, read_dd
from exactmatch.metrics.similarity.vector_formats import read_vectors
from exactmatch.solvers.proof_files import read_lines

MANY = 5_000_000

VECTORS = {
    "one line": (b"a 1 " + b"1 " * MANY, "longer than"),
    "one value": (b"a " + b"1" * MANY, "longer than"),
    "zeros": (bytes(MANY), "longer than"),
    "many dimensions": (b"1 1000000000\na \1\2", "dimensions: too many"),
    "a word without end": (b"1 2\n\1" + b"\2" * 9 * MANY, "longer than|unpacks to"),
    "a wild number": (b"1" * 5000 + b" 2\na 1 2\n", "more than 18 digits"),
    "another": (b"1 " + b"9" * 5000 + b"\na 1 2\n", "more than 18 digits"),
}


@pytest.mark.parametrize("what", VECTORS)
@pytest.mark.parametrize("is_packed", [True, False])
def test_vectors_are_refused(what: str, is_packed: bool, tmp_path: Path) -> None:
    content, why = VECTORS[what]
    path = tmp_path / "v"
    path.write_bytes(gzip.compress(content, 1) if is_packed else content)
    with pytest.raises(InputError, match=why):
        read_vectors(str(path), ["a"])


@pytest.mark.slow
def test_what_unpacks_to_a_hundred_times_its_length_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"a 1\n" * MANY))
    refused = pytest.raises(InputError, match=r"a\.gz: unpacks to more than")
    with inputs_noted(10**6), refused:
        read_vectors(str(path), None)
    with inputs_noted(10**6), open(path, "rb") as file, refused:
        unpacked(file, str(path)).read()
    random = np.random.default_rng(0).bytes(10**6)
    path.write_bytes(gzip.compress(random))
    with inputs_noted(10), open(path, "rb") as file:
        assert unpacked(file, str(path)).read() == random


def test_a_proof_of_one_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "1.pbp.gz"
    path.write_bytes(gzip.compress(b"p" * MANY))
    refused = pytest.raises(InputError, match=r"1\.pbp\.gz: (has a line|unpacks)")
    with inputs_noted(10**6), refused:
        list(read_lines(str(path)))
    path.write_bytes(gzip.compress(b"a\nb"))
    assert list(read_lines(str(path))) == ["a\n", "b"]
    path.write_bytes(gzip.compress(b"a\nb")[:-3])
    with pytest.raises(InputError, match="cannot be read"):
        list(read_lines(str(path)))


CONFIGURATIONS = {
    "names in names": ".".join("a" * 30_000) + " = 1",
    "a long file": "# a\n" * 300_000,
    "a wild number": f"seed = {'9' * 5000}",
    "lists in lists": "seed = " + "[" * 30_000,
    "tables in tables": "seed = " + "{a=" * 10_000,
    "a table in tables": f"[{'.'.join('a' * 30_000)}]",
    "names in deep tables": f"[{'.'.join('a' * 1000)}]\n" + "b.c = 1\n" * 1000,
}


@pytest.mark.parametrize("what", CONFIGURATIONS)
def test_a_configuration_is_refused(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.amr").write_text("(a / b)\n")
    Path("exactmatch.toml").write_text(CONFIGURATIONS[what])
    assert "exactmatch.toml: cannot be read" in cli.refusal("p.amr", "p.amr")
    Path("exactmatch.toml").unlink()
    Path("pyproject.toml").write_text(CONFIGURATIONS[what])
    assert "1.0000" in cli.out("p.amr", "p.amr")


def test_a_long_file_of_a_project_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.amr").write_text("(a / b)\n")
    pins = "".join(f'"package-{k}==1.{k}.0", ' for k in range(3000))
    project = f"[project]\ndependencies = [{pins} 'exactmatch']\n"
    Path("pyproject.toml").write_text(project + '[tool.exactmatch]\nprofile = "clean"')
    assert Path("pyproject.toml").stat().st_size > 2**16
    assert "profile:clean" in cli("p.amr", "p.amr")[1]


@pytest.mark.slow
def test_a_matching_of_millions_of_pair_terms_takes_little_memory() -> None:
    """A cost of two matches makes a term of each match of the second's node."""
    import tracemalloc

    n = 400
    lines = [f"p 2 {n} {2 * n} {n}"]
    lines += [f"a {k} {k // n} {k % n} 0" for k in range(2 * n)]
    lines += [f"e {k} {n + (k + 1) % n} 1" for k in range(n)]
    problem = read_dd(lines, "d")
    tracemalloc.start()
    try:
        terms = problem.as_alignment().problem.first.size
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert terms > n * (n - 3)
    assert most < 150 * terms


@pytest.mark.parametrize("sizes", ["50000000 1 1 0", "1 50000000 1 0"])
def test_a_matching_of_too_many_nodes_is_refused(sizes: str) -> None:
    with pytest.raises(InputError, match=rf"d:1: .* at most {MAX_NODES:,} nodes"):
        read_dd([f"p {sizes}", "a 0 0 0 -1"], "d")


def test_costs_that_no_scale_makes_whole_are_refused(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "t.dd"
    for cost in ("-1e-320", "5e-324", "-1e-300"):
        path.write_text(f"p 1 1 1 0\na 0 0 0 {cost}\n")
        assert "multiply all costs" in cli.refusal("solve", path)
    path.write_text("p 1 1 1 0\na 0 0 0 -1e-100\n")
    assert json.loads(cli.out("solve", path, "--format", "json"))


def test_lines_of_packed_vectors_count(tmp_path: Path) -> None:
    """Ten thousand bytes may unpack to millions of lines, each of which takes time."""
    path = tmp_path / "vectors.txt.gz"
    path.write_bytes(gzip.compress(b"a 1\n" * 100_000))
    with (
        inputs_noted(max_bytes=1_000_000),
        pytest.raises(InputError, match="unpacks to more than 1,000,000 bytes"),
    ):
        read_vectors(str(path), ["a"])


def test_groups_of_rows_count(tmp_path: Path) -> None:
    """Each group of rows of a Parquet file is read by itself, and takes time."""
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    from exactmatch.formats.machine.tables import ColumnNames, read_table

    path, table = tmp_path / "a.parquet", pa.table({"prediction": ["(a / b)"]})
    with pq.ParquetWriter(path, table.schema) as writer:
        for _ in range(50):
            writer.write_table(table)
    assert len([*read_table(str(path), ColumnNames(["prediction"])).rows]) == 50
    with inputs_noted(max_bytes=200_000), pytest.raises(InputError, match="unpack to"):
        read_table(str(path), ColumnNames(["prediction"]))
