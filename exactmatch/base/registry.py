"""Names of everything that can be added: metrics, solvers, formats, profiles, commands.

A registry maps a name to a place, ``module:attribute``, which is imported when the
name is first looked up.  Our own names stand in the source, because searching all
installed packages takes longer than scoring a pair.  Another package declares its
names as entry points, in its ``pyproject.toml``::

    [project.entry-points."exactmatch.metrics"]
    overlap = "my_package.metrics:Overlap"

They are searched when a name is not one of ours, or when all names are listed.  An
undeclared thing is named by its place, ``my_package.metrics:Overlap``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

from exactmatch.base.records import NamedTuple

T = TypeVar("T")


class EntryPoint(NamedTuple):
    """A name that another package declares, or a place that the user names."""

    name: str
    place: str  # module:attribute, or module
    package: str | None = None  # name and version of the package that declares it


class Registry(Mapping[str, T], Generic[T]):
    """All things of one kind, by name: ours first, then those of other packages.

    Example:
        >>> from exactmatch.metrics import METRICS
        >>> METRICS["smatch"].title
        'Smatch'
    """

    def __init__(
        self,
        kind: str,  # what the names stand for, such as metric
        own: Mapping[str, str | T],  # ours by name, each as its place or as an object
        fits: Callable[[Any], bool],  # whether something is of the kind
        expected: str,  # what a thing of the kind must be, in words
        foreign_names: Mapping[str, str] | None = None,  # and our names for them
        error: str = "exactmatch.base.errors:InputError",  # raised for unusable names
        clash: Callable[[str, T], str | None] | None = None,  # why one cannot be added
    ) -> None:
        self.kind, self.own = kind, own
        self._clash = clash
        self._fits, self._expected = fits, expected
        self._error_place = error
        self._elsewhere = foreign_names or {}
        self._registered: dict[str, T] = {}

    def register(self, name: str, thing: T) -> None:
        """Add a name for the rest of this process."""
        if name in self:
            raise self._error(f"there is a {self.kind} called {name!r} already")
        if not self._fits(thing):
            raise self._error(
                f"{thing!r} is not a {self.kind}: it must be {self._expected}"
            )
        if self._clash is not None and (reason := self._clash(name, thing)):
            raise self._error(reason)
        self._registered[name] = thing

    @property
    def _error(self) -> type[Exception]:
        """Class of errors, which is imported only when an error occurs."""
        error: type[Exception] = imported(self._error_place)
        return error

    @cached_property
    def active_entry_points(self) -> dict[str, EntryPoint]:
        """Entry points of other packages that count: new names, the first row of each.

        They are read once, at their first use.
        """
        rows: dict[str, EntryPoint] = {}
        for row in self.declared():
            if row.name not in self.own:
                rows.setdefault(row.name, row)
        return rows

    def declared(self) -> list[EntryPoint]:
        """Return all that installed packages declare, also rows without effect."""
        from importlib.metadata import entry_points

        rows = []
        for point in entry_points(group=f"exactmatch.{self.kind}s"):
            source = point.dist
            package = "unknown" if source is None else f"{source.name} {source.version}"
            rows.append(EntryPoint(point.name, point.value, package))
        return rows

    def __getitem__(self, name: str) -> T:
        if name in self.own:
            own_row = self.own[name]
            return imported(own_row) if isinstance(own_row, str) else own_row
        if name in self._registered:
            return self._registered[name]
        row = (
            EntryPoint(name, name)
            if _is_place(name)
            else self.active_entry_points[name]
        )
        return self._foreign(row)

    def _foreign(self, row: EntryPoint) -> T:
        source = "" if row.package is None else f" of {row.package}"
        label = f"the {self.kind} {row.name!r}{source}"
        try:
            thing = imported(row.place)
        except Exception as error:  # whatever the other package's code raises
            raise self._error(
                f"{label} cannot be loaded from {row.place}: "
                f"{type(error).__name__}: {error}"
            ) from error
        if not self._fits(thing):
            raise self._error(
                f"{label} is not one: {row.place} must be {self._expected}"
            )
        checked: T = thing
        return checked

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        is_registered = name in self.own or name in self._registered
        return is_registered or _is_place(name) or name in self.active_entry_points

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        yield from self._registered
        yield from (
            name for name in self.active_entry_points if name not in self._registered
        )

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def find(self, name: str) -> T:
        """Import the registered object; for an unknown name, suggest a similar one."""
        if name not in self:
            from exactmatch.base.errors import suggestion

            known_names, our_name = ", ".join(self), self._elsewhere.get(name.lower())
            hint = (
                f"; here it is called {our_name}"
                if our_name
                else suggestion(name, self)
            )
            raise self._error(
                f"unknown {self.kind} {name!r}{hint} (known: {known_names})"
            )
        return self[name]

    def working(self, names: Iterable[str] | None = None) -> Iterator[tuple[str, T]]:
        """Yield each name with its object; warn of those that are broken."""
        import warnings

        from exactmatch.base.errors import ExactmatchWarning

        for name in self if names is None else names:
            try:
                yield name, self[name]
            except self._error as error:
                warnings.warn(str(error), ExactmatchWarning, stacklevel=2)

    def problem(self, row: EntryPoint) -> str | None:
        """Say why a row of another package is not used, if it is not."""
        if row.name in self.own:
            return f"exactmatch has a {self.kind} of this name"
        active = self.active_entry_points[row.name]
        if active != row:
            return f"{active.package} has a {self.kind} of this name"
        try:
            thing = self._foreign(row)
        except self._error as error:
            return str(error)
        return None if self._clash is None else self._clash(row.name, thing)


def imported(place: str) -> Any:
    """Return what ``module:attribute`` names, or the module."""
    from importlib import import_module

    module, _, attribute = place.partition(":")
    value = import_module(module)
    for name in filter(None, attribute.split(".")):
        value = getattr(value, name)
    return value


def installed(module: str, needed_by: str, extra: str = "") -> Any:
    """Import an optional package, or raise an error that says who needs it."""
    try:
        return imported(module)
    except ImportError:
        from exactmatch.base.errors import MissingExtraError

        package = module.partition(".")[0]
        install = f"'exactmatch[{extra}]'" if extra else package
        message = f"{needed_by} {package}: pip install {install}"
        raise MissingExtraError(message) from None


def _is_place(name: str) -> bool:
    module_and_attribute = name.split(":")
    parts = (part for end in module_and_attribute for part in end.split("."))
    return len(module_and_attribute) == 2 and all(map(str.isidentifier, parts))


KINDS = {
    "metric": "exactmatch.metrics:METRICS",
    "solver": "exactmatch.solvers:SOLVERS",
    "format": "exactmatch.formats.formats:FORMATS",
    "profile": "exactmatch.graphs.profile:PROFILES",
    "command": "exactmatch.cli.commands:COMMANDS",
}
"""The place of each kind's registry."""


