"""Draw the rounds of a proof: ``python docs/understand/rounds.py``.

The pair is that of ``exact-is-cheap.md``; everything drawn is read from the certificate
that the solver returns.  Writes ``round-1.svg``, ``round-2.svg``, … beside this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from exactmatch import Limits, read
from exactmatch.base.markup import Markup, element
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.smatch import Smatch
from exactmatch.solvers import get_solver
from exactmatch.solvers.certificate import Round
from exactmatch.solvers.problem import AlignmentProblem

PREDICTION = "(a / and :op1 (b / boy :mod (t / tall)) :op2 (c / boy :mod (o / old)))"
REFERENCE = "(a / and :op1 (x / boy :mod (u / old)) :op2 (y / boy :mod (s / short)))"

_WIDTH, _ROW, _TOP = 680, 62, 72
_LEFT, _RIGHT = 170, 510
_STRAIGHT, _CROSSING = 0.2, 0.84
_STYLE = """
text{fill:#1b1f24;
font:13px "Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif}
.title{font-size:15px;font-weight:600}
.quiet{fill:#5d6672}
.node{fill:#f1f3f5}
.price{font-weight:600;fill:#0a5ea8}
.worth{font-size:12px;paint-order:stroke;stroke:#fff;stroke-width:5px}
line{stroke:#9aa3ae;stroke-width:1.2px}
.tight{stroke:#0a5ea8;stroke-width:2px}
line.dropped{stroke:#b34100;stroke-dasharray:5 4}
text.dropped{fill:#b34100}
"""


@dataclass(frozen=True)
class Candidate:
    """Candidate in a round.

    Attributes:
        left, right: its variables.
        alone: what it matches alone.
        shares: its shares of pair terms, as the certificate adds them up.
        slack: how far the bound falls if it is chosen.
        is_dropped: whether the round drops it.
    """

    left: int
    right: int
    alone: Fraction
    shares: tuple[Fraction, ...]
    slack: Fraction
    is_dropped: bool

    @property
    def worth(self) -> Fraction:
        """What it is worth at most."""
        return self.alone + sum(self.shares)


def candidates(problem: AlignmentProblem, found: Round) -> list[Candidate]:
    """What a round says of each candidate that is still there."""
    left, right = problem.left.tolist(), problem.right.tolist()
    partners: list[list[int]] = [[] for _ in left]
    for c, d in zip(problem.first.tolist(), problem.second.tolist(), strict=True):
        partners[c].append(d)
        partners[d].append(c)
    on_left, on_right = iter(found.inner_left), iter(found.inner_right)
    rows = []
    for c, (i, j) in enumerate(zip(left, right, strict=True)):
        prices = [next(on_left) for _ in {left[d] for d in partners[c]}]
        prices += [next(on_right) for _ in {right[d] for d in partners[c]}]
        shares = tuple(Fraction(price, found.unit) for price in prices if price)
        alone = Fraction(int(problem.unary[c]))
        price = Fraction(found.left[i] + found.right[j], found.unit)
        slack = price - alone - sum(shares)
        rows.append(Candidate(i, j, alone, shares, slack, c in found.dropped))
    return rows


def rounds() -> Iterator[tuple[str, Markup]]:
    """Yield the name and the drawing of each round of the proof."""
    metric = Smatch(get_profile("smatch"))
    graphs = [read(text) for text in (PREDICTION, REFERENCE)]
    problem = metric.build_problem(*map(metric.prepare, graphs)).problem
    solution = get_solver("bnb").solve(problem, Limits(record_proof=True))
    assert solution.certificate is not None
    (node,) = solution.certificate.nodes
    for number, found in enumerate(node.rounds, 1):
        rows = candidates(problem, found)
        title = f"Round {number}"
        yield (
            f"round-{number}.svg",
            drawing(title, graphs, rows, found, solution.value),
        )
        kept = np.array([not row.is_dropped for row in rows])
        problem = problem.restricted(kept)


def drawing(
    title: str,
    graphs: Sequence[Graph],
    rows: Sequence[Candidate],
    found: Round,
    value: int,
) -> Markup:
    """Return one round: variables with their prices, candidates with their worths."""
    prices = [
        [Fraction(price, found.unit) for price in side]
        for side in (found.left, found.right)
    ]
    bound = sum(map(sum, prices))
    paid = [price for side in prices for price in side if price]
    height = _TOP + _ROW * max(len(side) for side in prices) + 20
    said = f"{' + '.join(map(written, paid))} = {written(bound)}"
    end = f"The value is {value}: " + (
        "what is left cannot reach it. Proved."
        if bound < value
        else "dashed candidates cannot be in a better alignment."
    )
    return element(
        "svg",
        element("title", f"{title}: bound {written(bound)}, value {value}"),
        element("style", Markup(_STYLE)),
        element("rect", width="100%", height="100%", fill="#fff", rx="8"),
        _text(_WIDTH // 2, 26, f"{title}: the prices add up to {said}", "title"),
        _text(_WIDTH // 2, height - 8, end, "quiet"),
        *map(_line, rows),
        *map(_worth, rows),
        *(
            part
            for side, graph in enumerate(graphs)
            for part in _nodes(side, graph, prices[side])
        ),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {height}",
        width=str(_WIDTH),
        height=str(height),
    )


def _nodes(side: int, graph: Graph, prices: Sequence[Fraction]) -> Iterator[Markup]:
    concepts = {v: graph.labels[concept] for v, concept in graph.instances}
    x, sign = (_LEFT, -1) if side == 0 else (_RIGHT, 1)
    for v, name in enumerate(graph.variables):
        y = _TOP + _ROW * v
        box = x - 92 if side == 0 else x
        yield element(
            "rect",
            x=str(box),
            y=str(y - 15),
            width="92",
            height="30",
            rx="6",
            class_="node",
        )
        yield _text(box + 46, y + 5, f"{name} / {concepts[v]}", "")
        if prices[v]:
            yield _text(x + sign * 120, y + 5, written(prices[v]), "price")


def _line(row: Candidate) -> Markup:
    kind = "dropped" if row.is_dropped else "" if row.slack else "tight"
    ends = {"x1": _LEFT, "y1": _height(row, 0), "x2": _RIGHT, "y2": _height(row, 1)}
    places = {name: f"{place:g}" for name, place in ends.items()}
    return element("line", class_=kind or None, **places)


def _worth(row: Candidate) -> Markup:
    """What the candidate is worth, and how far below its prices that is."""
    parts = " + ".join(map(written, (row.alone, *row.shares)))
    said = f"{parts} = {written(row.worth)}" if row.shares else parts
    if row.is_dropped:
        said += f", costs {written(row.slack)}"
    part = _STRAIGHT if row.left == row.right else _CROSSING
    x = _LEFT + part * (_RIGHT - _LEFT)
    kind = "worth dropped" if row.is_dropped else "worth"
    anchor = "start" if row.left == row.right else "end"
    return element(
        "text",
        said,
        x=f"{x - 40 * (anchor == 'start'):g}",
        y=f"{_height(row, part) - 4:g}",
        class_=kind,
        text_anchor=anchor,
    )


def _height(row: Candidate, part: float) -> float:
    return _TOP + _ROW * (row.left + part * (row.right - row.left))


def _text(x: float, y: float, text: str, name: str) -> Markup:
    return element(
        "text", text, x=f"{x:g}", y=f"{y:g}", class_=name or None, text_anchor="middle"
    )


def written(number: Fraction | int) -> str:
    """Return a number of halves, as people write it."""
    whole, rest = divmod(Fraction(number), 1)
    if rest == 0:
        return str(whole)
    half = "½" if rest == Fraction(1, 2) else f" {rest}"
    return f"{whole or ''}{half}".strip()


if __name__ == "__main__":
    for name, picture in rounds():
        Path(__file__).with_name(name).write_text(f"{picture}\n", "utf-8")
        print(name)
