"""Files of certificates: proofs that can be checked later and elsewhere.

A file is JSON Lines.  The first line says what was measured and how; each other
line has a pair's alignment, value, bound and the evidence for the bound.  The
checker rebuilds each problem from the graphs themselves, so it needs the same
two files of graphs, and trusts nothing else in the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO

from exactmatch.errors import InputError
from exactmatch.graphs.profile import Profile

if TYPE_CHECKING:
    from exactmatch.alignment.problem import StatedProblem
    from exactmatch.metrics.aligning import AligningMetric
    from exactmatch.scoring.results import PairResult
    from exactmatch.solvers.solution import Solution

FORMAT = "exactmatch-certificates"
VERSION = 1


class CertificateWriter:
    """Writes one metric's certificates to a stream."""

    def __init__(self, stream: TextIO, metric: AligningMetric[Any]) -> None:
        self._stream = stream
        self._metric = metric
        self._write(
            {
                "format": FORMAT,
                "version": VERSION,
                "metric": metric.name,
                "profile": asdict(metric.profile),
                "counting": counting_signature(metric),
            }
        )

    def pair(self, result: PairResult) -> None:
        """Write a pair's line, if it is this metric's."""
        solution = result.solution
        if result.metric != self._metric.name or solution is None:
            return
        certificate = solution.certificate
        self._write(
            {
                "index": result.index,
                "id": result.id,
                "alignment": list(solution.alignment),
                "value": solution.value,
                "bound": solution.bound,
                "certificate": certificate.to_dict() if certificate else None,
            }
        )

    def _write(self, record: dict[str, Any]) -> None:
        json.dump(record, self._stream, ensure_ascii=False, separators=(",", ":"))
        self._stream.write("\n")


def check_proof(stated: StatedProblem, solution: Solution) -> str:
    """Why a solution's certificate must be refused; empty if it proves the bound."""
    from exactmatch.solvers.certificate import CertificateError, check_solution

    try:
        check_solution(stated.problem, solution)
    except CertificateError as error:
        return str(error)
    return ""


def check_record(stated: StatedProblem, record: Mapping[str, Any]) -> bool:
    """Check one line of a file; say whether it proves its value optimal.

    Raises:
        CertificateError: if a part is missing, or the evidence does not hold.
        CertificationError: if the value is not what the triples say.
    """
    from exactmatch.solvers.certificate import (
        Certificate,
        CertificateError,
        check_certificate,
    )

    try:
        alignment = tuple(int(j) for j in record["alignment"])
        value, bound = int(record["value"]), int(record["bound"])
        evidence = record["certificate"]
    except (KeyError, TypeError, ValueError) as error:
        raise CertificateError(f"a part is missing: {error}") from None
    if evidence is None:
        raise CertificateError("there is no evidence for the bound")
    certificate = Certificate.from_dict(evidence)
    if certificate.bound != bound:
        raise CertificateError(f"the evidence is for {certificate.bound}, not {bound}")
    check_certificate(stated.problem, alignment, value, certificate)
    stated.check_count(alignment, value)
    return value == bound


def counting_signature(metric: AligningMetric[Any]) -> str:
    """The part of a metric's signature that says what counts, in one line."""
    return "|".join(f"{key}:{value}" for key, value in metric.counting_signature())


def read_certificates(path: str) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """Read a file of certificates: its first line, and the others as they come.

    Raises:
        InputError: if the file is missing, or a line is not what it should be;
            the message names file and line.
    """
    lines = _lines(path)
    header = next(lines, None)
    if header is None or header.get("format") != FORMAT:
        raise InputError(f"{path}:1: is no file of certificates")
    if header.get("version") != VERSION:
        raise InputError(
            f"{path}:1: has version {header.get('version')!r}; this program reads "
            f"version {VERSION}"
        )
    return header, lines


def _lines(path: str) -> Iterator[dict[str, Any]]:
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    record = json.loads(line)
                except ValueError as error:
                    raise InputError(f"{path}:{number}: is not JSON: {error}") from None
                if not isinstance(record, dict):
                    raise InputError(f"{path}:{number}: is not a JSON object")
                yield record
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8") from None


def profile_of(header: dict[str, Any], path: str) -> Profile:
    """The profile that a file's first line names.

    Raises:
        InputError: if it is not a profile.
    """
    try:
        fields = {k: _frozen(value) for k, value in header["profile"].items()}
        return Profile(**fields)
    except (KeyError, TypeError, AttributeError, InputError) as error:
        raise InputError(f"{path}:1: names no profile ({error})") from None


def _frozen(value: Any) -> Any:
    """The same value, JSON's lists as tuples."""
    return tuple(value) if isinstance(value, list) else value
