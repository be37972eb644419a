"""Files in each other's place are remarked upon by every command that tells roles."""

from __future__ import annotations

import gzip
import shlex
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

from exactmatch import compare, evaluate
from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.main import main
from exactmatch.errors import ExactmatchWarning
from exactmatch.studies.report import serving
from exactmatch.studies.report import study as reports
from exactmatch.studies.report.view import ReportPage

GRAPH = "# ::id {}\n# ::snt go .\n(w / {} :ARG0 (b / boy))\n\n"
TEXTS = {
    name: "".join(GRAPH.format(k, f"{verb}-01") for k in range(3))
    for name, verb in (("gold", "want"), ("good", "need"), ("poor", "see"))
}
"""References and two systems, no two alike."""

TWO = ("align", "audit", "explain-profile", "finegrained", "score")
SEVERAL = ("errors", "report", "thresholds")
FILES = {
    **dict.fromkeys(TWO, "{pred} {gold}"),
    **dict.fromkeys(SEVERAL, "{gold} --systems {pred} poor.amr"),
    "compare": "{gold} {pred} poor.amr",
    "correlate": "{pred} {gold} human",
    "draw": "{pred} {gold}",
    "matrix": "{pred} {gold}",
    "yisi": "{pred} {gold}",
}
OTHERS = {
    "agreement": "annotators",
    "cluster": "no references",
    "completion": "",
    "convert": "",
    "duplicates": "",
    "ensemble": "systems alone",
    "ged": "no references",
    "ground-truth": "no references",
    "lint": "",
    "merge": "adds up what was scored",
    "nearest": "queries and choices",
    "solve": "",
    "plugins": "",
    "solvers": "",
    "verify": "tries the other way round itself",
}
"""Commands that have no predictions and references, or are tested elsewhere."""

