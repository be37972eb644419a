"""A command as a row: the question that it asks, and how the answer is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from exactmatch.base.options import Options


class Group(NamedTuple):
    """Options that stand under one heading."""

    title: str
    options: type[Options]  # the class of the question's options
    home: type[Options]  # the class among its bases that declared them first
    names: tuple[str, ...]


class Command(NamedTuple):
    """A command that asks one question.

    Attributes:
        does: what it does, in one sentence, and examples; the help.
        options: the question's options: arguments of the command, keywords in Python.
        study: where the answer is found, ``module:function``; it takes the options and
            a reporter.
        shown: options of the view alone.
        metrics: the metrics that ``all`` may mean; default: all of ours.
        titles: headings of groups of options, where a question has another one.
        references: whether there may be several files of references.
        otherwise: which pairs are meant where no file is named, if it is not the
            bundled sample.
        waiting: headings of groups that ``--help-all`` shows alone.
        is_verbose: whether there is more to say with ``-v``.
        picture: draws the answer into a file, ``module:function``.
        output: what becomes of the answer: tables in any format, one page that the
            answer writes itself, the text that it is or that it yields, or nothing
            more, where the study shows it.
        suffix: how the name of a file has to end that the answer is written to.
        fills: how the names of files end that the study fills itself, as option *out*.
        by_output: options, each with the function that chooses its value by the name of
            the file that the answer is written to, ``module:function``.
        display: makes the :class:`~exactmatch.studies.answer.Display` of parts of the
            answer that come, ``module:class`` or ``module:function``.
    """

    does: str
    options: type[Options]
    study: str
    shown: type[Options] | None = None
    metrics: Sequence[str] | None = None
    titles: tuple[tuple[type[Options], str], ...] = ()
    references: bool = False
    otherwise: str | None = None
    waiting: tuple[str, ...] = ()
    is_verbose: bool = True
    picture: str | None = None
    output: Literal["tables", "page", "text", "shown"] = "tables"
    suffix: str = ""
    fills: str | None = None
    by_output: tuple[tuple[str, str], ...] = ()
    display: str | None = None

    def groups(self) -> list[Group]:
        """Return the groups of options; the question's own come first."""
        classes = [self.options] if self.shown is None else [self.options, self.shown]
        found = []
        for cls in classes:
            homes = {n: b for b in cls.__mro__ for n in vars(b).get("OWN", ())}
            for base in cls.__mro__:
                names = tuple(name for name, home in homes.items() if home is base)
                if names and issubclass(base, Options):
                    own = (title for c, title in self.titles if issubclass(c, base))
                    found.append(Group(next(own, base.TITLE), cls, base, names))
        return found
