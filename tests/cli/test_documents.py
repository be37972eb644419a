"""Documents and graphs other than AMR on the command line: the stable interface."""

from __future__ import annotations

import gzip
import io
import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli, record_in
from support.files import Files
from support.samples import MRP, SBN, UMR

import exactmatch
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.making import make_metric


def objects(cli: Cli, *arguments: str) -> list[Any]:
    return [
        json.loads(line)
        for line in cli.out(
            *arguments, "--per-pair", "--format", "jsonl", "-q"
        ).splitlines()
    ]


@pytest.fixture
def documents(files: Files) -> list[str]:
    """Two documents of two sentences, whose second ones have changed places."""
    second = UMR.index("#" * 80, 1)
    blocks = UMR[:second], UMR[second:]
    swapped = blocks[1].replace("snt2", "snt1") + blocks[0].replace("snt1", "snt2")
    return files.pair(UMR, swapped, ".umr")


def test_a_document_is_one_object(cli: Cli, documents: list[str]) -> None:
    (found,) = objects(cli, *documents, "--profile", "umr", "--align", "free")
    assert found["index"] == 0
    assert found["proven"]
    assert found["matched"] == found["bound"] == found["pred_total"]
    assert found["f1"] == 1


NOTED = " are counted as AMR's are; --profile umr counts them by their own rules"


@pytest.mark.parametrize(
    "command",
    [
        *("score", "align", "audit", "errors", "matrix", "nearest", "ensemble"),
        *("agreement", "report"),
    ],
)
def test_documents_are_counted_by_their_own_rules(
    command: str, cli: Cli, documents: list[str], files: Files
) -> None:
    """Whatever their files are called."""
    named = [
        files.one(f"{k}.txt", Path(one).read_text()) for k, one in enumerate(documents)
    ]
    for paths in (documents, named, [*documents, "--format-in", "umr-file"]):
        if command == "errors":
            ran = cli(command, *paths, "--format", "json")
        else:
            ran = cli(command, *paths)
        assert "profile:umr" in ran.out or command == "report"
        assert NOTED not in ran.err
    ran = cli(command, *documents, "--profile", "smatch")
    assert "profile:umr" not in ran.out
    assert NOTED not in ran.err


@pytest.mark.parametrize("command", ["score", "align", "errors", "matrix", "nearest"])
def test_another_metric_tells_of_documents(
    command: str, cli: Cli, documents: list[str], files: Files
) -> None:
    named = [
        files.one(f"{k}.txt", Path(one).read_text()) for k, one in enumerate(documents)
    ]
    for paths in (documents, named):
        asked = (command, *paths, "--metric", "s2match")
        assert cli(*asked).err.count(NOTED) == 1
        assert NOTED not in cli(*asked, "-q").err
        assert NOTED not in cli(*asked, "--profile", "s2match").err


