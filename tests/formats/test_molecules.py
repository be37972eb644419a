"""Molecules: SMILES, SD files, columns of tables, RDKit's own objects."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

import exactmatch
from exactmatch import InputError
from exactmatch.formats import molecules
from exactmatch.formats.molecules import (
    molecule_of_smiles,
    network_of_molecule,
    sdf,
)
from exactmatch.formats.networks import graphs_in, read_graphs

Chem = pytest.importorskip("rdkit.Chem")

ASPIRIN, CAFFEINE = "CC(=O)OC1=CC=CC=C1C(=O)O", "CN1C=NC2=C1C(=O)N(C(=O)N2C)C"


def atoms_and_bonds(graph: Any) -> tuple[dict[Any, Any], set[Any]]:
    bonds = {(frozenset(ends), w) for *ends, w in graph.edges(data="weight")}
    return dict(graph.nodes(data="label")), bonds


def of_rdkit(molecule: Any) -> tuple[dict[Any, Any], set[Any]]:
    """The same from RDKit alone."""
    bonds = {
        (
            frozenset((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())),
            bond.GetBondTypeAsDouble(),
        )
        for bond in molecule.GetBonds()
    }
    return {a.GetIdx(): a.GetSymbol() for a in molecule.GetAtoms()}, bonds


@pytest.mark.parametrize(
    "text", [ASPIRIN, CAFFEINE, "[Na+].[Cl-]", "[2H]C([H])([H])[H]", "[H][H]", "C#N"]
)
def test_a_smiles_has_the_atoms_and_bonds_of_rdkit(text: str) -> None:
    (one,) = graphs_in(text, "smiles")
    assert atoms_and_bonds(one.graph) == of_rdkit(Chem.MolFromSmiles(text))


def test_lines_may_have_names_and_a_header() -> None:
    text = f"smiles name\r\n{ASPIRIN} acetylsalicylic acid\r\n\r\n# no\r\n{CAFFEINE}\n"
    found = graphs_in(text, "smiles")
    assert [one.name for one in found] == ["acetylsalicylic acid", None]
    assert [len(one.graph) for one in found] == [13, 14]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("CCO\nC1CC\n", "the text:2: RDKit cannot read the SMILES 'C1CC'.*unclosed"),
        ("CCO\n\nC(C)(C)(C)(C)C x\n", "the text:3: .*valence for atom # 0 C, 5"),
        ("C C\nQ!\n", "the text:2: .*'Q!'.*syntax error"),
    ],
)
def test_what_rdkit_says_of_a_smiles_is_said(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        graphs_in(text, "smiles")


def test_an_sd_file_holds_records_with_names(tmp_path: Path) -> None:
    path = tmp_path / "two.sdf"
    with Chem.SDWriter(str(path)) as writer:
        for name, text in (("aspirin", ASPIRIN), ("", CAFFEINE)):
            molecule = Chem.AddHs(Chem.MolFromSmiles(text))
            molecule.SetProp("_Name", name)
            writer.write(molecule)
    found = read_graphs(str(path))
    assert [one.name for one in found] == ["aspirin", None]
    for one, text in zip(found, (ASPIRIN, CAFFEINE), strict=True):
        assert atoms_and_bonds(one.graph) == of_rdkit(Chem.MolFromSmiles(text))
    broken = path.read_text("utf-8").replace(" N ", " Qq", 1)
    path.write_text(broken, "utf-8")
    with pytest.raises(InputError, match=r"two.sdf:\d+: RDKit cannot read molecule 2"):
        read_graphs(str(path))


def test_a_column_of_a_table_holds_smiles(tmp_path: Path) -> None:
    rows = [("id", "mol,ecule"), ("1", ASPIRIN), ("2", ""), ("3", CAFFEINE)]
    for delimiter, name in ((",", "a.csv"), ("\t", "a.tsv")):
        with open(tmp_path / name, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=delimiter).writerows(rows)
        found = read_graphs(str(tmp_path / name), field="mol,ecule")
        assert [len(one.graph) for one in found] == [13, 14]
        with pytest.raises(InputError, match=r"has no column 'smi' \(known: id, mol,"):
            read_graphs(str(tmp_path / name), field="smi")
    (tmp_path / "b.csv").write_text("smi\nCCO\nCC(\n", "utf-8")
    with pytest.raises(InputError, match=r"b.csv:3:1: RDKit cannot read .*'CC\('"):
        read_graphs(str(tmp_path / "b.csv"), field="smi")


def test_a_column_of_parquet_holds_smiles(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = str(tmp_path / "a.parquet")
    parquet.write_table(pa.table({"smi": [ASPIRIN, None, CAFFEINE]}), path)
    assert [len(one.graph) for one in read_graphs(path, field="smi")] == [13, 14]
    with pytest.raises(InputError, match="has no column 'x'"):
        read_graphs(path, field="x")


def test_without_rdkit_the_message_names_the_installation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "rdkit", None)
    with pytest.raises(InputError, match=r"pip install 'exactmatch\[molecules\]'"):
        exactmatch.ged("C", "CC", costs="mces", format_in="smiles")


def test_the_command_reads_files_of_smiles(tmp_path: Path, cli: Cli) -> None:
    for name, text in (("a", ASPIRIN), ("b", CAFFEINE)):
        (tmp_path / f"{name}.smi").write_text(f"{text} {name}\n", "utf-8")
    sides = [str(tmp_path / f"{name}.smi") for name in "ab"]
    (pair,) = cli.json("ged", *sides, "--costs", "mces")["pairs"]
    assert (pair["distance"], pair["proven"], pair["names"]) == (27, True, ["a", "b"])
    (tmp_path / "b.smi").write_text("C(\n", "utf-8")
    assert "b.smi:1: RDKit cannot read" in cli.refusal("ged", *sides)


def test_rdkit_prints_nothing_of_its_own(capfd: pytest.CaptureFixture[str]) -> None:
    """Its warnings about a broken file are of no use beside our error."""
    text = "a\n\n\n\nM  END\n$$$$\n"
    with pytest.raises(InputError, match="RDKit cannot read molecule 1"):
        list(sdf(text, "the text", None))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("unit", ["C/C=C/C1CC1[C@H](N)C1", "c1ccc2[nH]ccc2c1C(=O)O"])
def test_long_smiles_have_the_atoms_and_bonds_of_short_ones(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their stereochemistry is not perceived: that takes the square of their length."""
    whole = network_of_molecule(molecule_of_smiles(unit * 6))
    monkeypatch.setattr(molecules, "_LONG", 10)
    quick = network_of_molecule(molecule_of_smiles(unit * 6))
    assert [*quick.nodes(data=True)] == [*whole.nodes(data=True)]
    assert [*quick.edges(data=True)] == [*whole.edges(data=True)]


@pytest.mark.parametrize("end", ["(", "C(C)(C)(C)(C)C", "c1cccc1"])
def test_long_smiles_are_refused_for_a_reason(end: str) -> None:
    for length in (5, 3000):
        with pytest.raises(InputError, match=r"RDKit cannot read the SMILES.*: .*mend"):
            molecule_of_smiles("C" * length + end)
