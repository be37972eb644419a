"""LaTeX that compiles, whatever stands in the cells."""

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactmatch.writing.latex import comments, escaped, tabular
from exactmatch.writing.tables import Column, Table

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


def as_table(head, rows):
    keys = [str(k) for k in range(len(head))]
    columns = tuple(Column(key, title) for key, title in zip(keys, head, strict=True))
    return Table("", columns, [dict(zip(keys, row, strict=True)) for row in rows])


@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_hostile_cells_compile(engine, tmp_path):
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    rows = [HOSTILE, HOSTILE[3:] + HOSTILE[:3], HOSTILE[::-1]]
    text = tabular(as_table(HOSTILE, rows))
    body = text + comments([*HOSTILE, "^^M\\undefined"])
    page = f"\\documentclass{{article}}\\begin{{document}}\n{body}\\end{{document}}\n"
    (tmp_path / "page.tex").write_text(page, encoding="utf-8")
    done = subprocess.run(
        [engine, "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


@given(st.text())
def test_no_character_is_left_that_means_something_to_latex(text):
    """Outside the commands that stand for characters."""
    left = re.sub(r"\\[a-z]+\{\}|\\[&%$#_{}]|\$[^$]*\$", "", escaped(text))
    assert not set(left) & set("\\&%$#_{}~^\n\r")


@given(st.lists(st.text(), min_size=1, max_size=3))
def test_a_row_is_never_taken_for_an_argument(cells):
    for line in tabular(as_table(cells, [cells])).splitlines():
        assert not line.startswith(("[", "*"))


@given(st.text())
def test_a_comment_stays_on_its_line(text):
    assert comments([text]).count("\n") == 1
    assert comments([text]).splitlines()[0].startswith("%")


def test_numbers_stand_in_columns():
    assert tabular(as_table(["a", "b"], [["x_1", "0.5"]])) == (
        "\\begin{tabular}{lr}\na & b \\\\ \\hline\nx\\_1 & 0.5 \\\\\n\\end{tabular}\n"
    )
