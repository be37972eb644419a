"""Function and command of myopic-mces 1.3.2, with proven distances.

Replace ``from myopic_mces import MCES`` by ``from exactmatch.adapters.myopic_mces
import MCES``, and ``python -m myopic_mces.myopic_mces`` by ``python -m
exactmatch.adapters.myopic_mces``.  Arguments, results and files are that package's.
Above a threshold, both return the same lower bounds.  Differences:

* ``solver`` is one of our solvers by name; for other names, such as ``COIN_CMD``, our
  default solves.  Of ``solver_options``, only ``timeLimit`` is used.
* An unreadable SMILES is an :class:`~exactmatch.base.errors.InputError`, or a distance
  of -1 where errors are caught.
* When time runs out, the distance is that of the best path (mode 5) if this is within
  the threshold, else the best lower bound (mode 6).
* There is no mode 20: the difference of the numbers of atoms is not a lower bound.
* The arguments may have their names of earlier versions, ``s1``, ``s2`` and ``ind``.

Source: https://github.com/AlBi-HHU/myopic-mces, README and the help of its command.
"""

from __future__ import annotations

import argparse
import inspect
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from enum import IntEnum
from functools import partial, wraps
from typing import Any

from exactmatch.adapters import hinted
from exactmatch.base.errors import ExactmatchError, InputError
from exactmatch.base.files import replacing
from exactmatch.edit.costed import CostedGraphs, CostedPairs
from exactmatch.edit.distance import ged
from exactmatch.formats.molecules import molecule_of_smiles, network_of_molecule
from exactmatch.formats.network_texts import is_molecule
from exactmatch.scoring.parallel import map_in_order
from exactmatch.solvers import SOLVERS, get_solver


class ComputationMode(IntEnum):
    """Kinds of distances, with the numbers of myopic-mces."""

    EXACT = 1
    """The distance, proven."""

    ABOVE_THRESHOLD = 2
    """The threshold, below the distance."""

    UNKNOWN = 3
    """-1: there was an error."""

    STRONGEST_BOUND = 4
    """A lower bound above the threshold, by stars."""

    TIMEOUT_ILP_UNPROVEN = 5
    """The cost of a path; time ran out before it was proven the cheapest."""

    TIMEOUT_BOUND = 6
    """A lower bound; time ran out."""

    DYNAMIC_BOUND1 = 21
    """A lower bound above the threshold, by the orders of bonds at atoms."""

    DYNAMIC_BOUND2 = 22
    """A lower bound above the threshold, by stars, where weaker ones came first."""


Row = tuple[Any, ...]
EARLIER = {"s1": "smiles1", "s2": "smiles2", "ind": "i"}
"""Names of arguments in earlier versions, which MassSpecGym uses."""

_NO_OPTIONS: dict[str, Any] = {}


def _with_earlier_names(function: Callable[..., Row]) -> Callable[..., Row]:
    """Return a function that also takes arguments by their earlier names."""

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Row:
        for earlier in EARLIER.keys() & kwargs.keys():
            kwargs[EARLIER[earlier]] = kwargs.pop(earlier)
        return function(*args, **kwargs)

    signature = inspect.signature(function)
    called.__signature__ = signature  # type: ignore[attr-defined]  # functions may have one
    return called


