"""``exactmatch report``: a page as a file, or served to this machine alone."""

import base64
import gc
import json
import re
import threading
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.cli.main import main
from exactmatch.studies.errors.errors import PairErrors
from exactmatch.studies.report import server, serving
from exactmatch.studies.report import study as reports
from exactmatch.studies.report.browser_data import Collector
from exactmatch.studies.report.study import collect
from exactmatch.studies.report.view import ReportPage

GOLD = """# ::id one
# ::snt The boy wants to go.
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

# ::id two
(d / dog :quant 2)
"""


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files.one("gold.amr", GOLD)
    files.one("pred.amr", GOLD.replace("go-02", "leave-11"))


def head_of(page: Any) -> Any:
    """What the list of pairs is made of, unpacked."""
    text = re.search('id="head">(.*?)</script>', page, re.DOTALL)[1]
    content = base64.b64decode(text)
    return json.loads(zlib.decompress(content, -zlib.MAX_WBITS))


def page_of(*arguments: Any) -> str:
    assert main(["report", *arguments, "-q", "-o", "report.html"]) == 0
    return Path("report.html").read_text("utf-8")


def test_the_page_says_what_was_scored_and_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    page = page_of("pred.amr", "gold.amr")
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert "2 graphs, 100 % well-formed, SHA-256 " in page
    assert "1970-01-01 00:00 UTC by exactmatch" in page
    assert "metric:smatch|" in page
    assert "intervals" not in page  # two pairs are too few
    assert "95 % intervals" in page_of("--samples", "20")
    head = head_of(page)
    assert head["ids"] == ["one", "two"]
    assert head["sentences"] == ["The boy wants to go.", ""]
    assert head["systems"][0]["name"] == "pred.amr"
    assert head["systems"][0]["missing"] == [1, 0]
    assert head["reentrant"] == [1, 0]


def test_equal_inputs_make_equal_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    first = page_of("pred.amr", "gold.amr")
    assert page_of("pred.amr", "gold.amr") == first


def test_nothing_is_loaded_and_nothing_foreign_runs() -> None:
    page = page_of("pred.amr", "gold.amr")
    policy = re.search('Policy" content="(.*?)"', page)[1]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "connect-src" not in policy
    assert "http" not in page.replace("http-equiv", "").replace(
        "http://www.w3.org/2000/svg", ""
    )


def test_what_was_left_out_is_told(files: Files) -> None:
    files.one("broken.amr", "(a / x\n\n(d / dog :quant 2)\n")
    assert main(["report", "broken.amr", "gold.amr", "--strict", "-q"]) == 2
    page = page_of("broken.amr", "gold.amr", "--strict", "--on-error", "skip")
    assert "2 graphs, 50 % well-formed" in page
    assert "skipped: broken.amr:1:" in page
    assert head_of(page)["numbers"] == [2]


def test_a_system_without_an_answer_leaves_a_gap(files: Files) -> None:
    files.one("broken.amr", "(a / x\n\n(d / dog :quant 2)\n")
    page = page_of(
        *("gold.amr", "--systems", "pred.amr", "broken.amr"),
        *("--strict", "--on-error", "skip"),
    )
    head = head_of(page)
    assert head["numbers"] == [1, 2]
    assert head["systems"][1]["matched"] == [None, 3]


def test_pairs_that_nobody_answered_make_no_page(
    files: Files, tmp_path: Path, cli: Cli
) -> None:
    files.one("broken.amr", "(a / x\n\n(a\n")
    given = ["broken.amr", "gold.amr", "-o", "report.html"]
    assert "no pair could be scored" in cli.refusal(
        "report", *given, "--strict", "--on-error", "skip"
    )
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize("metric", ["s2match", "smatch"])
def test_metrics_that_align_are_reported(metric: str) -> None:
    assert metric in page_of("pred.amr", "gold.amr", "--metric", metric)


