"""Options of metrics, and the metrics that are made of them.

Each class is one group of options; a question's own options are derived from the groups
that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from exactmatch.base import values
from exactmatch.base.errors import InputError, suggestion
from exactmatch.base.options import Options, option, optional
from exactmatch.graphs.profile import Align, Duplicates, Just, Profile, Top
from exactmatch.metrics import (
    ALIGNING,
    asked_metrics,
    build_metric,
    keywords_of,
    metric_class,
)
from exactmatch.metrics.base import Metric
from exactmatch.solvers import DEFAULT_SOLVER, get_solver

if TYPE_CHECKING:
    import os

    from exactmatch.metrics.aligning import AligningMetric
    from exactmatch.solvers.base import Solver


class MetricNames(Options):
    """Which metrics are used; the one option that needs no keyword in Python."""

    TITLE = "metrics"

    metric: str | Metric | Iterable[str | Metric] = option(
        "a metric or several: a name, a list of names, what make_metric made, or "
        "'all' for every one that needs no vectors or other files",
        default="smatch",
        metavar="NAME[,NAME…]",
        is_list=True,
        kw_only=False,
    )


class Metrics(Options):
    """Options of the metrics, which declare them; here they have names and types."""

    TITLE = "metrics"
    REST = "more"

    vectors: str | None = option(default=None)
    cutoff: float | None = option(default=None)
    diffsense: float | None = option(default=None)
    similarity: Any = option(default=None)
    encoder: Any = option(default=None)
    layer: int | None = option(default=None)
    unmarked_quotes: bool | None = option(default=None)
    sembleu: str | None = option(default=None)
    ngram: int | None = option(default=None)
    weights: Any = option(default=None)
    alpha: float | None = option(default=None)
    beta: float | None = option(default=None)
    idf: str | None = option(default=None)
    role_types: str | None = option(default=None)
    role_weights: str | None = option(default=None)
    role_matching: str | None = option(default=None)
    frames: str | None = option(default=None)
    filler: str | None = option(default=None)
    frame_weights: str | None = option(default=None)
    joint: bool | None = option(default=None)
    frame_classes: Any = option(default=None)
    iterations: int | None = option(default=None)
    direction: str | None = option(default=None)
    edge_to_node: bool | None = option(default=None)
    edge_weight: float | None = option(default=None)
    include_ref: bool | None = option(default=None)
    yisi: str | None = option(default=None)
    node_similarity: Any = option(default=None)
    edge_similarity: Any = option(default=None)
    node_cutoff: float | None = option(default=None)
    edge_cutoff: float | None = option(default=None)
    count: str | None = option(default=None)
    triple: str | None = option(default=None)
    unlike: str | None = option(default=None)
    aliases: Any = option(default=None)
    judged: Any = option(default=None)
    edge_share: float | None = option(default=None)
    more: Mapping[str, Any] | None = optional(
        "options of metrics of other packages, by name", flags=()
    )

    def given_options(self) -> dict[str, Any]:
        """Return the options of metrics that are given; 0 is given, too."""
        values, more = vars(self), self.more or {}
        own = {name: values[name] for name in Metrics.OWN if values[name] is not None}
        own.pop("more", None)
        return own | {name: value for name, value in more.items() if value is not None}


_counting = partial(option, default=None)  # changes the profile, or leaves it as it is


class Counting(Options):
    """The profile, and the options that change it."""

    TITLE = "what counts"

    profile: Profile | str | None = _counting(
        "how graphs are read and triples counted (default: the metric's own; smatch "
        "for Smatch); see 'exactmatch help profiles'",
        read=values.name_in("exactmatch.graphs.profile:PROFILES"),
        metavar="NAME",
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
        "count only these roles; 'concept' for concepts, 'top' for the mark of the "
        "root, a level such as 'coref' for its document-level triples",
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


class Solvers(Options):
    """The solver, and how much it may hold."""

    TITLE = "solving"

    solver: Solver | str = option(
        "auto (default), bnb, cpsat, highs, cbc, pulp:NAME, hillclimb, hungarian, "
        "brute; see 'exactmatch solvers'",
        default=DEFAULT_SOLVER,
        metavar="NAME[:option=value,…]",
    )
    max_terms: int | None = optional(
        "refuse a pair of graphs with more than N candidate relation pairs (memory "
        "limit; default: 2·10⁷)",
        read=values.positive_int,
    )

    @property
    def names_solver(self) -> bool:
        """Whether another solver than the default is asked for."""
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

        Where restarts have no effect, *note* hears so, unless the question *climbs*
        besides.
        """
        assert isinstance(self, Restarts)
        solver = self.solver
        restarts = isinstance(solver, str) and solver.partition(":")[0] == "hillclimb"
        if self.restarts is None or not restarts:
            if self.restarts is not None and not climbs:
                given = ",".join(map(str, self.restarts))
                note(f"-r {given} has no effect on solver {str(solver)!r}")
            return [self.one_solver()]
        joint = "," if ":" in str(solver) else ":"
        return [
            self.but(solver=f"{solver}{joint}restarts={number}").one_solver()
            for number in self.restarts
        ]

    def only_solver(self, note: Callable[[str], object]) -> Solver:
        """Return the solver where there is one number of restarts; refuse several."""
        first, *others = self.solvers(note)
        if others:
            given = ",".join(map(str, getattr(self, "restarts", ())))
            raise InputError(
                f"-r {given} is several numbers of restarts; give one here (score, "
                "compare, correlate, principles and audit take several)"
            )
        return first