@_with_earlier_names
def MCES(  # noqa: N802  the name of the package
    smiles1: Any,
    smiles2: Any,
    threshold: float = 10,
    i: Any = 0,
    solver: str = "COIN_CMD",
    solver_options: Mapping[str, Any] = _NO_OPTIONS,
    no_ilp_threshold: bool = False,
    always_stronger_bound: bool = True,
    use_bound_zero: bool = False,
    catch_errors: bool = False,
    structure: bool = False,
    num_smiles: bool = False,
) -> Row:
    """Compute the distance of two molecules by their maximum common edge subgraph.

    Args:
        smiles1, smiles2: SMILES, or molecules of RDKit.
        threshold: larger distances are not computed; -1 for none.
        i: the first item of the result.
        solver: one of our solvers; with any other name, our default.
        solver_options: ``timeLimit``, in seconds; others are ignored.
        no_ilp_threshold: compute distances above the threshold, too, unless a lower
            bound is above it.
        always_stronger_bound: try the strongest lower bound only.
        use_bound_zero: has no effect: the difference of the numbers of atoms may be
            above the distance.
        catch_errors: return a distance of -1 where there is an error.
        structure: also return the bonds that are matched, where the distance is proven.
        num_smiles: also return both SMILES with numbers of atoms.

    Returns:
        *i*, the distance, seconds, and the mode, a number of :class:`ComputationMode`;
        then, if requested, ``{(atom, atom): (atom, atom)}`` or ``None``, and two
        SMILES.

    Raises:
        InputError: if a molecule cannot be read, or an argument is wrong.

    >>> MCES("CCO", "CCN", threshold=-1)[1]
    2.0
    >>> _, distance, _, mode = MCES("CC(=O)OC1=CC=CC=C1C(=O)O", "CCCC")
    >>> distance, mode
    (15.0, 4)
    """
    del use_bound_zero
    started = time.time()
    known: Row = ()
    try:
        molecules = [_molecule(molecule) for molecule in (smiles1, smiles2)]
        if num_smiles:
            known = tuple(map(_numbered, molecules))
        graphs = [
            network_of_molecule(molecule, as_it_is=True) for molecule in molecules
        ]
        pair = _Pair(graphs, _threshold(threshold), _seconds(solver_options), solver)
        bound = pair.bound(always_stronger_bound)
        distance, mode = bound or pair.solve(no_ilp_threshold)
        is_exact = mode == ComputationMode.EXACT
        mapping = pair.mapping() if structure and is_exact else None
    except ExactmatchError:
        if not catch_errors:
            raise
        distance, mode, mapping = -1.0, ComputationMode.UNKNOWN, None
        known = known or (("", "") if num_smiles else ())
    more = ((mapping,) if structure else ()) + known
    return (i, distance, time.time() - started, int(mode), *more)


class _Pair:
    """Two molecules with the largest distance of interest (``None``: any)."""

    def __init__(
        self, graphs: list[Any], most: float | None, seconds: float | None, solver: str
    ) -> None:
        self.graphs, self.most, self.seconds = graphs, most, seconds
        self.costed = CostedGraphs(graphs, "mces")
        self.solver = get_solver(solver) if solver in SOLVERS else None

    def bound(self, only_stronger: bool) -> tuple[float, ComputationMode] | None:
        """Return a lower bound that is above the threshold, if there is one."""
        stars, most = self.costed.stars, self.most
        if most is None or stars is None:
            return None
        by_stars = partial(stars.by_stars_unspared, 0, 1)
        ways = [(by_stars, ComputationMode.STRONGEST_BOUND)]
        if not only_stronger:
            weaker = partial(stars.by_degrees, 0, 1), ComputationMode.DYNAMIC_BOUND1
            ways = [weaker, (by_stars, ComputationMode.DYNAMIC_BOUND2)]
        for way, mode in ways:
            if (least := float(way())) > most:
                return least, mode
        return None

    def solve(self, beyond: bool) -> tuple[float, ComputationMode]:
        """Return the distance or a bound on it, and its mode."""
        most = None if beyond else self.most
        work = CostedPairs(self.costed, seconds=self.seconds)
        if self.solver is not None:
            work.solver = self.solver
        lower, upper, _ = work.pair(0, 1, most)
        if most is not None and lower > most:
            return most, ComputationMode.ABOVE_THRESHOLD
        if lower == upper:
            return upper, ComputationMode.EXACT
        if most is None or upper <= most:
            return upper, ComputationMode.TIMEOUT_ILP_UNPROVEN
        return lower, ComputationMode.TIMEOUT_BOUND

    def mapping(self) -> dict[Any, Any]:
        """Return the matched bonds of both molecules."""
        path = ged(*self.graphs, costs="mces", **self._solver())
        pairs = path.edge_edit_path
        return {bond: partner for bond, partner in pairs if None not in (bond, partner)}

    def _solver(self) -> dict[str, Any]:
        return {} if self.solver is None else {"solver": self.solver}


def _molecule(value: Any) -> Any:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if is_molecule(value):
        return value
    if not isinstance(value, str):
        raise InputError(
            f"{type(value).__name__} is not a molecule; give a SMILES, or a molecule "
            "of RDKit"
        )
    return molecule_of_smiles(value)


