"""The metrics: one file each, one line each in :data:`METRICS`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from numbers import Integral, Number, Real
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError, check_kind
from exactmatch.base.registry import Registry

if TYPE_CHECKING:
    from exactmatch.metrics.base import Metric, Option


def _is_metric(found: object) -> bool:
    from exactmatch.metrics.base import Metric

    return isinstance(found, type) and issubclass(found, Metric)


METRICS: Registry[type[Metric]] = Registry(
    "metric",
    {
        "smatch": "exactmatch.metrics.smatch:Smatch",
        "s2match": "exactmatch.metrics.s2match:S2Match",
        "sembleu": "exactmatch.metrics.sembleu:SemBleu",
        "yisi": "exactmatch.metrics.yisi.graph:YiSiGraph",
        "graph": "exactmatch.metrics.labelled.graph_metric:LabelledMatch",
        "rematch": "exactmatch.metrics.rematch:Rematch",
        "wlk": "exactmatch.metrics.weisfeiler_leman.wlk:Wlk",
        "wwlk": "exactmatch.metrics.weisfeiler_leman.wwlk:Wwlk",
        "umatch": "exactmatch.metrics.umr.umatch:Umatch",
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
        "doc-amr": "smatch under profile doc-amr",
        "umr": "smatch under profile umr, or umatch",
        "drs": "smatch under profile drs, or counter",
        "ged": "a distance and no score; the commands ged, nearest and matrix have it, "
        "alone, and so have ged, search and cdist of Python",
    },
)
"""Every metric by name; it is imported when it is asked for."""


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
    """The class behind a metric's name; it is an error if no metric has that name."""
    check_kind("the metric", name, str, "its name or what make_metric made")
    own, colon, _ = name.partition(":")
    if colon and own in METRICS and name not in METRICS:
        listed = ", ".join(option.name for option in METRICS[own].options) or "none"
        raise InputError(
            f"unknown metric {name!r}; name {own!r} alone, and give its options as "
            f"arguments of their own (known: {listed})"
        )
    return METRICS.find(name)


def build_metric(name: str, **keywords: Any) -> Metric:
    """Make a metric of its name and its constructor's keywords, which are checked."""
    cls = metric_class(name)
    for declared in cls.options:
        _check_type(declared, keywords.get(declared.name))
    metric = cls(**keywords)
    for part in ("name", "title"):
        if not hasattr(metric, part):
            raise InputError(f"metric {name!r} has no {part}; its class must give one")
    return metric


def keywords_of(metric: type[Metric]) -> list[str]:
    """The keywords of a metric's constructor, those of its options among them."""
    import inspect

    return list(inspect.signature(metric).parameters)


_TYPES: dict[type, tuple[type, str]] = {
    bool: (bool, "True or False"),
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
}


def _check_type(option: Option, value: object) -> None:
    """Refuse a value of a type that could not have come from the command line."""
    kind, wanted = _TYPES.get(option.type, (None, "text"))
    fits = not isinstance(value, Number)
    if kind is not None:
        fits = isinstance(value, kind) and isinstance(value, bool) == (kind is bool)
    if value is not None and not fits:
        raise InputError(f"{option.name} is {value!r}; it must be {wanted}")


def asked_metrics(asked: Any, known: Sequence[str] | None = None) -> list[Any]:
    """Metrics as they are asked for, by name or made; ``all`` are those *known*."""
    from exactmatch.metrics.base import Metric

    wanted = "a name, what make_metric made, or a list of these"
    check_kind("the metric", asked, (Metric, Iterable), wanted)
    names = asked.split(",") if isinstance(asked, str) else asked
    given = [names] if isinstance(names, Metric) else list(names)
    for one in given:
        check_kind("the metric", one, (str, Metric), wanted)
    if given != ["all"]:
        return given
    names = METRICS.own if known is None else known
    return [name for name in names if metric_class(name).in_all]


def metrics_of(asked: str | Metric | Iterable[str | Metric]) -> list[Metric]:
    """Make the metrics that are asked for, if they are not made already."""
    found = asked_metrics(asked)
    return [build_metric(one) if isinstance(one, str) else one for one in found]


def metric_options(names: Iterable[str]) -> list[Option]:
    """The metrics' options; those of one name are one, with all its choices."""
    found: dict[str, Option] = {}
    for name in names:
        for option in metric_class(name).options:
            known = found.get(option.name)
            if known is None:
                found[option.name] = option
            elif known.choices and option.choices:
                both = tuple(dict.fromkeys((*known.choices, *option.choices)))
                found[option.name] = known._replace(choices=both)
    return list(found.values())
