"""The function and the command of myopic-mces, with distances that are proven."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactmatch
from exactmatch import InputError

Chem = pytest.importorskip("rdkit.Chem")

from exactmatch.adapters.myopic_mces import (  # noqa: E402  # after the skip
    MCES,
    ComputationMode,
    main,
)

ASPIRIN, CAFFEINE = "CC(=O)OC1=CC=CC=C1C(=O)O", "CN1C=NC2=C1C(=O)N(C(=O)N2C)C"
PAIRS = [
    ("7", ASPIRIN, CAFFEINE),
    ("8", "CCSC1=C(C=C(C(=C1)OC)CCN)OC", "CC1=C(C(=CC=C1)O)N"),
    ("9", "CC1=C(C(=CC=C1)O)N", "CC1=C(C=CC(=C1)O)N"),
]


def test_the_signature_is_the_packages() -> None:
    names = (
        "smiles1 smiles2 threshold i solver solver_options no_ilp_threshold "
        "always_stronger_bound use_bound_zero catch_errors structure num_smiles"
    )
    parameters = inspect.signature(MCES).parameters
    assert [*parameters] == names.split()
    defaults = [p.default for p in parameters.values()][2:]
    wanted = [10, 0, "COIN_CMD", {}, False, True, False, False, False, False]
    assert defaults == wanted


def test_it_is_exact_up_to_a_threshold_and_a_bound_above() -> None:
    assert MCES(ASPIRIN, CAFFEINE, -1)[1::2] == (27.0, 1)
    index, distance, seconds, mode = MCES(ASPIRIN, CAFFEINE, i="x")
    assert (index, mode, type(mode)) == ("x", ComputationMode.STRONGEST_BOUND, int)
    assert 10 < distance <= 27
    assert seconds >= 0
    assert MCES(ASPIRIN, CAFFEINE, threshold=27)[1::2] == (27.0, 1)
    assert MCES(ASPIRIN, CAFFEINE, threshold=26)[1::2] == (26.5, 4)
    assert MCES(ASPIRIN, CAFFEINE, threshold=26.5)[1::2] == (26.5, 2)
    assert MCES(ASPIRIN, CAFFEINE, 26.5, no_ilp_threshold=True)[1::2] == (27.0, 1)
    weaker = MCES(ASPIRIN, CAFFEINE, threshold=2, always_stronger_bound=False)
    assert weaker[3] == ComputationMode.DYNAMIC_BOUND1
    assert 2 < weaker[1] <= distance


def test_arguments_have_their_earlier_names_too() -> None:
    found = MCES(
        s1=ASPIRIN,
        s2=CAFFEINE,
        ind=3,
        threshold=30,
        always_stronger_bound=True,
        solver="PULP_CBC_CMD",
        solver_options={"msg": 0},
    )
    assert (found[0], found[1], found[3]) == (3, 27.0, 1)


def test_molecules_of_rdkit_are_taken_with_all_their_atoms() -> None:
    molecules = [Chem.MolFromSmiles(text) for text in (ASPIRIN, CAFFEINE)]
    assert MCES(*molecules, threshold=-1)[1] == 27
    with_hydrogens = Chem.AddHs(Chem.MolFromSmiles("C"))
    assert MCES(with_hydrogens, "", threshold=-1)[1] == 4
    assert MCES("", "", threshold=-1)[1] == 0


def test_bonds_and_numbers_of_atoms_come_where_they_are_asked_for() -> None:
    *first, mapping, one, other = MCES(
        "CCO", "CCN", structure=True, num_smiles=True, threshold=-1
    )
    assert first[1::2] == [2.0, 1]
    assert mapping == {(0, 1): (0, 1)}
    assert (one, other) == ("C-[CH2:1]-[OH:2]", "C-[CH2:1]-[NH2:2]")
    assert MCES(ASPIRIN, CAFFEINE, structure=True)[4:] == (None,)
    assert len(MCES(ASPIRIN, CAFFEINE, num_smiles=True)) == 6


def test_what_cannot_be_read_is_said_or_caught() -> None:
    with pytest.raises(InputError, match=r"RDKit cannot read the SMILES 'C\('"):
        MCES("C(", "C")
    assert MCES("C(", "C", catch_errors=True)[1::2] == (-1.0, 3)
    for bad in (-2, float("nan"), "x", None):
        with pytest.raises(InputError, match="threshold is"):
            MCES("C", "C", threshold=bad)
    with pytest.raises(InputError, match="NoneType is not a molecule"):
        MCES(None, "C")


def test_its_time_may_run_out() -> None:
    one, other = "C1CCCCC1" * 4, "C1CCCC1CC" * 4
    found = MCES(one, other, -1, solver_options={"timeLimit": 1e-9})
    assert found[3] in (1, ComputationMode.TIMEOUT_ILP_UNPROVEN)
    bounded = MCES(one, other, found[1] - 0.5, solver_options={"timeLimit": 1e-9})
    assert bounded[3] in (1, 2, 4, ComputationMode.TIMEOUT_BOUND)


def test_the_command_reads_and_writes_lines(tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    path.write_text("".join(f"{','.join(row)},more\n" for row in PAIRS), "utf-8")
    words = [str(path), str(out), "--num_jobs", "1"]
    assert main([*words, "--threshold", "-1"]) == 0
    rows = [line.split(",") for line in out.read_text("utf-8").splitlines()]
    assert [(row[0], row[3]) for row in rows] == [("7", "1"), ("8", "1"), ("9", "1")]
    for row, (_, one, other) in zip(rows, PAIRS, strict=True):
        assert float(row[1]) == MCES(one, other, -1)[1]
    assert main([*words, "--structure", "--num_smiles"]) == 0
    lines = out.read_text("utf-8").splitlines()
    assert lines[0].split(",")[4] == ""
    assert '"{(0,1):(0,1),' in lines[2]
    path.write_text("7,C,C\n\n8,C(,C\n", "utf-8")
    assert main(words) == 2
    assert main([*words, "--catch_computation_errors"]) == 0
    assert out.read_text("utf-8").splitlines()[1].startswith("8,-1.0,")


def test_errors_of_the_command_name_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.csv"
    words = [str(path), str(tmp_path / "out.csv"), "--num_jobs", "1"]
    for text, reason in (
        ("1,C,C\n2,C(,C\n", "in.csv:2: RDKit cannot read"),
        ("1,C\n", "in.csv:1: is not index,smiles1,smiles2"),
    ):
        path.write_text(text, "utf-8")
        assert main(words) == 2
        assert reason in capsys.readouterr().err
    assert main([str(tmp_path / "none"), *words[1:]]) == 2
    with pytest.raises(SystemExit):
        main([str(path)])


def test_the_command_reads_and_adds_to_hdf5(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path = str(tmp_path / "pairs.hdf5")
    texts = [ASPIRIN, CAFFEINE, "CCO"]
    with h5py.File(path, "w") as file:
        file["smiles"] = texts
        file["computation_indices"] = [[0, 0, 1], [1, 0, 2], [2, 1, 2]]
    words = [path, "--hdf5_mode", "--num_jobs", "1", "--threshold", "-1"]
    assert main(words) == 0
    with h5py.File(path) as file:
        found = file["mces"][:].tolist()
        assert file["computation_modes"][:].tolist() == [1, 1, 1]
        assert len(file["computation_times"]) == 3
        assert file["computation_args"]["threshold"][()] == -1
    graphs = [Chem.MolFromSmiles(text) for text in texts]
    wanted = exactmatch.ged_matrix(graphs, costs="mces")
    assert found == wanted[np.triu_indices(3, 1)].tolist()
    assert main(words) == 2  # there are distances already
    known = str(tmp_path / "known.hdf5")
    with h5py.File(known, "w") as file:
        file["mces"], file["mces_smiles_order"] = [1.0, 2.0, 99.0], texts
    lines, out = tmp_path / "in.csv", tmp_path / "out.csv"
    lines.write_text(f"a,{ASPIRIN},CCO\nb,CCO,{CAFFEINE}\nc,C,CC\n", "utf-8")
    words = [str(lines), str(out), "--num_jobs", "1", "--use_matrix_lookup", known]
    assert main([*words, "--lookup_threshold", "50", "--threshold", "-1"]) == 0
    rows = [line.split(",") for line in out.read_text("utf-8").splitlines()]
    assert rows[0] == ["a", "2.0", "-1", "-1"]
    assert float(rows[1][1]) == wanted[1, 2]
    assert rows[2][1::2] == ["1.0", "1"]


class _Evaluation:
    """The part of MassSpecGym's retrieval models that asks for distances."""

    def __init__(self, **options: Any) -> None:
        self.options: dict[str, Any] = {"threshold": 15, **options}

    def distance(self, one: str, other: str) -> float:
        found = MCES(
            s1=one,
            s2=other,
            ind=0,
            solver="CBC",
            solver_options={"msg": 0},
            always_stronger_bound=True,
            **self.options,
        )
        return float(found[1])


def test_an_evaluation_as_in_massspecgym_runs() -> None:
    assert _Evaluation().distance(ASPIRIN, ASPIRIN) == 0
    assert _Evaluation(threshold=-1).distance(ASPIRIN, CAFFEINE) == 27
