"""Options of metrics, and the metrics that are made of them.

Each class is one group of options; a question's own options are derived from the groups
that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from exactmatch.base import values
from exactmatch.base.errors import (
    InputError,
    callers_are_warned,
    suggestion,
    warn_caller,
)
from exactmatch.base.options import Options, option, optional
from exactmatch.formats.scored_by import AMR, ScoredBy
from exactmatch.graphs.profile import Align, Duplicates, Just, Profile, Top
from exactmatch.graphs.standardise import idle_options
from exactmatch.metrics import (
    ALIGNING,
    METRICS,
    build_metric,
    listed_metrics,
    metric_class,
    metric_options,
)
from exactmatch.metrics.base import Metric
from exactmatch.solvers import DEFAULT_SOLVER, get_solver

if TYPE_CHECKING:
    import os

    from exactmatch.formats.recognised import Seen
    from exactmatch.metrics.aligning import AligningMetric
    from exactmatch.solvers.base import Solver


M = TypeVar("M", bound="Making")


class MetricNames(Options, purpose="measures", waits=True):
    """Names of the metrics; the one option that needs no keyword in Python."""

    TITLE = "metrics"

    metric: str | Metric | Iterable[str | Metric] | None = option(
        "a metric or several: a name, a list of names, what make_metric made, or "
        "'all' for every one that fits the graphs and needs no vectors or other files "
        "(default: by the format; smatch for AMR)",
        default=None,
        metavar="NAME[,NAME…]",
        is_list=True,
        kw_only=False,
        registry="metric",
        brief=("NAME,…", "default: {default}"),
    )


class Metrics(Options, purpose="measures", waits=True):
    """Options that the named metrics declare."""

    TITLE = "metrics"
    REST: str | None = "options"

    options: Mapping[str, Any] | None = optional(
        "options of the metrics that are named, such as cutoff of s2match; each "
        "metric's class documents its own",
        flags=(),
    )

    def explicit_options(self) -> dict[str, Any]:
        """Return the options of metrics that are set, also those set to 0."""
        options = self.options or {}
        return {name: value for name, value in options.items() if value is not None}


_counting = partial(option, default=None)  # changes the profile, or leaves it as it is


class Counting(Options, purpose="measures", waits=True):
    """The profile, and the options that change it."""

    TITLE = "what counts"

    profile: Profile | str | None = _counting(
        "how graphs are read and triples counted (default: the metric's own; smatch "
        "for Smatch); see 'exactmatch help profiles'",
        read=values.name_in("exactmatch.graphs.profile:PROFILES"),
        metavar="NAME",
        registry="profile",
        brief=("NAME", "what counts (umr, doc-amr …); see 'help profiles'"),
    )
    top: Top | None = _counting(
        "the mark of the root: a triple with a constant, a triple with its concept, "
        "or none",
        choices=("constant", "concept", "none"),
    )
    duplicates: Duplicates | None = _counting(
        "how repeated triples count: every pair of them (product), as often as both "
        "graphs have them (multiset), or once (set)",
        choices=("product", "multiset", "set"),
    )
    wiki: bool | None = _counting("count :wiki (default: yes)", is_truth=True)
    sense: bool | None = _counting(
        "tell senses apart (default: yes), or compare want-01 and want-02 as want",
        is_truth=True,
    )
    reification: Literal["reify", "dereify"] | None = _counting(
        "reify roles, or undo reifications, by penman's AMR model",
        choices=("reify", "dereify"),
        switches=(
            ("--reify", "reify", "reify roles, by penman's AMR model"),
            ("--dereify", "dereify", "undo reifications, by the same model"),
        ),
    )
    strip_alignments: bool | None = _counting(
        "remove ~e.N tags (on in clean)", is_truth=True
    )
    just: Just | None = _counting(
        "count only one kind of triple, and align for it alone",
        choices=get_args(Just),
        flags=("--just",),
        switches=tuple((f"--just{kind}", kind, "") for kind in get_args(Just)),
    )
    align: Align | None = _counting(
        "which variables of documents may be aligned: any, those of the same "
        "sentence, or those of the same sentence that share a word (umr, doc-amr)",
        choices=get_args(Align),
    )
    roles: str | Iterable[str] | None = _counting(
        "count only these roles, such as ARG0, ARG0-ARG2 or 'ARG*'; 'concept' for "
        "concepts, 'top' for the mark of the root, a level such as 'coref' for its "
        "document-level triples",
        flags=("--roles", "--only"),
        metavar="ROLE,…",
        is_list=True,
    )
    except_roles: str | Iterable[str] | None = _counting(
        "count all but these",
        flags=("--except-roles", "--except"),
        metavar="ROLE,…",
        is_list=True,
    )
    ignore_unannotated: bool = _counting(
        "ignore predicted triples whose roles the references never have", default=False
    )


class Solvers(Options, purpose="runs", waits=True):
    """Solver, and the largest problem that it may be given."""

    TITLE = "solving"

    solver: Solver | str = option(
        "auto (default), bnb, cpsat, highs, cbc, pulp:NAME, hillclimb, hungarian, "
        "brute; see 'exactmatch solvers'",
        default=DEFAULT_SOLVER,
        metavar="NAME[:option=value,…]",
        registry="solver",
        brief=("NAME", "default: {default}; see 'exactmatch help solvers'"),
    )
    max_terms: int | None = optional(
        "refuse a pair of graphs with more than N pairs of relations that may match, "
        "or N / 4 pairs of variables (memory limit; default: 2·10⁷)",
        read=values.positive_int,
    )

    @property
    def names_solver(self) -> bool:
        """Return whether the solver is not the default one."""
        return self.solver != DEFAULT_SOLVER

    def one_solver(self) -> Solver:
        """Return the solver, checked to be installed and to have its options."""
        solver = self.solver
        if isinstance(solver, str):
            solver = get_solver(solver)
        solver.check_available()
        return solver

    def solvers(
        self, note: Callable[[str], object], climbs: bool = False
    ) -> list[Solver]:
        """Return the solver, once for each number of restarts.

        Restarts that have no effect are noted by *note*, unless the question *climbs*
        besides.
        """
        assert isinstance(self, Restarts)
        solver = self.solver
        restarts = isinstance(solver, str) and solver.partition(":")[0] == "hillclimb"
        if self.restarts is None or not restarts:
            if self.restarts is not None and not climbs:
                counts = ",".join(map(str, self.restarts))
                note(f"-r {counts} has no effect on solver {str(solver)!r}")
            return [self.one_solver()]
        joint = "," if ":" in str(solver) else ":"
        return [
            self.replace(solver=f"{solver}{joint}restarts={number}").one_solver()
            for number in self.restarts
        ]

    def only_solver(self, note: Callable[[str], object]) -> Solver:
        """Return the solver where there is one number of restarts; refuse several."""
        first, *other_solvers = self.solvers(note)
        if other_solvers:
            counts = ",".join(map(str, getattr(self, "restarts", ())))
            raise InputError(
                f"-r {counts} is several numbers of restarts; give one here (score, "
                "compare, correlate and audit take several)"
            )
        return first


class Restarts(Options, purpose="runs", waits=True):
    """Several numbers of restarts."""

    TITLE = Solvers.TITLE

    restarts: Sequence[int] | None = optional(
        "restarts of hillclimb (default: 4); several numbers give a score for each",
        read=values.restart_counts,
        flags=("-r", "--restarts"),
        metavar="N[,N…]",
        is_list=True,
    )


class Climbing(Restarts, purpose="writes", waits=True):
    """Several numbers of restarts, and a cache of results."""

    cache: str | os.PathLike[str] | None = optional(
        "keep the results of pairs in this folder, and score no kept pair again",
        metavar="FOLDER",
    )


class Making(Metrics, Counting, Solvers):
    """Options that metrics are made of; a derived class declares ``metric``."""

    def metrics(
        self, solver: Solver | None = None, allowed: Sequence[str] | None = None
    ) -> list[Metric]:
        """Make the metrics, each with its profile and options.

        Variables are aligned by *solver*, by default that of the options; ``all`` means
        the *allowed* metrics, by default all of ours.
        """
        if self._is_open:
            return self.by_format(allowed).metrics(solver, allowed)
        entries = listed_metrics(vars(self)["metric"], allowed)
        names = [entry for entry in entries if isinstance(entry, str)]
        if len(set(names)) < len(names):
            raise InputError(f"--metric {','.join(names)} names a metric twice")
        if not names:
            self._refuse_making()
        self._check_options(self.classes(allowed))
        return [
            self._made(entry, solver, len(entries)) if isinstance(entry, str) else entry
            for entry in entries
        ]

    def one_metric(self, purpose: str, allowed: Sequence[str] | None = None) -> Metric:
        """Make the single metric of *purpose*; ``all`` means those *allowed*."""
        metrics = self.metrics(None, allowed)
        if len(metrics) != 1:
            raise InputError(
                f"{purpose} is of one metric, not {len(metrics)}; name one, or call "
                "evaluate, which takes several"
            )
        return metrics[0]

    def metrics_per_restarts(
        self,
        note: Callable[[str], object],
        solvers: Sequence[Solver] | None = None,
        allowed: Sequence[str] | None = None,
    ) -> list[Metric]:
        """Make the metrics; those that align, once for each number of restarts.

        With several numbers, a metric's name ends with its number.  The solvers are by
        default those of :meth:`solvers`.
        """
        if self._is_open:
            options = self.by_format(allowed)
            return options.metrics_per_restarts(note, solvers, allowed)
        assert isinstance(self, Restarts)
        needs_solver = solvers or self.names_solver or self.restarts is not None
        if not needs_solver and not any(cls.aligns for cls in self.classes(allowed)):
            return self.metrics(None, allowed)  # NumPy comes with a solver
        chosen = solvers or self.solvers(note)
        metrics_of_solvers = [self.metrics(solver, allowed) for solver in chosen]
        if len(metrics_of_solvers) == 1:
            return metrics_of_solvers[0]
        metrics: list[Metric] = []
        for variants in zip(*metrics_of_solvers, strict=True):
            if not variants[0].aligns:
                metrics.append(variants[0])
                continue
            for metric, restarts in zip(variants, self.restarts or (), strict=True):
                variant = f"r={restarts}"
                metrics.append(
                    metric.named(
                        f"{metric.name} {variant}", f"{metric.title} {variant}"
                    )
                )
        return metrics

    def classes(self, allowed: Sequence[str] | None = None) -> list[type[Metric]]:
        """Return the classes of the metrics."""
        if self._is_open:
            return self.by_format(allowed).classes(allowed)
        return [
            metric_class(entry) if isinstance(entry, str) else type(entry)
            for entry in listed_metrics(vars(self)["metric"], allowed)
        ]

    def aligning(
        self, solver: Solver, allowed: Sequence[str] = ALIGNING
    ) -> list[AligningMetric[Any]]:
        """Make the metrics, where only those that align will do."""
        from exactmatch.metrics.aligning import aligning

        return [aligning(metric) for metric in self.metrics(solver, allowed)]

    def chosen_profile(self, default: str) -> Profile:
        """Return the profile, by default *default*, with the options that change it."""
        from exactmatch.graphs.profile import get_profile

        profile = default if self.profile is None else self.profile
        values_of = vars(self)
        changes = {
            option_name: values_of[name]
            for name, option_name in _OF_PROFILE.items()
            if values_of[name] is not Counting.DECLARED[name].default
        }
        return get_profile(profile).with_options(**changes)

    def options_without_effect(self, metrics: Iterable[Metric]) -> Iterator[str]:
        """Yield a remark on each option that has no effect on a metric."""
        for metric in metrics:
            if self.just and getattr(metric, "takes_kinds", None) is False:
                yield f"--just has no effect on {metric.name}"
            if self.ignore_unannotated and not getattr(metric, "learns_roles", True):
                yield f"--ignore-unannotated has no effect on {metric.name}"
            for remark in _remarks_on_idle(metric):
                yield f"warning: {remark}"

    def _refuse_making(self) -> None:
        """Refuse options that would change a metric that is made already."""
        values, declared = vars(self), self.DECLARED
        option_names = (*Counting.OWN, *Solvers.OWN)
        changed = [
            name for name in option_names if values[name] != declared[name].default
        ]
        if changed := [*self.explicit_options(), *changed]:
            raise InputError(
                f"the metric is made already, so that {changed[0]} would have no "
                f"effect; give {changed[0]} to make_metric, or name the metric"
            )

    def _check_options(self, classes: Sequence[type[Metric]]) -> None:
        """Refuse an option that none of the metrics has."""
        allowed = list(metric_options(classes))
        for name in self.explicit_options():
            if name not in allowed:
                which = ", ".join(repr(cls.name) for cls in classes)
                listed = f" (known: {', '.join(allowed)})" if allowed else ""
                raise InputError(
                    f"metric {which} has no option {name!r}{self._meant(name)}{listed}"
                )

    def _meant(self, name: str) -> str:
        """Name the metrics that have an option, or an option with a similar name."""
        if name == "ignore":
            value = self.explicit_options()[name]
            words = value.split(",") if isinstance(value, str) else map(str, value)
            plain = [word.strip(" :") for word in words]
            flags = [_IGNORED[w.lower()] for w in plain if w.lower() in _IGNORED]
            roles = [w for w in plain if w.lower() not in _IGNORED]
            flags += [f"--except-roles {','.join(roles)}"] * bool(roles)
            return f", which belongs to json; here it is {' '.join(flags)}"
        classes = [METRICS[metric] for metric in METRICS.own]
        owners = [cls.name for cls in classes if name in cls.options_class.DECLARED]
        if owners:
            way = self.scored_by() or AMR
            fitting = [name for name in owners if name in (way.graded, way.metric)]
            option = "metric={!r}" if callers_are_warned() else "--metric {}"
            hint = f"; add {option.format(fitting[0])}" if fitting else ""
            return f"; it belongs to {' or '.join(owners)}{hint}"
        known = (*self.DECLARED, *metric_options(classes))
        bare = name.removeprefix("no_").removeprefix("ignore_")
        for positive in (bare, bare.removesuffix("s")):
            if bare != name and positive in known:
                return f"; give {positive}=False"
        return suggestion(name, known, 0.7)

    def _made(self, name: str, solver: Solver | None, number: int) -> Metric:
        cls: Any = metric_class(name)
        allowed = cls.options_class.DECLARED
        keywords = {k: v for k, v in self.explicit_options().items() if k in allowed}
        if cls.reads == "graph":
            named = getattr(self.profile, "name", self.profile)
            fits = named is None or named in cls.profiles
            if not fits and number == 1:
                raise InputError(
                    f"metric {cls.name!r} does not work with profile {named!r} "
                    f"(known: {', '.join(cls.profiles)})"
                )
            chosen = self if fits else self.replace(profile=None)
            keywords["profile"] = chosen.chosen_profile(cls.default_profile)
        if cls.aligns:
            keywords["solver"] = solver or self.one_solver()
            keywords["max_terms"] = self.max_terms
        metric = build_metric(name, **keywords)
        for remark in _remarks_on_idle(metric):
            warn_caller(remark)
        return metric

    @property
    def _is_open(self) -> bool:
        """Return whether the format of the graphs chooses the metrics."""
        return vars(self)["metric"] in (None, "all", ["all"])

    def by_format(self: M, allowed: Sequence[str] | None = None) -> M:
        """Return options with the metrics that the format of the graphs chooses.

        Smatch is chosen where the profile does not fit the format's metric.  With an
        ``edge_share``, nodes and edges both count.  Where the chosen metric is not
        *allowed*, its graded one takes its place, or the first allowed one.

        Raises:
            InputError: if the graphs are of formats that different metrics score.
        """
        way = self.scored_by() or AMR
        profile = getattr(self.profile, "name", self.profile)
        if profile is not None and profile not in _profiles_of(way.metric):
            way = AMR
        if allowed is not None and way.metric not in allowed:
            able = self._with_options(allowed)
            likely = [name for name in able if name == way.graded] or able
            way = way._replace(metric=likely[0], options=())
        names: list[str] = [way.metric]
        if vars(self)["metric"] is not None:
            registered = METRICS.own if allowed is None else allowed
            fitting = registered if way.more is None else names
            names = [name for name in fitting if metric_class(name).in_all] or names
            names += way.more or ()
        profile = way.profile if self.profile is None else self.profile
        options = self.explicit_options()
        weighs = "edge_share" in options
        of_format = {} if weighs else dict(way.options)
        merged = {**of_format, **options} or None
        return self.replace(metric=names, profile=profile, options=merged)

    def _with_options(self, allowed: Sequence[str]) -> Sequence[str]:
        """Return the metrics that have all options of metrics here, or else all."""
        named = self.explicit_options().keys()
        metrics_with_options = [
            n for n in allowed if named <= metric_options([metric_class(n)]).keys()
        ]
        return metrics_with_options or allowed

    def scored_by(self) -> ScoredBy | None:
        """Return the default metric of the graphs' format, once it is recognised."""
        from exactmatch.formats.recognised import scored_by_all

        return scored_by_all(self.seen())

    @property
    def are_documents(self) -> bool:
        """Return whether JSON documents are compared, by metric or by content."""
        if self._is_open:
            way = self.scored_by()
            return way is not None and way.metric == "json"
        metrics = listed_metrics(vars(self)["metric"])
        return [getattr(metric, "name", metric) for metric in metrics] == ["json"]

    def seen(self) -> list[Seen]:
        """Return what is recognised of the graphs that the options name."""
        from exactmatch.formats.recognised import seen_of

        sides = (getattr(self, n) for n in self._PLACES if n not in _NOT_GRAPHS)
        how_read = getattr(self, "how_read", None)
        return seen_of(sides, how_read, getattr(self, "framework", None))

    def by_format_line(self, allowed: Sequence[str] | None = None) -> str:
        """Return a line about the metric and profile that the format chose.

        It is empty for Smatch as it is.  The metrics that may be chosen are those
        *allowed*, by default all.
        """
        if vars(self)["metric"] is not None:
            return ""
        chosen, way = self.by_format(allowed), self.scored_by() or AMR
        names, profile = vars(chosen)["metric"], None
        if self.profile is None:
            profile = chosen.profile
        if names == [AMR.metric] and profile is None:
            return ""
        seen = self.seen()
        titles = dict.fromkeys(kind.title for kind in seen)
        values = chosen.explicit_options()
        options = (f", {n} {values[n]}" for n, _ in way.options if n in values)
        under = "" if profile is None else f", profile {profile}"
        line = f"{' and '.join(titles)}: metric {names[0]}{under}{''.join(options)}"
        if way.why and names == [way.metric] and profile == way.profile:
            line += f", {way.why}"
            line += "; another: --metric NAME" * (way.metric != AMR.metric)
        return line + _units(seen)


