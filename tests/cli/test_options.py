"""Every option that a command offers has its effect there.

The commands are asked for what they offer, so that a new one is tested before its
author writes a test.
"""

from __future__ import annotations

import csv
import io
import json
import pkgutil
import re
from functools import cache
from pathlib import Path
from typing import Any

import loky
import pytest
from support.command import without_provenance
from support.parts import part

from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.main import main
from exactmatch.cli.parsers import make_parser
from exactmatch.solvers import highs
from exactmatch.solvers.certificate import CertificateError
from exactmatch.studies.audit import study

ONE = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
TWO = "(a / and :op1 (t / team :mod (c / big)) :op2 (u / team :mod (d / big)))"
PRED = f"# ::id one\n{ONE}\n\n# ::id two\n{TWO}\n"
GOLD = PRED.replace("go-02", "leave-11").replace(":mod (d", ":poss (d")

FILES = {
    "compare": ["gold.amr", "pred.amr", "other.amr", "--names", "a,b"],
    "correlate": ["pred.amr", "gold.amr", "--foils"],
    "draw": ["pred.amr", "gold.amr", "--number", "0"],
    "audit": ["pred.amr", "gold.amr", "--restarts", "0", "--seeds", "2"],
    "ged": ["ring.tsv", "rings.tsv"],
    "merge": ["part"],
    "solve": ["rings.dd"],
    "verify": ["certificates", "pred.amr", "gold.amr"],
    "plugins": [],
    "solvers": [],
    "completion": ["bash"],
}
"""What a command is called with; otherwise with two files."""


_OWN_END = ("ground-truth",)
"""The commands that come to no end, or write a folder and not an answer."""


def offers(flag: str, *but: str) -> Any:
    """The commands that have an option and come to an end, except some."""
    names = []
    for name, module in COMMANDS.items():
        parser = make_parser(module, name, [])
        if flag in parser._option_string_actions and name not in (*_OWN_END, *but):
            names.append(name)
    assert names
    return pytest.mark.parametrize("command", names)


@pytest.fixture(autouse=True)
def _in_folder_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pred.amr").write_text(PRED)
    (tmp_path / "gold.amr").write_text(GOLD)
    (tmp_path / "other.amr").write_text(GOLD.replace("boy", "girl"))
    for name, steps in (("ring", (1, 1, 1, 1, 1, -5)), ("rings", (1, 1, -2) * 2)):
        lines = (f"_:{n}\tto\t_:{n + step}\n" for n, step in enumerate(steps))
        (tmp_path / f"{name}.tsv").write_text("".join(lines))
    (tmp_path / "rings.dd").write_text(rings())
    (tmp_path / "certificates").write_text(certificates())
    (tmp_path / "part").write_text(part("pred.amr", "gold.amr"))


@cache
def certificates() -> str:
    """The proofs of the two pairs."""
    assert main(["pred.amr", "gold.amr", "-q", "--certificates", "c", "-o", "o"]) == 0
    Path("o").unlink()
    text = Path("c").read_text()
    Path("c").unlink()
    return text


def rings() -> str:
    """A ring of six nodes on two of three, as a graph matching problem."""
    ring = {(n, (n + 1) % 6) for n in range(6)}
    two = {(n, n - 2 if n % 3 == 2 else n + 1) for n in range(6)}
    pairs = [
        f"e {6 * i + j} {6 * k + m} -1\n"
        for i, k in sorted(ring)
        for one, other in sorted(two)
        for j, m in ((one, other), (other, one))
    ]
    matches = [f"a {6 * i + j} {i} {j} 0\n" for i in range(6) for j in range(6)]
    return f"p 6 6 36 {len(pairs)}\n" + "".join(matches + pairs)