def _numbered(molecule: Any) -> str:
    """Return the SMILES with a number for each atom."""
    from rdkit import Chem

    copy = Chem.Mol(molecule)
    for atom in copy.GetAtoms():
        atom.SetAtomMapNum(atom.GetIdx())
    return str(Chem.MolToSmiles(copy, canonical=False, allBondsExplicit=True))


def _threshold(value: Any) -> float | None:
    """Return the largest distance of interest, ``None`` for any."""
    number = math.nan
    with suppress(TypeError, ValueError):
        number = float(value)
    if number == -1:
        return None
    if not number >= 0:
        raise InputError(f"threshold is {value!r}; it is a number of at least 0, or -1")
    return number


def _seconds(options: Mapping[str, Any]) -> float | None:
    seconds = (options or {}).get("timeLimit")
    return None if seconds is None else max(float(seconds), 0.0)


# ------------------------------------------------------------------------ the command


def main(argv: Sequence[str] | None = None) -> int:
    """Run the package's command: compute the distances of a file of pairs."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.output is None and not arguments.hdf5_mode:
        parser.error("name the output; only --hdf5_mode needs none")
    if arguments.hdf5_mode and (arguments.structure or arguments.num_smiles):
        parser.error("--structure and --num_smiles are not written to HDF5")
    try:
        rows = _computed(arguments)
        if arguments.hdf5_mode:
            _write_hdf5(arguments, rows)
        else:
            _write_csv(arguments, rows)
    except (ExactmatchError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m exactmatch.adapters.myopic_mces",
        description="Compute MCES distances as myopic-mces does, each with a proof.",
    )
    add = parser.add_argument
    add("input", help="a line each: index,smiles1,smiles2; or HDF5, see --hdf5_mode")
    add("output", nargs="?", help="lines of index,distance,seconds,mode")
    add("--threshold", type=float, default=10.0, help="default: 10; -1: always exact")
    add("--solver", default="COIN_CMD", help="one of ours; others are ours by default")
    add(
        "--num_jobs", type=int, default=-1, help="processes; default: one for each core"
    )
    add(
        "--hdf5_mode",
        action="store_true",
        help="read smiles and computation_indices of an HDF5 file, and add to it",
    )
    add("--solver_time_limit_seconds", type=float, help="seconds for each pair")
    for name, about in (
        ("hide_rdkit_warnings", "has no effect: they are never shown"),
        ("solver_onethreaded", "has no effect: a pair has one thread"),
        ("solver_no_msg", "has no effect: the solver is silent"),
        ("no_ilp_threshold", "compute distances above the threshold, too"),
        ("choose_bound_dynamically", "use the weaker bound where it is high enough"),
        ("use_bound_zero", "has no effect: it may be above the distance"),
        ("catch_computation_errors", "a pair with an error has the distance -1"),
        ("num_smiles", "also write SMILES with numbers of atoms"),
        ("structure", "also write the bonds that are matched"),
    ):
        add(f"--{name}", action="store_true", help=about)
    add("--jobs_batch_size", type=int, default=32, help="has no effect")
    add("--jobs_dispatch", default="10*n_jobs", help="has no effect")
    add("--use_matrix_lookup", metavar="FILE", help="HDF5 file of known distances")
    add(
        "--lookup_threshold",
        type=float,
        help="compute known distances of this or more again",
    )
    return parser


def _computed(arguments: argparse.Namespace) -> list[Row]:
    """Return the results of all pairs, in their order."""
    tasks = [
        *(
            _pairs_of_hdf5(arguments.input)
            if arguments.hdf5_mode
            else _pairs(arguments.input)
        )
    ]
    known: dict[int, Row] = {}
    if arguments.use_matrix_lookup:
        known = _looked_up(
            arguments.use_matrix_lookup, tasks, arguments.lookup_threshold
        )
    options = {}
    if arguments.solver_time_limit_seconds is not None:
        options["timeLimit"] = arguments.solver_time_limit_seconds
    compute = partial(
        _one,
        solver=arguments.solver,
        solver_options=options,
        threshold=arguments.threshold,
        no_ilp_threshold=arguments.no_ilp_threshold,
        always_stronger_bound=not arguments.choose_bound_dynamically,
        use_bound_zero=arguments.use_bound_zero,
        catch_errors=arguments.catch_computation_errors,
        structure=arguments.structure,
        num_smiles=arguments.num_smiles,
    )
    jobs = arguments.num_jobs if arguments.num_jobs > 0 else os.cpu_count() or 1
    unknown = [task for place, task in enumerate(tasks) if place not in known]
    with closing(map_in_order(compute, unknown, jobs)) as answers:
        return [known.get(n) or next(answers) for n in range(len(tasks))]


def _one(task: tuple[Any, str, str, str], **how: Any) -> Row:
    index, first, second, place = task
    try:
        return MCES(first, second, i=index, **how)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _pairs(path: str) -> Iterable[tuple[Any, str, str, str]]:
    """Yield index, SMILES and position of each line."""
    with open(path, encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            place = f"{path}:{number}"
            columns = line.strip().split(",")
            if len(columns) < 3:
                if not line.strip():
                    continue
                raise InputError(f"{place}: is not index,smiles1,smiles2")
            yield columns[0], columns[1], columns[2], place


def _hdf5() -> Any:
    try:
        import h5py
    except ImportError:
        raise InputError("HDF5 files need h5py: pip install h5py") from None
    return h5py


def _part(file: Any, name: str, path: str) -> Any:
    """Return a dataset of a file."""
    if name not in file:
        raise InputError(f"{path}: has no dataset {name!r}")
    return file[name][:]


def _pairs_of_hdf5(path: str) -> Iterable[tuple[Any, str, str, str]]:
    with _hdf5().File(path, "r") as file:
        if "mces" in file:
            raise InputError(f"{path}: has distances already; remove 'mces' from it")
        smiles, rows = (
            _part(file, name, path) for name in ("smiles", "computation_indices")
        )
    texts = [_text(text) for text in smiles]
    for index, first, second in rows.tolist():
        if not (0 <= first < len(texts) and 0 <= second < len(texts)):
            raise InputError(f"{path}: pair {index} names an unknown molecule")
        yield index, texts[first], texts[second], f"{path}: pair {index}"


def _text(value: Any) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _looked_up(
    path: str, tasks: Sequence[Row], threshold: float | None
) -> dict[int, Row]:
    """Return the known distances of pairs, by their position."""
    from scipy.spatial.distance import squareform

    with _hdf5().File(path, "r") as file:
        table, names = (
            _part(file, name, path) for name in ("mces", "mces_smiles_order")
        )
    table = squareform(table)
    place = {_text(name): number for number, name in enumerate(names)}
    rows: dict[int, Row] = {}
    for number, (index, first, second, _) in enumerate(tasks):
        if first in place and second in place:
            value = float(table[place[first], place[second]])
            if value != -1 and (threshold is None or value < threshold):
                rows[number] = (index, value, -1, -1)
    return rows


def _write_csv(arguments: argparse.Namespace, rows: Iterable[Row]) -> None:
    with replacing(arguments.output) as file:
        for index, distance, seconds, mode, *more in rows:
            if arguments.structure:
                text = "" if not more or more[0] is None else _quoted(more[0])
                more = [text, *more[1:]]
            cells = map(str, (index, distance, seconds, mode, *more))
            file.write((",".join(cells) + "\n").encode())


def _quoted(mapping: dict[Any, Any]) -> str:
    """Write a mapping of bonds without blanks."""
    return '"' + repr(mapping).replace(", ", ",").replace(": ", ":") + '"'


def _write_hdf5(arguments: argparse.Namespace, rows: Sequence[Row]) -> None:
    with _hdf5().File(arguments.input, "a") as file:
        for name, place in (
            ("mces", 1),
            ("computation_times", 2),
            ("computation_modes", 3),
        ):
            values = [row[place] for row in rows]
            file.create_dataset(name, data=values, compression="gzip")
        group = file.create_group("computation_args")
        for name, value in vars(arguments).items():
            if value is not None:
                group[name] = value


if __name__ == "__main__":
    sys.exit(main())

__getattr__ = hinted(__name__)
