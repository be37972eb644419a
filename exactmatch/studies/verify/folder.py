"""Checks of a folder of proofs, by our checker and by other programs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.base.files import cache_root
from exactmatch.base.inputs import sha256_of
from exactmatch.base.json_files import read_object
from exactmatch.engine.align import count_solution
from exactmatch.engine.problem import GraphProblem
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.scoring.proof_folder import (
    CERTIFICATES,
    FORMAT,
    MANIFEST,
    VERSION,
    corpus_of,
)
from exactmatch.scoring.reporter import Reporter
from exactmatch.scoring.sums import Columns
from exactmatch.solvers.certificate import CertificateError
from exactmatch.solvers.proof_files import ZIPPED, claimed_interval, read_lines
from exactmatch.solvers.pseudo_boolean import write_problem
from exactmatch.solvers.solution import Solution

_FILE = re.compile(r"pairs/[0-9]+\.(opb|pbp)(\.gz)?")
_ACCEPTED = re.compile(r"^Verification succeeded\b", re.MULTILINE)
_VERIFIED = re.compile(r"^s VERIFIED\b *(.*?) *$", re.MULTILINE)


_LARGEST = 2**28  # bytes of a manifest


class Proofs(NamedTuple):
    """Files of a pair, as the manifest names them.

    They claim that the optimum is at least *value* and at most *bound*; *key*
    identifies their content.
    """

    pair: int
    problem: str
    proof: str
    key: str
    value: int
    bound: int


class ProofFolder:
    """Folder of proofs while it is checked; an incomplete one is an error."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.certificates = str(self.folder / CERTIFICATES)
        self.proofs: list[Proofs] = []  # of the pairs that hold so far
        path = self.folder / MANIFEST
        if not path.exists():
            raise InputError(
                f"{folder}: has no {MANIFEST}; is it a folder of proofs, written to "
                "the end by 'exactmatch score --proofs'?"
            )
        what = f"the manifest of {FORMAT}, version {VERSION}"
        fields = {"format": str, "pairs": list}
        manifest = read_object(str(path), what, fields, _LARGEST)
        if (manifest["format"], manifest.get("version")) != (FORMAT, VERSION):
            raise InputError(f"{path}: is not {what}")
        self._listed_score = manifest.get("score")
        self._digest = manifest.get("certificates")
        self._pairs: dict[Any, Mapping[str, Any]] = {
            pair["index"]: pair
            for pair in manifest["pairs"]
            if isinstance(pair, dict) and type(pair.get("index")) is int
        }
        self._sums = Columns()

    def check(
        self,
        metric: AligningMetric[Any],
        rebuilt: GraphProblem,
        record: Mapping[str, Any],
    ) -> None:
        """Raise an error if a pair's files do not agree with its certificate."""
        index = record["index"]
        pair = self._pairs.pop(index, None)
        claimed = (record["value"], record["bound"])
        if pair is None:
            raise CertificateError(f"{MANIFEST} has no such pair")
        if (pair.get("value"), pair.get("bound")) != claimed:
            raise CertificateError(f"{MANIFEST} states another value or bound")
        problem, proof = (self._file(pair.get(which)) for which in ("problem", "proof"))
        written = StringIO()
        write_problem(written, rebuilt.problem)
        lines = written.getvalue().splitlines(keepends=True)
        both = zip_longest(lines, read_lines(problem))
        if any(ours != theirs for ours, theirs in both):
            raise CertificateError(f"{problem} is not what the graphs state")
        if claimed_interval(read_lines(proof), lines) != claimed:
            raise CertificateError(f"{proof} claims another value or bound")
        key = f"{pair['problem']['sha256']} {pair['proof']['sha256']}"
        self.proofs.append(Proofs(index, problem, proof, key, *claimed))
        solution = Solution(tuple(record["alignment"]), *claimed, "", "none", 0.0)
        row = metric.statistics(rebuilt, count_solution(rebuilt, solution))
        self._sums.add(row)

    def _file(self, listed: Any) -> str:
        path, digest = "", ""
        if isinstance(listed, dict):
            path, digest = str(listed.get("path")), str(listed.get("sha256"))
        if not _FILE.fullmatch(path):
            raise CertificateError(f"{MANIFEST} names no file of the pair")
        place = str(self.folder / path)
        if sha256_of(place) != digest:
            raise CertificateError(f"{place} is missing, or not that of {MANIFEST}")
        return place

    def faults(self, metric: AligningMetric[Any]) -> Iterator[str]:
        """Yield the faults of the folder as a whole, after all pairs."""
        if sha256_of(self.certificates) != self._digest:
            yield f"{self.certificates} is not the file of {MANIFEST}"
        for index in sorted(self._pairs):
            yield f"{MANIFEST} has a pair {index + 1} without a certificate that holds"
        if self.score(metric) != self._listed_score:
            yield f"{MANIFEST} states another score than follows from the proofs"

    def score(self, metric: AligningMetric[Any]) -> dict[str, Any]:
        """Compute the score of all pairs from the proofs."""
        return corpus_of(metric.scores(self._sums.sums() or metric.identity()))