class Restarts(Options):
    """Several numbers of restarts."""

    TITLE = Solvers.TITLE

    restarts: Sequence[int] | None = optional(
        "restarts of hillclimb (default: 4); several numbers give a score for each",
        read=values.restart_counts,
        flags=("-r", "--restarts"),
        metavar="N[,N…]",
        is_list=True,
    )


class Climbing(Restarts):
    """Several numbers of restarts, and results that are kept."""

    cache: str | os.PathLike[str] | None = optional(
        "keep the results of pairs in this folder, and score no kept pair again",
        metavar="FOLDER",
    )


class Making(Metrics, Counting, Solvers):
    """All that metrics are made of; a class derived from it declares ``metric``."""

    def metrics(
        self, solver: Solver | None = None, known: Sequence[str] | None = None
    ) -> list[Metric]:
        """Make the metrics, each with its profile and options.

        The solver that is asked for aligns variables, unless another is given; ``all``
        means the *known* ones, by default all of ours.
        """
        asked = asked_metrics(vars(self)["metric"], known)
        names = [one for one in asked if isinstance(one, str)]
        if len(set(names)) < len(names):
            raise InputError(f"--metric {','.join(names)} names a metric twice")
        if not names:
            self._refuse_making()
        self._check_options(self.classes(known))
        return [
            self._made(one, solver, len(asked)) if isinstance(one, str) else one
            for one in asked
        ]

    def one_metric(self, what: str) -> Metric:
        """Make the metric of *what*, which has one alone."""
        made = self.metrics()
        if len(made) != 1:
            raise InputError(
                f"{what} is of one metric, not {len(made)}; name one, or call "
                "evaluate, which takes several"
            )
        return made[0]

    def climbing(
        self,
        note: Callable[[str], object],
        solvers: Sequence[Solver] | None = None,
        known: Sequence[str] | None = None,
    ) -> list[Metric]:
        """Make the metrics, those that search once for each number of restarts.

        Of several numbers, a metric has its own in its name.  By default the solvers
        are those of :meth:`solvers`.
        """
        assert isinstance(self, Restarts)
        asked = solvers or self.names_solver or self.restarts is not None
        if not asked and not any(cls.aligns for cls in self.classes(known)):
            return self.metrics(None, known)  # NumPy comes with a solver
        chosen = solvers or self.solvers(note)
        made = [self.metrics(solver, known) for solver in chosen]
        if len(made) == 1:
            return made[0]
        found: list[Metric] = []
        for variants in zip(*made, strict=True):
            if not variants[0].aligns:
                found.append(variants[0])
                continue
            for one, restarts in zip(variants, self.restarts or (), strict=True):
                about = f"r={restarts}"
                found.append(one.named(f"{one.name} {about}", f"{one.title} {about}"))
        return found

    def classes(self, known: Sequence[str] | None = None) -> list[type[Metric]]:
        """Return the classes of the metrics that are asked for."""
        return [
            metric_class(one) if isinstance(one, str) else type(one)
            for one in asked_metrics(vars(self)["metric"], known)
        ]

    def aligning(self, solver: Solver) -> list[AligningMetric[Any]]:
        """Make the metrics, where only those that align will do."""
        from exactmatch.metrics.aligning import aligning

        return [aligning(metric) for metric in self.metrics(solver, ALIGNING)]

    def counted(self, default: str) -> Profile:
        """Return the profile with what changes it; *default* where none is named."""
        from exactmatch.graphs.profile import get_profile

        profile = default if self.profile is None else self.profile
        return get_profile(profile).with_options(
            only=self.roles,
            leave_out=self.except_roles,
            ignore_unannotated=self.ignore_unannotated or None,
            **{name: getattr(self, name) for name in _OF_PROFILE},
        )

    def unheeded(self, metrics: Iterable[Metric]) -> Iterator[str]:
        """Yield a remark for each metric that has no use for what is asked for."""
        for metric in metrics:
            if self.just and getattr(metric, "takes_kinds", None) is False:
                yield f"--just has no effect on {metric.name}"

    def _refuse_making(self) -> None:
        """Refuse what would change a metric that is made already."""
        values, declared = vars(self), self.DECLARED
        own = (*Counting.OWN, *Solvers.OWN)
        changed = [name for name in own if values[name] != declared[name].default]
        if changed := [*self.given_options(), *changed]:
            raise InputError(
                f"the metric is made already, so that {changed[0]} would have no "
                f"effect; give {changed[0]} to make_metric, or name the metric"
            )

    def _check_options(self, classes: Sequence[type[Metric]]) -> None:
        """Refuse an option that none of the metrics has."""
        known = [option.name for cls in classes for option in cls.options]
        taken = {name for cls in classes for name in keywords_of(cls)}
        for name in self.given_options():
            if name not in taken:
                which = ", ".join(repr(cls.name) for cls in classes)
                as_list = ", ".join(known) or "none"
                others = () if name in self.DECLARED else self.DECLARED
                raise InputError(
                    f"metric {which} has no option {name!r}"
                    f"{suggestion(name, others, 0.7)} (known: {as_list})"
                )

    def _made(self, name: str, solver: Solver | None, number: int) -> Metric:
        cls: Any = metric_class(name)
        known = keywords_of(cls)
        keywords = {k: v for k, v in self.given_options().items() if k in known}
        if cls.reads == "graph":
            named = getattr(self.profile, "name", self.profile)
            fits = named is None or named in cls.profiles
            if not fits and number == 1:
                raise InputError(
                    f"metric {cls.name!r} does not work with profile {named!r} "
                    f"(known: {', '.join(cls.profiles)})"
                )
            chosen = self if fits else self.but(profile=None)
            keywords["profile"] = chosen.counted(cls.default_profile)
        if cls.aligns:
            keywords["solver"] = solver or self.one_solver()
            keywords["max_terms"] = self.max_terms
        return build_metric(name, **keywords)


_OF_PROFILE = (
    *("top", "duplicates", "wiki", "sense", "reification", "strip_alignments"),
    *("just", "align"),
)
"""The options that profiles call by the same names."""
