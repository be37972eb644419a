"""Options that choose what counts, on the command line and from Python."""

from __future__ import annotations

import math
import re
import warnings
from itertools import pairwise

import pytest
from support.command import Cli
from support.files import Files
from support.samples import UMR

import exactmatch
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.making import make_metric

PREDS = "(d / dog :ARG0 (b / boy) :polarity -)\n\n(r / rain-01)\n"
GOLDS = "(c / cat :ARG0 (g / girl))\n\n(r / rain-01 :time (n / now))\n"

UNKNOWN = "no graph has the role"
METRICS = "smatch,s2match,sembleu,rematch,wlk,yisi"


def test_a_role_that_no_graph_has_counts_nothing(cli: Cli, files: Files) -> None:
    """Nothing is no number, and never 1."""
    pair = files.pair(PREDS, GOLDS)
    for record in cli.json(*pair, "--metric", METRICS, "--only", "ARG99")["metrics"]:
        assert record["score"] is None, record
        assert record["pairs"] == 2
    found = cli(*pair, "--only", "ARG99", "--profile", "smatchpp", "--macro")
    assert found.out.splitlines()[1].split() == ["smatch", "-", "-", "-"]
    assert "--roles; did you mean 'arg0'?" in found.err
    assert "nothing counts on either side" in found.err


def test_means_are_over_pairs_of_which_something_counts(cli: Cli, files: Files) -> None:
    """Of two pairs one has a polarity, and one a time; both have an ARG0."""
    pair = files.pair(PREDS, PREDS)
    every = ("--only", "polarity", "--metric", METRICS, "--macro")
    for record in cli.json(*pair, *every, "--per-pair")["metrics"]:
        first, second = record["per_pair"]
        assert (record["score"], first["score"], second["score"]) == (1, 1, None)
        assert (second["precision"], second["f1"]) == (None, None)
    metric = make_metric("smatch", profile=PROFILES["smatch"].with_options(only="time"))
    scorer = exactmatch.Scorer(metric)
    prepared = scorer.prepare(["(a / b)", "(a / b :time (c / d))"])
    scorer.update(prepared, prepared)
    assert scorer.compute()["smatch"].macro["f1"] == 1


@pytest.mark.parametrize(
    "command", ["score", "compare", "errors", "align", "matrix", "nearest", "agreement"]
)
@pytest.mark.parametrize("option", ["--roles", "--except-roles"])
def test_unknown_roles_are_told_of(
    command: str, option: str, cli: Cli, files: Files
) -> None:
    pair = files.pair(PREDS, GOLDS)
    if command == "compare":
        pair = [pair[1], pair[0], pair[0]]
    told = cli(command, *pair, option, "ARG,polarity").err
    assert f"{UNKNOWN} 'arg' of {option}; did you mean 'arg0'?" in told
    assert told.count(f"{UNKNOWN} 'arg'") == 1
    assert UNKNOWN not in cli(command, *pair, option, "polarity,:ARG0,TOP,concept").err
    assert UNKNOWN not in cli(command, *pair, option, "ARG", "-q").err


@pytest.mark.parametrize(
    ("profile", "role", "near"),
    [("smatch", "mod", "domain"), ("clean", "domain", "mod")],
)
def test_a_role_that_is_read_as_its_inverse_counts_by_both_names(
    profile: str, role: str, near: str, cli: Cli, files: Files
) -> None:
    """Readers turn one of ``:mod`` and ``:domain`` around; files may have either."""
    text = f"(d / dog :{role} (b / big) :mode x :main y)"
    pair = *files.pair(text, text), "--profile", profile
    for name in (role, near):
        assert UNKNOWN not in cli(*pair, "--roles", name).err
        assert cli.json(*pair, "--roles", name)["metrics"][0]["gold_total"] == 1
        left_out = cli.json(*pair, "--except-roles", name)["metrics"][0]["gold_total"]
        assert left_out == cli.json(*pair)["metrics"][0]["gold_total"] - 1
    kept_apart = cli(*pair[:2], "--profile", "smatchpp-generic", "--roles", near)
    assert (
        f"{UNKNOWN} {near!r} of --roles; did you mean {role!r}, the" in kept_apart.err
    )


@pytest.mark.slow
def test_roles_that_a_profile_makes_are_known(cli: Cli, files: Files) -> None:
    pair = files.pair(
        *["(d / dog :ARG1-of (b / be-located-at-91 :ARG2 (h / hut)))"] * 2
    )
    asked = (*pair, "--profile", "clean", "--only", "location")
    assert UNKNOWN in cli(*asked).err
    assert UNKNOWN not in cli(*asked, "--dereify", "-j", "2").err


def test_python_tells_of_unknown_roles_and_takes_them_as_the_command_line() -> None:
    for only in (("ARG0", ":Polarity", "ARG"), "ARG0,polarity,ARG"):
        profile = PROFILES["smatch"].with_options(only=only)
        assert profile.only == ("arg0", "polarity", "arg")
        pair = [PREDS.split("\n")[0]], [GOLDS.split("\n")[0]]
        with pytest.warns(exactmatch.errors.ExactmatchWarning, match="of --roles"):
            report = exactmatch.evaluate(*pair, profile=profile)
        assert report["smatch"].score.pred_total == 2
        (told,) = report.warnings["roles"].examples
        assert told == "no graph has the role 'arg' of --roles; did you mean 'arg0'?"
    found = exactmatch.smatch("(a / b)", "(a / b)", profile=profile)
    assert repr(found) == "smatch -"
    assert not math.isnan(found.f1)