def test_the_document_level_counts_wherever_it_is_read(
    cli: Cli, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = UMR.replace(":before", ":after")
    assert changed != UMR
    pred, gold = files.one("p/a.txt", changed), files.one("g/a.txt", UMR)
    wanted = cli.record(pred, gold, "--profile", "umr")["f1"]
    assert wanted < 1
    assert cli.record(pred, gold)["f1"] == wanted
    folders = [str(Path(one).parent) for one in (pred, gold)]
    assert cli.record(*folders)["f1"] == wanted
    packed = files.one("p.txt.gz", gzip.compress(changed.encode()))
    assert cli.record(packed, gold)["f1"] == wanted
    stdin = io.TextIOWrapper(io.BytesIO(changed.encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert cli.record("-", gold)["f1"] == wanted
    pair = changed, UMR
    assert exactmatch.smatch(*pair).f1 == wanted
    assert (
        exactmatch.score(*pair, metric="smatch").f1 == 1
    )  # whoever names it means AMR
    report = exactmatch.evaluate([pair[0]], [pair[1]])
    assert report["smatch"].score.f1 == wanted
    graphs = [exactmatch.load(Path(one))[0] for one in (pred, gold)]
    assert exactmatch.smatch(*graphs).f1 == wanted
    assert exactmatch.smatch(*pair, profile="smatch").f1 == 1


def test_the_profile_of_the_format_is_explained(cli: Cli, documents: list[str]) -> None:
    assert "\numr " in cli("explain-profile", *documents).out


def test_clauses_and_mrp_name_the_metric_that_is_theirs(cli: Cli, files: Files) -> None:
    smatch = ("--metric", "smatch")
    clauses = files.one("c.txt", 'b1 REF x1\nb1 dog "n.01" x1\n')
    assert "--metric counter counts them" in cli(clauses, clauses, *smatch).err
    assert cli(clauses, clauses).err == ""
    mrp = files.one("m.txt", MRP)
    assert "--metric mrp counts them" in cli(mrp, mrp, *smatch).err
    assert "--metric mrp counts" not in cli(mrp, mrp).err


def test_roles_that_no_graph_has_are_told_of(cli: Cli, documents: list[str]) -> None:
    """Such a score says nothing; where one side has some, it does."""
    told = "nothing counts on either side: no graph has what --roles and --except-roles"
    for metric in ("smatch", "umatch"):
        asked = (*documents, "--profile", "umr", "--metric", metric)
        assert f"{metric}: {told}" in cli(*asked, "--only", "apsect").err
        assert told not in cli(*asked, "--only", "apsect", "-q").err
        assert told not in cli(*asked, "--only", "aspect").err
        assert told in cli(*asked, "--only", "aspect", "--except", "aspect").err


def test_single_scores_of_documents_have_a_style(
    cli: Cli, documents: list[str]
) -> None:
    noted = "graphs in format umr are counted as AMR's are; --style umr counts them by"
    assert cli("finegrained", *documents).err.count(noted) == 1
    assert noted not in cli("finegrained", *documents, "-q").err
    for style in ("umr", "umatch"):
        assert noted not in cli("finegrained", *documents, "--style", style).err


def test_what_has_no_rules_of_its_own_is_not_told_of(
    cli: Cli, documents: list[str], files: Files
) -> None:
    assert NOTED not in cli(*documents, "--metric", "umatch").err
    assert cli(*files.pair("(a / b)", "(a / c)")).err == ""


def test_alignments_are_kept_within_sentences(cli: Cli, documents: list[str]) -> None:
    """Sentences that changed places have their partners elsewhere."""
    matched = {}
    for align in ("free", "same-sentence", "token-overlap"):
        (found,) = objects(cli, *documents, "--profile", "umr", "--align", align)
        matched[align] = found["matched"]
    assert matched["free"] > matched["same-sentence"] >= matched["token-overlap"]
    (found,) = objects(cli, *documents, "--profile", "umr")
    assert found["matched"] == matched["same-sentence"]


def test_roles_and_levels_that_count(cli: Cli, documents: list[str]) -> None:
    def total(*options: str) -> int:
        (found,) = objects(
            cli, documents[0], documents[0], "--profile", "umr", *options
        )
        assert found["f1"] == 1
        count: int = found["pred_total"]
        return count

    whole = total()
    assert total("--only", "temporal") == 2
    assert total("--only", ":temporal,modal") == 4
    assert total("--only", "same-entity") == total("--only", "coref") == 1
    assert total("--except", "temporal") == whole - 2
    assert total("--only", "concept") == whole - total("--except", "concept") == 6
    assert total("--only", "aspect,ARG0") == 3


def test_roles_that_the_references_lack_are_not_charged(
    cli: Cli, documents: list[str]
) -> None:
    gold = Path(documents[1])
    gold.write_text(UMR.replace("    :aspect performance)", ")"), encoding="utf-8")
    (plain,) = objects(cli, *documents, "--profile", "umr")
    arguments = (*documents, "--profile", "umr", "--ignore-unannotated")
    (found,) = objects(cli, *arguments)
    assert found["pred_total"] == plain["pred_total"] - 1
    assert found["precision"] == 1 > plain["precision"]


def test_one_framework_of_several(cli: Cli, files: Files) -> None:
    eds, dm = MRP.splitlines(keepends=True)
    paths = files.pair(eds, dm + eds, ".mrp")
    arguments = (*paths, "--profile", "mrp")
    for options in (("--framework", "eds"), ("--framework", "eds", "--by-id")):
        (found,) = objects(cli, *arguments, *options)
        assert (found["id"], found["f1"]) == ("1", 1)
    err = cli.refusal(*arguments, "--framework", "ucca")
    assert "pred.mrp: has no graph of framework 'ucca' (it has eds)" in err
    err = cli.refusal(*arguments, "--by-id")
    assert "graph '2' has no prediction of that id in framework 'dm'; --fr" in err


def test_ids_belong_to_their_framework(cli: Cli, files: Files) -> None:
    eds, dm = MRP.replace('"id": "2"', '"id": "1"').splitlines(keepends=True)
    paths = files.pair(eds + dm, dm + eds, ".mrp")
    found = objects(cli, *paths, "--profile", "mrp", "--by-id")
    assert [(one["id"], one["f1"]) for one in found] == [("1", 1), ("1", 1)]


def test_a_file_without_frameworks_has_none(cli: Cli, files: Files) -> None:
    paths = files.pair("(a / b)", "(a / b)", ".amr")
    assert "--framework is for MRP files" in cli.refusal(*paths, "--framework", "eds")


def test_drs_in_sbn(cli: Cli, files: Files) -> None:
    paths = files.pair(SBN, SBN.replace("dog.n.01", "dog.n.02"), ".sbn")
    first, second = objects(cli, *paths, "--profile", "drs")
    assert first["f1"] == 1
    assert second["matched"] == second["gold_total"] - 1
    both = objects(cli, *paths, "--profile", "drs-lenient")
    assert [found["f1"] for found in both] == [1, 1]


def test_a_format_by_name(cli: Cli, files: Files) -> None:
    """One line with two tabs might be a triple or a graph of its own."""
    paths = files.pair("(a\t/ b\t)", "(a\t/ b\t)", ".txt")
    (found,) = objects(cli, *paths)
    assert found["pred_total"] == 2
    as_amr = ("--format-in", "triples", "--metric", "smatch")
    (found,) = objects(cli, *paths, *as_amr)
    assert found["pred_total"] == 2
    (found,) = objects(cli, *paths, "--format-in", "triples")
    assert (found["metric"], found["pred_total"]) == ("graph", 1)


def test_documents_that_are_many_on_one_side(cli: Cli, files: Files) -> None:
    paths = files.pair(UMR + UMR, UMR, ".umr")
    assert "--format-in umr-file finds 1 pair" in cli.refusal(
        *paths, "--profile", "umr"
    )
    (found,) = objects(cli, *paths, "--profile", "umr", "--format-in", "umr-file")
    shared = 1  # root :modal author, of constants
    assert found["pred_total"] == 2 * found["gold_total"] - shared


def numbered(first: int, words: list[str]) -> str:
    """A document of sentences of one word each, with numbers from the first one on."""
    return "\n".join(
        f"# :: snt{n}\nIndex: 1\nWords: {word}\n\n# sentence level graph:\n"
        f"(s{n}x / {word})\n\n# alignment:\ns{n}x: 1-1\n\n"
        f"# document level annotation:\n(s{n}s0 / sentence)\n"
        for n, word in enumerate(words, first)
    )


MISLED = (
    "pair 1: 1 of 3 sentences have the same words on both sides as they are paired by "
    "their numbers, and 3 would if they were paired by words; number both sides alike"
)


@pytest.mark.parametrize("metric", ["smatch", "umatch"])
def test_numbers_that_mislead_are_told_of(metric: str, cli: Cli, files: Files) -> None:
    """The prediction lacks the second sentence, and counts on."""
    words = ["one", "two", "three", "four"]
    paths = files.pair(
        numbered(1, ["one", "three", "four"]), numbered(1, words), ".umr"
    )
    asked = (*paths, "--profile", "umr", "--metric", metric)
    assert MISLED in cli(*asked).err
    assert MISLED not in cli(*asked, "-q").err
    if metric == "smatch":
        assert "numbers" not in cli(*asked, "--align", "free").err
    stated = [make_metric(metric, profile="umr")]
    pred, gold = map(Path, paths)
    report = exactmatch.evaluate(pred, gold, stated)
    assert report.warnings["numbers"].count == 1


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        (numbered(1, ["one", "two", "three"]), numbered(1, ["one", "two", "three"])),
        (numbered(1, ["one", "two", "tree"]), numbered(1, ["one", "two", "three"])),
        (numbered(2, ["two", "three"]), numbered(1, ["one", "two", "three"])),
        (numbered(1, ["one", "one"]), numbered(1, ["uno", "one"])),
    ],
    ids=["equal", "a word differs", "one is missing", "words repeat"],
)
def test_numbers_that_words_do_not_contradict(
    pred: str, gold: str, cli: Cli, files: Files
) -> None:
    paths = files.pair(pred, gold, ".umr")
    assert "paired by their numbers" not in cli(*paths, "--profile", "umr").err


MANY_MISLED = (
    "1 of 3 sentences have the same words on both sides as they are paired by their "
    "numbers, and 3 would if they were paired by words; number both sides alike"
)


@pytest.fixture
def misnumbered(files: Files) -> tuple[str, str, str]:
    """A document, the same without its second sentence, and one of another text."""
    words = ["one", "two", "three", "four"]
    return (
        files.one("short.umr", numbered(1, [words[0], *words[2:]])),
        files.one("whole.umr", numbered(1, words)),
        files.one("other.umr", numbered(1, ["four", "five", "six", "seven"])),
    )


UMR_FILES = ("--profile", "umr")


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("agreement", 0),
        ("matrix", 0),
        ("nearest", 0),
        ("ensemble", 1),
        ("cluster", 0),
        ("duplicates", 0),
    ],
)
def test_numbers_that_mislead_among_many_are_told_of_once(
    command: str, more: int, cli: Cli, misnumbered: tuple[str, str, str]
) -> None:
    short, whole, other = misnumbered
    paths = (short, whole) if command != "ensemble" else (short, whole, short)
    err = cli(command, *paths, *UMR_FILES).err
    others = " (one more pair is like it)" * more
    assert err.count(MANY_MISLED) == 1
    assert f": {MANY_MISLED}{others}\n" in err
    assert f"{short}:" in err
    assert MANY_MISLED not in cli(command, *paths, *UMR_FILES, "--align", "free").err
    assert MANY_MISLED not in cli(command, *paths, *UMR_FILES, "-q").err
    assert "same words" not in cli(command, other, whole, *UMR_FILES).err


