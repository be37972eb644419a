"""Parts of a corpus that are scored separately, saved, and merged into one report.

A part is a line of JSON that ``exactmatch score --format jsonl`` writes: the corpus
score of the first metric, and in the field ``part`` the version, the settings, the
metrics and all sums (:mod:`exactmatch.scoring.sums`).  In a Parquet file it stands in
the metadata, beside rows of pairs or of scores.  Merged, parts make the report of
one run over all their pairs, in the order of the parts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from itertools import chain
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.inputs import Provenance, note_input
from exactmatch.base.json_files import ShapeError, fits, value_in
from exactmatch.base.registry import installed
from exactmatch.base.version import __version__
from exactmatch.formats.files import expand
from exactmatch.graphs.profile import Profile
from exactmatch.metrics import build_metric, metric_class
from exactmatch.metrics.base import Metric
from exactmatch.scoring.evaluation import Evaluation
from exactmatch.scoring.resampling import Sampling
from exactmatch.scoring.settings import Settings

_SETTINGS = (
    "format_in",
    "extract",
    "field",
    "framework",
    "by_id",
    "on_error",
    "strict",
    "common",
    "time_limit",
    "total_time",
    "seed",
    "refs",
)
"""The settings that change a number or stand in a signature."""

PART = "exactmatch.part"
"""The key of a part in the metadata of a Parquet file."""

_MAGIC = b"PAR1"

_WAY = "write each part by 'exactmatch PRED GOLD --format jsonl -o PART'"


def identity_of(evaluation: Evaluation) -> dict[str, Any]:
    """Return all that parts must agree in, as plain data."""
    settings, sampling = evaluation.settings, evaluation.settings.intervals
    return {
        "version": __version__,
        "settings": {name: getattr(settings, name) for name in _SETTINGS},
        "intervals": None if sampling is None else asdict(sampling),
        "made": [_made_of(metric) for metric in evaluation.metrics],
        "about": {
            metric.name: [*map(list, evaluation.about(metric))]
            for metric in evaluation.metrics
        },
        "counted": [_rules_of(metric) for metric in evaluation.metrics],
    }


def part_of(evaluation: Evaluation) -> dict[str, Any]:
    """Return what was added up, with all that other parts must agree in."""
    return {**identity_of(evaluation), "sums": evaluation.record()}


def with_inputs(part: Mapping[str, Any], origin: Provenance) -> dict[str, Any]:
    """Return a part that says which files it was made of, if it does not already."""
    sums = part["sums"]
    files = [f"{file.name} {file.sha256}" for file in origin.files if file.sha256]
    whole = {**part, "sums": {**sums, "inputs": sums["inputs"] or [" ".join(files)]}}
    return {**whole, "sha256": _digest(whole)}


def _digest(part: Mapping[str, Any]) -> str:
    """Return a checksum of a part, by which damage is noticed."""
    from hashlib import sha256

    plain = {key: value for key, value in part.items() if key != "sha256"}
    return sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def merged(paths: Iterable[str]) -> Evaluation:
    """Return the evaluation of all pairs of the parts in these files or folders.

    Raises:
        InputError: if a file cannot be read or holds no part, or parts are of different
            versions, options or metrics, or the same pairs stand in two of them.
    """
    first: dict[str, Any] = {}
    total: Evaluation | None = None
    begun = ""
    held: dict[str, str] = {}
    for path in chain.from_iterable(map(files_of, paths)):
        part = _read(path)
        if total is None:
            begun, first = path, part
        else:
            _check_same(begun, first, path, part)
        with _as_written(path):
            evaluation = _evaluation(part)
            if total is not None:
                total.merge(evaluation)
        for files in evaluation.inputs:
            if files and files in held:
                names = ", ".join(files.split(" ")[::2])
                raise InputError(
                    f"{path}: holds the pairs of {names}, which {held[files]} holds, "
                    "too; name each part once"
                )
            held[files] = path
        total = total or evaluation
    if total is None:
        raise InputError(f"there is no part to merge; {_WAY}")
    total.conclude()
    return total


def _made_of(metric: Metric) -> dict[str, Any]:
    profile = getattr(metric, "profile", None)
    options: Any = getattr(metric, "options", None)
    own = {} if options is None else vars(options)
    defaults = {} if options is None else options._DEFAULTS
    return {
        "metric": type(metric).name,
        "name": metric.name,
        "title": metric.title,
        "profile": None if profile is None else profile.name.rstrip("+"),
        "learns": metric.learns,
        "options": {
            name: _plain(value)
            for name, value in own.items()
            if value != defaults.get(name)
        },
    }


def _rules_of(metric: Metric) -> dict[str, Any]:
    """Return which triples count, by all options of the metric's profile."""
    profile = getattr(metric, "profile", None)
    return {} if profile is None else dict(_plain(asdict(profile)))


def _plain(value: Any) -> Any:
    """Return a value of an option as JSON; its ``repr`` where JSON has none."""
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError):
        return os.fspath(value) if isinstance(value, os.PathLike) else repr(value)


