"""``exactmatch compare`` on small systems whose numbers can be counted by hand."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.studies.compare.study import shape_error
from exactmatch.studies.score.evaluate import evaluate

Paths = dict[str, str]

GOLD = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(d / dog :quant 3 :mod (s / small))",
    "(s / sleep-01 :ARG0 (c / cat) :location (h / house))",
    "(r / rain-01 :time (t / today))",
    "(e / eat-01 :ARG0 (c / child) :ARG1 (a / apple :quant 2))",
    "(l / laugh-01 :ARG0 (w / woman) :polarity -)",
]
GOOD = [GOLD[0], "(d / dog :quant 3)", *GOLD[2:]]
POOR = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))",
    "(d / dog :quant 2)",
    "(s / sleep-01 :ARG0 (d / dog))",
    "(r / rain-01)",
    "(e / eat-01 :ARG0 (a / apple))",
    "(l / laugh-01 :ARG0 (m / man))",
]


def written(files: Files, times: int, folder: str = ".") -> Paths:
    """The three files, each graph so many times."""
    return {
        name: files.graphs(f"{folder}/{name}.amr", graphs * times, "p{}", first=1)
        for name, graphs in (("gold", GOLD), ("good", GOOD), ("poor", POOR))
    }


@pytest.fixture
def paths(files: Files) -> Paths:
    """24 pairs: enough for the bootstrap."""
    return written(files, 4)


@pytest.fixture
def few(files: Files) -> Paths:
    """6 pairs."""
    return written(files, 1, "few")


@pytest.mark.parametrize("test", ["bootstrap", "exchange"])
def test_the_better_system_is_first_and_the_other_tested(
    cli: Cli, paths: Paths, test: str
) -> None:
    found = cli.json(
        "compare", paths["gold"], paths["poor"], paths["good"], "--test", test
    )
    best, other = found["systems"]
    assert (best["system"], best["rank"], best["p_value"]) == ("good", 1, None)
    assert (other["system"], other["rank"]) == ("poor", 2)
    assert best["score"] == evaluate(GOOD, GOLD).f1
    assert other["difference"] == pytest.approx(other["score"] - best["score"])
    assert other["difference_low"] < other["difference"] < other["difference_high"] < 0
    assert 0 < other["p_value"] < 0.1
    assert other["wins"] == (0.0 if test == "bootstrap" else None)


def test_the_baseline_may_be_named_or_numbered(cli: Cli, paths: Paths) -> None:
    arguments = (paths["gold"], paths["poor"], paths["good"], "--names", "a,b")
    for given in ("a", "1"):
        found = cli.json("compare", *arguments, "--baseline", given)
        tested = {s["system"]: s["difference"] for s in found["systems"]}
        assert tested["a"] is None
        assert tested["b"] > 0


def test_equal_systems_share_a_rank_and_do_not_differ(cli: Cli, paths: Paths) -> None:
    found = cli.json(
        "compare", paths["gold"], paths["good"], paths["good"], "--names", "a,b"
    )
    assert [s["rank"] for s in found["systems"]] == [1, 1]
    assert found["systems"][1]["p_value"] == 1.0


def test_the_largest_differences_decide(cli: Cli, paths: Paths) -> None:
    """Pair 3: 1 for the good system, and 2 · 3 / (4 + 6) matched for the poor."""
    found = cli.json(
        "compare", paths["gold"], paths["good"], paths["poor"], "--show", "2"
    )
    assert len(found["deciding"]) == 2
    drops = [pair["difference"] for pair in found["deciding"]]
    assert drops == sorted(drops)
    every = cli.json(
        "compare", paths["gold"], paths["good"], paths["poor"], "--show", "99"
    )
    third = next(pair for pair in every["deciding"] if pair["id"] == "p3")
    assert third["baseline_score"] == 1.0
    assert third["system_score"] == pytest.approx(
        exactmatch.smatch(POOR[2], GOLD[2]).f1
    )


def test_macro_averages_are_compared_where_asked(cli: Cli, paths: Paths) -> None:
    found = cli.json("compare", paths["gold"], paths["good"], paths["poor"], "--macro")
    means = {s["system"]: s["score"] for s in found["systems"]}
    pairs = evaluate(POOR * 4, GOLD * 4).pairs
    assert means["poor"] == pytest.approx(
        sum(pair.score.f1 or 0 for pair in pairs) / len(pairs)
    )
    assert "|average:macro|test:exchange|" in found["signatures"][0]


def test_metrics_agree_on_a_clear_ranking(cli: Cli, paths: Paths) -> None:
    arguments = (paths["gold"], paths["good"], paths["poor"])
    found = cli.json("compare", *arguments, "--metric", "smatch,sembleu")
    (agreement,) = found["agreement"]
    assert (agreement["first"], agreement["second"]) == ("smatch", "sembleu")
    assert agreement["tau"] == 1.0
    assert agreement["disagreement"] == 0.0


def test_structural_error_is_that_of_the_shapes(cli: Cli, paths: Paths) -> None:
    """Only pair 2 of the good system differs: variable and concept of ``small``."""
    found = cli.json("compare", paths["gold"], paths["good"], paths["poor"])
    assert found["structure"]["good"]["nodes"] == pytest.approx(2 / 6)
    assert found["structure"]["good"]["edges"] == pytest.approx(2 / 6)


def test_text_shows_every_table(cli: Cli, paths: Paths) -> None:
    arguments = (paths["gold"], paths["good"], paths["poor"])
    code, out, _ = cli("compare", *arguments, "--metric", "smatch,sembleu")
    assert code == 0
    for wanted in (
        "Kendall's τ",
        "node degree",
        "pairs that decide it",
        "scores and clusters by metric\n  metric         good        poor\n",
        "in brackets: the cluster",
        "does the winner depend on the metric?",
        "p: exchange test, two-sided, 10,000 samples",
        "good is best under 2 of 2 metrics, significantly under 2",
        "signature: metric:smatch|",
        "test:exchange|samples:10000|seed:0|interval:inverted|level:95%|scores:halves,",
    ):
        assert wanted in out


def test_csv_has_a_row_for_each_metric_and_system(cli: Cli, paths: Paths) -> None:
    arguments = (
        paths["gold"],
        paths["good"],
        paths["poor"],
        "--metric",
        "smatch,sembleu",
    )
    _, out, _ = cli("compare", *arguments, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(r["metric"], r["rank"]) for r in rows] == [
        ("smatch", "1"),
        ("smatch", "2"),
        ("sembleu", "1"),
        ("sembleu", "2"),
    ]
    assert rows[1]["difference_low"]


def test_latex_is_a_tabular(cli: Cli, paths: Paths) -> None:
    arguments = (paths["gold"], paths["good"], paths["poor"])
    _, out, _ = cli("compare", *arguments, "--format", "latex")
    assert r"\begin{tabular}" in out
    assert r"95 \%" in out
    best, *_ = (line for line in out.splitlines() if line.startswith("smatch & good"))
    other, *_ = (line for line in out.splitlines() if line.startswith("smatch & poor"))
    assert best.count(r"\textbf{") == 3
    assert r"\textbf{" not in other
    assert "$^{**" in other


def test_pairs_left_out_of_one_system_are_left_out_of_all(
    cli: Cli, few: Paths, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.amr"
    broken.write_text("\n\n".join([*POOR[:5], "(l / laugh-01 / again)"]) + "\n")
    arguments = (few["gold"], few["good"], str(broken), "--on-error", "skip")
    code, out, err = cli("compare", *arguments, "--no-structure", "--format", "json")
    assert code == 0
    assert "smatch: compared on the 5 pairs that all systems have" in err
    best = json.loads(out)["systems"][0]
    assert best["score"] == evaluate(GOOD[:5], GOLD[:5]).f1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["good"], "only one system is named"),
        (["good", "poor", "--names", "a"], "--names gives 1 name to 2 systems"),
        (["good", "poor", "--baseline", "best"], "no system is called 'best'"),
        (["good", "-"], "which standard input cannot be"),
        (["good", "poor", "--human-range", "1"], "'1' is not two numbers with a comma"),
    ],
)
def test_misuse_is_one_sentence(
    cli: Cli, paths: Paths, arguments: list[str], message: str
) -> None:
    given = [paths.get(argument, argument) for argument in arguments]
    code, out, err = cli("compare", paths["gold"], *given)
    assert code == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_an_error_leaves_no_file(cli: Cli, paths: Paths, tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    missing = str(tmp_path / "missing.amr")
    code, _, _ = cli(
        "compare", paths["gold"], paths["good"], missing, "-o", str(target)
    )
    assert code == 2
    assert not target.exists()


# Few pairs


def test_the_bootstrap_says_nothing_of_few_pairs(cli: Cli, few: Paths) -> None:
    """What is measured is there; what is resampled is missing, and it is said why."""
    arguments = (few["gold"], few["good"], few["poor"], "--test", "bootstrap")
    found = cli.json("compare", *arguments)
    assert found["pairs"] == {"smatch": 6}
    best, other = found["systems"]
    assert best["score_low"] is best["score_high"] is None
    assert other["difference"] < 0
    for name in ("p_value", "wins", "difference_low", "difference_high"):
        assert other[name] is None
    _, out, _ = cli("compare", *arguments)
    assert "no bootstrap p and no intervals: 6 pairs, fewer than 20" in out
    assert "samples" not in out.partition("signature")[0]


def test_the_exchange_test_of_few_pairs_is_exact(cli: Cli, few: Paths) -> None:
    """All six differences have one sign: of 64 exchanges two are as extreme."""
    arguments = (few["gold"], few["good"], few["poor"])
    found = cli.json("compare", *arguments)
    assert found["systems"][1]["p_value"] == 2 / 64
    assert found["systems"][1]["difference_high"] < 0
    assert cli.json("compare", *arguments, "--seed", "5")["systems"] == found["systems"]
    _, out, _ = cli("compare", *arguments)
    assert "p: exchange test, two-sided, exact" in out


def test_few_differing_outputs_cannot_be_significant(cli: Cli, paths: Paths) -> None:
    """4 of 24 outputs differ: the smallest p-value is 2 / 16, and it is said."""
    arguments = (paths["gold"], paths["gold"], paths["good"])
    found = cli.json("compare", *arguments)["systems"][1]
    assert found["p_value"] == 2 / 16
    assert found["difference_low"] is None
    _, out, _ = cli("compare", *arguments)
    assert "no interval of a difference where fewer than 6 outputs differ" in out
    assert "4 of 24 outputs differ, all in favour of gold" in out
    assert "fewer than 6 differing outputs cannot be significant at 5 %" in out


def test_shares_of_the_difference_sum_to_it(cli: Cli, paths: Paths) -> None:
    for more in ((), ("--macro",)):
        arguments = (paths["gold"], paths["good"], paths["poor"], *more)
        found = cli.json("compare", *arguments, "--show", "99")
        shares = [pair["share"] for pair in found["deciding"]]
        total = found["systems"][1]["difference"]
        assert sum(shares) == pytest.approx(total, abs=0.02)
    found = cli.json("compare", *arguments[:3], "--metric", "sembleu")
    assert found["deciding"][0]["share"] is None
    assert found["deciding"][0]["without"] is not None


def test_one_pair_decides_nothing(cli: Cli, tmp_path: Path) -> None:
    paths = []
    for name, graph in (("g", GOLD[0]), ("a", GOLD[0]), ("b", POOR[0])):
        path = tmp_path / f"{name}.amr"
        path.write_text(graph)
        paths.append(str(path))
    for more in ((), ("--macro",)):
        arguments = (*paths, *more)
        other = cli.json("compare", *arguments)["systems"][1]
        assert other["p_value"] == 1.0
        deciding = cli.json("compare", *arguments)["deciding"][0]
        assert deciding["share"] == pytest.approx(other["difference"])
    assert "1 of 1 output differs, all in favour of a" in cli("compare", *paths)[1]


def test_several_tests_are_corrected_for(cli: Cli, few: Paths) -> None:
    """Six pairs of systems, because the best is chosen from the same data."""
    systems = (few["gold"], few["good"], few["poor"], few["poor"], few["good"])
    options = ("--names", "a,b,c,d")
    found = cli.json("compare", *systems, *options)["systems"]
    corrected = {s["system"]: (s["p_value"], s["p_holm"]) for s in found}
    assert corrected == {
        "a": (None, None),
        "b": (2 / 64, 12 / 64),
        "c": (2 / 64, 12 / 64),
        "d": (1.0, 1.0),
    }
    _, out, _ = cli("compare", *systems, *options)
    assert "p (Holm)" in out.splitlines()[1]
    assert "p (Holm): corrected for all 6 pairs of systems" in out
    named = cli("compare", *systems, *options, "--baseline", "a")[1]
    assert "p (Holm): corrected for the 3 tests under a metric" in named
    two = cli("compare", few["gold"], few["good"], few["poor"])[1]
    assert "Holm" not in two


# Files that were named by mistake


def test_the_same_system_twice_is_shown_twice(cli: Cli, paths: Paths) -> None:
    code, out, err = cli("compare", paths["gold"], paths["good"], paths["good"])
    assert code == 0
    first, second = "good.amr (1)", "good.amr (2)"
    for name in (first, second):
        assert name in out
    assert f"warning: {first} and {second} are the same file" in err


def test_references_among_the_systems_are_remarked_upon(
    cli: Cli, paths: Paths, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.amr"
    copy.write_text(Path(paths["gold"]).read_text())
    for path in (paths["gold"], str(copy)):
        code, out, err = cli(
            "compare", paths["gold"], paths["good"], path, "--format", "json"
        )
        assert code == 0
        remark = f"{Path(path).stem} is the same file as the references"
        assert f"exactmatch: warning: {remark}\n" in err
        assert json.loads(out)["remarks"] == [remark]


def test_exchanged_files_are_remarked_upon(
    cli: Cli, paths: Paths, tmp_path: Path
) -> None:
    """By their names, or by what only annotators write."""
    _, _, err = cli("compare", paths["good"], paths["poor"], paths["gold"])
    assert "gold.amr is named like references and good.amr is not" in err
    right = [paths["gold"], paths["good"], paths["poor"]]
    assert f"exchanged: exactmatch compare {' '.join(right)}\n" in err
    made = tmp_path / "made.amr"
    text = Path(paths["gold"]).read_text()
    made.write_text(text.replace("# ::id p1\n", "# ::id p1 ::annotator AB\n"))
    _, _, err = cli("compare", paths["good"], paths["poor"], str(made))
    assert "made.amr has annotators' metadata and good.amr has none" in err
    _, _, err = cli("compare", paths["gold"], paths["poor"], str(made))
    assert "annotators" in err
    assert "named" not in err
    assert cli("compare", paths["gold"], paths["poor"], paths["good"])[2] == ""


# Text


def test_sentences_have_no_shape(cli: Cli, tmp_path: Path) -> None:
    """No error of zeros where there is no graph."""
    paths = []
    for name, text in (("gold", "a b c\nd e f"), ("a", "a b c\nd"), ("b", "a\nd")):
        path = tmp_path / f"{name}.txt"
        path.write_text(text)
        paths.append(str(path))
    code, out, err = cli("compare", *paths, "--metric", "chrf")
    assert code == 0
    assert "structural" not in out
    assert err == ""
    assert cli.json("compare", *paths, "--metric", "chrf")["structure"] == {}
    assert shape_error([]) is None


def test_bootstrap_accuracy_with_people(cli: Cli, paths: Paths, tmp_path: Path) -> None:
    """People prefer the good system wherever the two differ, as every metric does."""
    human = tmp_path / "human.tsv"
    lines = ["segment\tfirst\tsecond\tpreferred"]
    lines += [f"p{k}\tpoor.amr\tgood.amr\tgood.amr" for k in range(1, 25)]
    human.write_text("\n".join(lines) + "\n")
    arguments = (paths["gold"], paths["good"], paths["poor"], "--human", str(human))
    found = cli.json("compare", *arguments, "--metric", "smatch,sembleu")
    for metric, row in zip(("smatch", "sembleu"), found["people"], strict=True):
        assert row == {
            "metric": metric,
            "first": "good",
            "second": "poor",
            "human_first": 24,
            "human_second": 0,
            "accuracy": 1.0,
        }
    assert "bootstrap accuracy" in cli("compare", *arguments)[1]
    human.write_text(lines[0] + "\np1\tgood.amr\tpoor.amr\tother\n")
    code, _, err = cli("compare", *arguments)
    assert code == 2
    assert "human.tsv:2: no system is called 'other'" in err


def test_how_people_are_used_is_signed(cli: Cli, paths: Paths, tmp_path: Path) -> None:
    human = tmp_path / "human.tsv"
    rows = [
        f"{name}\tp{k}\t{judge}\t{score + 40 * (judge == 'b')}"
        for k in range(1, 25)
        for name, score in (("good", k % 5), ("poor", k % 3))
        for judge in "ab"
    ]
    human.write_text("\n".join(("system\tsegment\tjudge\tscore", *rows)) + "\n")
    sides = (paths["gold"], paths["good"], paths["poor"])
    found = {}
    for more in ((), ("--standardise",), ("--human-range", "0,50")):
        answer = cli.json("compare", *sides, "--human", str(human), *more)
        found[answer["signatures"][0]] = answer["people"][0]["human_first"]
    plain, *others = found
    assert len(found) == 3
    assert "people" not in plain
    assert "|people:standardised|test:exchange" in others[0]
    assert "|scale:0,50|test:exchange" in others[1]
    assert found[plain] != found[others[0]]
    err = cli("compare", *sides, "--human-range", "0,1", "--standardise").err
    assert "--human-range has no effect without --human" in err
    assert "--standardise has no effect without --human" in err
    assert "people" not in cli.json("compare", *sides, "--standardise")["signatures"][0]


def test_decimals_that_hide_a_difference_are_said(cli: Cli, tmp_path: Path) -> None:
    """One wrong constant of 30,000 triples hides behind four decimals."""
    edges = " ".join(f":ARG{k} {k}" for k in range(3000))
    wrong = edges.replace(":ARG7 7", ":ARG7 8")
    paths = []
    for name, first in (("gold", edges), ("same", edges), ("near", wrong)):
        graphs = [f"(a / a {first})", *[f"(a / a {edges})"] * 9]
        (tmp_path / f"{name}.amr").write_text("\n\n".join(graphs))
        paths.append(str(tmp_path / f"{name}.amr"))
    out = cli("compare", *paths, "--no-structure").out
    assert "score: decimals hide a difference; --significant 5 shows it" in out
    assert "Δ: decimals hide a difference; --significant 5 shows it" in out
    out = cli("compare", *paths, "--no-structure", "--significant", "5").out
    assert "hide" not in out
    assert "0.99997" in out
    alone = cli(paths[2], paths[0], "--confidence").out
    assert "score: decimals hide a difference; --significant 5 shows it" in alone


def test_outputs_that_metrics_order_differently(cli: Cli, tmp_path: Path) -> None:
    """A wrong root hurts SemBleu more than two missing leaves, and Smatch less."""
    leaves = "(g / give-01 :ARG0 (b / boy) :ARG1 (c / cake) :ARG2 (d / girl))"
    gold = leaves.replace("girl)", "girl) :time (n / now)")
    root = gold.replace("give-01", "take-01")
    paths = []
    for name, graphs in (
        ("gold", [gold, gold]),
        ("root", [root, gold]),
        ("leaves", [leaves, gold]),
    ):
        path = tmp_path / f"{name}.amr"
        blocks = [f"# ::id x{k}\n{graph}" for k, graph in enumerate(graphs)]
        path.write_text("\n\n".join(blocks))
        paths.append(str(path))
    found = cli.json("compare", *paths, "--metric", "smatch,sembleu")
    (agreement,) = found["agreement"]
    assert agreement["disagreement"] == 0.5
    (example,) = agreement["examples"]
    scores = {
        (metric, name): exactmatch.score(text, gold, metric=metric).score
        for metric in ("smatch", "sembleu")
        for name, text in (("root", root), ("leaves", leaves))
    }
    smatch = scores["smatch", "root"] - scores["smatch", "leaves"]
    sembleu = scores["sembleu", "leaves"] - scores["sembleu", "root"]
    assert smatch > 0
    assert sembleu > 0
    assert example == {
        "index": 0,
        "id": "x0",
        "first_prefers": "root",
        "second_prefers": "leaves",
        "first_gain": pytest.approx(smatch),
        "second_gain": pytest.approx(sembleu),
    }
    _, out, _ = cli("compare", *paths, "--metric", "smatch,sembleu")
    assert "outputs that metrics order differently" in out
    _, out, _ = cli("compare", *paths, "--metric", "smatch,sembleu", "--show", "0")
    assert "outputs that metrics order differently" not in out


def test_a_system_has_one_name_everywhere(cli: Cli, files: Files) -> None:
    texts = {"x.a.amr": "(a / b)", "x.c.amr": "(a / c)", "gold.amr": "(a / b)"}
    a, c, gold = files(texts)
    for baseline in ("a", a, "1"):
        found = cli.json("compare", gold, a, c, "--baseline", baseline)
        assert [one["system"] for one in found["systems"]] == ["a", "c"]
        assert {one["baseline"] for one in found["systems"]} == {"a"}
    told = cli.refusal("compare", gold, a, c, "--baseline", "b")
    assert "no system is called 'b' (known: a, c)" in told
