"""Long JSON is decoded in pieces under a limit, with the values and errors of json."""

from __future__ import annotations

import json
import random
import time
from itertools import count
from json import JSONDecodeError, JSONDecoder
from types import SimpleNamespace
from typing import Any

import pytest

from exactmatch.base import deadline, json_texts
from exactmatch.base.deadline import OutOfTimeError, within
from exactmatch.base.json_texts import dumps, loads, raw_decode

FRAGMENTS = ("]", "}", ",", ":", '"', " ", "[", "{", "1", "\\", "tru", "-", ",,", ",]")


def value(rng: random.Random, depth: int) -> Any:
    kind = rng.randrange(4 if depth > 3 else 10)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return rng.choice([0, -1, 7.5, 1e300, 10**30, rng.randrange(10**6)])
    if kind < 4:
        return "".join(rng.choices('ab ,]}[{":\\\n\t\u00e9\u65e5\U0001f600', k=5))
    size = rng.choice([0, 1, 2, 3, 8, 30])
    members = (value(rng, depth + 1) for _ in range(size))
    if kind < 7:
        return [*members]
    return {rng.choice(["a", "b", "c,", f"k{k}"]): one for k, one in enumerate(members)}


def text(rng: random.Random) -> str:
    spaced: dict[str, Any] = {
        "indent": rng.choice([None, None, 0, 1]),
        "ensure_ascii": False,
    }
    if rng.random() < 0.3:
        spaced["separators"] = (",", ":")
    found = json.dumps(value(rng, 0), **spaced)
    for _ in range(rng.choice([0, 0, 1, 2])):
        at = rng.randrange(len(found) + 1)
        gone = rng.randrange(3)
        found = found[:at] + rng.choice(FRAGMENTS) + found[at + gone :]
    return rng.choice(["", " \n"]) + found + rng.choice(["", "\t"])


def outcome(decode: Any, *args: Any) -> Any:
    try:
        return repr(decode(*args))
    except JSONDecodeError as error:
        return error.msg, error.pos, error.lineno, error.colno
    except ValueError as error:
        return str(error)


@pytest.fixture
def short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_LONG", "_PIECE", "_MEMBERS", "_FEW"):
        monkeypatch.setattr(json_texts, name, {"_LONG": 8, "_PIECE": 16}.get(name, 2))


@pytest.mark.usefixtures("short_pieces")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"object_pairs_hook": tuple},
        {"object_hook": lambda found: sorted(found.items(), key=str)},
        {"parse_int": float, "parse_constant": str},
    ],
    ids=lambda one: "-".join(one) or "plain",
)
def test_values_and_errors_are_those_of_json(options: dict[str, Any]) -> None:
    decoder = JSONDecoder(**options)
    for seed in range(150):
        written = text(random.Random(seed))
        wanted = outcome(lambda one: json.loads(one, **options), written)
        with within(3600.0):
            assert outcome(loads, written, decoder) == wanted, (seed, written)
        assert outcome(loads, written, decoder) == wanted


@pytest.mark.usefixtures("short_pieces")
def test_a_value_is_decoded_where_it_begins() -> None:
    written = '12 [{"a": "0123456789 0123456789"}, 2] ['
    with within(3600.0):
        found, end = raw_decode(written, 3)
    assert found == [{"a": "0123456789 0123456789"}, 2]
    assert written[end:] == " ["


@pytest.mark.usefixtures("short_pieces")
def test_texts_are_those_of_json() -> None:
    for seed in range(150):
        made = value(random.Random(seed), 0)
        options: dict[str, Any] = {"ensure_ascii": bool(seed % 2)}
        with within(3600.0):
            assert dumps(made, **options) == json.dumps(made, **options)
    with within(3600.0):
        assert dumps({1: [None], None: 2}) == '{"1": [null], "null": 2}'
        assert dumps([{1}], default=str) == '["{1}"]'


@pytest.mark.parametrize(
    "member",
    ["1", '"a"', "{}", '{"a": [{"b": "c"}]}', "[1, 2]", '[[["a"]], {}]'],
)
def test_the_clock_is_looked_at(member: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list, an object and what holds them is stopped before it is decoded whole."""
    seconds = count()
    fake = SimpleNamespace(perf_counter=lambda: float(next(seconds)), time=time.time)
    monkeypatch.setattr(deadline, "time", fake)
    monkeypatch.setattr(json_texts, "_LONG", 2**14)
    monkeypatch.setattr(json_texts, "_PIECE", 2**9)
    monkeypatch.setattr(json_texts, "_MEMBERS", 2**4)
    many = 2 * json_texts._LONG // len(member)
    members = ",".join([member] * many)
    named = f'"a": {member},' * many
    for written in (f"[{members}]", f'{{{named}"b": 1}}', f'{{"a": [[{members}]]}}'):
        with within(10.0), pytest.raises(OutOfTimeError):
            loads(written)
        with within(10.0), pytest.raises(OutOfTimeError):
            dumps(json.loads(f"[{members}]"))


def test_deep_nesting_is_an_error_of_recursion() -> None:
    with within(3600.0), pytest.raises(RecursionError):
        loads("[" * 2 * json_texts._LONG)