def test_numbers_that_mislead_are_warned_of_in_python(
    misnumbered: tuple[str, str, str],
) -> None:
    one, two, other = (list(exactmatch.load(Path(path))) for path in misnumbered)
    both = [*one, *two, *other]
    for place, call in (
        ("items 1 and 1", lambda: exactmatch.cdist(one, two, profile="umr")),
        ("items 1 and 2", lambda: exactmatch.many.pdist(both, profile="umr")),
        ("items 1 and 1", lambda: exactmatch.search(one, two, profile="umr")),
        ("items 1 and 2", lambda: exactmatch.many.duplicates(both, profile="umr")),
        ("items 1 and 2", lambda: exactmatch.many.cluster(both, profile="umr")),
        ("items 1 and 2", lambda: exactmatch.ensemble([both], profile="umr")),
        (
            "unit 1, Ann and Bob",
            lambda: exactmatch.agreement({"Ann": one, "Bob": two}, profile="umr"),
        ),
    ):
        with pytest.warns(exactmatch.errors.ExactmatchWarning) as caught:
            call()
        assert [str(w.message) for w in caught] == [f"{place}: {MANY_MISLED}"]
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exactmatch.cdist(two, other, profile="umr")
        free = get_profile("umr").with_options(align="free")
        exactmatch.cdist(one, two, profile=free)