def registry_of(kind: str) -> Registry[Any]:
    """Return the registry of a kind of things, one of :data:`KINDS`."""
    registry: Registry[Any] = imported(KINDS[kind])
    return registry


def register(kind: str, name: str, thing: Any) -> None:
    """Register a metric, solver, format, profile or command under a name.

    The name is valid in this process.  A package registers names for all processes by
    entry points.  A place such as ``my_package.metrics:Overlap`` needs no registration.

    Args:
        kind: ``metric``, ``solver``, ``format``, ``profile`` or ``command``.
        name: what users call it.
        thing: a class of metrics or of solvers, a format, a profile or a command, as
            the checks of :mod:`exactmatch.testing` have it.

    Raises:
        InputError: if there is no such kind, or a profile, metric, format or command of
            that name exists already, or the thing is nothing of the kind.
        SolverError: the same of a solver.

    >>> import exactmatch
    >>> plain = exactmatch.PROFILES["clean"].with_options(name="plain", wiki=False)
    >>> exactmatch.register("profile", "plain", plain)
    >>> exactmatch.smatch("(c / city :wiki -)", "(c / city)", profile="plain").f1
    1.0
    """
    if not isinstance(kind, str) or kind not in KINDS:
        from exactmatch.base.errors import InputError

        known_kinds = ", ".join(KINDS)
        raise InputError(
            f"{kind!r} is not a kind of thing to register (known: {known_kinds})"
        )
    registry_of(kind).register(name, thing)
