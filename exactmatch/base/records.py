"""``NamedTuple``, ``dataclass`` and ``replace`` for the classes that every pair needs.

They do what those of the standard library do, in a fraction of the time.  A command
that scores one pair spent a third of its time on importing ``dataclasses`` and
``inspect`` and on making its classes.  To type checkers they are the originals, and
``dataclasses.fields``, ``asdict`` and ``replace`` take the dataclasses that are made
here, and dataclasses may derive from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import NamedTuple
else:
    from collections import namedtuple
    from collections.abc import Callable, Mapping
    from operator import attrgetter
    from typing import Any

    _REQUIRED = object()  # the default of a field that has none
    _NEW = object()  # the default of a field whose factory is called each time

    class _NamedTuples(type):
        """Metaclass of ``NamedTuple``: what derives from that is a ``namedtuple``."""

        def __new__(cls, name: str, _: tuple[type, ...], own: dict[str, Any]) -> type:
            kinds = own.pop("__annotations__", {})
            defaults = [own.pop(each) for each in kinds if each in own]
            module = own.pop("__module__")
            made = namedtuple(name, kinds, defaults=defaults, module=module)
            made.__annotations__ = made.__new__.__annotations__ = kinds
            own.pop("__slots__", None)
            for key, value in own.items():
                setattr(made, key, value)
            return made

    NamedTuple = type.__new__(_NamedTuples, "NamedTuple", (), {})

    class Field(NamedTuple):
        """Field of a dataclass."""

        default: Any = _REQUIRED
        default_factory: Callable[[], Any] | None = None
        init: bool = True
        repr: bool = True
        compare: bool = True

        def original(self) -> Any:
            """Return the same field as ``dataclasses`` has it."""
            import dataclasses

            own = self._asdict()
            if self.default_factory is None:
                del own["default_factory"]
            if self.default is _REQUIRED:
                del own["default"]
            return dataclasses.field(**own)

    field = Field

    class _Original:
        """Attribute that ``dataclasses`` writes into a class, made at its first use."""

        def __init__(self, name: str, fields: Mapping[str, Field], frozen: bool):
            self._name, self._fields, self._frozen = name, fields, frozen
            self._made: Any = None  # which takes a thousand times as long to make

        def __get__(self, record: object, cls: type) -> Any:
            if self._made is not None:
                return self._made
            from dataclasses import make_dataclass

            kinds = next(c for c in cls.__mro__ if self in vars(c).values())
            fields = [
                (name, kinds.__annotations__[name], one.original())
                for name, one in self._fields.items()
            ]
            made = make_dataclass(cls.__name__, fields, frozen=self._frozen)
            self._made = getattr(made, self._name)
            return self._made

    def dataclass(
        *, frozen: bool = False, slots: bool = False, eq: bool = True, **shown: bool
    ) -> Callable[[type], type]:
        """Give a class a constructor, and compare and show it by its fields.

        A frozen class has slots.
        """
        assert slots or not frozen, "use dataclasses for that"
        return lambda cls: _made(cls, frozen, slots, eq, shown.get("repr", True))

    def replace(record: Any, /, **changes: Any) -> Any:
        """Return a record with some fields changed, made by its constructor."""
        parents = map(vars, type(record).__mro__)
        made = next(own for own in parents if "__dataclass_fields__" in own)
        if not isinstance(made["__dataclass_fields__"], _Original):
            import dataclasses

            return dataclasses.replace(record, **changes)
        kept = {name: getattr(record, name) for name in made["__match_args__"]}
        return type(record)(**kept | changes)

    def _made(
        cls: type, frozen: bool, slots: bool, with_eq: bool, with_repr: bool
    ) -> type:
        own = dict(vars(cls))
        for name in ("__dict__", "__weakref__"):  # made anew where there are no slots
            own.pop(name, None)
        kinds = own.get("__annotations__", {})
        fields = {name: _field(own.pop(name, _REQUIRED)) for name in kinds}
        added = {
            "__match_args__": tuple(n for n, one in fields.items() if one.init),
            "__replace__": replace,
        }
        for name in ("__dataclass_fields__", "__dataclass_params__"):
            added[name] = _Original(name, fields, frozen)
        if slots:
            added |= {"__slots__": tuple(fields), "__setstate__": _restore}
        if frozen:
            added |= {"__setattr__": _refuse, "__delattr__": _refuse}
        if with_repr:
            added["__repr__"] = _shower([n for n, one in fields.items() if one.repr])
        if with_eq:
            added |= _comparison([n for n, one in fields.items() if one.compare])
            if not frozen:
                added["__hash__"] = None
        made = type(cls)(cls.__name__, cls.__bases__, added | own)
        made.__init__ = _constructor(made, fields, frozen)
        made.__init__.__qualname__ = f"{cls.__qualname__}.__init__"
        made.__init__.__module__ = cls.__module__
        made.__init__.__annotations__ = {**kinds, "return": None}
        return made

    def _field(default: Any) -> Field:
        return default if isinstance(default, Field) else Field(default)

    def _shower(names: list[str]) -> Callable[[Any], str]:
        def shown(self: Any) -> str:
            items = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
            return f"{type(self).__qualname__}({items})"

        return shown

    def _comparison(names: list[str]) -> dict[str, Callable[..., Any]]:
        values = attrgetter(*names)

        def equal(self: Any, other: object) -> bool:
            if type(other) is not type(self):
                return NotImplemented
            return values(self) == values(other)

        return {"__eq__": equal, "__hash__": lambda self: hash(values(self))}

    def _constructor(
        cls: type, fields: Mapping[str, Field], frozen: bool
    ) -> Callable[..., None]:
        """Compile the constructor, as a loop over the fields would be slow."""
        known: dict[str, Any] = {"NEW": _NEW}
        takes, lines = ["self"], []
        for name, one in fields.items():
            if frozen:
                known[f"put_{name}"] = vars(cls)[name].__set__
            known[f"make_{name}"] = one.default_factory
            known[f"default_{name}"] = one.default
            value, default = name, f"default_{name}"
            if one.default_factory is not None:
                value, default = f"make_{name}() if {name} is NEW else {name}", "NEW"
            if one.init:
                is_required = default != "NEW" and one.default is _REQUIRED
                takes.append(name if is_required else f"{name}={default}")
            else:
                lines.append(f"    {name} = {default}\n")
            put = f"put_{name}(self, {value})" if frozen else f"self.{name} = {value}"
            lines.append(f"    {put}\n")
        if hasattr(cls, "__post_init__"):
            lines.append("    self.__post_init__()\n")
        source = f"def __init__({', '.join(takes)}):\n{''.join(lines)}"
        exec(source, known)  # made of the names of fields alone
        return known["__init__"]

    def _restore(record: Any, state: tuple[Mapping[str, Any] | None, ...]) -> None:
        for part in filter(None, state):  # without slots, and with slots
            for name, value in part.items():
                object.__setattr__(record, name, value)

    def _refuse(record: Any, name: str, *_: Any) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"{type(record).__name__} is frozen: {name}")


__all__ = ["NamedTuple", "dataclass", "field", "replace"]
