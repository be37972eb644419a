"""The checks of metrics notice what breaks a promise."""

from __future__ import annotations

import pytest

from exactmatch.metrics.rematch import Rematch
from exactmatch.testing import check_metric


class Twice(Rematch):
    """A metric whose signature names it once more."""

    def signature(self) -> list[tuple[str, str]]:
        return [("metric", self.name), *super().signature()]


class Untitled(Rematch):
    """A metric that tables cannot name."""

    title = ""


@pytest.mark.parametrize(
    ("metric", "message"), [(Twice, "has a key twice"), (Untitled, "title")]
)
def test_what_breaks_a_promise_is_named(metric: type[Rematch], message: str) -> None:
    check_metric("rematch")
    with pytest.raises(AssertionError, match=message):
        check_metric(metric)
