"""Base of answers, which have one view for commands, notebooks and programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, TextIO, TypeVar

from exactmatch.base.errors import UnknownKeyError, no_attribute
from exactmatch.base.numbers import several
from exactmatch.base.records import NamedTuple
from exactmatch.base.registry import imported
from exactmatch.base.visible import visible
from exactmatch.scoring.tables import with_losses

if TYPE_CHECKING:
    from typing_extensions import Self

    from exactmatch.base.markup import Markup
    from exactmatch.base.numbers import Share
    from exactmatch.views.tables import Tables

T = TypeVar("T")


class Looks(NamedTuple):
    """Settings of a display that shows the parts of an answer as they come."""

    stream: TextIO
    form: str
    number: Share  # writes scores
    digits: int | None  # decimals of scores, if they were set
    note: Callable[[str], None]  # receives remarks
    is_coloured: bool = False  # whether text is for a terminal with colours


class Display:
    """Display that shows the parts of an answer as they come, and the rest at the end.

    It is made from :class:`Looks` and the options of the view, and entered before there
    is anything to show.
    """

    needs_solutions: bool = False  # whether it shows the solutions of pairs
    needs_documents: bool = False  # whether it shows compared JSON documents
    needs_sums: bool = False  # whether it writes sums
    tells_omissions: bool = False  # whether it reports omissions
    leads: bool = True  # whether a sentence may come first

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Discard the parts that were kept."""

    def take(self, part: Any) -> None:
        """Show a part, or keep it until the end."""
        raise NotImplementedError

    def tables(self, answer: Any) -> Tables | None:
        """Return the tables that follow the last part, if any."""
        raise NotImplementedError

    def remarks(self, answer: Any) -> Iterator[str]:
        """Yield remarks on the answer, after it is written."""
        del answer
        yield from ()

    def draw(self, path: str, answer: Any) -> None:
        """Draw the answer into a file."""
        raise NotImplementedError


class Answer:
    """Answer of a study.

    Subclasses name their view, a function ``(answer, **shown) -> Tables``, which
    commands, notebooks and the methods below share.  The view need not mention what
    readers left out of graphs (the attribute ``lost``).
    """

    VIEW: ClassVar[str] = ""  # ``module:function``; default: ``tables`` beside it
    EXIT_CODE: ClassVar[int] = 0  # of the command, if the answer is not empty
    WITHOUT_EFFECT: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Options of the command's view without effect here, each with the reason."""

    def __bool__(self) -> bool:
        return True

    if not TYPE_CHECKING:  # a type checker would accept every name

        def __getattr__(self, name: str) -> NoReturn:
            raise no_attribute(self, name)

    @property
    def exit_code(self) -> int:
        """Exit code of the command."""
        return self.EXIT_CODE if self else 0

    def tables(self, **shown: Any) -> Tables:
        """Return the tables, sentences and data that the command shows."""
        view = imported(self.VIEW or f"{type(self).__module__}:tables")
        tables_of_view: Tables = view(self, **shown)
        tables_of_view = with_losses(tables_of_view, getattr(self, "lost", {}))
        if sentences := _sentences(tables_of_view):
            tables_of_view = tables_of_view._replace(
                data={**tables_of_view.data, "verdicts": sentences}
            )
        return tables_of_view

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The answer in sentences, the last lines of the command's text."""
        return tuple(_sentences(self.tables()))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data, with the fields of the command's JSON."""
        return dict(self.tables().data)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the answer's main table as a data frame, with the columns of CSV.

        Args:
            backend: ``pandas``, ``polars`` or ``pyarrow``; default: the first of these
                that is installed.

        Raises:
            MissingExtraError: if narwhals or the backend is missing.
        """
        return self._frame(backend)

    def _frame(self, backend: str | None, **shown: Any) -> Any:
        from exactmatch.views.data import frame_of

        flat = self.tables(**shown).flat
        rows = list(flat.rows)
        columns = {name: [row.get(name) for row in rows] for name in flat.fields}
        return frame_of(columns, backend)

    def __str__(self) -> str:
        from exactmatch.views.tables import write

        stream = StringIO()
        write(stream, self.tables(), "text")
        return stream.getvalue().rstrip("\n")

    def __repr__(self) -> str:
        answer_tables = self.tables()
        sentences = (
            *answer_tables.leads,
            *answer_tables.states,
            *answer_tables.notes,
        )
        rows = several(len(answer_tables.flat.rows), "row")
        return visible(sentences[0] if sentences else f"{answer_tables.title}: {rows}")

    def _repr_html_(self) -> Markup:
        from exactmatch.base.markup import element, joined
        from exactmatch.views.page import table_of

        answer_tables = self.tables()
        sentences = (
            *answer_tables.leads,
            *answer_tables.states,
            *answer_tables.notes,
            *answer_tables.verdicts,
        )
        paragraphs = [element("p", sentence) for sentence in sentences]
        return joined([*map(table_of, answer_tables.tables), *paragraphs])


def _sentences(answer_tables: Tables) -> list[str]:
    """Return the answer in sentences; the first may be one that comes before all."""
    return [*answer_tables.leads, *answer_tables.verdicts]


class OfFirstMetric(Generic[T]):
    """Attribute of a whole answer that is that of its first metric."""

    def __init__(self, meaning: str) -> None:
        self.__doc__ = meaning

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, answer: Any, owner: type | None = None) -> T:
        if answer is None:
            return self  # type: ignore[return-value]  # the class has the description
        value: T = getattr(answer.metrics[0], self._name)
        return value

    def __set__(self, answer: Any, value: NoReturn) -> None:
        raise AttributeError(f"{self._name!r} cannot be set")


def of_metric(results: Mapping[str, T], metric: str) -> T:
    """Return the result under this metric; it is an error if there is none."""
    if metric in results:
        return results[metric]
    known_metrics = ", ".join(results)
    raise UnknownKeyError(
        f"{metric!r} is not one of the metrics (known: {known_metrics})"
    )
