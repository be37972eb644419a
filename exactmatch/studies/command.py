"""Description of a command: its options, its study and the view of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from exactmatch.base.options import Options
from exactmatch.base.records import NamedTuple


class Group(NamedTuple):
    """Options under one heading."""

    title: str
    options: type[Options]  # the class of the question's options
    home: type[Options]  # the class among its bases that declared them first
    names: tuple[str, ...]


class Command(NamedTuple):
    """A command of one study.

    *output* says what is written: ``tables`` in any format, a ``page`` that the answer
    writes itself, ``text`` that the answer is or yields, or nothing more, because the
    study has ``shown`` everything.  *by_output* maps options to functions
    (``module:function``) that choose their values by the name of the output file.
    *display* makes the :class:`~exactmatch.studies.answer.Display` that shows parts of
    the answer as they come (``module:class`` or ``module:function``).
    """

    does: str  # the help: a sentence about what it does, and examples
    options: type[Options]  # arguments of the command, keywords in Python
    study: str  # ``module:function`` of options and a reporter; returns the answer
    shown: type[Options] | None = None  # options of the view only
    metrics: Sequence[str] | None = None  # meaning of ``all``; default: all of ours
    titles: tuple[tuple[type[Options], str], ...] = ()  # other headings of options
    references: bool = False  # whether there may be several files of references
    otherwise: str | None = None  # the pairs without any file; default: the sample
    is_verbose: bool = True  # whether ``-v`` adds anything
    picture: str | None = None  # ``module:function`` that draws the answer into a file
    output: Literal["tables", "page", "text", "shown"] = "tables"
    suffixes: tuple[str, ...] = ()  # allowed endings of the output file's name
    fills: str | None = (
        None  # ending of the names of files that the study writes itself
    )
    by_output: tuple[tuple[str, str], ...] = ()
    display: str | None = None

    def groups(self) -> list[Group]:
        """Return the groups of options; the question's own come first."""
        classes = [self.options] if self.shown is None else [self.options, self.shown]
        option_groups = []
        for cls in classes:
            homes = {n: b for b in cls.__mro__ for n in vars(b).get("OWN", ())}
            for base in cls.__mro__:
                names = tuple(name for name, home in homes.items() if home is base)
                if names and issubclass(base, Options):
                    titles = (title for c, title in self.titles if issubclass(c, base))
                    option_groups.append(
                        Group(next(titles, base.TITLE), cls, base, names)
                    )
        return option_groups
