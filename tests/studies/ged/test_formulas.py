"""Pages draw molecules as chemists do, and mark what differs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from exactmatch.formats.molecules import depiction
from exactmatch.studies import ged

pytest.importorskip("rdkit")

ASPIRIN, SALICYLIC = "CC(=O)Oc1ccccc1C(=O)O", "OC(=O)c1ccccc1O"


def page_of(first: str, second: str, folder: Path, costs: str = "mces") -> str:
    left, right = (folder / f"{number}.smi" for number in (1, 2))
    left.write_text(f"{first}\n", encoding="utf-8")
    right.write_text(f"{second}\n", encoding="utf-8")
    result = ged(left, right, costs=costs)
    return "".join(str(part) for part in result.tables().parts)


def test_partners_have_one_tint_and_what_differs_is_marked(tmp_path: Path) -> None:
    page = page_of(ASPIRIN, SALICYLIC, tmp_path)
    first, second = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    tints = [
        sorted(re.findall(r'class="node (h\d)" data-place="(\d+)"', picture))
        for picture in (first, second)
    ]
    assert tints[0] == tints[1]
    assert len(tints[0]) == 10
    assert first.count('class="edge missing"') == 3  # the acetyl group
    assert first.count(">−<") == 3
    assert "extra" not in second
    assert ">OH<" in second


def test_a_bond_of_another_order_is_changed_in_both(tmp_path: Path) -> None:
    page = page_of("CC=O", "CCO", tmp_path)
    assert page.count('class="edge changed"') == 2
    assert page.count(">≠<") == 2


def test_a_bond_that_only_the_second_has_is_extra(tmp_path: Path) -> None:
    page = page_of("CC", "CCN", tmp_path)
    assert page.count('class="edge extra"') == 1
    assert "missing" not in page


def test_atoms_that_cost_something_have_signs(tmp_path: Path) -> None:
    page = page_of("CCO", "CCNC", tmp_path, costs="uniform")
    assert page.count(">≠ OH<") == page.count(">≠ NH<") == 1
    assert page.count(">+ C<") == 1


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("C", ["CH₄"]),
        ("CC#N", ["", "", "N"]),
        ("C[NH3+]", ["", "NH₃⁺"]),
        ("[13CH3]C", ["13CH₃", ""]),
        ("c1cc[nH]c1", ["", "", "", "N", ""]),  # hydrogens of such a ring are unknown
    ],
)
def test_atoms_are_written_with_their_hydrogens(text: str, labels: list[str]) -> None:
    from rdkit import Chem

    from exactmatch.formats.molecules import network_of_molecule

    graph = network_of_molecule(Chem.MolFromSmiles(text))
    assert depiction(graph).labels == labels


def test_a_molecule_without_atoms_is_drawn(tmp_path: Path) -> None:
    page = page_of("O", "[HH]", tmp_path)
    assert page.count("<svg") == 2
