"""The promises that exactmatch asks of what is added to it."""

from exactmatch_example.arrows import ARROWS
from exactmatch_example.greedy import Greedy
from exactmatch_example.overlap import Overlap

from exactmatch.testing import check_format, check_metric, check_solver


def test_the_metric_keeps_its_contract() -> None:
    check_metric(Overlap)


def test_the_solver_keeps_its_contract() -> None:
    check_solver(Greedy)


def test_the_format_keeps_its_contract() -> None:
    check_format(ARROWS)
