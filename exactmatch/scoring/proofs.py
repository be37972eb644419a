"""Files of certificates: proofs that can be checked later and elsewhere.

A file is JSON Lines.  The first line says what was measured and how, so that the
metric can be made again; each other line has a pair's alignment, value, bound and
the evidence for the bound.  The checker rebuilds each problem from the graphs
themselves, and trusts nothing in the file: every part of it may be wrong, missing or of
another kind.  Whoever made the file chooses neither what is loaded nor which files are
opened: vectors and models come from the person who checks, and files of graphs are
those beside the certificates, in the current folder, or below one of them, that have
the right checksum, so that who names one knows what is in it.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import PurePath
from typing import Any, Literal, TextIO
from typing import get_type_hints as type_hints

from exactmatch.base.errors import InputError, place_of
from exactmatch.base.inputs import note_input, sha256_of
from exactmatch.base.json_files import (
    Shape,
    ShapeError,
    fits,
    object_of,
    value_in,
)
from exactmatch.base.limits import MAX_TERMS
from exactmatch.engine.problem import GraphProblem
from exactmatch.graphs.profile import OUR_READERS, Profile
from exactmatch.metrics import ALIGNING, metric_class
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import Metric
from exactmatch.scoring.results import PairResult

FORMAT = "exactmatch-certificates"
VERSION = 1

PAIRING: dict[str, Any] = {
    "format_in": str | None,
    "framework": str | None,
    "by_id": bool,
    "on_error": Literal["raise", "skip", "empty"],
    "strict": bool,
}
"""Options of reading and pairing the graphs of two files, with their types."""


def certificate_writer(
    stream: TextIO,
    metric: AligningMetric[Any],
    pairing: Mapping[str, Any] | None = None,
    paths: Sequence[str] = (),
) -> Callable[[PairResult], None]:
    """Write the first line of certificates; return what writes the line of a pair.

    The first line holds of :data:`PAIRING` what is not the default, and the files of
    graphs with their checksums.
    """

    def write(record: dict[str, Any]) -> None:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        stream.write(f"{line}\n")

    def take(result: PairResult) -> None:
        solution = result.solution
        if result.metric != metric.name or solution is None:
            return
        certificate = solution.certificate
        named = {"index": result.index, "id": result.id}
        aligned = {"alignment": list(solution.alignment), "value": solution.value}
        proof = certificate.to_dict() if certificate else None
        write({**named, **aligned, "bound": solution.bound, "certificate": proof})

    write(
        {
            "format": FORMAT,
            "version": VERSION,
            "metric": metric.name,
            "profile": asdict(metric.profile),
            "options": metric.keywords(),
            "pairing": dict(pairing or {}),
            "counting": counting_signature(metric),
            "files": [{"path": path, "sha256": sha256_of(path)} for path in paths],
        }
    )
    return take


def check_record(graph_problem: GraphProblem, record: Mapping[str, Any]) -> bool:
    """Check one line of a file; return whether it proves its value optimal.

    Raises:
        CertificateError: if a part is missing, or the evidence does not hold.
        CertificationError: if the value is not what the triples say.
    """
    from exactmatch.solvers.certificate import Certificate, CertificateError
    from exactmatch.solvers.checker import check_certificate

    if not fits(record, {"alignment": list[int], "value": int, "bound": int}):
        raise CertificateError("alignment, value and bound are not all whole numbers")
    alignment, value, bound = (record[k] for k in ("alignment", "value", "bound"))
    if record.get("certificate") is None:
        raise CertificateError("there is no evidence for the bound")
    certificate = Certificate.from_dict(record["certificate"])
    if certificate.bound != bound:
        claimed = certificate.bound
        raise CertificateError(f"the evidence is for {claimed!r}, not {bound}")
    check_certificate(graph_problem.problem, tuple(alignment), value, certificate)
    graph_problem.check_count(tuple(alignment), value)
    return bool(value == bound)


def counting_signature(metric: AligningMetric[Any]) -> str:
    """Return the part of a metric's signature that determines what counts."""
    return "|".join(f"{key}:{value}" for key, value in metric.counting_signature())


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a file of certificates.

    The files of graphs come each with its SHA-256, which is empty of what is not a
    regular file; there are none in certificates of older versions.
    """

    path: str
    metric: str
    profile: Profile
    options: dict[str, Any]
    pairing: dict[str, Any]  # what PAIRING knows, by name
    counting: str  # the part of the signature that says what counts
    files: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of_record(cls, record: Mapping[str, Any], path: str) -> "Header":
        """Read the first line, or raise an InputError."""
        place = f"{path}:1"
        if record.get("format") != FORMAT:
            raise InputError(f"{place}: is not a file of certificates")
        if record.get("version") != VERSION:
            raise InputError(
                f"{place}: has version {record.get('version')!r}; this program reads "
                f"version {VERSION}"
            )
        metric: Any = record.get("metric")
        if metric not in ALIGNING:
            raise InputError(
                f"{place}: metric {metric!r} has no certificates; it is one of "
                f"{', '.join(ALIGNING)}"
            )
        counted = profile_of(record.get("profile"), place)
        options = _fitting(place, "options", record.get("options", {}), _kinds(metric))
        pairing = _fitting(place, "pairing", record.get("pairing", {}), PAIRING)
        counting = str(record.get("counting"))
        entries = record.get("files", [])
        if not fits(entries, list):
            raise InputError(f"{place}: has no list of files; is the file damaged?")
        kinds = {"path": str, "sha256": str}
        named = [_fitting(place, "files", file, kinds) for file in entries]
        files = tuple((f.get("path", ""), f.get("sha256", "")) for f in named)
        return cls(path, metric, counted, options, pairing, counting, files)

    def graph_files(self, known: Sequence[str]) -> list[str]:
        """Find the files of graphs that the certificates are about.

        They are looked for by name beside the certificates, in the current folder and
        among files that are *known* otherwise, such as the bundled sample, and taken
        only with the right checksum.  A name that leads elsewhere is looked for by its
        last part.  What lies neither in or below one of the two folders nor is known
        is not even opened, also where a link leads to it.
        """
        if not self.files:
            raise InputError(
                f"{self.path}: does not say which files of graphs it is about; name "
                "predictions and references behind it"
            )
        paths = []
        for name, sha256 in self.files:
            base = os.path.basename(name)
            is_plain = not os.path.isabs(name) and os.pardir not in PurePath(name).parts
            folders = (os.path.dirname(self.path), "")
            places = [os.path.join(f, n) for f in folders for n in (name, base)]
            places = places if is_plain else places[1::2]
            if os.path.isabs(name):
                places.append(name)
            places = [path for path in places if _is_within(path, folders)]
            places += [path for path in known if os.path.basename(path) == base]
            is_named = bool(base and sha256)
            held = [path for path in places if is_named and sha256_of(path) == sha256]
            if not held:
                raise InputError(
                    f"{self.path}: is about another {name!r:.400}: its SHA-256 began "
                    f"with {sha256[:16] or '?'}, and no such file beside it or in the "
                    "current folder has it; if it is elsewhere, name predictions and "
                    "references behind it"
                )
            paths.append(held[0])
        return paths

    def remade_metric(self, **options: Any) -> AligningMetric[Any]:
        """Make the metric again, with options in the place of the file's.

        It is an error if a resource cannot be read, or it counts other things.
        """
        cls: Any = metric_class(self.metric)
        for name, value in self.options.items():
            if name not in options and not _is_harmless(cls, name, value):
                raise InputError(
                    f"{self.path}:1: asks for --{name.replace('_', '-')} "
                    f"{value!r:.400}, which only the command line may; give it here, "
                    "too, if you trust it"
                )
        try:
            metric: AligningMetric[Any] = cls(self.profile, **self.options | options)
        except InputError as error:
            raise InputError(f"{self.path}:1: {error}") from None
        signature = counting_signature(metric)
        if signature != self.counting:
            raise InputError(
                f"{self.path}: is about {self.counting!r}, not {signature!r}; give the "
                "options that it was written with"
            )
        return metric


def profile_of(record: Any, place: str) -> Profile:
    """Return the profile that a file has as JSON at some place."""
    # Any other reader would be imported only because a file names it.
    ours = {"reader": Literal[tuple(OUR_READERS)]}
    fields = _fitting(place, "profile", record, type_hints(Profile) | ours)
    try:
        return Profile(**fields)
    except (TypeError, InputError) as error:
        raise InputError(f"{place}: names no profile ({error})") from None


def _is_within(path: str, folders: Sequence[str]) -> bool:
    """Return whether a file lies in or below one of some folders, links followed.

    A name that may be one of another machine does not, and is not looked up.
    """
    if path.startswith(("//", r"\\")) or "\0" in path:
        return False
    place = os.path.realpath(path)
    roots = (os.path.realpath(folder or os.curdir) for folder in folders)
    return any(place.startswith(os.path.join(root, "")) for root in roots)


def _is_harmless(cls: type[Metric], name: str, value: Any) -> bool:
    """Return whether an option opens no file, loads no model and lifts no bound."""
    if name == "max_terms":
        return bool(value <= MAX_TERMS)
    declared = cls.options_class.DECLARED.get(name)
    return declared is None or declared.is_settable


def _kinds(metric: str) -> dict[str, Any]:
    """Return the kind of each option of a metric: a type, a choice, or its reader."""
    kinds: dict[str, Any] = {}
    for name, declared in metric_class(metric).options_class.DECLARED.items():
        is_flag = isinstance(declared.default, bool)
        kind = bool if is_flag else _kind_read_by(declared.read)
        kinds[name] = Literal[declared.choices] if declared.choices else kind
    return {**kinds, "max_terms": _is_count}


def _fitting(place: str, part: str, values: Any, kinds: dict[str, Any]) -> Any:
    """Return a part of the first line; raise an error if a value is of another kind."""
    if not isinstance(values, dict):
        raise InputError(f"{place}: has no {part}; is the file damaged?")
    fitting = {}
    for name, value in values.items():
        if name not in kinds:
            raise InputError(f"{place}: {part} has an unknown part {name!r}")
        if not fits(value, kinds[name]):
            shown = f"{value!r:.60}"
            raise InputError(f"{place}: {part} has {name} {shown}, which it cannot be")
        fitting[name] = tuple(value) if isinstance(value, list) else value
    return fitting


def _kind_read_by(read: Any) -> Shape:
    """Return the kind of the values of an option, from the function that reads it."""
    if read is None or isinstance(read, type):
        checks: dict[Any, Shape] = {int: _is_count, float: _is_number}
        return checks.get(read, read)
    return partial(_kept_by, read)


def _kept_by(read: Callable[[Any], Any], value: Any) -> bool:
    """Return whether the reader of an option leaves a value as it is."""
    try:
        return not isinstance(value, bool) and bool(read(value) == value)
    except ValueError:
        return False


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 < value < 2**53


def _is_number(value: Any) -> bool:
    return fits(value, float) and abs(value) < 2**53


def read_certificates(
    file: str | os.PathLike[str],
) -> tuple[Header, Iterator[dict[str, Any]]]:
    """Read a file of certificates: its first line, and the others as they come."""
    path = os.fspath(file)
    note_input(path)
    lines = _lines(path)
    return Header.of_record(next(lines, {}), path), lines


def _lines(path: str) -> Iterator[dict[str, Any]]:
    hint = "; name a file that --certificates wrote"
    try:
        with open(path, encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                try:
                    record = value_in(line, Any)
                except ShapeError as error:
                    place = place_of(path, number, error.column)
                    reason = str(error).removeprefix("it ")
                    raise InputError(f"{place}{reason}{hint}") from None
                yield object_of(record, "a line of certificates", f"{path}:{number}")
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text{hint}") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
