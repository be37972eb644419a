"""``exactmatch`` and ``exactmatch score`` as a person at the keyboard meets them."""

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli, record_in
from support.files import Files

PRED = """\
# ::id one
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

# ::id two
(d / dog :quant 2)
"""
GOLD = """\
# ::id one
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))

# ::id two
(d / dog :quant 3 :mod (s / small))
"""


@pytest.fixture
def pair(files: Files) -> list[str]:
    """Two files of two graphs: 8 of 10 predicted and 11 reference triples match."""
    return files.pair(PRED, GOLD)


def records(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_scores_of_a_corpus_are_summed_and_proven(cli: Cli, pair: list[str]) -> None:
    """M = 6 + 2, T = 7 + 3, G = 6 + 5, counted by hand."""
    code, out, err = cli(*pair, "--format", "json")
    found = record_in(out)
    assert code == 0
    assert (found["matched"], found["pred_total"], found["gold_total"]) == (8, 10, 11)
    assert found["precision"] == 8 / 10
    assert found["recall"] == 8 / 11
    assert found["f1"] == found["score"] == pytest.approx(16 / 21, abs=1e-15)
    assert (found["pairs"], found["proven"], found["bound"]) == (2, 2, 8)
    assert found["signature"].startswith("metric:smatch|profile:smatch|")
    assert err == ""


def test_score_is_also_a_command(cli: Cli, pair: list[str]) -> None:
    assert cli("score", *pair) == cli(*pair)


def test_per_pair_json_lines_are_stable(cli: Cli, pair: list[str]) -> None:
    """One object a pair with at least the documented fields."""
    _, out, _ = cli(*pair, "--per-pair", "--format", "jsonl")
    first, second = records(out)
    wanted = {
        "index", "id", "metric", "matched", "pred_total", "gold_total", "precision",
        "recall", "f1", "score", "bound", "proven", "solver", "seconds",
    }  # fmt: skip
    assert wanted <= first.keys()
    assert (first["index"], first["id"], first["metric"]) == (0, "one", "smatch")
    assert (first["matched"], first["bound"], first["proven"]) == (6, 6, True)
    assert (second["index"], second["matched"], second["gold_total"]) == (1, 2, 5)


def test_swapping_the_files_swaps_precision_and_recall(
    cli: Cli, pair: list[str]
) -> None:
    forth = cli.record(*pair)
    back = cli.record(*reversed(pair))
    assert (forth["precision"], forth["recall"]) == (back["recall"], back["precision"])


def test_macro_averages_over_pairs(cli: Cli, pair: list[str]) -> None:
    _, out, _ = cli(*pair, "--format", "json", "--macro")
    found = record_in(out)
    assert found["precision"] == pytest.approx((6 / 7 + 2 / 3) / 2, abs=1e-15)
    assert "average:macro" in found["signature"]


def test_csv_has_a_header_and_one_row_a_pair(cli: Cli, pair: list[str]) -> None:
    _, out, _ = cli(*pair, "--format", "csv", "--per-pair")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["id"] for row in rows] == ["one", "two"]
    assert float(rows[0]["precision"]) == 6 / 7


