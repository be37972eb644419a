"""Hostile text in, harmless output out: every command, every format, every stream."""

from __future__ import annotations

import csv
import functools
import io
import json
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files
from support.parts import part

from exactmatch.base.visible import visible
from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.main import main
from exactmatch.cli.parsers import make_parser

TERMINAL = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\x08"
TEXTS = [
    TERMINAL,
    "\u202egnirts\u202c \u2066x\u2069",
    "=cmd|'/Ccalc'!A0",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "[2]",
    "[red]x[/]",
    ":smile:",
    r"\input{/etc/passwd}",
    "$x_1^2$%#&{~}",
    "^^41",
    "<script>alert(1)</script>",
    "</style></pre>&amp;\"'",
    "中文",
    "e\N{COMBINING ACUTE ACCENT}\N{SMILING FACE WITH SMILING EYES}",
]
"""What an id, a sentence, a concept, a constant or a file's name may hold."""

FILES = {
    "compare": ["gold", "pred", "gold", "--names", f"{TEXTS[2]},{TERMINAL}[/]"],
    "correlate": ["pred", "gold", "--foils"],
    "audit": ["pred", "gold", "--restarts", "0", "--seeds", "2"],
    "finegrained": ["pred", "gold", "--per-pair"],
    "score": ["pred", "gold", "--per-pair"],
    "verify": ["proofs", "pred", "gold"],
    "ged": ["pred.tsv", "gold.tsv", "--format-in", "triples", "--paths"],
    "ground-truth": ["set.tsv", "--format-in", "triples", "-o", "truth"],
    "merge": ["part"],
    "solve": ["a\x1b[2J[red].dd"],
    "lint": ["pred", "gold", "--profile", "smatch"],
    "plugins": [],
    "solvers": [],
    "yisi": ["pred.txt", "gold.txt", "--per-pair"],
}


def graph(text: str, other: str) -> str:
    concept = "".join(c for c in text if c not in '"() \t/:~')
    return (
        f"# ::id {text}\n# ::snt {text} {other}\n"
        f'(a / {concept or "x"} :n "{other.replace(chr(34), "")}" :mod (b / c))\n'
    )


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    pred = [graph(text, "one") for text in TEXTS]
    gold = [graph(text, other) for text, other in zip(TEXTS, TEXTS[::-1], strict=True)]
    files.one("pred", "\n".join(pred))
    files.one("gold", "\n".join(gold))
    for name in ("pred", "gold"):
        files.one(f"{name}.txt", "\n".join(TEXTS) + "\n")
        words = [" ".join(text.split()) for text in TEXTS]
        files.one(f"{name}.tsv", "".join(f"{w}\t{w}\t{name}\n" for w in words))
    files.one("set.tsv", "\n\n".join(f"{w}\t{w}\t{w}" for w in words) + "\n")
    files.one(FILES["solve"][0], "p 1 1 1 0\na 0 0 0 -1\n")
    files.one("proofs", proofs())
    files.one("part", part("pred", "gold"))


@functools.cache
def proofs() -> str:
    """The certificates of all pairs, made once."""
    arguments = ["pred", "gold", "--certificates", "written", "-q", "-o", "scores"]
    assert main(arguments) == 0
    Path("scores").unlink()
    return Path("written").read_text(encoding="utf-8")


def cases() -> list[tuple[str, str]]:
    found = []
    for command, module in COMMANDS.items():
        parser = make_parser(module, command, [])
        for action in parser._actions:
            if "--format" in action.option_strings:
                forms = [form for form in action.choices or () if form != "parquet"]
                found += [(command, form) for form in forms]  # no terminal shows that
    return found


def is_harmless(text: str) -> bool:
    """Whether a terminal only prints it."""
    return all(line == visible(line) for line in text.split("\n"))


@pytest.mark.slow
@pytest.mark.parametrize(("command", "form"), cases())
def test_no_command_in_no_format_gives_out_what_came_in(
    command: str, form: str, cli: Cli, tmp_path: Path
) -> None:
    arguments = [command, *FILES.get(command, ["pred", "gold"]), "--format", form]
    code, out, err = cli(*arguments)
    assert code == (command == "lint")  # which finds something
    assert out or (command, form) in (
        ("duplicates", "jsonl"),
        ("plugins", "jsonl"),
    )  # there are none
    assert is_harmless(out)
    assert is_harmless(err)
    _CHECKS[form](out, tmp_path)


