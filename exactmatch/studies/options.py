"""Options that several questions share: graphs, files, systems, people, intervals."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from exactmatch.base import values
from exactmatch.base.errors import InputError, check_kind
from exactmatch.base.inputs import name_of
from exactmatch.base.numbers import several
from exactmatch.base.options import Options, flag, option, optional
from exactmatch.scoring.options import Formats

if TYPE_CHECKING:
    from exactmatch.formats.readings import GraphLike
    from exactmatch.scoring.reporter import Reporter
    from exactmatch.scoring.selection import Selection

Graphs: TypeAlias = (
    "Iterable[GraphLike] | Mapping[str, GraphLike] | os.PathLike[str] | "
    "Sequence[os.PathLike[str]]"
)
"""One side of pairs: graphs in memory, or files (several are several references)."""


Judgements: TypeAlias = (
    "Mapping[str, float] | Iterable[Mapping[str, Any]] | os.PathLike[str] | "
    "Sequence[os.PathLike[str]]"
)
"""People's judgements of systems: a score each, a row for each judgement, or files."""


def picture(subject: str) -> Any:
    """Declare an option for the file of a picture."""
    meaning = f"{subject}: .png, .svg or .pdf"
    return optional(meaning, metavar="FILE", purpose="writes")


def how_many(meaning: str, default: int) -> Any:
    """Declare an option for the number of things to show."""
    meaning = f"{meaning} (default: {default})"
    return option(meaning, default=default, read=values.natural_int, purpose="shows")


class GraphFiles(Formats, purpose="opens"):
    """Files of graphs, one after the other."""

    files: os.PathLike[str] | Sequence[os.PathLike[str]] = option(
        "files of graphs, folders, or - for standard input",
        read=values.paths,
        operand="FILE",
        is_list=True,
        kw_only=False,
    )

    @property
    def paths(self) -> Sequence[str]:
        """The paths of the files."""
        paths: Sequence[str] = vars(self)["files"]
        return paths


def _ids(value: Any) -> tuple[str, ...]:
    """Return ids from the lines of a file, or separated by commas."""
    if not isinstance(value, str):
        ids = tuple(map(str, value))
    elif os.path.isfile(value):
        with open(value, encoding="utf-8-sig", errors="replace") as file:
            lines = file.read().splitlines()
        ids = tuple(line.strip() for line in lines if line.strip())
    else:
        ids = tuple(filter(None, values.words(value)))
    if not ids:
        raise ValueError(f"{value!r} names no id")
    return ids


def _condition(value: Any) -> Any:
    from exactmatch.base.expressions import Condition

    return Condition(value) if isinstance(value, str) else value


class Chosen(Options, purpose="measures", waits=True):
    """Options that choose the pairs that count."""

    TITLE = "which pairs count"

    ids: str | Iterable[str | int] | None = optional(
        "only pairs with these '# ::id', or with these places (1, 3-7 …); or a file "
        "with one a line",
        read=_ids,
        metavar="ID[,ID…]|FILE",
        is_list=True,
        purpose="opens",
    )
    where: str | None = optional(
        "pairs that fulfil a condition on the columns of JSON, such as 'f1 < 0.5 and "
        "gold_total > 20'",
        read=_condition,
        metavar="CONDITION",
    )


class Ranked(Options, purpose="shows", waits=True):
    """Options that choose and order the pairs that are shown, by their scores."""

    TITLE = "which pairs are shown"

    worst: int | None = optional(
        "the N pairs with the lowest scores, the worst first",
        read=values.positive_int,
        brief=("N", "the N worst; or --best --below --where --sort --ids"),
    )
    best: int | None = optional(
        "the N pairs with the highest scores, the best first", read=values.positive_int
    )
    below: float | None = optional(
        "pairs with a lower score, such as 0.6 or 60",
        read=values.share,
        metavar="SCORE",
    )
    sort: str | None = optional(
        "order by a column of JSON; --sort=-COLUMN begins with the greatest",
        metavar="COLUMN",
    )


class Selecting(Ranked, Chosen, purpose="shows", waits=True):
    """Options that choose and order the pairs that are shown."""

    TITLE = Ranked.TITLE


def selection_of(options: Mapping[str, Any]) -> Selection:
    """Return the selection that these options make, by their names."""
    from exactmatch.scoring.selection import Selection

    if options.get("worst") is not None and options.get("best") is not None:
        raise InputError("--worst and --best exclude each other; name one of them")
    ids = (*(options.get("ids") or ()), *(options.get("id") or ()))
    names = ("below", "where", "sort", "worst", "best")
    return Selection(ids, **{name: options.get(name) for name in names})


class Pairs(Options, purpose="opens"):
    """Predictions and their references."""

    preds: Graphs = option("the predicted graphs", flags=(), kw_only=False)
    golds: Graphs = option(
        "their references, in the same order", flags=(), kw_only=False
    )


