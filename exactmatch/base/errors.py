"""Errors between two files and a score, those of stating and solving included.

Every error is one sentence for the person at the keyboard: it names the
culprit, the rule, and the way out.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class ProblemError(ValueError):
    """An alignment problem that makes no sense, such as a repeated candidate.

    >>> import exactmatch
    >>> issubclass(exactmatch.errors.ProblemError, ValueError)
    True
    """


class SolverError(RuntimeError):
    """A solver that is unknown, missing, misused, or that broke its promise.

    >>> import exactmatch
    >>> try:
    ...     exactmatch.smatch("(b / bark-01)", "(b / bark-01)", solver="cp-sat")
    ... except exactmatch.errors.SolverError as error:
    ...     print(str(error).partition(" (")[0])
    unknown solver 'cp-sat'; did you mean 'cpsat'?
    """


class MissingSolverError(SolverError):
    """A solver whose package is not installed; the message names the command."""


def sendable(error: Exception, otherwise: type[Exception]) -> Exception:
    """Return an error that can be pickled: this one, or *otherwise* with its message.

    >>> sendable(ValueError("no"), SolverError)
    ValueError('no')
    """
    import pickle

    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever its class does when it is packed and unpacked
        return otherwise(f"{type(error).__name__}: {error}")
    return error


def unknown(noun: str, name: str, known_names: Iterable[str]) -> str:
    """Say that a name is unknown, which one was probably meant, and which there are.

    >>> unknown("solver", "cp-sat", ["auto", "cpsat"])
    "unknown solver 'cp-sat'; did you mean 'cpsat'? (known: auto, cpsat)"
    """
    names = list(known_names)
    return (
        f"unknown {noun} {name!r}{suggestion(name, names)} (known: {', '.join(names)})"
    )


def suggestion(name: str, known_names: Iterable[str], likeness: float = 0.5) -> str:
    """Return the end of a message: a known name that is similar, if there is one."""
    import difflib

    names = list(known_names)
    same = [known_name for known_name in names if known_name.lower() == name.lower()]
    similar_names = same or difflib.get_close_matches(name, names, 1, likeness)
    return f"; did you mean {similar_names[0]!r}?" if similar_names else ""


class ExactmatchError(Exception):
    """Root of the errors that the command line reports without a traceback.

    >>> import exactmatch
    >>> try:
    ...     exactmatch.read("(b / bark-01", profile="clean")
    ... except exactmatch.ExactmatchError as error:
    ...     print(isinstance(error, exactmatch.GraphError))
    True
    """


class InputError(ExactmatchError, ValueError):
    """Bad input: a file, graph, vector or option that cannot be used.

    >>> import exactmatch
    >>> try:
    ...     exactmatch.score("(b / bark-01)", "(b / bark-01)", metric="smach")
    ... except exactmatch.InputError as error:
    ...     print(str(error).partition(" (")[0])
    unknown metric 'smach'; did you mean 'smatch'?
    """


class GraphError(InputError):
    """A graph that cannot be read or makes no sense.

    Attributes:
        reason: the fault, without the place.
        path: the file, or ``None`` for a string.
        line: line number in the file, from 1, or ``None``.
        graph_id: the graph's ``# ::id``, or ``None``.
        column: position in that line where the reader stopped, from 1, or ``None``.
        text: that line, if the column is known.
        way_out: a clause that names the options with which a command goes on.

    >>> import exactmatch
    >>> try:
    ...     exactmatch.smatch("(b / bark-01", "(b / bark-01)", profile="clean")
    ... except exactmatch.GraphError as error:
    ...     print(error)
    ...     print(error.excerpt())
    line 1:13: the graph lacks 1 closing parenthesis; '(b' on line 1 is not closed
        (b / bark-01
                    ^
    """

    way_out = ""
    noun = "graph"

    def __init__(
        self,
        reason: str,
        path: str | None = None,
        line: int | None = None,
        graph_id: str | None = None,
        column: int | None = None,
        text: str | None = None,
    ) -> None:
        self.reason = shortened(reason)
        self.path, self.line, self.graph_id = path, line, graph_id
        self.column, self.text = column, text
        super().__init__(self.reason)

    def excerpt(self) -> str:
        """Return the line with a caret below the column; empty if they are unknown."""
        if self.text is None or self.column is None:
            return ""
        first = max(self.column - 1 - _MARGIN, 0)
        text = self.text[first : self.column + _MARGIN].replace("\t", " ")
        return f"    {text.rstrip()}\n    {' ' * (self.column - 1 - first)}^"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).__new__, (type(self), *self.args), vars(self)

    def __str__(self) -> str:
        place = place_of(self.path, self.line, self.column)
        named = f"{self.noun} {shortened(self.graph_id or '', 90)!r}"
        return f"{place}{named if self.graph_id else f'the {self.noun}'} {self.reason}"


class DocumentError(GraphError):
    """A JSON document that cannot be read or makes no sense."""

    noun = "document"


class _GraphOfSeveralError(GraphError):
    """A graph in memory that cannot be read, for a *cause*; the message names it."""

    def __init__(self, name: str, cause: InputError) -> None:
        self._name, self.cause = name, cause
        fault = cause if isinstance(cause, GraphError) else GraphError(str(cause))
        super().__init__(fault.reason, fault.path, fault.line, fault.graph_id)
        self.column, self.text = fault.column, fault.text

    def __str__(self) -> str:
        return f"{self._name}: {self.cause}"


class PairError(_GraphOfSeveralError):
    """A graph in memory that cannot be read; the message names its pair.

    Attributes:
        index: the pair's number, from 0.
        side: ``prediction`` or ``reference``.
        cause: the fault of the graph.
        hint: what ends the message: options that score the other pairs.

    >>> import exactmatch
    >>> try:
    ...     exactmatch.evaluate(["(a / b)", "(a / b"], ["(a / b)"] * 2)
    ... except exactmatch.errors.PairError as error:
    ...     print(error.index, error.side)
    1 prediction
    """

    def __init__(self, index: int, side: str, cause: InputError) -> None:
        super().__init__(f"pair {index + 1}, {side}", cause)
        self.index, self.side, self.hint = index, side, ""

    def __str__(self) -> str:
        return f"{super().__str__()}{self.hint}"


class ItemError(_GraphOfSeveralError):
    """A graph of a list that cannot be read; the message names its number.

    Attributes:
        index: the graph's number, from 0.
        cause: its fault.
        what: what has that number, such as ``item``.

    >>> import exactmatch
    >>> try:
    ...     exactmatch.cdist(["(a / b)", "(a / b"], ["(a / b)"])
    ... except exactmatch.errors.ItemError as error:
    ...     print(error.index)
    1
    """

    def __init__(self, index: int, cause: InputError, what: str = "item") -> None:
        super().__init__(f"{what} {index + 1}", cause)
        self.index, self.what = index, what


_FRAMES = "to_dataframe to_pandas to_df to_polars as_frame dataframe df frame"
_DATA = "to_json json as_dict asdict dict as_data"
_CALLS = "score compute evaluate sentence_score compute_score"
_CORPORA = "corpus_score corpus_f1 score_all batch_score"
_OTHER_NAMES = {
    **dict.fromkeys(_FRAMES.split(" "), ("to_frame()", "to_dict()")),
    **dict.fromkeys(_DATA.split(" "), ("to_dict()",)),
    "to_csv": ("to_frame().to_csv(path)", "to_dict()"),
}
"""What a result's methods are called elsewhere, and here, the best first."""

_OF_METRICS = {
    **dict.fromkeys(_CALLS.split(" "), "call it: metric(pred, gold)"),
    **dict.fromkeys(
        _CORPORA.split(" "), "exactmatch.evaluate(preds, golds, metric=metric)"
    ),
}
"""Names of methods in other packages, and what to write here."""


def no_attribute(thing: object, name: str) -> AttributeError:
    """Return the error of an attribute that a result does not have.

    Where it has one that says why it has no value here, that error stays.
    """
    kind = type(thing)
    if hasattr(kind, name):
        try:
            object.__getattribute__(thing, name)
        except AttributeError as error:
            return error
    ways = (w for w in _OTHER_NAMES.get(name, ()) if hasattr(kind, w.partition("(")[0]))
    way = next(ways, "")
    hint = f"; did you mean {way}?" if way else ""
    if callable(thing) and name in _OF_METRICS:
        hint = f"; {_OF_METRICS[name]}"
    return AttributeError(
        f"{kind.__name__!r} object has no attribute {name!r}{hint}",
        name=name,
        obj=thing,
    )


def check_seed(seed: int) -> None:
    """Refuse a seed below 0, from which NumPy cannot draw."""
    if seed < 0:
        raise InputError(f"the seed is {seed}; what is drawn here needs one from 0")


def check_kind(
    what: str, value: object, kind: type | tuple[type, ...], expected: str
) -> None:
    """Refuse an argument of another kind; the message names the expected kind."""
    if not isinstance(value, kind):
        quoted = shortened(repr(value), 60)
        raise InputError(
            f"{what} is {quoted}, a {type(value).__name__}; give {expected}"
        )


def shortened(text: str, max_length: int = 300) -> str:
    """Return a text, without its middle if it is longer than *max_length* characters.

    Graphs may hold words of any length, and a message quotes them.
    """
    if len(text) <= max_length:
        return text
    return f"{text[: max_length * 2 // 3]} … {text[-(max_length // 3) :]}"


JSON_AS_WRITTEN = (
    "comments are not part of it",
    "its texts stand in double quotes, and not in single ones",
)
"""Faults of JSON that people or programs write."""


def json_fault(error: Exception) -> str:
    """Return why a text is not JSON, for a message that names the place.

    >>> import json
    >>> try:
    ...     json.loads('["a')
    ... except ValueError as error:
    ...     print(json_fault(error))
    unterminated string
    """
    if isinstance(error, RecursionError):
        return "it nests too deeply"
    message = str(getattr(error, "msg", error))
    at, text = getattr(error, "pos", 0), getattr(error, "doc", "")
    for opening, fault in zip(("/", "'"), JSON_AS_WRITTEN, strict=True):
        if text[at : at + 1] == opening:
            return fault
    if message.startswith("Exceeds the limit"):
        return "it holds an integer of too many digits"
    return f"{message[:1].lower()}{message[1:].removesuffix(' starting at')}"


def no_json(error: Exception, path: str | None, line: int | None = None) -> InputError:
    """Return the error of a file, or of a line of it, that is not JSON."""
    line = line or getattr(error, "lineno", None)
    place = place_of(path, line, getattr(error, "colno", None))
    return InputError(f"{place}is not JSON: {json_fault(error)}")


def no_xml(error: Exception, path: str | None) -> InputError:
    """Return the error of a file that is not XML, from the parser's."""
    line, column = getattr(error, "position", (None, 0))
    why = str(error).partition(": line")[0]
    return InputError(f"{place_of(path, line, column + 1)}is not XML: {why}")


class UnknownKeyError(InputError, KeyError):
    """Something was asked for by a name or number that is not there."""

    def __str__(self) -> str:  # KeyError shows the repr of its message
        return Exception.__str__(self)


class MissingExtraError(ExactmatchError, ImportError):
    """An optional package is not installed; the message names the command.

    >>> import exactmatch
    >>> issubclass(exactmatch.errors.MissingExtraError, ImportError)
    True
    """


class ExactmatchWarning(UserWarning):
    """Something was read in a way that its author may not have meant.

    >>> import exactmatch
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always", exactmatch.errors.ExactmatchWarning)
    ...     found = exactmatch.smatch("(b / bark-01 :ARG0 (d / dog)", "(b / bark-01)")
    >>> print(caught[0].message)
    line 1: the graph lacks a closing parenthesis; read as smatch does
    """


class IgnoredAttributesWarning(ExactmatchWarning):
    """Graphs have attributes, and their edit distance compares none of them.

    >>> import warnings
    >>> import exactmatch
    >>> import networkx
    >>> graph = networkx.Graph()
    >>> graph.add_node(1, label="C")
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     distance = exactmatch.ged(graph, graph, node_del_cost=lambda known: 1)
    >>> caught[0].category.__name__
    'IgnoredAttributesWarning'
    """


def warn_caller(text: str, category: type[Warning] = ExactmatchWarning) -> None:
    """Warn at the line that called this package, from any depth inside it."""
    if _not_warned.get():
        return
    import sys
    import warnings

    level = 1
    frame = sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(_PACKAGE):
        frame = frame.f_back
        level += 1
    warnings.warn(text, category, stacklevel=level)


@contextmanager
def callers_not_warned() -> Iterator[None]:
    """Switch :func:`warn_caller` off: the command line shows warnings itself.

    Unlike Python's own filters, this does not affect other threads.
    """
    token = _not_warned.set(True)
    try:
        yield
    finally:
        _not_warned.reset(token)


def callers_are_warned() -> bool:
    """Return whether Python's warnings are shown, and not those of a command."""
    return not _not_warned.get()


_not_warned: ContextVar[bool] = ContextVar("not_warned", default=False)

_PACKAGE = f"{__name__.partition('.')[0]}."


class CertificationError(ExactmatchError, RuntimeError):
    """A solver's value differs from the count of the renamed triples.

    >>> import exactmatch
    >>> issubclass(exactmatch.errors.CertificationError, exactmatch.ExactmatchError)
    True
    """


def place_of(path: str | None, line: int | None, column: int | None = None) -> str:
    """Render ``path:line:column: `` as far as it is known."""
    if path is None and line is None:
        return ""
    if line is None:
        return f"{path}: "
    place = f"{path or 'line '}{':' if path else ''}{line}"
    return f"{place}: " if column is None else f"{place}:{column}: "


_MARGIN = 50  # how many characters an excerpt shows on either side of its caret