def test_latex_escapes_ids(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.amr"
    path.write_text("# ::id x_1&2\n(a / b)\n")
    _, out, _ = cli(path, path, "--format", "latex", "--per-pair")
    assert r"x\_1\&2 & 100.00 & 100.00 & 100.00 \\" in out


def test_text_table_names_proof_and_signature(cli: Cli, pair: list[str]) -> None:
    _, out, _ = cli(*pair, "--per-pair", "--significant", "3")
    assert "smatch: 2 pairs, every one proven optimal" in out
    assert "0.762" in out
    assert "signature: metric:smatch|" in out


def test_smatchs_own_lines(cli: Cli, pair: list[str]) -> None:
    """``-f``, ``--pr`` and ``--ms`` print what smatch 1.0.4 prints."""
    assert cli("-f", *pair, "-q")[1] == "F-score: 0.76\n"
    _, out, _ = cli("-f", *pair, "--pr", "-q", "--significant", "4")
    assert out == "Precision: 0.8000\nRecall: 0.7273\nF-score: 0.7619\n"
    _, out, _ = cli("-f", *pair, "--ms", "-q")
    assert out == "F-score: 0.92\nF-score: 0.50\n"


def test_restarts_are_remarked_upon_with_an_exact_solver(
    cli: Cli, pair: list[str]
) -> None:
    code, _, err = cli(*pair, "-r", "4", "--solver", "highs")
    assert code == 0
    assert err == "exactmatch: -r 4 has no effect on solver 'highs'\n"


def test_restarts_of_the_hill_climber(cli: Cli, pair: list[str]) -> None:
    _, out, err = cli(*pair, "--solver", "hillclimb", "-r", "7")
    assert "restarts=7" in out
    assert err == ""


def test_a_heuristic_is_never_silent(cli: Cli, pair: list[str]) -> None:
    """What is not proven is an interval, and ``--require-optimal`` fails."""
    code, out, _ = cli(*pair, "--solver", "hillclimb", "--require-optimal")
    found = cli.record(*pair, "--solver", "hillclimb")
    assert found["f1_upper"] >= found["f1"]
    if found["proven"] < found["pairs"]:
        assert code == 1
        assert "the true score lies in the interval" in out


@pytest.mark.parametrize("kind", ["instance", "attribute", "relation"])
def test_just_one_kind_of_triple(cli: Cli, pair: list[str], kind: str) -> None:
    """Totals by hand: 3 + 1 instances, 1 + 2 attributes, 3 + 0 relations."""
    _, out, _ = cli(*pair, "--just", kind, "--format", "json")
    total = {"instance": 4, "attribute": 3, "relation": 3}[kind]
    assert record_in(out)["pred_total"] == total
    assert cli(*pair, f"--just{kind}", "--format", "json")[1] == out


def test_profiles_and_options_compose(cli: Cli, tmp_path: Path) -> None:
    """Senses, wiki, TOP and duplicates, each counted by hand."""
    path = tmp_path / "a.amr"
    other = tmp_path / "b.amr"
    path.write_text('(a / go-01 :wiki "X" :quant 1 :quant 1)\n')
    other.write_text('(a / go-02 :wiki "Y" :quant 1 :quant 1)\n')

    def matched(*options: Any) -> tuple[Any, Any]:
        _, out, _ = cli(path, other, "--format", "json", *options)
        found = record_in(out)
        return found["matched"], found["pred_total"]

    assert matched() == (5, 5)  # 2 × 2 quantities and TOP
    assert matched("--no-sense") == (6, 5)
    assert matched("--no-wiki") == (5, 4)
    assert matched("--top", "none") == (4, 4)
    assert matched("--top", "concept") == (4, 5)
    assert matched("--duplicates", "multiset") == (3, 5)
    assert matched("--duplicates", "set") == (2, 4)
    assert matched("--profile", "clean") == (3, 5)


def test_the_sample_is_scored_without_files(cli: Cli) -> None:
    code, out, err = cli("--solver", "cpsat")
    assert code == 0
    assert "40 pairs, every one proven optimal" in out
    assert "to score your own: exactmatch PRED GOLD" in err


def test_gzip_standard_input_and_folders(
    cli: Cli, pair: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pred, gold = pair
    plain = cli(pred, gold)[1]
    packed = tmp_path / "packed.amr.gz"
    packed.write_bytes(gzip.compress(PRED.encode()))
    assert cli(packed, gold)[1] == plain
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PRED.encode())))
    assert cli("-", gold)[1] == plain
    folder = tmp_path / "folder"
    folder.mkdir()
    one, two = PRED.split("\n\n")
    (folder / "1.amr").write_text(one + "\n")
    (folder / "2.amr").write_text(two)
    assert cli(folder, gold)[1] == plain


def test_pairing_by_id_ignores_the_order(
    cli: Cli, pair: list[str], tmp_path: Path
) -> None:
    one, two = GOLD.split("\n\n")
    turned = tmp_path / "turned.amr"
    turned.write_text(f"{two}\n{one}\n")
    plain = cli.record(*pair)
    by_id = cli.record(pair[0], turned, "--by-id")
    assert by_id["matched"] == plain["matched"]
    _, _, err = cli(pair[0], turned)
    assert "ids differ at position 1: 'one', 'two', and at 1 more position;" in err
    assert err.count("ids differ at position") == err.count("--by-id pairs by ids") == 1
    assert "ids differ at position 1" in cli.refusal(pair[0], turned, "--ids", "none")
    assert cli(pair[0], turned, "-v").err.count("ids differ at position") == 2


def test_output_file_is_written_whole(
    cli: Cli, pair: list[str], tmp_path: Path
) -> None:
    target = tmp_path / "out.json"
    code, out, _ = cli(*pair, "--format", "json", "-o", target)
    assert (code, out) == (0, "")
    assert record_in(target.read_text())["pairs"] == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "gold.amr",
        "out.json",
        "pred.amr",
    ]


BROKEN = "# ::id one\n(a / b)\n\n# ::id two\n(a / b\n  :ARG0 (c / d))\n:x y)\n"

