"""Records are what the standard library makes of the same classes."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
import typing
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from exactmatch import Profile
from exactmatch.base import records
from exactmatch.formats.block import Block
from exactmatch.graphs import profile

BODY = """
@dataclass(slots=True{more})
class Place:
    path: str
    line: int = 1
    tags: list = field(default_factory=list)
    memory: dict = field(default_factory=dict, init=False, compare=False)
    note: str | None = field(default=None, compare=False, repr=False)

    def __post_init__(self):
        if self.line < 0:
            raise ValueError("a line is below 0")

    def shifted(self, by):
        return replace(self, line=self.line + by)
"""
NAMED = """
class Named(NamedTuple):
    "A place."
    path: str
    line: int = 1

    @property
    def both(self):
        return f"{self.path}:{self.line}"
"""


def made(body: str, module: Any, **more: str) -> Any:
    known = {
        "dataclass": dataclasses.dataclass,
        "field": dataclasses.field,
        "replace": dataclasses.replace,
        "NamedTuple": typing.NamedTuple,
        "__name__": __name__,
    }
    if module is records:
        known |= {name: getattr(records, name) for name in records.__all__}
    exec(body.replace("{more}", more.get("more", "")), known)
    return known["Place" if "Place" in known else "Named"]


def result(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except (AttributeError, TypeError, ValueError) as error:
        return type(error)


CALLS: list[Callable[[Any], Any]] = [
    lambda cls: repr(cls("a")),
    lambda cls: repr(cls("a", 2, ["x"], "n")),
    lambda cls: repr(cls(path="a", note="n")),
    lambda cls: cls("a", tags=["x"]) == cls("a", 1, ["x"], "n"),
    lambda cls: cls("a") == cls("b"),
    lambda cls: cls("a") == ("a", 1, [], {}, None),
    lambda cls: hash(cls("a")),
    lambda cls: hash(cls("a", tags=())) == hash(cls("a", tags=(), note="n")),
    lambda cls: cls("a").tags is cls("a").tags,
    lambda cls: cls(),
    lambda cls: cls("a", 1, [], None, {}),
    lambda cls: cls("a", size=1),
    lambda cls: cls("a", memory={}),
    lambda cls: cls("a", -1),
    lambda cls: setattr(cls("a"), "line", 2),
    lambda cls: delattr(cls("a"), "line"),
    lambda cls: repr(cls("a").shifted(3)),
    lambda cls: cls("a").shifted(-3),
    lambda cls: repr(dataclasses.replace(cls("a", note="n"), line=5).note),
    lambda cls: dataclasses.replace(cls("a"), size=5),
    lambda cls: dataclasses.asdict(cls("a", tags=[cls("b")])),
    lambda cls: dataclasses.astuple(cls("a")),
    lambda cls: [(f.name, f.init, f.compare) for f in dataclasses.fields(cls)],
    lambda cls: [*inspect.signature(cls).parameters],
    lambda cls: repr(copy.deepcopy(cls("a", 2, ["x"]))),
    lambda cls: cls.__match_args__,
    lambda cls: cls.__slots__,
]


MORE = ["", ", frozen=True", ", frozen=True, eq=False", ", frozen=True, repr=False"]


@pytest.mark.parametrize("more", MORE)
@pytest.mark.parametrize("number", range(len(CALLS)))
def test_a_record_is_a_dataclass(number: int, more: str) -> None:
    ours, theirs = made(BODY, records, more=more), made(BODY, dataclasses, more=more)
    got, wanted = (result(partial(CALLS[number], c)) for c in (ours, theirs))
    is_address = " object at 0x" in str(wanted)
    is_identity = "hash(cls" in inspect.getsource(CALLS[number]) and "eq" in more
    assert is_address or is_identity or got == wanted


def test_what_is_named_is_a_named_tuple() -> None:
    ours, theirs = made(NAMED, records), made(NAMED, typing)
    for call in (
        lambda cls: repr(cls("a")),
        lambda cls: cls("a", 2).both,
        lambda cls: cls("a") == ("a", 1),
        lambda cls: cls(),
        lambda cls: cls("a")._replace(line=3),
        lambda cls: (cls._fields, cls._field_defaults, cls.__doc__, cls.__module__),
        lambda cls: [*cls.__annotations__],
        lambda cls: [*inspect.signature(cls).parameters],
    ):
        assert result(partial(call, ours)) == result(partial(call, theirs))


@dataclasses.dataclass(slots=True)
class LongBlock(Block):
    size: int = dataclasses.field(kw_only=True)


def test_a_dataclass_may_derive_from_a_record() -> None:
    block = LongBlock(("a",), ("a",), 1, None, size=3)
    for changed in (records.replace, dataclasses.replace):
        other = changed(block, line=2)
        assert other == LongBlock(("a",), ("a",), 2, None, size=3)
        assert other != block
    assert pickle.loads(pickle.dumps(block)) == block


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_records_are_pickled(protocol: int) -> None:
    before = profile.PROFILES["umr"]
    after = pickle.loads(pickle.dumps(before, protocol))
    assert after == before
    assert after is not before


def test_the_choices_of_a_profile_are_those_of_its_types() -> None:
    for name, kind in get_type_hints(Profile).items():
        if get_origin(kind) is Literal:
            assert profile._CHOICES[name] == get_args(kind)


def test_a_pair_needs_neither_dataclasses_nor_inspect(tmp_path: Path) -> None:
    path = tmp_path / "a.amr"
    path.write_text("(b / bark-01 :ARG0 (d / dog))\n")
    script = """
import sys
sys.argv = ["exactmatch", sys.argv[1], sys.argv[1]]
from exactmatch.__main__ import main
assert not main()
print({"dataclasses", "inspect", "ast"} & {*sys.modules}, file=sys.stderr)
"""
    call = [sys.executable, "-c", script, str(path)]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "set()"