def test_what_has_no_score_is_shown_as_nothing(cli: Cli, files: Files) -> None:
    """The second pair has no polarity on either side: it is neither 0 nor the worst."""
    pred, gold = files.pair(PREDS, GOLDS)
    only = ("--only", "polarity", "-q")
    align = cli.out("align", pred, gold, *only)
    assert "pair 1: Smatch 0.0000" in align
    assert "pair 2: Smatch -," in align
    assert "pair 2" not in cli.out("align", pred, gold, *only, "--below", "0.5")
    assert cli.out("align", pred, gold, *only, "--worst", "1").startswith("pair 1")
    compared = cli.json("compare", gold, pred, gold, *only, "--per-pair")
    first, second = compared["per_pair"]
    assert set(second["scores"].values()) == {None}
    assert first["scores"] == {"pred": 0, "gold": None}
    assert first["differences"] == second["differences"] == {"gold": None}
    rows = cli.out("compare", gold, pred, gold, *only, "--per-pair").splitlines()
    table = [line.split() for line in rows if line.startswith(("1 ", "2 "))]
    assert [row[-2:] for row in table] == [["-", "-"]] * 2
    assert "0.0000" not in cli.out("agreement", pred, gold, "--only", "ARG99", "-q")
    lines = cli(pred, gold, "--only", "polarity", "-v").err
    assert "pair 2: smatch -, matched 0 (optimal)" in lines


def test_tables_of_documents_choose_roles_by_themselves(cli: Cli, files: Files) -> None:
    """The user did not choose a row of ``:ARG9``; inverse roles are as written."""
    pair = files.pair(UMR, UMR, ".umr")
    assert UNKNOWN not in cli("finegrained", *pair, "--style", "umatch").err
    asked = (*pair, "--metric", "umatch", "--profile", "umr", "--only")
    assert UNKNOWN not in cli(*asked, "ARG0-of,aspect,coref").err
    assert f"{UNKNOWN} 'arg7-of'" in cli(*asked, "ARG7-of,aspect").err


def test_python_tells_of_unknown_roles() -> None:
    profile = PROFILES["smatch"].with_options(only="tmie")
    metric = make_metric("smatch", profile=profile)
    left, right = (text.split("\n\n") for text in (PREDS, GOLDS))
    with pytest.warns(exactmatch.errors.ExactmatchWarning, match="'time'"):
        exactmatch.cdist(left, right, metric)
    exactmatch.smatch(left[1], right[1], profile=profile)  # a pair may lack a role


def test_kinds_of_triples_are_chosen_of_metrics_that_count_triples(
    cli: Cli, files: Files
) -> None:
    pair = files.pair(PREDS, GOLDS)
    for name in ("sembleu", "rematch", "wlk", "wwlk", "yisi"):
        just = ("--metric", name, "--just", "relation")
        whole = cli.json(*pair, "--metric", name)["metrics"]
        assert cli.json(*pair, *just)["metrics"] == whole
        assert f"--just has no effect on {name}" in cli(*pair, *just).err
    assert "no effect" not in cli(*pair, "--just", "relation").err


@pytest.mark.parametrize(
    ("options", "idle"),
    [
        ("--roles arg0 --no-sense --no-wiki", ["--no-sense", "--no-wiki"]),
        ("--roles arg0,concept --no-sense --no-wiki", ["--no-wiki"]),
        ("--roles arg0,wiki,concept --no-sense --no-wiki", []),
        ("--except-roles concept --no-sense", ["--no-sense"]),
        ("--except-roles time --no-sense --no-wiki", []),
        ("--just relation --no-sense --no-wiki", ["--no-sense", "--no-wiki"]),
        ("--just attribute --no-sense --no-wiki", ["--no-sense"]),
        ("--roles top --top concept --no-sense", []),
        ("--no-sense --no-wiki", []),
    ],
)
def test_options_that_chosen_roles_leave_without_effect_are_named(
    options: str, idle: list[str], cli: Cli, files: Files
) -> None:
    """Each that is named changes no number, and Python names the same ones."""
    graphs = (
        '(w / want-01 :ARG0 (b / boy :wiki "Q1") :ARG1 (g / go-02 :time (n / now)))',
        '(w / want-02 :ARG0 (b / boy :wiki "Q2") :ARG1 (g / go-03 :time (n / new)))',
    )
    pair, words = files.pair(*graphs), options.split()
    counted = ("matched", "pred_total", "gold_total")
    err = cli(*pair, *words).err
    (whole,) = cli.json(*pair, *words)["metrics"]
    remarks = re.findall("warning: (--[a-z-]+) has no effect on smatch: ", err)
    assert remarks == idle
    for option in idle:
        without = [word for word in words if word != option]
        (other,) = cli.json(*pair, *without)["metrics"]
        assert [other[name] for name in counted] == [whole[name] for name in counted]
    flags = dict.fromkeys(
        [word[5:] for word in words if word.startswith("--no-")], False
    )
    values = dict(pairwise(words))
    named = {
        name.removeprefix("--").replace("-", "_"): value
        for name, value in values.items()
        if name in ("--roles", "--except-roles", "--just", "--top")
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        make_metric("smatch", **named, **flags)
    in_python = [str(one.message).partition(" ")[0] for one in caught]
    assert in_python == [f"{flag.removeprefix('--no-')}=False" for flag in idle]
    assert not any("--" in str(one.message) for one in caught)
