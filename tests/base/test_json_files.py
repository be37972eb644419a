"""Small JSON files, read in one place with their shape checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

from exactmatch import InputError
from exactmatch.base.json_files import ShapeError, fits, read_object, value_in

FIELDS: dict[str, Any] = {"a": list, "b": str, "c": int, "d": dict}
WHOLE = '{"a": [1], "b": "x", "c": 3, "d": {}, "e": null}'


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_an_object_is_read_with_all_its_fields(mark: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(mark + WHOLE, "utf-8")
    expected = {"a": [1], "b": "x", "c": 3, "d": {}, "e": None}
    assert read_object(str(path), "a thing", FIELDS) == expected


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b'"\xff"', "is not JSON"),
        (b"[" * 100_000, "is not JSON: it nests too deeply"),
        (b"9" * 5000, "is not JSON: it holds an integer of too many digits"),
        (b"[]", "is not a thing, which is a JSON object"),
        (b"null", "is not a thing, which is a JSON object"),
        (b"{}", "is not a thing: 'a' is missing or is not a list"),
        (WHOLE.replace('"x"', "7").encode(), "'b' is missing or is not a text"),
        (WHOLE.replace("3", "true").encode(), "'c' is missing or is not a whole"),
        (WHOLE.replace("{}", "[]").encode(), "'d' is missing or is not an object"),
        (WHOLE.encode() + b" " * 1000, "holds more than 1,000 bytes"),
    ],
    ids=range(12),
)
def test_another_file_is_refused(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    most = 10**6 if len(content) > 2000 else 1000
    with pytest.raises(InputError, match=reason) as refused:
        read_object(str(path), "a thing", FIELDS, most)
    assert str(refused.value).startswith(str(path))


def test_what_is_not_a_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError, match="cannot be read: "):
            read_object(str(path), "a thing")


@pytest.mark.parametrize(
    ("shape", "right", "wrong"),
    [
        (int, [0, -1, 2**70], [True, 1.0, "1", None]),
        (float, [0, 1.5, -3], [True, "1", float("nan"), float("inf"), 10**400]),
        (list[str], [[], ["a"]], [["a", 1], "a", None, {}]),
        (list[str | list[str]], [["a", ["b"]]], [["a", ["b", 1]], [None]]),
        (tuple[int, bool], [[1, True]], [[1], [1, 1], [1, True, 2], [True, True]]),
        (tuple[str, ...], [[], ["a", "b"]], [["a", 1], "ab"]),
        (dict[str, list[int]], [{}, {"a": [1]}], [{"a": 1}, {"a": [True]}, []]),
        (int | None, [1, None], [False, "", 1.0]),
        (Literal["a", 1], ["a", 1], ["b", True, 1.0]),
        ({"a": int}, [{"a": 1}, {"a": 1, "b": 2}], [{}, {"a": True}, [1], None]),
        (str.isupper, ["A"], ["a"]),
    ],
    ids=str,
)
def test_a_value_has_a_shape_or_not(
    shape: Any, right: list[Any], wrong: list[Any]
) -> None:
    assert all(fits(value, shape) for value in right)
    assert not any(fits(value, shape) for value in wrong)


def test_a_text_without_the_shape_is_refused() -> None:
    for content in (b"[", b"\xff", b"[" * 10**6, b"9" * 5000, b"[1, 2]"):
        with pytest.raises(ShapeError):
            value_in(content, list[str])
