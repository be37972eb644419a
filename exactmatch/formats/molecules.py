"""Molecules: SMILES and SD files, read by RDKit, and RDKit's own objects.

A molecule is an undirected networkx graph: a node for each atom but the hydrogens that
RDKit leaves out by default, named by its number in RDKit and labelled with its element;
an edge for each bond, labelled with its kind, whose ``weight`` is the bond's order (1.5
if it is aromatic).  A formal charge and an isotope are attributes of an atom, too.

Texts of SMILES hold one molecule a line, perhaps with its name behind it; blank lines
and those that begin with ``#`` are passed over.  A table has them in a column.

Source: Weininger (1988), "SMILES, a chemical language and information system. 1", for
the notation; https://www.rdkit.org/docs for how it is read.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any, NamedTuple

from exactmatch.base.deadline import in_time
from exactmatch.base.errors import InputError, shortened
from exactmatch.formats.files import named, read_text
from exactmatch.formats.machine.tables import ColumnNames, read_table
from exactmatch.formats.network_texts import AS_READ, NamedGraph, Reader, empty

HEADER = ("smiles", "canonical_smiles", "smi")
"""What a first line says that names columns, in small letters."""

_STAMP = re.compile(r"^\[[\d:]+\]\s*")
_REASON = re.compile(r"[a-z]{3}.* ")
"""A line of RDKit's log that says something, and not the text with a mark under it."""


def network_of_molecule(molecule: Any, *, as_it_is: bool = False) -> Any:
    """Return an RDKit molecule as a networkx graph.

    Args:
        molecule: the molecule, which stays as it is.
        as_it_is: whether hydrogens that are atoms of the molecule stay nodes.

    >>> from rdkit import Chem
    >>> graph = network_of_molecule(Chem.MolFromSmiles("C=O"))
    >>> list(graph.nodes(data="label")), list(graph.edges(data="weight"))
    ([(0, 'C'), (1, 'O')], [(0, 1, 2.0)])
    """
    has_hydrogens = any(atom.GetAtomicNum() == 1 for atom in molecule.GetAtoms())
    if has_hydrogens and not as_it_is:
        molecule = _chemistry().RemoveHs(molecule, sanitize=False)
    graph = empty(directed=False, multiple=False)
    graph.graph[AS_READ] = "left out"
    for atom in molecule.GetAtoms():
        attributes: dict[str, Any] = {"label": atom.GetSymbol()}
        for name, value in (
            ("charge", atom.GetFormalCharge()),
            ("isotope", atom.GetIsotope()),
        ):
            if value:
                attributes[name] = value
        graph.add_node(atom.GetIdx(), **attributes)
    bonds = {  # atom by atom: GetBonds of a molecule takes the square of their number
        bond.GetIdx(): bond for atom in molecule.GetAtoms() for bond in atom.GetBonds()
    }
    for _, bond in sorted(bonds.items(), key=itemgetter(0)):
        ends = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        kind, order = str(bond.GetBondType()).lower(), bond.GetBondTypeAsDouble()
        graph.add_edge(*ends, label=kind, weight=order)
    return graph


def molecule_of_smiles(text: str, place: str = "") -> Any:
    """Read a SMILES as an RDKit molecule.

    Args:
        text: the SMILES.
        place: what the message of an error begins with.

    Raises:
        InputError: if RDKit cannot read it; the message has RDKit's reason.
    """
    if len(text) > _LONG:
        molecule, reason = _without_stereo(text)
    else:
        molecule, reason = _read("MolFromSmiles", text)
    if molecule is None:
        raise InputError(
            f"{place}RDKit cannot read the SMILES {shortened(text, 60)!r}{reason}; "
            "mend it, or leave it out"
        )
    return molecule


_LONG = 2_000
"""Of a SMILES with more characters no stereochemistry is perceived, which takes RDKit
the square of its length; no graph has any."""