SHORT = {
    "audit": ["--runs", "1"],
    "draw": ["--number", "0"],
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        Path(f"{name}.amr").write_text(text)
    Path("parsed.amr").write_text(TEXTS["good"])
    Path("human").write_text("1\n0.5\n0\n")


def warnings_of(cli: Cli, command: str, pred: str, gold: str) -> str:
    words = FILES[command].format(pred=pred, gold=gold).split()
    code, _, err = cli(command, *words, *SHORT.get(command, ()))
    assert code == 0, err
    said = [line for line in err.splitlines() if "taken for" in line]
    return "\n".join(said)


def test_every_command_is_one_or_the_other() -> None:
    assert FILES.keys() | OTHERS.keys() == COMMANDS.keys()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("command", FILES)
def test_exchanged_files_are_remarked_upon(command: str, cli: Cli) -> None:
    assert warnings_of(cli, command, "good.amr", "gold.amr") == ""
    words = FILES[command].format(pred="good.amr", gold="gold.amr").split()
    right = shlex.join(["exactmatch", command, *words, *SHORT.get(command, ())])
    assert warnings_of(cli, command, "gold.amr", "good.amr") == (
        "exactmatch: warning: gold.amr is taken for predictions and good.amr for "
        "references, but gold.amr is named like references and good.amr is not; if "
        f"they are exchanged: {right}"
    )


@pytest.mark.parametrize("command", SEVERAL)
def test_references_between_two_systems_are_remarked_upon(
    command: str, cli: Cli
) -> None:
    """``report T --systems P G`` takes T for the references."""
    assert cli(command, "gold.amr", "--systems", "good.amr", "poor.amr").err == ""
    err = cli(command, "poor.amr", "--systems", "good.amr", "gold.amr").err
    assert "gold.amr is taken for predictions and poor.amr for references" in err


@pytest.mark.parametrize(
    ("pred", "gold", "why"),
    [
        ("poor.amr", "parsed.amr", "parsed.amr is named like predictions"),
        ("parsed.amr", "good.amr", None),
        ("test.amr", "good.amr", "test.amr is named like references"),
        ("test.parsed.amr", "poor.amr", None),
        ("parsed.amr", "test.parsed.amr", None),
        ("contest.amr", "good.amr", None),
        ("people.amr", "good.amr", "people.amr has annotators' metadata and good.amr"),
        ("people.amr.gz", "good.amr", "people.amr.gz has annotators' metadata"),
        ("people.amr", "people.amr.gz", None),
        ("good.amr", "people.amr", None),
    ],
)
def test_roles_are_told_by_names_and_metadata(
    pred: str, gold: str, why: str | None, cli: Cli
) -> None:
    for name in ("test.amr", "test.parsed.amr", "contest.amr"):
        Path(name).write_text(TEXTS["poor"])
    people = TEXTS["gold"].replace("::snt", "::save-date Mon May 25, 2015\n# ::snt")
    Path("people.amr").write_text(people)
    Path("people.amr.gz").write_bytes(gzip.compress(people.encode()))
    said = warnings_of(cli, "score", pred, gold)
    assert (why in said) if why else (said == "")
    assert cli("score", pred, gold, "-q").err == ""


def test_what_equals_another_file_is_remarked_upon(cli: Cli) -> None:
    """A file that is tried against itself is none that was named by mistake."""
    Path("copy.amr").write_text(TEXTS["gold"])
    assert (
        "copy.amr is the same file as the references" in cli("copy.amr", "gold.amr").err
    )
    assert cli("gold.amr", "gold.amr").err == ""


def test_served_files_are_remarked_upon_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not whenever the page is renewed."""
    written, looks = reports.report_page, count()
    pages: list[ReportPage] = []

    def renewed(*given: Any) -> ReportPage:
        if len(pages) == 2:
            raise KeyboardInterrupt
        pages.append(written(*given))
        return pages[-1]

    monkeypatch.setattr(serving, "_state", lambda _: next(looks))
    monkeypatch.setattr(serving, "_LOOK_EVERY", 0.01)
    monkeypatch.setattr(reports, "report_page", renewed)
    assert main(["report", "gold.amr", "good.amr", "--serve", "--port", "0"]) == 130
    assert capsys.readouterr().err.count("taken for predictions") == 1


def pasted(err: str) -> list[str]:
    """Return the arguments of the command that the one warning ends with."""
    (line,) = [line for line in err.splitlines() if "warning: " in line]
    return shlex.split(line.rpartition(": ")[2])[1:]


@pytest.mark.parametrize(
    "typed",
    ["good.amr poor.amr gold.amr", "good.amr gold.amr poor.amr", "{} --systems {} {}"],
)
def test_references_named_last_have_the_command_to_paste(typed: str, cli: Cli) -> None:
    """The field's habit is predictions first; ``compare`` takes references first."""
    words = typed.replace("{}", "{}.amr").format("poor", "good", "gold").split()
    command = "errors" if "--systems" in words else "compare"
    right = pasted(cli(command, *words).err)
    assert (right[0], right[1]) == (command, "gold.amr")
    ran = cli(*right)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("reference: gold.amr; systems: good, poor\n") or (
        command == "errors" and "systems: good, poor" in ran.out.partition("\n")[0]
    )


def test_a_second_system_among_the_references_is_remarked_upon(cli: Cli) -> None:
    """``score A B GOLD`` takes B for a second reference and says so."""
    for typed in (["good.amr", "poor.amr", "gold.amr"], ["gold.amr", "good.amr"]):
        words = [*typed, "poor.amr"] if len(typed) == 2 else typed
        ran = cli("score", *words)
        roles = f"prediction: {words[0]}; references: {words[1]}, {words[2]}\n"
        assert ran.out.startswith(roles)
        assert pasted(ran.err) == ["compare", "gold.amr", "good.amr", "poor.amr"]
    Path("gold2.amr").write_text(TEXTS["poor"])
    Path("parserB.amr").write_text(TEXTS["poor"])
    err = cli("score", "good.amr", "gold.amr", "parserB.amr").err
    assert pasted(err) == ["compare", "gold.amr", "good.amr", "parserB.amr"]
    ran = cli("score", "good.amr", "gold.amr", "gold2.amr")
    assert ran.err == ""
    assert ran.out.startswith("prediction: good.amr; references: gold.amr, gold2.amr\n")
    with_flag = cli("good.amr", "--references", "poor.amr", "gold.amr").err
    assert "only gold.amr is named like references; 'exactmatch compare" in with_flag


def test_a_word_in_every_name_says_nothing(cli: Cli) -> None:
    for name in ("test.a", "test.b", "test.gold"):
        Path(name).write_text(
            TEXTS["gold" if "gold" in name else "good"] + " " * ord(name[-1])
        )
    assert cli("compare", "test.gold", "test.a", "test.b").err == ""
    err = cli("compare", "test.a", "test.b", "test.gold").err
    assert pasted(err) == ["compare", "test.gold", "test.a", "test.b"]
    for folder in ("parsed", "gold"):
        Path(folder).mkdir()
        Path(folder, "dev.amr").write_text(
            TEXTS["gold" if folder == "gold" else "good"]
        )
    right = pasted(cli("gold/dev.amr", "parsed/dev.amr").err)
    assert right == ["parsed/dev.amr", "gold/dev.amr"]


def test_python_warns_of_exchanged_files() -> None:
    assert not evaluate(Path("good.amr"), Path("gold.amr")).warnings
    systems = {"good": Path("good.amr"), "gold": Path("gold.amr")}
    with pytest.warns(ExactmatchWarning, match="gold.amr is taken for predictions"):
        compare(systems, Path("poor.amr"))
    with pytest.warns(ExactmatchWarning, match="only gold.amr is named like"):
        evaluate(Path("good.amr"), [Path("poor.amr"), Path("gold.amr")])
    with pytest.warns(ExactmatchWarning, match="the other way round"):
        report = evaluate(Path("gold.amr"), Path("good.amr"))
    (told,) = report.warnings["files"].examples
    assert told.startswith("gold.amr is taken for predictions and good.amr for")


def test_sources_and_targets_are_two_sides_without_references(
    cli: Cli, files: Files
) -> None:
    """The files of a set of pairs are called so, in either order."""
    files.enter()
    for name in ("src", "tgt", "source", "target", "pred"):
        files.one(f"{name}.amr", TEXTS["poor" if name == "pred" else "gold"])
    for pair in (("src.amr", "tgt.amr"), ("tgt.amr", "src.amr")):
        assert "exchanged" not in cli("correlate", *pair, "--human", human(files)).err
    assert "exchanged" not in cli("target.amr", "source.amr").err
    assert "if they are exchanged" in cli("target.amr", "pred.amr").err


def human(files: Files) -> str:
    return files.lines("h.csv", ["id,score", "0,0.5", "1,0.9", "2,0.7"])


def test_the_verdict_says_how_many_pairs_were_judged(cli: Cli, files: Files) -> None:
    files.enter()
    graphs = [GRAPH.format(k, f"v-0{k}") for k in range(4)]
    files.one("gold.amr", "".join(graphs))
    graphs[1] = graphs[1].replace("(b / boy)", "(g / girl :mod (t / tall))")
    files.one("pred.amr", "".join(graphs[:2] + graphs[2:][::-1]).replace("::id 3", ""))
    pair = "gold.amr", "pred.amr"
    out = cli.out("correlate", *pair, "--human", human(files))
    assert " pairs (3 of 4 judged))" in out
    assert "nobody judged 1 of 4 pairs" in out