@pytest.mark.parametrize("metric", ["smatch", "umatch", "s2match"])
def test_documents_of_different_texts_are_told_of(
    metric: str, cli: Cli, files: Files
) -> None:
    """Letters and digits of sentences decide, wherever these stand."""
    texts = {
        "one": ["Pouring", "wind", "snow"],
        "alike": ["wind", "SNOW", "pouring !"],
        "part": ["snow", "hail"],
        "other": ["dogs", "snow", "cats"],
    }
    paths = {
        name: files.one(f"{name}.umr", numbered(1, words))
        for name, words in texts.items()
    }
    options = ("--profile", "umr", "--metric", metric)
    for name in ("one", "alike"):
        assert "same text" not in cli(paths["one"], paths[name], *options).err
    for name, count in (("part", "1 of 2"), ("other", "2 of 3")):
        err = cli(paths["one"], paths[name], *options).err
        words = f"pair 1: the words of {count} sentences differ: are both sides of the"
        assert f"exactmatch: warning: {words} same text?\n" in err
    sides = [list(exactmatch.load(Path(paths[name]))) for name in ("one", "other")]
    made = make_metric(metric, profile="umr")
    pairs: list[Any] = [sides, [Path(paths["one"]), Path(paths["other"])]]
    for pair in pairs:
        assert (
            exactmatch.evaluate(pair[0], pair[1], made).warnings["sentences"].count == 1
        )