BAD = {
    "missing": (None, "no.amr: no such file"),
    "surplus": (BROKEN, "bad.amr:7:5: graph 'two' has a ')' without its '('"),
    "twice": (
        "(a / b :ARG0 (a / c))\n\n(p / q)\n",
        "bad.amr:1:15: the graph defines variable 'a' twice",
    ),
    "nul": ("(a / b)\n\n(a / \0)", "bad.amr:3: holds a NUL byte"),
    "no graph": (
        "hello\n\n(p / q)\n",
        "bad.amr:1:1: the graph does not begin with '(' but with 'hello'",
    ),
    "empty": ("", "bad.amr: holds no graph"),
    "longer": (PRED + "\n(x / y)\n", "3 predictions but 2 references"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence_and_exit_code_2(
    cli: Cli, pair: list[str], tmp_path: Path, name: str
) -> None:
    text, wanted = BAD[name]
    bad = tmp_path / ("no.amr" if text is None else "bad.amr")
    target = tmp_path / "out.txt"
    if text is not None:
        bad.write_text(text)
    code, out, err = cli(bad, pair[1], "-o", target)
    assert code == 2
    assert out == ""
    assert wanted in err
    assert err.startswith("exactmatch: error: ")
    assert err.count("\n") == 1
    assert not target.exists()


def test_bytes_that_are_not_utf8(cli: Cli, pair: list[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.amr"
    bad.write_bytes("(a / b)\n\n(c / caf\xe9)\n".encode("latin-1"))
    code, _, err = cli(bad, pair[1])
    assert code == 2
    assert "bad.amr:3: byte 0xe9 is not UTF-8" in err


def test_two_empty_files(cli: Cli, tmp_path: Path) -> None:
    empty = tmp_path / "empty.amr"
    empty.write_text("\n")
    code, _, err = cli(empty, empty)
    assert code == 2
    assert "empty.amr: holds no graph" in err


@pytest.mark.parametrize("on_error", ["fail", "skip", "empty"])
def test_by_id_an_empty_file_is_named_and_no_graph(
    cli: Cli, pair: list[str], tmp_path: Path, on_error: str
) -> None:
    empty = tmp_path / "empty.amr"
    empty.write_text("")
    for paths in ((empty, pair[1]), (pair[0], empty), (*pair, empty)):
        said = cli.refusal(*paths, "--by-id", "--on-error", on_error)
        assert said == f"exactmatch: error: {empty}: holds no graph\n"


def test_a_file_that_is_not_whole_gzip(
    cli: Cli, pair: list[str], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.amr.gz"
    bad.write_bytes(gzip.compress(PRED.encode())[:-9])
    assert "is not a whole gzip file" in cli(bad, pair[1])[2]


def test_an_unclosed_bracket_warns_in_smatch_and_fails_in_clean(
    cli: Cli, tmp_path: Path
) -> None:
    bad, good = tmp_path / "bad.amr", tmp_path / "good.amr"
    bad.write_text("# ::id x\n(a / b :ARG0 (c / d)\n")
    good.write_text("# ::id x\n(a / b :ARG0 (c / d))\n")
    code, out, err = cli(bad, good, "--format", "json")
    assert code == 0
    assert record_in(out)["f1"] == 1
    assert record_in(out)["warnings"] == {"lenient": 1}
    assert "bad.amr:2: graph 'x' lacks a closing parenthesis" in err
    for options, place in ((["--strict"], "2"), (["--profile", "clean"], "2:21")):
        code, _, err = cli(bad, good, *options)
        assert code == 2
        assert f"bad.amr:{place}: graph 'x' lacks" in err


@pytest.mark.parametrize(
    ("action", "pairs", "matched"), [("skip", 1, 2), ("empty", 2, 2)]
)
def test_bad_graphs_can_be_skipped_or_emptied(
    cli: Cli, pair: list[str], tmp_path: Path, action: str, pairs: int, matched: int
) -> None:
    bad = tmp_path / "bad.amr"
    bad.write_text("(a / b))\n\n(d / dog :quant 2)\n")
    code, out, _ = cli(bad, pair[1], "--on-error", action, "--format", "json")
    found = record_in(out)
    assert code == 0
    assert (found["pairs"], found["matched"]) == (pairs, matched)
    assert [o["index"] for o in found["omitted"]] == [0]
    assert "bad.amr:1" in found["omitted"][0]["reason"]
    label = {"skip": "skipped", "empty": "empty"}[action]
    assert f"|{label}:1|" in found["signature"]


def test_ids_must_be_unique_and_matched(
    cli: Cli, pair: list[str], tmp_path: Path
) -> None:
    double = tmp_path / "double.amr"
    double.write_text("# ::id one\n(a / b)\n\n# ::id one\n(a / b)\n")
    code, _, err = cli(double, pair[1], "--by-id")
    assert code == 2
    assert "double.amr:5: graph 'one' repeats the id of line 2" in err
    single = tmp_path / "single.amr"
    single.write_text("# ::id one\n(a / b)\n")
    _, _, err = cli(single, pair[1], "--by-id")
    assert "gold.amr:5: graph 'two' has no prediction of that id" in err
    code, out, _ = cli(
        single, pair[1], "--by-id", "--on-error", "empty", "--format", "json"
    )
    assert code == 0
    assert record_in(out)["pairs"] == 2
    assert record_in(out)["gold_total"] == 11


@pytest.mark.slow
def test_ten_megabytes_of_brackets(cli: Cli, tmp_path: Path) -> None:
    bad = tmp_path / "bad.amr"
    bad.write_text("(" * 10_000_000)
    for options in ([], ["--profile", "clean"]):
        code, _, err = cli(bad, bad, *options)
        assert code == 2
        assert err.startswith("exactmatch: error: ")
        assert len(err) < 300


def test_a_problem_too_large_is_refused_before_it_is_built(
    cli: Cli, tmp_path: Path
) -> None:
    wide = tmp_path / "wide.amr"
    branches = " ".join(f":op (v{k} / x)" for k in range(100))
    wide.write_text(f"(r / and {branches})\n")
    code, _, err = cli(wide, wide, "--max-terms", "9999")
    assert code == 2
    assert (
        "40,804 pairs of relations (or pairs of variables, counted four times) may"
        in err
    )
    assert "more than 9,999; raise --max-terms" in err


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["--solver", "cp-sat"], "unknown solver 'cp-sat'; did you mean 'cpsat'?"),
        (["--metric", "smach"], "unknown metric 'smach'; did you mean 'smatch'?"),
        (["--metric", "sembleu:nope=1"], "name 'sembleu' alone"),
        (["--solver", "hillclimb:restart=3"], "has no option 'restart'"),
        (["only.amr"], "only one file is named, 'only.amr'"),
        (["--solver", f"auto:nodes={10**20}"], "is too large"),
        (["--seed", "x"], "argument --seed: 'x' is not a whole number"),
        (["--metric", "yisi", "--alpha", "x"], "argument --alpha: 'x' is not a number"),
        (["solver"], "did you mean 'solvers'?"),
    ],
)
def test_usage_errors_suggest_the_way_out(
    cli: Cli, arguments: list[str], wanted: str
) -> None:
    code, _, err = cli(*arguments)
    assert code == 2
    assert wanted in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["--vectors", "x"], "it belongs to s2match"),
        (["--moonshine"], "see 'exactmatch --help'"),
        (["--time-limit", "soon"], "see 'exactmatch --help'"),
        (["--justinstance", "--justrelation"], "not allowed with"),
        (["--just", "instance", "--justrelation"], "not allowed with"),
    ],
)
def test_bad_options_are_one_sentence_too(
    cli: Cli, arguments: list[str], wanted: str
) -> None:
    err = cli.refusal(*arguments)
    assert wanted in err
    assert err.count("\n") == 1


