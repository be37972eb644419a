"""The checks of formats: ours pass on graphs that they can say."""

from __future__ import annotations

import pytest

from exactmatch.formats.formats import FORMATS
from exactmatch.testing import check_format


@pytest.mark.parametrize("name", ["penman", "triples", "node-link"])
def test_formats_for_any_graph_pass(name: str) -> None:
    check_format(name)


def test_a_format_that_loses_the_id_is_noticed() -> None:
    penman = FORMATS["penman"]

    class Forgetful(type(penman)):  # type: ignore[misc]  # a class of one test
        def write(self, graph):  # type: ignore[no-untyped-def]  # as the base says
            text = super().write(graph)
            return text.partition("\n")[2] if text.startswith("#") else text

    with pytest.raises(AssertionError, match="loses the id"):
        check_format(Forgetful(*penman))


def test_a_format_that_does_not_know_its_own_is_noticed() -> None:
    blind = FORMATS["triples"]._replace(recognises=lambda text: text == "")
    with pytest.raises(AssertionError, match="recognises nothing of what"):
        check_format(blind)
