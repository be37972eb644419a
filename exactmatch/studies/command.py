"""A command as a row: the question that it asks, and how the answer is shown."""

from __future__ import annotations

from dataclasses import dataclass

from exactmatch.base.options import Options


@dataclass(frozen=True)
class Command:
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
        waiting: headings of groups that ``--help-all`` shows alone.
        picture: draws the answer into a file, ``module:function``.
    """

    does: str
    options: type[Options]
    study: str
    shown: type[Options] | None = None
    metrics: tuple[str, ...] | None = None
    titles: tuple[tuple[type[Options], str], ...] = ()
    references: bool = False
    waiting: tuple[str, ...] = ()
    picture: str | None = None

    def groups(self) -> list[tuple[str, type[Options], tuple[str, ...]]]:
        """Return heading, class and names of the options that each class declares.

        The question's own come first.
        """
        classes = [self.shown] if self.shown is not None else []
        found = []
        for cls in (self.options, *classes):
            for base in cls.__mro__:
                if issubclass(base, Options) and base.OWN:
                    own = (title for cls, title in self.titles if issubclass(cls, base))
                    title = next(own, base.TITLE)
                    found.append((title, base, base.OWN))
        return found