def run(
    capsys: pytest.CaptureFixture[str], command: str, *arguments: str
) -> tuple[int, str, str]:
    files = FILES.get(command, ["pred.amr", "gold.amr"])
    code = main([command, *files, *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def refuse(*_: object) -> None:
    raise CertificateError("it is wrong")


@pytest.mark.slow
@offers("--certify")
def test_certificates_are_checked(
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code, _, err = run(capsys, command, "--certify")
    assert code == 0, err
    assert re.search(r"\d certificates? checked, 0 rejected", err)
    monkeypatch.setattr("exactmatch.solvers.solution.check_solution", refuse)
    code, _, err = run(capsys, command, "--certify")
    assert code == 1
    assert re.search(r"\d certificates? checked, [1-9]\d* rejected", err)


@pytest.mark.parametrize("metric", ["smatch", "s2match"])
def test_every_searching_metrics_certificates_are_checked(
    metric: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, err = run(capsys, "score", "--metric", metric, "--certify")
    assert "2 certificates checked, 0 rejected" in err


@pytest.mark.slow
@offers("--require-optimal", "audit")
def test_a_proof_can_be_demanded(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A climber proves nothing where two teams are to be told apart."""
    assert run(capsys, command, "--require-optimal")[0] == 0
    assert run(capsys, command, "--solver", "hillclimb")[0] == 0
    arguments = ("--solver", "hillclimb", "--require-optimal")
    assert run(capsys, command, *arguments)[0] == 1


@pytest.mark.slow
@offers("--time-limit", "audit")
def test_a_time_limit_leaves_pairs_open(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """HiGHS proves nothing in a billionth of a second."""
    arguments = ("--solver", "highs", "--require-optimal")
    assert run(capsys, command, *arguments, "--time-limit", "60")[0] == 0
    assert run(capsys, command, *arguments, "--time-limit", "1e-9")[0] == 1


@offers("--total-time", "audit")
def test_what_the_total_time_does_not_reach_stays_open(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    demand = ("--require-optimal", "--total-time")
    assert run(capsys, command, *demand, "600")[0] == 0
    assert run(capsys, command, *demand, "1e-9")[0] == 1


def test_the_total_time_is_in_the_signature_and_the_score_an_interval(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = run(capsys, "score", "--total-time", "1e-9", "--format", "json")
    (record,) = json.loads(out)["metrics"]
    assert "|proven:0/2|total:1e-09s|" in record["signature"]
    assert record["f1"] == 0.0
    assert record["f1_upper"] > 0.9


@pytest.mark.parametrize("limit", ["--time-limit", "--total-time"])
def test_pairs_that_are_not_climbed_in_time_are_left_out(
    limit: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = run(capsys, "audit", limit, "1e-9")
    assert (code, out) == (2, "")
    assert "no pair was climbed in time; allow more by --time-limit" in err
    climbed = study.climb_pair

    def first(task: Any, plan: Any, limits: Any) -> Any:
        assert (limits.seconds, limits.until) != (None, None)
        return climbed(task, plan) if task[1] == 0 else None

    monkeypatch.setattr(study, "climb_pair", first)
    code, out, _ = run(capsys, "audit", limit, "600")
    assert code == 0
    assert "; 1 pair, every one proven optimal" in out
    assert "1 pair not climbed in time and left out of all numbers here" in out


def test_an_audit_of_what_is_not_proven(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(highs.Highs, "_solve", lambda *given: given[-1].proposal())
    arguments = ("--solver", "highs")
    code, out, _ = run(capsys, "audit", *arguments)
    assert code == 0
    assert "not proven optimal: errors are at least those shown" in out
    assert run(capsys, "audit", *arguments, "--require-optimal")[0] == 1


@pytest.mark.slow
@offers("-v", "convert", "yisi")
def test_verbose_tells_how_each_pair_was_solved(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "pair 2 (two)" not in run(capsys, command)[2]
    err = run(capsys, command, "-v")[2]
    assert re.search(r"pair 1 \(one\): \S+ 0\.\d+, matched .* \(optimal\), solver", err)
    assert "pair 2 (two)" in err
    assert run(capsys, command, "-v", "-q")[2] == ""


def without_times(text: str) -> str:
    return re.sub(r'"seconds": [-0-9.e]+', "", without_provenance(text))


@pytest.mark.slow
@offers(
    "-j", "agreement", "report", "nearest", "matrix", "duplicates", "cluster", "verify"
)  # no JSON; or threads; or other programs
def test_several_processes_are_used_and_change_nothing(
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[int] = []

    class Counted(loky.ProcessPoolExecutor):
        def __init__(self, jobs: int, **more: Any) -> None:
            started.append(jobs)
            super().__init__(jobs, **more)

    monkeypatch.setattr(loky, "ProcessPoolExecutor", Counted)
    one = run(capsys, command, "--format", "json")
    assert not started
    two = run(capsys, command, "--format", "json", "-j", "2")
    assert set(started) == {2}
    assert without_times(two[1]) == without_times(one[1])
    assert (two[0], two[2]) == (one[0], one[2])


@offers("--cache")
def test_what_is_kept_is_not_compared_again(
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = run(capsys, command, "--format", "json")
    kept = ("--format", "json", "--cache", "kept")
    first = run(capsys, command, *kept)
    assert Path("kept", "pairs.sqlite").exists()
    monkeypatch.setattr("exactmatch.metrics.smatch.Smatch.build_problem", _forbid)
    code, again, _ = run(capsys, command, *kept)
    assert "|cached:" in again or command == "explain-profile"  # it has no signature
    assert (code, re.sub(r"\|cached:\d+/\d+", "", again)) == first[:2]
    assert without_times(first[1]) == without_times(plain[1])


def test_one_alignment_is_shown_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "align", "--metric", "smatch,s2match")
    assert (code, out) == (2, "")
    assert "alignments are of one metric" in err
    code, _, err = run(capsys, "align", "--metric", "sembleu")
    assert code == 2
    assert "metric 'sembleu' does not align variables; use smatch or s2match" in err


# Files that are written, and Ctrl-C


def left_behind() -> set[str]:
    return {path.name for path in Path().iterdir()} - {
        "pred.amr",
        "gold.amr",
        "other.amr",
        "ring.tsv",
        "rings.tsv",
        "certificates",
        "part",
        "rings.dd",
    }


def _forbid(*_args: object) -> None:
    pytest.fail("there was work before the file was tried")


@offers("-o")
@pytest.mark.parametrize("path", ["nowhere/x", "."])
def test_an_unwritable_file_is_one_sentence_before_any_work(
    command: str,
    path: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactmatch.metrics.base.GraphMetric.read", _forbid)
    code, out, err = run(capsys, command, "-o", path)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert f"error: {path}: " in err


@offers("--plot")
@pytest.mark.parametrize("path", ["nowhere/x.png", "folder.svg"])
def test_an_unwritable_picture_is_one_sentence_before_any_work(
    command: str,
    path: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("matplotlib")
    Path("folder.svg").mkdir()
    monkeypatch.setattr("exactmatch.metrics.base.GraphMetric.read", _forbid)
    code, out, err = run(capsys, command, "--plot", path)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert f"error: {path}: " in err


def interrupted(*_args: object, **_options: Any) -> None:
    raise KeyboardInterrupt


PARTIAL = ("score", "finegrained")
"""The commands that report what they have when they are interrupted."""


NOT_BY_METRICS = (
    "yisi",
    "completion",
    "convert",
    "ged",
    "solve",
    "draw",
    "lint",
    "merge",
    "plugins",
    "solvers",
)
"""The commands that read otherwise."""


@offers("-o", *PARTIAL, *NOT_BY_METRICS)
def test_ctrl_c_is_one_sentence_and_no_file(
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("old").write_text("kept")
    monkeypatch.setattr("exactmatch.metrics.base.GraphMetric.read", interrupted)
    for path in ("new", "old"):
        code, out, err = run(capsys, command, "-o", path)
        assert (code, out, err) == (130, "", "exactmatch: interrupted\n")
        assert left_behind() == {"old"}
        assert Path("old").read_text() == "kept"


@pytest.mark.parametrize("command", PARTIAL)
def test_ctrl_c_leaves_what_was_scored_marked_as_partial(
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("exactmatch.metrics.base.GraphMetric.read", interrupted)
    code, out, err = run(capsys, command, "-o", "new")
    assert (code, out) == (130, "")
    assert err == "exactmatch: interrupted; what is shown is partial\n"
    assert "PARTIAL: interrupted before the end" in Path("new").read_text()
    code, _, err = run(capsys, command, "--confidence")
    assert code == 130
    assert err == (
        "exactmatch: interrupted; what is shown is partial, without the confidence "
        "intervals\n"
    )


@pytest.mark.parametrize("form", ["text", "json", "csv", "latex", "html"])
@pytest.mark.parametrize("command", PARTIAL)
def test_a_partial_report_of_nothing_has_no_numbers(
    command: str,
    form: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is not 0: a dash for people, null or an empty cell for programs."""
    monkeypatch.setattr("exactmatch.scoring.pair.PairScorer.score", interrupted)
    code, out, _ = run(capsys, command, "--format", form)
    assert code == 130
    assert "0.0000" not in out
    if form == "json":
        for record in json.loads(out)["metrics"]:
            assert record["partial"]
            assert record["pairs"] == 0
            for name in ("precision", "recall", "f1", "score", "f1_upper"):
                assert record[name] is None
    elif form == "csv":
        (row, *_) = csv.DictReader(io.StringIO(out))
        assert (row["pairs"], row["f1"], row["score"]) == ("0", "", "")
    else:
        assert "-" in out


def test_smatchs_own_lines_of_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exactmatch.scoring.pair.PairScorer.score", interrupted)
    assert main(["-f", "pred.amr", "gold.amr"]) == 130
    assert capsys.readouterr().out == "F-score: -\n"


@pytest.mark.parametrize(
    "place",
    [
        "exactmatch.studies.audit.study.climb_pair",
        "exactmatch.studies.audit.summary.search_errors",
        "matplotlib.figure.Figure.savefig",
        "exactmatch.base.files._put_in_place",
    ],
)
def test_ctrl_c_at_any_point_of_an_audit_leaves_nothing(
    place: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("matplotlib")
    home, _, name = place.rpartition(".")
    monkeypatch.setattr(pkgutil.resolve_name(home), name, interrupted)
    files = ("-o", "error.csv", "--plot", "error.png", "--format", "csv")
    code, out, err = run(capsys, "audit", *files)
    assert (code, out) == (130, "")
    assert err.splitlines()[-1] == "exactmatch: interrupted"
    assert left_behind() == set()


# Seeds and signatures


def test_what_is_drawn_is_in_the_signature(
    capsys: pytest.CaptureFixture[str],
) -> None:
    climbing = ("--solver", "hillclimb", "--seed", "7")
    for command in ("score", "compare", "correlate", "finegrained"):
        assert "|seed:7|" in run(capsys, command, *climbing)[1]
    assert "seed" not in without_provenance(run(capsys, "score", "--seed", "7")[1])
    own = ("--solver", "hillclimb:restarts=1,seed=3", "--seed", "7")
    out = run(capsys, "score", *own)[1]
    assert "hillclimb:restarts=1,seed=3|" in out
    assert "seed:7" not in out
    assert "|seed:7\n" in run(capsys, "audit", "--seed", "7")[1]
    assert "samples:10000|seed:7" in run(capsys, "compare", "--seed", "7")[1]
    Path("human").write_text("0.5\n0.7\n")
    main(["correlate", "pred.amr", "gold.amr", "human", "--seed", "7"])
    out = capsys.readouterr().out
    assert "|interval:halves,10000,seed:7,level:95%\n" in out
