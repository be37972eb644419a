"""Folders of proofs: every pair's problem and proof, and checksums of the graphs.

The ``README.txt`` in a folder lists its contents.  Its manifest is written last,
so that a folder without it is unfinished; problems and proofs may be compressed.
"""

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.files import as_input_error, atomic_output, replacing
from exactmatch.base.inputs import sha256_of
from exactmatch.base.version import __version__
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.score import Score
from exactmatch.scoring.proofs import certificate_writer, counting_signature
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.sums import Columns
from exactmatch.solvers.proof_files import PROOF, ZIPPED, write_proof_files

FORMAT = "exactmatch-proofs"
VERSION = 1
MANIFEST, CERTIFICATES, PAIRS = "manifest.json", "certificates.jsonl", "pairs"
"""The names in a folder of proofs."""


@contextmanager
def proof_folder(
    folder: str,
    metric: AligningMetric[Any],
    pairing: Mapping[str, Any],
    paths: Sequence[str],
    version: str,
    zipped: bool,
) -> Iterator[Callable[[PairResult], None]]:
    """Write the proofs of a corpus.

    Yields a function that takes the pairs as they are scored.  The folder is new or
    empty; the *version* is that of the format of the proofs.
    """
    place = Path(folder)
    with as_input_error(place):
        if place.is_dir() and any(place.iterdir()):
            raise InputError(
                f"{folder}: is not empty; name a new folder for the proofs"
            )
        (place / PAIRS).mkdir(parents=True, exist_ok=True)
    pairs: list[dict[str, Any]] = []
    sums = Columns()

    def take(result: PairResult) -> None:
        solution = result.solution
        if result.metric != metric.name or solution is None:
            return
        write(result)
        proof = str(place / PAIRS / f"{result.index + 1}{PROOF + ZIPPED * zipped}")
        problem = result.required_problem.problem
        problem_file = write_proof_files(proof, problem, solution, version)
        named = {"index": result.index, "id": result.id}
        proved = {"value": solution.value, "bound": solution.bound}
        files = {"problem": _named(problem_file), "proof": _named(proof)}
        pairs.append({**named, **proved, "scale": problem.scale, **files})
        sums.add(result.statistics)

    try:
        with atomic_output(str(place / CERTIFICATES)) as stream:
            write = certificate_writer(stream, metric, pairing, paths)
            yield take
    except BaseException:  # half a folder is not a proof
        shutil.rmtree(place / PAIRS, ignore_errors=True)
        raise
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "program": f"exactmatch {__version__}",
        "metric": metric.name,
        "counting": counting_signature(metric),
        "proof_version": version,
        "files": [{"path": path, "sha256": sha256_of(path)} for path in paths],
        "certificates": sha256_of(str(place / CERTIFICATES)),
        "score": corpus_of(metric.scores(sums.sums() or metric.identity())),
        "pairs": pairs,
    }
    with atomic_output(str(place / "README.txt")) as stream:
        stream.write(_README)
    with atomic_output(str(place / MANIFEST)) as stream:
        json.dump(manifest, stream, ensure_ascii=False, indent=1)
        stream.write("\n")


_README = """\
Proofs of scores, written by exactmatch.

manifest.json       what was scored, with checksums, and each pair's value and bound
certificates.jsonl  the proofs for exactmatch's own checker
pairs/N.opb         the alignment problem of pair N, as a pseudo-Boolean problem
pairs/N.pbp         the proof of its bound, for VeriPB, CakePB and their kin

Without exactmatch: veripb pairs/1.opb pairs/1.pbp
With it: exactmatch verify THIS-FOLDER PREDICTIONS REFERENCES --with veripb
The problem of two AMR graphs is made by proofs/encode.py of exactmatch's sources.
"""


def zip_folder(folder: str) -> None:
    """Write a folder of proofs as one file to be deposited."""
    place = Path(folder)
    path = place.with_name(f"{place.name}.zip")
    with (
        replacing(path) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped,
    ):
        for part in sorted(place.rglob("*")):
            zipped.write(part, part.relative_to(place.parent))


def corpus_of(score: Score) -> dict[str, Any]:
    """Return the score of all pairs, as a manifest states it."""
    return {name: getattr(score, name) for name in _CORPUS}


_CORPUS = (
    *("matched", "bound", "pred_total", "gold_total"),
    *("precision", "recall", "f1", "proven"),
)


def _named(path: str) -> dict[str, str]:
    name = "/".join(Path(path).parts[-2:])
    return {"path": name, "sha256": sha256_of(path)}
