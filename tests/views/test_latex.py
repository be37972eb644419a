"""LaTeX that compiles, whatever stands in the cells."""

import io
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.files import Files

from exactmatch.base.numbers import Bounds, Ends, Share
from exactmatch.views.latex import RULES, comments, escaped, tabular
from exactmatch.views.tables import Column, Table, Tables, write

HOSTILE = [
    r"\input{/etc/passwd}",
    "$x_1^2$",
    "50 % & #1 {a} ~b",
    "[2em]",
    "*",
    "^^41",
    "a\nb\x1b\u202e\udcff",
    "中文 é \N{SMILING FACE WITH SMILING EYES} e\N{COMBINING ACUTE ACCENT}",
    "",
    "\\",
    "✓ ✗ ± Δ ε ρ τ ² … | < > ≤ ≥ ×",
    "".join(map(chr, (*range(0xA1, 0x250), *range(0x2010, 0x2070)))),
    "Ελληνικά Кириллица עברית العربية हिन्दी ไทย 한국어",
]


def as_table(head: Any, rows: Any) -> Table:
    keys = [str(k) for k in range(len(head))]
    columns = tuple(Column(key, title) for key, title in zip(keys, head, strict=True))
    return Table("", columns, [dict(zip(keys, row, strict=True)) for row in rows])


@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_hostile_cells_compile(engine: str, files: Files, tmp_path: Path) -> None:
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    rows = [HOSTILE, HOSTILE[3:] + HOSTILE[:3], HOSTILE[::-1]]
    text = tabular(as_table(HOSTILE, rows))
    body = RULES + text + comments([*HOSTILE, "^^M\\undefined"])
    page = f"\\documentclass{{article}}\\begin{{document}}\n{body}\\end{{document}}\n"
    files.one("page.tex", page)
    done = subprocess.run(
        [engine, "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


@given(st.text())
def test_no_character_is_left_that_means_something_to_latex(text: str) -> None:
    """Outside the commands that stand for characters."""
    left = re.sub(r"\\[a-z]+\{\}|\\[&%$#_{}]|\$[^$]*\$", "", escaped(text))
    assert not set(left) & set("\\&%$#_{}~^\n\r")


@given(st.lists(st.text(), min_size=1, max_size=3))
def test_a_row_is_never_taken_for_an_argument(cells: Any) -> None:
    for line in tabular(as_table(cells, [cells])).splitlines():
        assert not line.startswith(("[", "*"))


@given(st.text())
def test_a_comment_stays_on_its_line(text: str) -> None:
    assert comments([text]).count("\n") == 1
    assert comments([text]).splitlines()[0].startswith("%")


def test_numbers_stand_in_columns() -> None:
    assert tabular(as_table(["a", "b"], [["x_1", "0.5"]])) == (
        "\\begin{tabular}{lr}\n\\toprule\na & b \\\\\n\\midrule\nx\\_1 & 0.5 \\\\\n"
        "\\bottomrule\n\\end{tabular}\n"
    )


def compared(**score: Any) -> Table:
    """A table of three systems under two metrics, with a score for each."""
    scores = [("a", "x", 0.5), ("a", "y", 0.62341), ("a", "z", 0.62343), ("b", "x", 1)]
    rows = [{"metric": m, "system": s, "score": n} for m, s, n in scores]
    rows[0]["star"] = "**"
    columns = (
        Column("metric", "metric"),
        Column("system", "system"),
        Column("score", "F1", Share(4), **score),
    )
    return Table("", columns, rows, group="metric", legend="**: p < 0.01")


def written(table: Any) -> str:
    stream = io.StringIO()
    write(stream, Tables("", (table,), None), "latex")
    return stream.getvalue()


def test_scores_are_in_percent_and_the_best_of_a_group_is_bold() -> None:
    """Values that read alike are equally good; a row alone is not the best of any."""
    out = written(compared(is_better=True))
    assert "% scores are in percent\n" in out
    assert "a & x & 50.00 \\\\\n" in out
    assert "a & y & \\textbf{62.34} \\\\\n" in out
    assert "a & z & \\textbf{62.34} \\\\\n" in out
    assert "b & x & 100.00 \\\\\n" in out


def test_nothing_is_bold_where_nothing_is_better() -> None:
    assert "textbf" not in written(compared())


def test_marks_stand_beside_values_and_are_explained() -> None:
    out = written(compared(mark="star"))
    assert "a & x & 50.00$^{**}$ \\\\\n" in out
    assert "% **: p < 0.01\n" in out


def test_minus_signs_are_minus_signs_in_numbers_alone() -> None:
    columns = (
        Column("name", ""),
        Column("change", "", Share(4, signed=True)),
        Column("text", "", is_text=True),
    )
    rows: list[dict[str, Any]] = [
        {"name": "-1", "change": Ends(-0.0123, 0.2), "text": "-0.5"},
        {"name": "b", "change": Bounds(-0.5, -0.25), "text": ""},
        {"name": "c", "change": None, "text": ""},
    ]
    out = tabular(Table("", columns, rows).in_percent())
    assert "-1 & [$-$1.23, +20.00] & -0.5 \\\\" in out
    assert "b & $-$50.00..$-$25.00 & " in out
    assert "c & -- & " in out