def outside_check(
    proofs: Sequence[Proofs], program: str, jobs: int, reporter: Reporter
) -> dict[int, str]:
    """Check proofs by another program; return the reasons of those that it rejects.

    The program takes a problem and a proof.  Accepted proofs are remembered in the
    user's cache folder, by the content of both files, so that an interrupted check goes
    on where it was.  If the program prints what it has verified, that must be the claim
    of the proof.
    """
    executable = shutil.which(program)
    if executable is None:
        raise InputError(
            f"--with {program}: there is no such program on the path; install it, or "
            "give its path"
        )
    memory = cache_root() / "proofs" / f"{sha256_of(os.path.realpath(executable))}.txt"
    memory.parent.mkdir(parents=True, exist_ok=True)
    known: set[str] = set()
    if memory.exists():
        known.update(memory.read_text("ascii", errors="replace").splitlines())
    left = [proof for proof in proofs if proof.key not in known]
    rejected: dict[int, str] = {}
    with (
        reporter.progress(f"checking with {program}", len(proofs)) as advance,
        ThreadPoolExecutor(max(jobs, 1)) as pool,
        memory.open("a", encoding="ascii") as kept,
    ):
        for _ in range(len(proofs) - len(left)):
            advance()
        verdicts = pool.map(lambda proof: _verdict(executable, proof), left)
        for proof, verdict in zip(left, verdicts, strict=True):
            advance()
            if verdict:
                rejected[proof.pair] = f"{program} rejects {proof.proof}: {verdict}"
            else:
                kept.write(f"{proof.key}\n")
                kept.flush()
    return rejected


def _verdict(program: str, proof: Proofs) -> str:
    """Return why a program rejects a proof; empty if it accepts it."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [_plain(path, folder) for path in (proof.problem, proof.proof)]
        done = subprocess.run(  # the program that the user names
            [program, *paths], capture_output=True, text=True, check=False
        )
    lines = (done.stdout + done.stderr).strip().splitlines()
    if done.returncode or not (
        _ACCEPTED.search(done.stdout) or _VERIFIED.search(done.stdout)
    ):
        return (
            " ".join(lines[-2:])[:300] or f"it ended with exit code {done.returncode}"
        )
    claim = f"BOUNDS {-proof.bound} <= obj <= {-proof.value}"
    for verified in _VERIFIED.findall(done.stdout):
        if verified != claim:
            return f"it verifies {verified[:80]!r}, and the proof claims {claim!r}"
    return ""


def _plain(path: str, folder: str) -> str:
    """Return the path of a file, or of its decompressed copy in a folder."""
    if not path.endswith(ZIPPED):
        return path
    place = os.path.join(folder, os.path.basename(path).removesuffix(ZIPPED))
    with open(place, "w", encoding="ascii", newline="") as plain:
        plain.writelines(read_lines(path))
    return place
