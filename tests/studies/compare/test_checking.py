"""UMR files are checked before they are compared."""

from __future__ import annotations

from support.command import Cli
from support.files import Files
from support.samples import UMR

import exactmatch
from exactmatch.studies.lint.study import lint

BROKEN = UMR.replace(":aspect performance", ":aspect never")


def write(files: Files) -> None:
    files.enter()
    for system, text in (("gold", UMR), ("alpha", BROKEN), ("beta", UMR)):
        files.one(f"{system}/one.umr", text)


def test_one_line_says_what_lint_finds(cli: Cli, files: Files) -> None:
    write(files)
    out = cli.out("compare", "gold", "alpha", "beta", "--profile", "umr")
    (line,) = [x for x in out.splitlines() if x.startswith("checked first")]
    found = lint([files.folder / x for x in ("gold", "alpha", "beta")], profile="umr")
    rules = [finding.rule for finding in found.findings]
    assert "umr-value" in rules
    assert f"lint finds {len(rules)} warning" in line
    assert line.endswith("; exactmatch lint --profile umr gold alpha beta lists them")
    answer = cli.json("compare", "gold", "alpha", "beta", "--metric", "umatch")
    assert answer["checked"] == line


def test_it_can_be_left_out(cli: Cli, files: Files) -> None:
    write(files)
    out = cli.out("compare", "gold", "alpha", "beta", "--no-check", "--profile", "umr")
    assert "checked" not in out


def test_unreadable_files_are_said_before_the_comparison_stops(
    cli: Cli, files: Files
) -> None:
    write(files)
    files.one("beta/one.umr", UMR.replace("/ run-02", "/ run-02 (x"))
    words = cli.refusal("compare", "gold", "alpha", "beta", "--profile", "umr")
    assert "checked first: lint finds 1 error" in words
    assert "without a role in front of it" in words


def test_files_without_a_fault() -> None:
    clean = UMR.replace("0:00", "0:00")
    result = exactmatch.compare({"a": [clean], "b": [clean]}, [clean])
    assert result.checked == ""


def test_graphs_in_other_formats_are_not_checked(cli: Cli, files: Files) -> None:
    files.enter()
    for name in ("gold.amr", "a.amr", "b.amr"):
        files.one(name, "(b / bark-01)")
    assert "checked" not in cli.out("compare", "gold.amr", "a.amr", "b.amr")