SENTENCE = """# :: snt{number}
Words: Ann left

# sentence level graph:
(s{number}l / leave-01 :ARG0 (s{number}p / person))

# alignment:

# document level annotation:
(s{number}s0 / sentence :temporal ((document-creation-time :before s{number}l)))

"""


def test_a_line_says_whether_documents_or_sentences_are_paired(
    cli: Cli, files: Files
) -> None:
    """Files of documents pair in two ways; so do documents and PENMAN sentences."""
    files.enter()
    files.one("a.umr", "".join(SENTENCE.format(number=k) for k in (1, 2, 1, 2)))
    lead, _, rest = cli.out("a.umr", "a.umr").partition("\n")
    assert lead.startswith("UMR documents: metric smatch, profile umr, which counts")
    option = "--format-in umr-sentences"
    assert lead.endswith(f"; sentence by sentence: {option}")
    assert "smatch: 2 pairs" in rest
    lead, _, rest = cli.out("a.umr", "a.umr", *option.split()).partition("\n")
    assert lead.startswith(
        "the sentence graphs of UMR files, one by one: metric smatch"
    )
    assert option not in lead
    assert "smatch: 4 pairs" in rest
    files.one("b.amr", "(l / leave-01)\n\n(g / go-02)\n")
    lead = cli.out("b.amr", "a.umr").partition("\n")[0]
    line = f"exactmatch convert a.umr {option} --to penman"
    assert "a whole document is paired with each graph of the other side" in lead
    assert lead.endswith(f"; for its sentences: {line}")
    assert len(cli.out(*line.split()[1:]).strip().split("\n\n")) == 4


@pytest.mark.parametrize("name", ["sembleu", "s2match", "rematch", "wlk"])
def test_metrics_that_charge_all_roles_say_so(
    name: str, cli: Cli, files: Files
) -> None:
    """Neither the number nor its signature changes, and a note tells it."""
    paths = files.pair('(b / bark-01 :wiki "Q1")', "(b / bark-01)")
    arguments = (*paths, "--metric", name)
    usual = cli.record(*arguments)
    ran = cli(*arguments, "--ignore-unannotated", "--format", "json")
    assert record_in(ran.out) == usual
    assert f"--ignore-unannotated has no effect on {name}\n" in ran.err
