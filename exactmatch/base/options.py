"""Options, declared once: for Python, the command line and the documentation.

A question's options are a frozen dataclass that is derived from :class:`Options`; each
field is declared by :func:`option` (:func:`optional`, :func:`flag`), with its default,
its meaning, its :data:`Purpose`, and how its value is read and checked.  From that are
made the keywords of the Python function and its documentation (:func:`function`), the
arguments of the command and its help (:mod:`exactmatch.cli.arguments`), and the keys of
configuration files (:mod:`exactmatch.cli.configuration`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial, wraps
from numbers import Number
from os import PathLike, fspath
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Literal,
    ParamSpec,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
)

from exactmatch.base.deadline import reading_limits, reading_within
from exactmatch.base.errors import InputError, suggestion
from exactmatch.base.inputs import MAX_BYTES, inputs_noted
from exactmatch.base.records import NamedTuple

if TYPE_CHECKING:
    import inspect

    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Callable[[type], type]:
        """No-op at run time; only type checkers use this decorator."""
        return lambda cls: cls


P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")
O = TypeVar("O", bound="Options")  # noqa: E741  # the options' type

Purpose: TypeAlias = Literal["measures", "shows", "pairs", "opens", "writes", "runs"]
"""What an option is for.

It ``measures`` if it changes a number, ``shows`` if it changes what is shown of the
result, and ``pairs`` if it changes how files are read and paired.  It ``opens`` files
and models, ``writes`` files, or says how the work ``runs``: solver, workers, limits.
A configuration file may set what measures, shows and pairs; the signature names what
measures and pairs.
"""

SETTABLE: tuple[Purpose, ...] = ("measures", "shows", "pairs")
"""What configuration files may set."""

Names = tuple[tuple[str, str], ...]
REQUIRED: Any = object()  # the default of an option that has none


class Declared(NamedTuple):
    """An option.

    The command line has a flag made from its name unless there are *flags*, or it is an
    *operand*.  If the flags are empty it has no such option.
    """

    about: str  # its meaning, for Python's documentation and the command's help
    default: Any  # its value where it is not set
    read: Callable[[Any], Any] | None = None  # of a value; its ValueError is a clause
    flags: tuple[str, ...] | None = None
    operand: str | None = None  # name of a positional argument in the help
    metavar: str | None = None  # name of the value in the help
    choices: tuple[str, ...] | None = None  # the values that it may have
    is_list: bool = False  # whether the command line adds up what is given repeatedly
    is_repeated: bool = False  # whether it has the values of all its uses there
    is_truth: bool = False  # whether it may be true, false or left to something else
    off: str = ""  # the help of the flag --no-NAME, of what is on by default
    bare: Any = None  # the value of the flag alone; None where it needs one
    switches: tuple[tuple[str, Any, str], ...] = ()  # flag, value and help, of one each
    kw_only: bool = True  # whether Python takes it by its name alone
    takes_objects: bool = False  # whether Python also takes other objects than texts
    purpose: Purpose | None = None  # its purpose; by default that of its class
    is_input: bool = False  # whether a flag names files, which are Paths in Python
    registry: str = ""  # the kind of registered thing that it names, such as metric
    brief: tuple[str, str] | None = None  # value and meaning, in every command's help

    @property
    def is_settable(self) -> bool:
        """Return whether a configuration file may set it."""
        return self.purpose in SETTABLE


def option(about: str = "", *, default: Any = REQUIRED, **more: Any) -> Any:
    """Declare one option; the keywords are the fields of :class:`Declared`.

    Where a base class has the option and there is no *about*, the default alone is new.
    """
    return Declared(about, default, **more)


def optional(about: str, **more: Any) -> Any:
    """Declare one option that is None where it is not given."""
    return option(about, default=None, **more)


def flag(about: str, **more: Any) -> Any:
    """Declare one option that is false where it is not given."""
    return option(about, default=False, **more)


def redeclared(options: type[Options], name: str, **changes: Any) -> Any:
    """Declare an option of another class again, with changes."""
    return options.DECLARED[name]._replace(**changes)


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(option,)
)
class Options:
    """The base class of options, which are frozen; a subclass declares its own.

    It is a dataclass to type checkers.  It is none to Python, which would take longer
    to make one than to score a small corpus.

    Raises:
        InputError: if a value is refused; the message names option and value.
        TypeError: if an option is missing or unknown.
    """

    TITLE = ""  # the heading of the options that this class itself declares
    WAITS = False  # whether the short help of commands leaves these out
    OWN: tuple[str, ...] = ()  # the names of these
    REST: str | None = None  # the option that takes all keywords that are unknown
    COMMAND_ONLY: frozenset[str] = frozenset()  # options that no Python function takes
    ALIASES: Names = ()  # names that other libraries have, and ours
    DECLARED: Mapping[str, Declared] = {}  # by their names, those of base classes first
    _DEFAULTS: Mapping[str, Any] = {}
    _PLACES: Sequence[str] = ()

    def __init_subclass__(
        cls, purpose: Purpose | None = None, waits: bool = False
    ) -> None:
        """Collect the options.

        Args:
            purpose: what the options of this class are for that do not say it.
            waits: whether ``--help-all`` alone shows the options of this class.
        """
        cls.WAITS = waits
        own_options = {n: v for n, v in vars(cls).items() if isinstance(v, Declared)}
        cls.OWN = tuple(own_options)
        declared: dict[str, Declared] = {}
        for base in reversed(cls.__mro__[1:]):
            declared |= getattr(base, "DECLARED", {})
        for name, own_option in own_options.items():
            if not own_option.about and name in declared:
                own_options[name] = declared[name]._replace(default=own_option.default)
            elif own_option.purpose is None:
                own_options[name] = own_option._replace(purpose=purpose)
            if own_options[name].purpose not in get_args(Purpose):
                known_purposes = ", ".join(get_args(Purpose))
                raise TypeError(
                    f"the purpose of {cls.__name__}.{name} is "
                    f"{own_options[name].purpose!r}; it is one of {known_purposes}"
                )
        cls.DECLARED = declared | own_options
        cls._DEFAULTS = {
            name: own_option.default for name, own_option in cls.DECLARED.items()
        }
        cls._PLACES = [
            name for name, own_option in cls.DECLARED.items() if not own_option.kw_only
        ]
        for name in own_options:
            setattr(cls, name, own_options[name].default)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        values, places = vars(self), self._PLACES
        values |= self._DEFAULTS
        if len(args) > len(places):
            raise TypeError(
                f"there are {len(args)} arguments without a keyword, and it takes "
                f"{len(places)}"
            )
        arguments = dict(zip(places, args, strict=False))
        if repeated := arguments.keys() & kwargs.keys():
            raise TypeError(f"there are several values for {min(repeated)!r}")
        arguments |= self._ours(kwargs)
        if unknown := [name for name in arguments if name not in values]:
            if self.REST is None:
                raise TypeError(self.unexpected(unknown[0]))
            rest = {name: arguments.pop(name) for name in unknown}
            arguments[self.REST] = {**(arguments.get(self.REST) or {}), **rest}
        lists: dict[int, list[Any]] = {}
        for name, value in arguments.items():
            if isinstance(value, Iterator):  # which can be gone through only once
                if id(value) not in lists:
                    lists[id(value)] = list(value)
                value = lists[id(value)]
            values[name] = checked(name, self.DECLARED[name], value)
        if missing := [name for name, v in values.items() if v is REQUIRED]:
            listed = ", ".join(map(repr, missing))
            raise TypeError(f"{listed} must be given")

    @classmethod
    def unexpected(cls, name: str) -> str:
        """Say that there is no such keyword, and which may have been meant."""
        accepted = [
            option_name
            for option_name in cls.DECLARED
            if option_name not in cls.COMMAND_ONLY
        ]
        positive = name.removeprefix("no_")
        if positive != name and positive in accepted:
            return f"unexpected keyword argument {name!r}; give {positive}=False"
        return f"unexpected keyword argument {name!r}{suggestion(name, accepted, 0.7)}"

    def _ours(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Rename options with the names of other libraries to ours."""
        for other, name in self.ALIASES:
            if other in arguments:
                arguments[name] = arguments.pop(other)
        return arguments

    def __setattr__(self, name: str, value: Any) -> None:
        del value
        raise AttributeError(f"options are frozen; {name!r} cannot be changed")

    def __repr__(self) -> str:
        changed = [
            f"{name}={value!r}"
            for name, declared in self.DECLARED.items()
            if not _is_default(value := getattr(self, name), declared)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def replace(self: O, **changes: Any) -> O:
        """Return the same options with some changes."""
        return type(self)(**{**vars(self), **changes})

    def as_options(self, options: type[O], /, **extra: Any) -> O:
        """Return options of another class, with these values and *extra* ones."""
        target_options = options.DECLARED
        shared = {
            name: value for name, value in vars(self).items() if name in target_options
        }
        return options(**(shared | extra))

    @classmethod
    def signature(cls) -> inspect.Signature:
        """Return the signature of the Python function that takes these options."""
        from inspect import Parameter, Signature

        parameters = []
        for name, declared in cls.in_order():
            if name == cls.REST or name in cls.COMMAND_ONLY:
                continue
            default = (
                Parameter.empty if declared.default is REQUIRED else declared.default
            )
            by_place, by_name = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
            kind = by_name if declared.kw_only else by_place
            annotations = (
                vars(base).get("__annotations__", {}) for base in cls.__mro__
            )
            annotation = next(
                str(named[name]) for named in annotations if name in named
            )
            parameters.append(
                Parameter(name, kind, default=default, annotation=annotation)
            )
        if cls.REST is not None:
            rest = Parameter(cls.REST, Parameter.VAR_KEYWORD, annotation="Any")
            parameters.append(rest)
        return Signature(parameters)

    @classmethod
    def in_order(cls) -> Iterator[tuple[str, Declared]]:
        """Yield the options: those without keyword, the class's own, the others."""
        names = [*cls._PLACES]
        names += [name for base in cls.__mro__ for name in vars(base).get("OWN", ())]
        if cls.REST is not None:
            names = [*(name for name in names if name != cls.REST), cls.REST]
        for name in dict.fromkeys(names):  # one that is declared anew comes once
            yield name, cls.DECLARED[name]


def _is_default(value: Any, declared: Declared) -> bool:
    is_plain = isinstance(value, str | Number)
    return value is declared.default or (is_plain and value == declared.default)


def checked(name: str, declared: Declared, value: Any) -> Any:
    """Return the value of an option, read and checked."""
    if value is declared.default:
        return value
    if declared.takes_objects and not isinstance(value, (str, bytes, Number)):
        return fspath(value) if isinstance(value, PathLike) else value
    if declared.choices is not None and value not in declared.choices:
        choices = ", ".join(map(repr, declared.choices))
        raise InputError(f"{name} is {value!r}; it is one of {choices}")
    if declared.read is None:
        return value
    try:
        return declared.read(value)
    except InputError:  # says all by itself
        raise
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None


def _called(
    name: str,
    answer: Callable[[O], R],
    options: Callable[P, O],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    """Return the answer of a study whose options are the arguments of a function."""
    declaring = cast("type[Options]", options)
    try:
        for keyword in kwargs.keys() & declaring.COMMAND_ONLY:
            raise TypeError(declaring.unexpected(keyword))
        checked_options = options(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{name}(): {error}") from None
    with (
        inputs_noted(getattr(checked_options, "max_bytes", MAX_BYTES)),
        limits_of(checked_options),
    ):
        return answer(checked_options)


def limits_of(options: Options) -> AbstractContextManager[None]:
    """Read within the limits of time that options have, if any."""
    each = getattr(options, "seconds", getattr(options, "time_limit", None))
    until = getattr(options, "until", None)
    total = getattr(options, "total_time", None)
    return reading_within(reading_limits(each, until, total))


def function(
    name: str, options: Callable[P, O], study: Callable[[O], R]
) -> Callable[P, R]:
    """Make the Python function that asks a question, in the module that calls this.

    Its keywords are the question's options, and its docstring is that of the *study*,
    which answers the question, with an ``Args`` of all options.
    """
    declaring = cast("type[Options]", options)

    def study_function(*args: P.args, **kwargs: P.kwargs) -> R:
        return _called(name, study, options, *args, **kwargs)

    study_function.__module__ = sys._getframe(1).f_globals["__name__"]
    study_function.__name__ = study_function.__qualname__ = name
    returned = study.__annotations__.get("return")
    signature = declaring.signature().replace(return_annotation=returned)
    study_function.__signature__ = signature  # type: ignore[attr-defined]  # functions may have one
    study_function.__doc__ = documented(study.__doc__ or "", declaring)
    return study_function


def takes(
    options: Callable[P, O],
) -> Callable[[Callable[[S, O], R]], Callable[Concatenate[S, P], R]]:
    """Make a method of options take their values as its arguments.

    The docstring of a constructor is its class's, which :func:`documented` completes.
    """
    declaring = cast("type[Options]", options)

    def decorate(method: Callable[[S, O], R]) -> Callable[Concatenate[S, P], R]:
        @wraps(method)
        def called(self: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
            name, answer = type(self).__name__, partial(method, self)
            return _called(name, answer, options, *args, **kwargs)

        from inspect import Parameter

        signature = declaring.signature()
        first = Parameter("self", Parameter.POSITIONAL_ONLY)
        called.__signature__ = signature.replace(  # type: ignore[attr-defined]  # as above
            parameters=[first, *signature.parameters.values()]
        )
        return called

    return decorate


def documented(docstring: str, options: type[Options]) -> str:
    """Return a docstring with all options in its ``Args``, behind those that it has.

    >>> class Shades(Options):
    ...     dark: bool = option("at night", default=False, purpose="shows")
    >>> print(documented("Paint.", Shades).rstrip())
    Paint.
    <BLANKLINE>
    Args:
        dark: at night
    """
    import inspect
    import textwrap

    lines: list[str] = []
    for name, declared in options.in_order():
        if declared.about and name not in options.COMMAND_ONLY:
            shown_name = f"**{name}" if name == options.REST else name
            meaning, inner = f"    {shown_name}: {declared.about}", " " * 8
            lines += textwrap.wrap(meaning, 88, subsequent_indent=inner)
    text = inspect.cleandoc(docstring)
    args_start = text.find("\nArgs:\n") + 1
    words = ("Returns:", "Raises:", ">>>", "Statistics:", "Example:")
    starts = [text.find(f"\n{word}", args_start) for word in words]
    place = min((start for start in starts if start >= 0), default=len(text))
    head = (
        [text[:place].rstrip()] if args_start else [text[:place].rstrip(), "", "Args:"]
    )
    return "\n".join([*head, *lines, text[place:]])


class _Later:
    """A docstring that is put together when it is read."""

    def __init__(self, docstring: str, options: type[Options]) -> None:
        self._of = (docstring, options)

    def __get__(self, instance: object, owner: type) -> str:
        return documented(*self._of)


def documented_later(docstring: str, options: type[Options]) -> str:
    """Return a docstring of a class that becomes :func:`documented` when it is read.

    Scoring a pair takes no time for documentation that nobody looks at.
    """
    return cast("str", _Later(docstring, options))