def _without_stereo(text: str) -> tuple[Any, str]:
    """Return a molecule with its atoms and bonds alone, or ``None`` and the reason."""
    chemistry = _chemistry()
    molecule, reason = _read("MolFromSmiles", text, sanitize=False)
    if molecule is None:
        return None, reason
    from rdkit import rdBase

    blocked = rdBase.BlockLogs()
    try:
        return chemistry.RemoveHs(molecule, updateExplicitCount=True), ""
    except chemistry.MolSanitizeException as error:
        return None, f": {error}"
    finally:
        del blocked


def smiles(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read SMILES, one a line, each perhaps with a name behind it."""
    del stem
    lines = in_time(text.splitlines())
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        written, *name = line.split(None, 1)
        if number == 1 and written.lower() in HEADER:
            continue
        molecule = molecule_of_smiles(written, f"{path}:{number}: ")
        molecule_name = name[0].strip() if name else None
        yield NamedGraph(molecule_name or None, network_of_molecule(molecule))


def sdf(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read the molecules of an SD file, or the one of a MOL file."""
    records = _records(text)
    for number, (line, record) in enumerate(in_time(records), 1):
        molecule, reason = _read("MolFromMolBlock", record)
        if molecule is None:
            raise InputError(
                f"{path}:{line}: RDKit cannot read molecule {number}{reason}; mend it, "
                "or leave it out"
            )
        name = record.split("\n", 1)[0].strip()
        molecule_name = name or (stem if len(records) == 1 else None)
        yield NamedGraph(molecule_name, network_of_molecule(molecule))


def is_sdf(text: str) -> bool:
    """Return whether a text begins with a MOL block: its fourth line has a version."""
    lines = text.split("\n", 4)
    return len(lines) > 3 and lines[3].rstrip().endswith(("V2000", "V3000"))


def in_column(path: str, field: str, reader: Reader) -> Iterator[NamedGraph]:
    """Read the graphs in a column of a table: CSV, TSV or Parquet.

    Empty cells are passed over.

    Args:
        path: the table.
        field: the name of the column.
        reader: reads the text of a cell.

    Raises:
        InputError: if the table cannot be read, or has no such column.
    """
    is_parquet = path.endswith(".parquet")
    rows = _of_parquet(path, field) if is_parquet else _of_lines(path, field)
    for number, value in rows:
        yield from reader(value, f"{named(path)}:{number}", None)


def _of_parquet(path: str, field: str) -> Iterator[tuple[int, str]]:
    """Yield the number of each row, from 1, and the text of its cell."""
    table = read_table(path, ColumnNames((field,)))
    if field not in table.columns:
        raise _no_column(path, field, table.columns)
    for number, row in enumerate(table.rows, 1):
        if str(row[field] or "").strip():
            yield number, str(row[field])


def _of_lines(path: str, field: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each row of CSV or TSV, and the text of its cell."""
    content, name = read_text(path), named(path)
    delimiter = "\t" if "\t" in content.split("\n", 1)[0] else ","
    rows = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter)
    try:
        header = [column.strip() for column in next(rows, [])]
        if field not in header:
            raise _no_column(name, field, header)
        place = header.index(field)
        for row in rows:
            if place < len(row) and row[place].strip():
                yield rows.line_num, row[place].strip()
    except csv.Error as error:
        raise InputError(f"{name}:{rows.line_num}: is not CSV: {error}") from None


def _no_column(path: str, field: str, names: Iterable[str]) -> InputError:
    column_names = shortened(", ".join(names), 90) or "none"
    return InputError(
        f"{path}: has no column {field!r} (known: {column_names}); name one by --field"
    )


def _records(text: str) -> list[tuple[int, str]]:
    """Cut an SD file into MOL blocks, each with the number of its first line."""
    records, begin, block = [], 1, list[str]()
    for number, line in enumerate([*text.split("\n"), "$$$$"], 1):
        if not line.startswith("$$$$"):
            block.append(line)
            continue
        if any(map(str.strip, block)):
            records.append((begin, "\n".join(block) + "\n"))
        begin, block = number + 1, []
    return records


def _chemistry() -> Any:
    """Return RDKit's module ``Chem``.

    Raises:
        InputError: if RDKit is not installed.
    """
    try:
        from rdkit import Chem
    except ImportError:
        raise InputError(
            "molecules need RDKit: pip install 'exactmatch[molecules]'"
        ) from None
    return Chem


def _read(reader: str, text: str, **options: Any) -> tuple[Any, str]:
    """Return a molecule that RDKit reads, or else ``None`` and RDKit's reason."""
    read = getattr(_chemistry(), reader)
    from rdkit import rdBase

    text = text.encode("utf-8", "replace").decode()  # RDKit takes no half characters
    blocked = rdBase.BlockLogs()
    molecule = read(text, **options)
    if molecule is not None:
        return molecule, ""
    with rdBase.CaptureErrorLog() as log:  # warnings are blocked meanwhile
        read(text, **options)
    del blocked
    lines = (_STAMP.sub("", line).strip(" :") for line in log.messages.splitlines())
    reasons = [line for line in lines if _REASON.search(line)]
    return None, f": {'; '.join(reasons[:2])}" if reasons else ""


class Depiction(NamedTuple):
    """Structural formula of a molecule: places and labels of its atoms.

    Attributes:
        places: of each node, in units of a usual bond's length, upwards.
        labels: of each node, such as ``OH``; empty for carbon inside a skeleton.
    """

    places: list[tuple[float, float]]
    labels: list[str]


_BOND = 1.5
"""Length of a usual bond in RDKit's drawings."""


def depiction(graph: Any) -> Depiction:
    """Return RDKit's layout of a molecule that :func:`network_of_molecule` made.

    >>> from rdkit import Chem
    >>> depiction(network_of_molecule(Chem.MolFromSmiles("CCO"))).labels
    ['', '', 'OH']
    """
    chemistry = _chemistry()
    from rdkit import rdBase
    from rdkit.Chem import rdDepictor

    molecule = chemistry.RWMol()
    number = {}
    for node, attributes in graph.nodes(data=True):
        atom = chemistry.Atom(attributes["label"])
        atom.SetFormalCharge(attributes.get("charge", 0))
        atom.SetIsotope(attributes.get("isotope", 0))
        number[node] = molecule.AddAtom(atom)
    kinds = chemistry.BondType.names
    for u, v, kind in graph.edges(data="label"):
        bond = kinds.get(kind.upper(), chemistry.BondType.SINGLE)
        molecule.AddBond(number[u], number[v], bond)
        if kind == "aromatic":
            for node in (u, v):
                molecule.GetAtomWithIdx(number[node]).SetIsAromatic(True)
            molecule.GetBondBetweenAtoms(number[u], number[v]).SetIsAromatic(True)
    blocked = rdBase.BlockLogs()
    is_valid = not chemistry.SanitizeMol(molecule, catchErrors=True)
    if not is_valid:
        molecule.UpdatePropertyCache(strict=False)
        chemistry.FastFindRings(molecule)
    rdDepictor.Compute2DCoords(molecule)
    del blocked
    positions = molecule.GetConformer().GetPositions() / _BOND
    return Depiction(
        [(float(x), float(y)) for x, y, _ in positions],
        [_atom_label(atom, is_valid) for atom in molecule.GetAtoms()],
    )


def _atom_label(atom: Any, is_valid: bool) -> str:
    """Return an atom as formulas write it, with its hydrogens if they are known."""
    symbol, charge, isotope = (
        atom.GetSymbol(),
        atom.GetFormalCharge(),
        atom.GetIsotope(),
    )
    if symbol == "C" and not charge and not isotope and atom.GetDegree():
        return ""
    label = f"{isotope or ''}{symbol}"
    if is_valid and (hydrogens := atom.GetTotalNumHs()):
        label += "H" + (_SUBSCRIPTS[hydrogens] if hydrogens > 1 else "")
    if charge:
        size = abs(charge)
        label += ("" if size == 1 else _SUPERSCRIPTS[size]) + (
            "⁺" if charge > 0 else "⁻"
        )
    return label


_SUBSCRIPTS, _SUPERSCRIPTS = "₀₁₂₃₄₅₆₇₈₉", "⁰¹²³⁴⁵⁶⁷⁸⁹"