def _units(seen: Sequence[Seen]) -> str:
    """Say what a pair is where files hold documents of several sentences."""
    names = {kind.format.name for kind in seen if kind.format is not None}
    documents = [k for k in seen if k.format is not None and k.format.name == "umr"]
    if not documents:
        return ""
    if len(names) == 1:
        return "; sentence by sentence: --format-in umr-sentences"
    path = documents[0].path or "FILE"
    return (
        "; a whole document is paired with each graph of the other side; for its "
        f"sentences: exactmatch convert {path} --format-in umr-sentences --to penman"
    )


def _remarks_on_idle(metric: Metric) -> Iterator[str]:
    """Say which options of a metric change nothing, because roles were chosen."""
    profile = getattr(metric, "profile", None)
    if profile is None or getattr(metric, "has_own_roles", False):
        return
    for flag, why in idle_options(profile, in_python=callers_are_warned()):
        yield f"{flag} has no effect on {metric.name}: {why}"


def _profiles_of(metric: str) -> Collection[str]:
    """Return the profiles that a metric works with."""
    profiles: Collection[str] = getattr(metric_class(metric), "profiles", ())
    return profiles


class NamedMetrics(Making, MetricNames):
    """Metrics by name or made.

    The command has a flag for each option of its metrics.  Python's function takes
    metrics, which have their options from when they were made.
    """

    REST = None
    COMMAND_ONLY = frozenset({*Metrics.OWN, *Counting.OWN} - {"profile"})

    if TYPE_CHECKING:  # those that the function does not take
        options: Mapping[str, Any] | None = option(default=None, init=False)
        top: Top | None = option(default=None, init=False)
        duplicates: Duplicates | None = option(default=None, init=False)
        wiki: bool | None = option(default=None, init=False)
        sense: bool | None = option(default=None, init=False)
        reification: Literal["reify", "dereify"] | None = option(
            default=None, init=False
        )
        strip_alignments: bool | None = option(default=None, init=False)
        just: Just | None = option(default=None, init=False)
        align: Align | None = option(default=None, init=False)
        roles: str | Iterable[str] | None = option(default=None, init=False)
        except_roles: str | Iterable[str] | None = option(default=None, init=False)
        ignore_unannotated: bool = option(default=False, init=False)

    @classmethod
    def unexpected(cls, name: str) -> str:
        """Return the error for an unknown keyword, naming a metric that has it."""
        own = super().unexpected(name)
        if "; " in own and not _owner_of(name):
            return own
        bare = name.removeprefix("no_").removeprefix("ignore_")
        meant = next(filter(_owner_of, (name, bare, bare.removesuffix("s"))), "")
        if not meant:
            return own
        owner = _owner_of(meant)
        is_truth = meant in Counting.OWN and Counting.DECLARED[meant].is_truth
        value = False if is_truth else "…"
        return (
            f"unexpected keyword argument {name!r}: it belongs to a metric; give "
            f"metric=make_metric({owner!r}, {meant}={value})"
        )


_IGNORED = {
    **dict.fromkeys(("sense", "senses"), "--no-sense"),
    **dict.fromkeys(("wiki", "wikis", "wikification"), "--no-wiki"),
    **dict.fromkeys(("top", "root"), "--top none"),
}
"""Parts of graphs that may be ignored, and the options that do so."""


def _owner_of(name: str) -> str:
    """Return the metric that an option belongs to, empty where no metric has it."""
    if name in Counting.OWN:
        return AMR.metric
    classes = (METRICS[metric] for metric in METRICS.own)
    owners = (cls.name for cls in classes if name in cls.options_class.DECLARED)
    return next(owners, "")


_NOT_GRAPHS = ("metric", "human")
"""Positional options that are not graphs."""

_OF_PROFILE = {
    name: {"roles": "only", "except_roles": "leave_out"}.get(name, name)
    for name in Counting.OWN
    if name != "profile"
}
"""Options that change a profile, with the profile's name for each."""
