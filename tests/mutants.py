"""Breaks the code in many places, one at a time, and says what no test notices.

    python -m tests.mutants --sample 300 --rooms studies views scoring engine

A copy of the checkout is broken, never the checkout.  Each mutant meets the tests that
are named after its file or its folder, and those that survive meet all tests of the
room and of the command line.  It needs the extra ``[mutants]``.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cosmic_ray.work_item import WorkItem

ROOT = Path(__file__).parents[1]
ROOMS = ("studies", "views", "scoring", "engine")
SECONDS = 600
"""A mutant that keeps its tests going for longer is noticed."""

FEW = 6
"""So many files of tests are run in one process."""

SAME = re.compile(r"BitOr|Pragma|RemoveDecorator")
"""Operators whose mutants mean the same: ``|`` stands in annotations alone."""


def copied(folder: Path) -> Path:
    """Copy what the tests need, kernels included, and return the copy."""
    copy = folder / "checkout"
    unwanted = shutil.ignore_patterns(
        ".git", "build", "*_cache", "__pycache__", "site", "*.sqlite"
    )
    shutil.copytree(ROOT, copy, symlinks=True, ignore=unwanted)
    return copy


def mutants(rooms: list[str], size: int, seed: int) -> list[WorkItem]:
    """Draw a sample of all mutants of the current folder's rooms."""
    from cosmic_ray.commands.init import _all_work_items

    files = [
        path
        for room in rooms
        for path in sorted(Path("exactmatch", room).rglob("*.py"))
        if not path.name.startswith("_")  # kernels are compiled
    ]
    found = [
        item
        for item in _all_work_items(files, {})
        if not SAME.search(item.mutations[0].operator_name)
    ]
    print(f"{len(found):,} mutants of {len(files)} files; {size} are tried", flush=True)
    return random.Random(seed).sample(found, min(size, len(found)))


def tests_of(path: Path) -> Iterator[list[str]]:
    """Yield the tests that a file's mutants meet, the nearest ones first."""
    room, *folders = path.parts[1:-1]
    words = {path.stem, *folders}
    near = [
        test
        for test in sorted(Path("tests").rglob("test_*.py"))
        if words & {*test.parts, test.stem.removeprefix("test_")}
        and not {"conformance", "browser", "fuzz"} & {*test.parts}
    ]
    if near:
        yield [str(test) for test in near]
    yield [f"tests/{room}", "tests/cli", "tests/test_laws.py"]


def outcome(item: WorkItem, stages: int) -> Any:
    """Let a mutant meet its tests; return what became of it, with the change."""
    from cosmic_ray.mutating import mutate_and_test
    from cosmic_ray.work_item import TestOutcome

    found: Any = None
    for tests in [*tests_of(Path(item.mutations[0].module_path))][:stages]:
        jobs = 2 if len(tests) > FEW else 0
        command = f"{sys.executable} -m pytest -x -q -n {jobs} -p no:cacheprovider"
        found = mutate_and_test(item.mutations, f"{command} {' '.join(tests)}", SECONDS)
        if found.test_outcome != TestOutcome.SURVIVED:
            break
    return found


def main() -> int:
    """Try the mutants, print survivors as they appear and their number at the end."""
    from cosmic_ray.work_item import TestOutcome

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--near", action="store_true", help="the nearest tests alone")
    parser.add_argument("--rooms", nargs="+", default=list(ROOMS))
    args = parser.parse_args()
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder))
        os.chdir(copy)
        os.environ["PYTHONPATH"] = str(copy)  # before what is installed
        items = mutants(args.rooms, args.sample, args.seed)
        for number, item in enumerate(items, 1):
            found = outcome(item, 1 if args.near else 2)
            if found.test_outcome != TestOutcome.KILLED:
                survivors += 1
                print(f"{number}: {found.test_outcome}\n{found.diff}", flush=True)
    print(f"{survivors} of {len(items)} mutants survived", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
