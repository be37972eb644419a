"""What solved matching problems show is what was found."""

from __future__ import annotations

from pathlib import Path

from support.files import Files

from exactmatch.studies.solve.study import solve

PROBLEM = """p 2 3 4 2
a 0 0 0 -1
a 1 0 1 -2
a 2 1 0 -2
a 3 1 1 -1
e 0 3 -3
e 1 2 0.5
"""


def test_a_row_is_a_problem(files: Files) -> None:
    found = solve([Path(files.one("small.dd", PROBLEM))], certify=True)
    (row,) = found.tables().tables[0].rows
    shown = {name: row[name] for name in ("left", "right", "matches", "pairs")}
    assert shown == {"left": 2, "right": 3, "matches": 4, "pairs": 2}
    assert (row["cost"], row["bound"], row["proven"]) == (-5, -5, True)
    assert row["alignment"] == [0, 1]
    assert found.to_dict()["problems"] == [dict(row)]


def test_the_bound_is_not_the_cost(files: Files) -> None:
    """Hungarian matching does not see what pairs cost, and proves little."""
    lines = [f"a {9 * i + j} {i} {j} -1" for i in range(9) for j in range(9)]
    lines += [f"e {c} {d} {-((c * d) % 7)}" for c in range(81) for d in range(c)]
    text = "\n".join([f"p 9 9 81 {len(lines) - 81}", *lines, ""])
    found = solve([Path(files.one("hard.dd", text))], solver="hungarian")
    table = found.tables().tables[0]
    (row,) = table.rows
    assert row["bound"] < row["cost"]
    cells = {column.title: column.cell(row) for column in table.columns}
    assert float(cells["at least"]) == row["bound"]
    assert float(cells["cost"]) == row["cost"]
    assert cells["proven"] == "no"