@pytest.mark.parametrize("arguments", [["report"], ["draw", "--number", "0"]])
def test_pages_and_drawings_are_harmless_too(arguments: list[str], cli: Cli) -> None:
    command, *options = arguments
    for text in TEXTS[:2]:
        for name in ("pred", "gold"):
            Path(name).write_text(graph(text, TEXTS[0]), encoding="utf-8")
        code, out, err = cli(command, "pred", "gold", *options)
        assert code == 0
        assert out
        assert is_harmless(out)
        assert is_harmless(err)


def _is_json(out: str, _folder: Path) -> None:
    json.loads(out)


def _is_json_lines(out: str, _folder: Path) -> None:
    for line in out.splitlines():
        json.loads(line)


def _is_csv_without_formulas(out: str, _folder: Path) -> None:
    for row in csv.reader(io.StringIO(out)):
        for cell in row:
            if cell[:1] in tuple("=+-@"):
                float(cell)


def _is_text(out: str, _folder: Path) -> None:
    assert out.endswith("\n")


def _is_latex(out: str, folder: Path) -> None:
    if shutil.which("pdflatex") is None:
        return
    page = f"\\documentclass{{article}}\\begin{{document}}\n{out}\\end{{document}}\n"
    (folder / "page.tex").write_text(page, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-1500:]


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.handlers += [name for name, _ in attrs if name.startswith("on")]


def _is_page(out: str, _folder: Path) -> None:
    found = _Tags()
    found.feed(out)
    assert found.scripts == 1  # our own, which alone the page's policy admits
    assert found.handlers == []
    assert "script-src 'sha256-" in out


_CHECKS = {
    "text": _is_text,
    "json": _is_json,
    "jsonl": _is_json_lines,
    "csv": _is_csv_without_formulas,
    "latex": _is_latex,
    "html": _is_page,
}


def test_json_gives_back_every_character(cli: Cli) -> None:
    lines = cli.out("pred", "gold", "--per-pair", "--format", "jsonl").splitlines()
    assert [json.loads(line)["id"] for line in lines] == TEXTS


def test_what_text_shows_is_there_in_full(cli: Cli) -> None:
    """No markup is read from an id, and none of it is lost."""
    out = cli.out("pred", "gold", "--per-pair")
    for text in TEXTS:
        assert visible(text) in out


@pytest.mark.parametrize("option", ["-v", "--by-id", "--strict"])
def test_messages_about_hostile_graphs_are_harmless(option: str, cli: Cli) -> None:
    """Each line of ``-v``, warnings, and the error of a graph that cannot be read."""
    assert is_harmless(cli("pred", "gold", option).err)
    text = Path("pred").read_text(encoding="utf-8")
    Path("bad").write_text(text.replace(":mod (b /", ":mod (a /", 3), encoding="utf-8")
    err = cli.refusal("bad", "gold", option)
    assert "a" in err
    assert is_harmless(err)


@pytest.mark.parametrize(
    "command", sorted({*COMMANDS} - {"completion", "plugins", "solvers"})
)
def test_hostile_names_of_files_and_options_are_harmless(
    command: str, cli: Cli
) -> None:
    name = f"no{TERMINAL}\n\u202e[/].amr"
    arguments = [command, name, *FILES.get(command, ["pred", "gold"])[1:]]
    assert is_harmless(cli.refusal(*arguments))
    err = cli.refusal(command, "pred", "gold", f"--{TERMINAL}")
    assert "owned" in err
    assert is_harmless(err)


def test_answers_about_hostile_files_are_harmless(
    cli: Cli,
) -> None:
    """A file's name in a row of ``explain-profile``, a proof's field in ``verify``."""
    name = f"bad{TERMINAL}.amr"
    text = Path("pred").read_text(encoding="utf-8")
    Path(name).write_text(text.replace("(b / c))", "(b / c)", 1), "utf-8")
    code, out, err = cli("explain-profile", name, "gold")
    assert code == 0
    assert "owned" in out
    assert is_harmless(out + err)
    lines = Path("proofs").read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[1]) | {"index": TERMINAL}
    Path("proofs").write_text("\n".join([lines[0], json.dumps(record)]), "utf-8")
    _, out, err = cli("verify", "proofs", "pred", "gold")
    assert "owned" in out + err
    assert is_harmless(out + err)
