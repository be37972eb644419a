"""A command as a row: the question that it asks, and how the answer is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from exactmatch.base.options import Options
from exactmatch.base.records import NamedTuple


class Group(NamedTuple):
    """Options that stand under one heading."""

    title: str
    options: type[Options]  # the class of the question's options
    home: type[Options]  # the class among its bases that declared them first
    names: tuple[str, ...]


class Command(NamedTuple):
    """A command that asks one question.

    What becomes of the answer, its *output*, is tables in any format, one page that the
    answer writes itself, the text that it is or that it yields, or nothing more, where
    the study shows it.  Options *by_output* have functions, ``module:function``, that
    choose their values by the name of the file that the answer is written to.  The
    *display* of parts of the answer that come is made by ``module:class`` or
    ``module:function`` (:class:`~exactmatch.studies.answer.Display`).
    """

    does: str  # what it does, in one sentence, and examples; the help
    options: type[Options]  # arguments of the command, keywords in Python
    study: str  # finds the answer, ``module:function``, of options and a reporter
    shown: type[Options] | None = None  # options of the view alone
    metrics: Sequence[str] | None = None  # that ``all`` may mean; default: all of ours
    titles: tuple[tuple[type[Options], str], ...] = ()  # other headings of options
    references: bool = False  # whether there may be several files of references
    otherwise: str | None = None  # which pairs no file means; default: the sample
    is_verbose: bool = True  # whether there is more to say with ``-v``
    picture: str | None = None  # draws the answer into a file, ``module:function``
    output: Literal["tables", "page", "text", "shown"] = "tables"
    suffix: str = ""  # how a file's name has to end that the answer is written to
    fills: str | None = None  # how the names of files end that the study fills itself
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
