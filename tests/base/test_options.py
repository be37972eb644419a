"""Options: declared once, checked wherever they come from."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import pytest

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.options import Options, function, option


class Colours(Options, purpose="measures"):
    """How something is painted."""

    wall: str = option("what is painted", kw_only=False)
    coats: int = option("how often", default=2, read=values.positive_int)
    shade: str | None = option("light or dark", default=None, choices=("light", "dark"))


class Rooms(Colours, purpose="shows"):
    """The same, otherwise by default, and of which metric's options take the rest."""

    REST = "more"

    coats: int = option("how often", default=1, read=values.positive_int)
    more: Any = option("anything else", default=None)


class Halls(Colours):
    """The same, with another default alone."""

    coats: int = option(default=3)


def test_another_default_leaves_the_rest_as_it_was() -> None:
    assert Halls("north").coats == 3
    assert Halls.DECLARED["coats"].about == "how often"
    with pytest.raises(InputError, match="not a whole number of at least 1"):
        Halls("north", coats=0)


def test_values_are_read_where_the_options_are_made() -> None:
    made = Colours("north", coats="3", shade="dark")  # type: ignore[arg-type]  # as text
    assert (made.wall, made.coats, made.shade) == ("north", 3, "dark")
    assert repr(made) == "Colours(wall='north', coats=3, shade='dark')"
    assert repr(pickle.loads(pickle.dumps(made))) == repr(made)
    assert made.replace(coats=4).coats == 4
    assert made.coats == 3


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"coats": 0}, "coats: 0 is not a whole number of at least 1"),
        ({"coats": True}, "coats: True is not a whole number"),
        ({"coats": "1_0"}, "coats: '1_0' is not a whole number"),
        ({"shade": "grey"}, "shade is 'grey'; it is one of 'light', 'dark'"),
    ],
)
def test_what_is_refused_is_named(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Colours("north", **wrong)


def test_arguments_are_those_that_are_declared() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        Colours("north", colour="red")  # type: ignore[call-arg]  # on purpose
    with pytest.raises(
        TypeError, match="2 arguments without a keyword, and it takes 1"
    ):
        Colours("north", 2)  # type: ignore[call-arg]  # on purpose
    with pytest.raises(TypeError, match="several values for 'wall'"):
        Colours("north", wall="south")  # type: ignore[misc]  # on purpose
    with pytest.raises(TypeError, match="'wall' must be given"):
        Colours()  # type: ignore[call-arg]  # on purpose
    with pytest.raises(AttributeError, match="frozen"):
        Colours("north").coats = 5  # type: ignore[misc]  # on purpose
    assert Rooms("north", colour="red").more == {"colour": "red"}  # type: ignore[call-arg]  # a plug-in's


def test_a_function_has_the_options_as_its_keywords() -> None:
    def paint(asked: Rooms) -> str:
        """Paint a wall.

        Returns:
            What was done.
        """
        return f"{asked.wall} {asked.coats}"

    painted = function("painted", Rooms, paint)
    assert painted("north") == "north 1"
    assert painted("north", coats=7) == "north 7"
    keywords = inspect.signature(painted).parameters
    assert [*keywords] == ["wall", "coats", "shade", "more"]
    assert keywords["wall"].default is inspect.Parameter.empty
    assert (keywords["coats"].default, keywords["shade"].default) == (1, None)
    assert "    coats: how often\n" in (painted.__doc__ or "")
    assert (painted.__doc__ or "").index("shade:") < (painted.__doc__ or "").index(
        "Returns:"
    )


@pytest.mark.parametrize(
    ("read", "value", "number"),
    [
        (values.level, "95%", 0.95),
        (values.level, 95, 0.95),
        (values.level, 0.95, 0.95),
        (values.share, "84.3", 0.843),
        (values.share, 1, 1.0),
        (values.share, 0, 0.0),
        (values.restart_counts, "4,1,4", (1, 4)),
        (values.restart_counts, [4, 1], (1, 4)),
        (values.restart_counts, 3, (3,)),
        (values.words, "a, b", ("a", "b")),
        (values.words, ["a", "b"], ("a", "b")),
        (values.published_score, 84.3, "0.843"),
        (values.published_score, "0.750", "0.750"),
        (values.published_score, "75.0", "0.750"),
        (values.published_score, "75.00", "0.7500"),
        (values.published_score, "100.0", "1.000"),
        (values.published_score, "75.0%", "0.750"),
        (values.published_score, "0.00001%", "0.0000001"),
    ],
)
def test_text_and_numbers_are_read_alike(read: Any, value: Any, number: Any) -> None:
    assert read(value) == number


REFUSED: list[tuple[Any, Any]] = [
    *((values.level, one) for one in [0, 100, "high", None, -1]),
    *((values.share, one) for one in [-0.1, 101, "nan", "x"]),
    *((values.positive_float, one) for one in [0, "inf", "nan", "", None]),
    *((values.restart_counts, one) for one in ["", [], "-1", 1.5]),
    *((values.digits, one) for one in [-1, 18, "many"]),
]


@pytest.mark.parametrize(("read", "value"), REFUSED)
def test_values_out_of_range_are_refused(read: Any, value: object) -> None:
    with pytest.raises(ValueError, match=r"is no|between|at most|is named"):
        read(value)
