"""The metrics: one file each, one line each in :data:`METRICS`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError, check_kind
from exactmatch.base.registry import Registry, imported

if TYPE_CHECKING:
    from exactmatch.base.options import Declared
    from exactmatch.metrics.base import Metric


def _is_metric(entry: object) -> bool:
    from exactmatch.metrics.base import Metric

    return isinstance(entry, type) and issubclass(entry, Metric)


def clash(name: str, metric: type[Metric]) -> str | None:
    """Say which option of a metric means something else in one of ours, if any does."""
    own_options = metric_options(METRICS[metric_name] for metric_name in METRICS.own)
    for option, declared in metric.options_class.DECLARED.items():
        own_option = own_options.get(option)
        if own_option is not None and _meaning(own_option[0]) != _meaning(declared):
            return (
                f"the metric {name!r} means something else by the option {option!r} "
                "than a metric of exactmatch; call it otherwise"
            )
    return None


def _meaning(declared: Declared) -> tuple[object, ...]:
    """Return the properties in which options of one name must agree."""
    is_flag = isinstance(declared.default, bool)
    return declared.purpose, declared.metavar, is_flag, declared.is_list


METRICS: Registry[type[Metric]] = Registry(
    "metric",
    {
        "smatch": "exactmatch.metrics.smatch:Smatch",
        "s2match": "exactmatch.metrics.s2match:S2Match",
        "sembleu": "exactmatch.metrics.sembleu:SemBleu",
        "yisi": "exactmatch.metrics.yisi.graph:YiSiGraph",
        "graph": "exactmatch.metrics.labelled.graph_metric:LabelledMatch",
        "json": "exactmatch.metrics.json.json_metric:JsonMatch",
        "rematch": "exactmatch.metrics.rematch:Rematch",
        "wlk": "exactmatch.metrics.weisfeiler_leman.wlk:Wlk",
        "wwlk": "exactmatch.metrics.weisfeiler_leman.wwlk:Wwlk",
        "umatch": "exactmatch.metrics.umr.umatch:Umatch",
        "ancast": "exactmatch.metrics.ancast.ancast:Ancast",
        "mrp": "exactmatch.metrics.mrp.mces:Mrp",
        "counter": "exactmatch.metrics.drs.counter:Counter",
        "edm": "exactmatch.metrics.mrp.anchored:Edm",
        "sdp": "exactmatch.metrics.mrp.anchored:Sdp",
        "ucca": "exactmatch.metrics.mrp.anchored:Ucca",
        "yisi-text": "exactmatch.metrics.yisi.text:YiSiText",
        "bleu": "exactmatch.metrics.baselines:Bleu",
        "sentence-bleu": "exactmatch.metrics.baselines:SentenceBleu",
        "chrf": "exactmatch.metrics.baselines:ChrF",
    },
    _is_metric,
    "a subclass of exactmatch.Metric",
    {
        "docsmatch": "smatch under profile doc-amr",
        "smatch++": "smatch under profile smatchpp",
        "smatchpp": "smatch under profile smatchpp",
        "doc-amr": "smatch under profile doc-amr",
        "umr": "smatch under profile umr, or umatch or ancast",
        "drs": "smatch under profile drs, or counter",
        "ged": "a distance and no score; the commands ged, nearest and matrix have it, "
        "alone, and so have ged, search and cdist of Python",
    },
    clash=clash,
)
"""All metrics by name; a class is imported when its name is looked up."""


def __getattr__(name: str) -> type[Metric]:
    """Return the class of one of our metrics, which is imported when it is named."""
    for place in METRICS.own.values():
        if isinstance(place, str) and place.partition(":")[2] == name:
            metric: type[Metric] = imported(place)
            return metric
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Aligning(Sequence[str]):
    """Names of our metrics that align variables; classes are imported when needed."""

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(name for name in METRICS.own if METRICS[name].aligns)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in METRICS.own and METRICS[name].aligns

    def __getitem__(self, key: Any) -> Any:
        return self._names[key]

    def __len__(self) -> int:
        return len(self._names)


ALIGNING = _Aligning()  # these have an optimum to prove


def metric_class(name: str) -> type[Metric]:
    """Return the class behind a metric's name.

    Raises:
        InputError: if no metric has that name.
    """
    check_kind("the metric", name, str, "its name or what make_metric made")
    metric, colon, _ = name.partition(":")
    if colon and metric in METRICS and name not in METRICS:
        listed = ", ".join(METRICS[metric].options_class.DECLARED) or "none"
        raise InputError(
            f"unknown metric {name!r}; name {metric!r} alone, and give its options as "
            f"arguments of their own (known: {listed})"
        )
    return METRICS.find(name)


def build_metric(name: str, **keywords: Any) -> Metric:
    """Make a metric from its name and checked keywords of its constructor.

    A metric that only compares JSON documents is made once and kept: making it takes
    longer than comparing a pair.
    """
    if metric_class(name).reads == "document" and _are_plain(keywords):
        return _made_once(name, tuple(keywords.items()))
    return _made(name, keywords)


def _are_plain(keywords: Mapping[str, Any]) -> bool:
    """Return whether options are plain values, and none opens a file or learns."""
    kinds = {type(value) for value in keywords.values()}
    return kinds <= {str, int, float, bool, type(None)} and all(
        keywords.get(name) is None for name in ("ids", "schema", "vectors", "encoder")
    )


@lru_cache(64, typed=True)
def _made_once(name: str, keywords: tuple[tuple[str, Any], ...]) -> Metric:
    return _made(name, dict(keywords))


def _made(name: str, keywords: Mapping[str, Any]) -> Metric:
    metric = metric_class(name)(**keywords)
    for part in ("name", "title"):
        if not hasattr(metric, part):
            raise InputError(f"metric {name!r} has no {part}; its class must give one")
    return metric


def listed_metrics(value: Any, allowed: Sequence[str] | None = None) -> list[Any]:
    """List metrics, each a name or one that is made already.

    ``all`` means those *allowed*, by default all of ours.
    """
    from exactmatch.metrics.base import Metric

    expected = "a name, what make_metric made, or a list of these"
    check_kind("the metric", value, (Metric, Iterable), expected)
    names = value.split(",") if isinstance(value, str) else value
    metrics = [names] if isinstance(names, Metric) else list(names)
    for metric in metrics:
        check_kind("the metric", metric, (str, Metric), expected)
    if metrics != ["all"]:
        return metrics
    names = METRICS.own if allowed is None else allowed
    return [name for name in names if metric_class(name).in_all]


def metrics_of(metrics: str | Metric | Iterable[str | Metric]) -> list[Metric]:
    """Make metrics of their names; those that are made already stay."""
    entries = listed_metrics(metrics)
    return [
        build_metric(entry) if isinstance(entry, str) else entry for entry in entries
    ]


def metric_options(metrics: Iterable[type[Metric]]) -> dict[str, list[Declared]]:
    """Return the options of metrics by name, each as these metrics declare it.

    Raises:
        InputError: if two metrics mean different things by one name.
    """
    options: dict[str, list[Declared]] = {}
    owners: dict[str, str] = {}
    for metric in metrics:
        for name, declared in metric.options_class.DECLARED.items():
            declarations = options.setdefault(name, [])
            if declarations and _meaning(declarations[0]) != _meaning(declared):
                raise InputError(
                    f"the metrics {owners[name]!r} and {metric.name!r} mean different "
                    f"things by the option {name!r}"
                )
            owners.setdefault(name, metric.name)
            declarations.append(declared)
    return options