def test_all_metrics_leave_text_out_where_there_is_none(
    cli: Cli, pair: list[str]
) -> None:
    code, out, err = cli(*pair, "--metric", "all", "--format", "json")
    assert code == 0
    assert [found["metric"] for found in json.loads(out)["metrics"]] == [
        "smatch",
        "s2match",
        "sembleu",
        "yisi",
        "rematch",
        "wlk",
    ]
    assert "without '# ::snt': leaving out yisi-text, bleu" in err


def test_a_score_above_1_is_explained(cli: Cli, tmp_path: Path) -> None:
    """Smatch 1.0.4 counts 2 × 2 matches of a triple that is stated twice."""
    path = tmp_path / "twice.amr"
    path.write_text("(a / b :quant 1 :quant 1)\n")
    _, out, err = cli(path, path, "--format", "json")
    assert record_in(out)["f1"] == 6 / 4
    assert "smatch is above 1, because repeated triples count" in err
    assert cli(path, path, "--duplicates", "multiset")[2] == ""


def test_options_stand_between_files(cli: Cli, files: Files) -> None:
    files.enter()
    for name in ("a.amr", "b.amr"):
        files.one(name, "(a / x)\n")
    between = cli.json("a.amr", "--metric", "smatch", "b.amr")
    assert between == cli.json("--metric", "smatch", "a.amr", "b.amr")


def test_options_of_draws_without_a_draw_are_named(cli: Cli, files: Files) -> None:
    files.enter()
    files.one("a.amr", "(a / x)\n")
    told = cli("a.amr", "a.amr", "--samples", "9", "--seed", "3").err
    assert "--samples without effect" in told
    assert "--seed without effect" in told
    told = cli("a.amr", "a.amr", "--confidence", "--samples", "9", "--seed", "3").err
    assert "without effect" not in told
    told = cli("a.amr", "a.amr", "--solver", "hillclimb", "--seed", "3").err
    assert "without effect" not in told


def test_unequal_numbers_are_told_once() -> None:
    from exactmatch.formats.pairs import unequal

    told = "4928 predictions but 4929 references; pair them with --by-id"
    assert str(unequal([4928, 4929, 4929])) == told