def _read(path: str) -> dict[str, Any]:
    note_input(path)
    try:
        with open(path, "rb") as file:
            is_parquet = file.read(len(_MAGIC)) == _MAGIC
            file.seek(0)
            line = _parquet_part(path) if is_parquet else file.readline()
        text = line.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8, so it is not a part; {_WAY}") from None
    try:
        record = value_in(text, Any)
    except ShapeError:
        raise InputError(f"{path}: is not a part of a corpus; {_WAY}") from None
    if is_parquet:
        record = {"part": record}
    if not fits(record, {"part": dict}):
        raise InputError(f"{path}: holds no sums to merge; {_WAY}, without --per-pair")
    part: dict[str, Any] = record["part"]
    if part.get("sha256") != _digest(part):
        raise InputError(f"{path}: is damaged; score this part again")
    if part.get("version") != __version__:
        raise InputError(
            f"{path}: was written by exactmatch {part.get('version')!r}, and this is "
            f"{__version__}; score it again"
        )
    return part


def _parquet_part(path: str) -> bytes:
    """Return the part that stands in a Parquet file beside its rows."""
    parquet: Any = installed("pyarrow.parquet", f"{path} needs", "tables")
    try:
        texts = parquet.read_metadata(path).metadata or {}
    except (OSError, ValueError) as error:  # pyarrow's are of these classes
        raise InputError(f"{path}: is not a whole Parquet file: {error}") from None
    if PART.encode() not in texts:
        why = "and 'exactmatch PRED GOLD --format parquet -o PART' writes them"
        raise InputError(f"{path}: holds no sums to merge, {why}")
    part: bytes = texts[PART.encode()]
    return part


def files_of(path: str) -> list[str]:
    """Return the parts in a folder, in the order of their names, or the file itself."""
    if not os.path.isdir(path):
        return [path]
    files = [
        file for file in expand(path) if not os.path.basename(file).startswith("_")
    ]
    if not files:
        raise InputError(f"{path}: holds no part; {_WAY}")
    return files


def _check_same(
    begun: str, first: Mapping[str, Any], path: str, part: Mapping[str, Any]
) -> None:
    """Refuse a part whose options, metrics or settings differ from the first one's."""
    for what in ("made", "intervals", "settings", "about", "counted"):
        if part.get(what) != first.get(what):
            raise _differ(begun, first.get(what), path, part.get(what))


def _differ(begun: str, ours: Any, path: str, theirs: Any) -> InputError:
    places = _flat(ours), _flat(theirs)
    name = next(
        (k for k in {**places[0], **places[1]} if places[0].get(k) != places[1].get(k)),
        "",
    )
    one, other = (place.get(name) for place in places)
    return InputError(
        f"{path}: was scored with {name} {other!r}, and {begun} with {one!r}; score "
        "all parts alike"
    )


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    """Return all values of nested data by the names of options."""
    values: dict[str, Any] = {}
    if isinstance(value, Mapping):
        for key, item in value.items():
            values |= _flat(item, str(key))
    elif isinstance(value, list) and value and isinstance(value[0], list | dict):
        for item in value:
            is_item = isinstance(item, list) and len(item) == 2
            values |= _flat(item[1], str(item[0])) if is_item else _flat(item, name)
    else:
        values[name] = value
    return values


@contextmanager
def _as_written(path: str) -> Iterator[None]:
    """Name the file in errors of a record that has a wrong shape."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise InputError(
            f"{path}: is not what exactmatch writes; score this part again"
        ) from None


def _evaluation(part: Mapping[str, Any]) -> Evaluation:
    learning = [made["name"] for made in part["made"] if made["learns"]]
    if learning:
        raise InputError(
            f"{learning[0]} learns from all references, and a part has only its own; "
            "score the corpus in one run"
        )
    both = zip(part["made"], part["counted"], strict=True)
    metrics = [_metric(made, counted) for made, counted in both]
    sampling = part["intervals"]
    settings = Settings(
        **part["settings"],
        intervals=None if sampling is None else Sampling(**sampling),
    )
    evaluation = Evaluation.of(part["sums"], metrics, settings)
    if evaluation.partial:
        raise InputError("was interrupted before its end; score this part again")
    evaluation.merged_signatures = {
        name: [(key, value) for key, value in own]
        for name, own in part["about"].items()
    }
    return evaluation


def _metric(made: Mapping[str, Any], counted: Mapping[str, Any]) -> Metric:
    cls = metric_class(made["metric"])
    options = dict(made["options"])
    if made["profile"] is not None:
        rules: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in counted.items()
        }
        options["profile"] = Profile(**rules)
    metric = build_metric(cls.name, **options)
    if metric.name != made["name"]:
        metric = metric.named(made["name"], made["title"])
    return metric


def check_same(parts: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse parts in memory that were scored in different ways.

    Args:
        parts: what each must agree in (:func:`identity_of`), by its name in messages.

    Raises:
        InputError: if they were; the message names what differs.
    """
    (begun, first), *others = parts.items()
    for name, part in others:
        _check_same(begun, first, name, part)