@pytest.fixture
def served(capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """The address of a served page, whose server ends with the test."""
    known = []
    original: Any = vars(server)["Server"]

    class Server(original):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            known.append(self)

    patch = pytest.MonkeyPatch()
    patch.setattr(server, "Server", Server)
    ended = threading.Event()

    def wait(_: float) -> None:
        if ended.wait(0.02):
            raise KeyboardInterrupt

    clock = SimpleNamespace(sleep=wait, strftime=time.strftime)
    patch.setattr(serving, "time", clock)
    arguments = ["report", "pred.amr", "gold.amr", "--serve", "--port", "0"]
    thread = threading.Thread(target=main, args=(arguments,))
    thread.start()
    while not known:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{known[0].server_port}"
    ended.set()
    thread.join()
    patch.undo()
    del capsys


def fetched(url: Any, **headers: Any) -> Any:
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
        return answer.read().decode()


def until(condition: Any) -> None:
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("nothing happened for two minutes")


def test_a_served_page_is_renewed_when_a_file_changes(served: Any) -> None:
    page = fetched(f"{served}/")
    assert head_of(page)["systems"][0]["missing"] == [1, 0]
    assert "connect-src 'self'" in page
    assert fetched(f"{served}/version") == "0"
    Path("pred.amr").write_text(GOLD)
    until(lambda: fetched(f"{served}/version") == "1")
    assert head_of(fetched(f"{served}/"))["systems"][0]["missing"] == [0, 0]


def test_a_change_while_the_page_is_written_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Writing a page takes a minute where there are many graphs."""
    writing = reports.report_page
    pages: list[ReportPage] = []

    def written(*arguments: Any) -> ReportPage:
        if pages:
            raise KeyboardInterrupt
        pages.append(writing(*arguments))
        Path("pred.amr").write_text(GOLD)
        return pages[-1]

    looking, looks = serving._state, iter(range(10))

    def looked(paths: Any) -> Any:
        assert next(looks, None) is not None, "ten looks have shown no change"
        return looking(paths)

    monkeypatch.setattr(reports, "report_page", written)
    monkeypatch.setattr(serving, "_state", looked)
    monkeypatch.setattr(serving, "_LOOK_EVERY", 0.01)
    assert main(["report", "pred.amr", "gold.amr", "--serve", "--port", "0"]) == 130
    assert len(pages) == 1


def test_a_broken_file_leaves_the_last_page_until_it_is_mended(served: Any) -> None:
    before = head_of(fetched(f"{served}/"))
    Path("pred.amr").write_text("(a / x :r")
    until(lambda: 'role="alert">Not renewed since ' in fetched(f"{served}/"))
    page = fetched(f"{served}/")
    assert head_of(page) == before
    assert "pred.amr has 1 graph" in page.partition('role="alert"')[2][:200]
    Path("pred.amr").write_text(GOLD)
    until(lambda: 'role="alert"' not in fetched(f"{served}/"))
    until(lambda: head_of(fetched(f"{served}/"))["systems"][0]["missing"] == [0, 0])


def test_only_this_machine_by_its_own_name_is_answered(served: Any) -> None:
    with pytest.raises(urllib.error.HTTPError, match="403"):
        fetched(f"{served}/", Host="evil.example:80")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        fetched(f"{served}/../etc/passwd")


def test_a_port_in_use_is_named(served: Any, cli: Cli) -> None:
    port = served.rpartition(":")[2]
    assert f"port {port} cannot be used" in cli.refusal(
        "report", "pred.amr", "gold.amr", "--serve", "--port", port
    )


def test_corpus_scores_can_be_means_over_pairs(cli: Cli, files: Files) -> None:
    """Of the first pair's four triples three match, of the second's two both."""
    gold = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    pred = ["(b / bark-01 :ARG0 (c / cat))", "(r / rain-01)"]
    paths = files.graphs("a.amr", pred), files.graphs("b.amr", gold)
    summed = cli.out("report", *paths)
    assert "<h1>Smatch: a.amr 0.8333</h1>" in summed
    assert "means over pairs" not in summed
    mean = cli.out("report", *paths, "--macro", "--significant", "2")
    assert "<h1>Smatch: a.amr 0.88</h1>" in mean
    assert "Scores are means over pairs." in mean
    assert "average:macro" in mean
    assert 'data-digits="2"' in mean
    assert 'data-digits="4"' in summed


@pytest.mark.parametrize(("profile", "score"), [("smatchpp", 1), ("clean", 0)])
def test_two_empty_graphs_score_what_the_profile_says(
    cli: Cli, files: Files, profile: str, score: int
) -> None:
    files.one("empty.amr", '(a / b :r "x)\n\n(b / bark-01)\n')
    given = ["empty.amr", "empty.amr", "--profile", profile, "--on-error", "empty"]
    head = head_of(page_of(*given))
    assert head["systems"][0]["predTotals"][0] == 0
    assert head["nothing"] == score
    assert cli.record(*given, "--per-pair", "-q")["per_pair"][0]["score"] == score


def test_pairs_are_not_kept_until_all_are_there(
    files: Files, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page holds them packed."""
    most = 0
    add = Collector.add

    def counted(self: Collector, answers: Any) -> None:
        nonlocal most
        gc.collect()
        alive = sum(isinstance(found, PairErrors) for found in gc.get_objects())
        most = max(most, alive)
        add(self, answers)

    monkeypatch.setattr(Collector, "add", counted)
    graphs = "\n\n".join(f"(w / want-01 :ARG0 (b / boy-{k}))" for k in range(40))
    pred, gold = files.pair(graphs, graphs.replace("boy", "girl"))
    gc.collect()
    gc.freeze()  # what other tests left behind is neither searched nor counted
    try:
        cli.out("report", pred, gold, "-o", "page.html")
    finally:
        gc.unfreeze()
    assert 0 < most < 5


def test_answers_of_several_systems_meet_in_order() -> None:
    def answer(index: int) -> Any:
        return SimpleNamespace(result=SimpleNamespace(index=index))

    given: list[Any] = []
    collector: Any = SimpleNamespace(add=given.append)
    first = {k: answer(k) for k in (5, 0, 3)}
    second = {k: answer(k) for k in (0, 1)}
    kept = [dict(first), dict(second)]
    last = [answer(k) for k in (1, 3, 4)]
    collect(collector, kept, ((one.result.index, one) for one in last))
    assert kept == [{}, {}]
    assert given == [
        [first[0], second[0], None],
        [None, second[1], last[0]],
        [first[3], None, last[1]],
        [None, None, last[2]],
        [first[5], None, None],
    ]


def test_a_pair_of_which_nothing_counts_has_no_score() -> None:
    """A dash in the page, as everywhere else; 0 would be among the worst."""
    head = head_of(page_of("pred.amr", "gold.amr", "--only", "ARG99"))
    assert head["systems"][0]["goldTotals"] == [0, 0]
    assert head["nothing"] is None


def test_several_references_mean_what_they_mean_for_scores(
    cli: Cli, files: Files
) -> None:
    """The best one counts for each pair, is drawn, and is named."""
    pred = files.one("one.amr", "(a / x :r (b / y))\n\n(c / z)\n")
    near = files.one("near.amr", "(a / x :r (b / q))\n\n(c / z)\n")
    far = files.one("far.amr", "(a / x :r (b / y))\n\n(c / w)\n")
    for order in ((near, far), (far, near)):
        assert cli.out(pred, *order, "-q") == "1.0000\n"
        head = head_of(page_of(pred, *order))
        assert head["references"] == [Path(path).name for path in order]
        named = [head["references"][k] for k in head["best"]]
        assert named == ["far.amr", "near.amr"]
        assert head["systems"][0]["missing"] == [0, 0]
    page = page_of(pred, near, far)
    assert "against the best of near.amr, far.amr" in page
    errors = cli.json("errors", pred, near, far, "-q")
    assert errors["systems"][0]["errors"] == []


def test_several_systems_are_shown_against_one_reference(cli: Cli) -> None:
    said = cli.refusal(
        *("report", "gold.amr", "pred.amr"), *("--systems", "pred.amr", "gold.amr")
    )
    assert "make a page of one system, or name one reference" in said
    assert "name one file of references" in cli.refusal(
        "thresholds", "pred.amr", "gold.amr", "gold.amr", "--metric", "s2match"
    )


def test_a_page_has_no_private_paths(tmp_path: Path, cli: Cli) -> None:
    """It is sent around: names are enough, and as much of a path as tells two apart."""
    (tmp_path / "secret" / "a").mkdir(parents=True)
    (tmp_path / "secret" / "b").mkdir()
    paths = [tmp_path / "secret" / name / "x.amr" for name in ("a", "b")]
    paths[0].write_text("(a / x")
    paths[1].write_text("(a / x)")
    shown = ("--strict", "--on-error", "empty", "--format", "html")
    pages = [
        page_of(*map(str, paths), *shown[:3]),
        cli.out(*map(str, paths), *shown, "--per-pair"),
        cli.out("align", *map(str, paths), *shown),
        cli("lint", str(paths[0]), "--format", "html").out,
    ]
    for page in pages:
        assert str(tmp_path) not in page
        assert "secret" not in page
    assert "<dt>a/x.amr</dt>" in pages[0]
    assert "a/x.amr:1" in pages[0]