def _lasting(value: Any) -> Any:
    """Return graphs that can be iterated more than once."""
    from exactmatch.scoring.sources import as_list

    is_lasting = isinstance(value, os.PathLike | Mapping | list | tuple)
    return value if is_lasting else as_list(value)


def _systems(value: Any) -> Any:
    expected = "each system's graphs by its name, {'mine': [...], 'theirs': [...]}"
    paths = value if isinstance(value, list | tuple) else []
    if isinstance(value, os.PathLike):
        expected = "each system's file by its name, {'mine': Path('mine.amr'), "
        expected += "'theirs': Path('theirs.amr')}, and then the references"
    if paths and all(isinstance(path, os.PathLike) for path in paths):
        names = (os.path.splitext(name_of(os.fspath(path)))[0] for path in paths)
        shown = (
            f"{name!r}: Path({os.fspath(path)!r})"
            for name, path in zip(names, paths, strict=True)
        )
        expected = f"each system's file by its name, {{{', '.join(shown)}}}"
    check_kind("systems", value, Mapping, expected)
    if len(value) < 2:
        raise ValueError(f"only {several(len(value), 'system')}; give two or more")
    return {name: _lasting(graphs) for name, graphs in value.items()}


class Systems(Options, purpose="opens"):
    """Several systems and their common references."""

    systems: Mapping[str, Graphs] = option(
        "each system's predictions by its name, in the order of the references",
        read=_systems,
        flags=(),
        kw_only=False,
    )
    golds: Graphs = option("the references", read=_lasting, flags=(), kw_only=False)


class SystemPairs(Options, purpose="opens"):
    """Predictions of one system or of several, and their references."""

    preds: Graphs | Mapping[str, Graphs] = option(
        "the predicted graphs; for several systems, a mapping of names to graphs",
        read=_lasting,
        flags=(),
        kw_only=False,
    )
    golds: Graphs = option(
        "their references, in the same order", read=_lasting, flags=(), kw_only=False
    )

    def systems(self) -> dict[str, Any]:
        """Return each system's graphs by its name."""
        preds: Any = self.preds
        if isinstance(preds, Mapping) and preds and all(map(_is_side, preds.values())):
            return {name: _lasting(graphs) for name, graphs in preds.items()}
        return {name_of_side(preds, "predictions"): preds}


def name_of_side(side: Any, otherwise: str) -> str:
    """Return the name of a side: that of its file, or a general one."""
    return name_of(os.fspath(side)) if isinstance(side, os.PathLike) else otherwise


def _is_side(value: Any) -> bool:
    """Return whether a value is a system's graphs; a list of triples is one graph."""
    from exactmatch.scoring.sources import references_of

    if isinstance(value, os.PathLike | Mapping):
        return True
    return isinstance(value, list | tuple) and references_of(value) != (value,)


def judgement(value: Any) -> Any:
    """Refuse a text where judgements are expected: a file is a ``Path``."""
    if isinstance(value, str):
        raise ValueError(f"{value!r} is a text; a file is given as Path({value!r})")
    return value


def note_idle(
    options: Options, names: Iterable[str], why: str, reporter: Reporter
) -> None:
    """Remark on options that were set and have no effect."""
    for name in names:
        if getattr(options, name):
            reporter.note(f"--{name.replace('_', '-')} has no effect {why}")


class NamedFiles(Options, purpose="opens"):
    """Files whose meaning depends on their positions and the study."""

    files: Sequence[str] = option("the files", flags=())
    preds: Sequence[str] = option(default=(), flags=())
    golds: Sequence[str] = option(default=(), flags=())


class Scale(Options, purpose="measures"):
    """Options of the scale of people's scores, and of the judges' weights."""

    TITLE = "people"

    human_range: tuple[float, float] | None = optional(
        "the ends of the scale that people used", read=values.scale, metavar="LOW,HIGH"
    )
    standardise: bool = flag(
        "weigh judges equally: replace each judge's scores by (score − mean) / "
        "standard deviation"
    )


class People(Scale, purpose="opens"):
    """People's judgement of systems."""

    human: Judgements | None = optional(
        "a table of human judgements with the columns system, segment, score, or "
        "segment, first, second, preferred, or system, score; repeat the option for "
        "each judge",
        read=judgement,
        metavar="FILE",
        is_repeated=True,
        is_input=True,
    )


class JudgedSystems(Scale, Systems, purpose="opens"):
    """Systems that people judged."""

    human: Judgements = option(
        "people's score of each system by its name; or a mapping for each judgement, "
        "with the columns system, segment and score, or segment, first, second and "
        "preferred, or system and score, and judge where there are several; or files "
        "of these.  A segment is a pair's id, or its number from 0; a data frame has "
        "such mappings as frame.to_dict('records')",
        read=judgement,
        flags=(),
        kw_only=False,
    )
