"""``--format html``: the pages say what the other formats say, whatever the input."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html.parser import HTMLParser
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest
from support.command import Cli, record_in, without_provenance
from support.files import Files

from exactmatch import studies
from exactmatch.cli.main import main

PRED = """\
# ::id one
# ::snt He <wants> to "go" & stay.
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

# ::id two
(d / dog :quant 2 :mod (b / big))
"""
GOLD = """\
# ::id one
# ::snt He <wants> to "go" & stay.
(w0 / want-01 :ARG0 (k / boy) :ARG1 (l / leave-11 :ARG0 k))

# ::id two
(s / small :mod-of (d / dog :quant 3))
"""
EVIL = "<script>alert('1')</script>&\"\x01\u202e</title></style>"

COMMANDS = {
    "score": ["pred.amr", "gold.amr", "--per-pair", "--confidence", "--samples", "20"],
    "align": ["pred.amr", "gold.amr"],
    "audit": ["pred.amr", "gold.amr", "--restarts", "0", "--seeds", "2"],
    "compare": ["gold.amr", "pred.amr", "gold.amr", "--names", "<a>,b&"],
    "correlate": ["pred.amr", "gold.amr", "--foils"],
    "finegrained": ["pred.amr", "gold.amr", "--per-pair"],
    "yisi": ["a.txt", "a.txt", "--per-pair"],
}
VOID = {"meta", "wbr"}


class Page(HTMLParser):
    """What a page holds: every tag balanced, text by element, tables as rows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.tables: list[list[list[str]]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names)
        self.tags[tag] += 1
        self.attributes.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append((tag, dict(attrs)))
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if not self.open:
            return
        inner = [tag for tag, _ in self.open]
        self.texts.append((inner[-1], data))
        if "td" in inner or "th" in inner:
            self.tables[-1][-1][-1] += data

    def within(self, *tags: str) -> list[str]:
        return [text for tag, text in self.texts if tag in tags]


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files.one("pred.amr", PRED)
    files.one("gold.amr", GOLD)
    files.one("a.txt", "a <b> c\nd & e\n")


def printed(cli: Cli, *arguments: str) -> str:
    return cli.out(*list(arguments))


def page(cli: Cli, *arguments: str) -> Page:
    return Page(printed(cli, *arguments, "--format", "html"))


def evil_files() -> None:
    """Hostile ids, sentences, concepts, roles and constants."""
    text = f"# ::id {EVIL}\n# ::snt {EVIL}\n"
    text += '(a / <u>x&amp; :<u>r {} :q "</pre><u>" :mod (c / <pre>))'
    Path("pred.amr").write_text(2 * f"{text}\n\n".format("&lt;"), "utf-8")
    Path("gold.amr").write_text(2 * f"{text}\n\n".format("&gt;"), "utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_pages_are_whole_and_balanced(command: str, cli: Cli) -> None:
    """One file: nothing is loaded, and no script but our own may run."""
    text = printed(cli, command, *COMMANDS[command], "--format", "html")
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert text.endswith("</html>\n")
    found = Page(text)
    assert found.within("title")[0].startswith("exactmatch: ")
    assert found.tags["script"] == found.tags["style"] == found.tags["h1"] == 1
    assert not {"link", "img", "iframe"} & set(found.tags)
    assert "http" not in text.replace("http-equiv", "")
    for tag, attributes in found.attributes:
        assert tag != "th" or attributes.get("scope") in ("row", "col")
        assert not any(name.startswith("on") for name in attributes)
    assert bool(found.within("code")) == ("Signature" in found.within("h2"))


@pytest.mark.parametrize("command", [c for c in COMMANDS if c != "yisi"])
def test_hostile_input_stays_text(command: str, cli: Cli) -> None:
    evil_files()
    text = printed(cli, command, *COMMANDS[command], "--format", "html")
    found = Page(text)
    assert found.tags["script"] == 1
    assert "u" not in found.tags
    assert "\x01" not in text
    if command in ("score", "align"):
        shown = EVIL.replace("\x01", r"\x01").replace("\u202e", r"\u202e")
        assert shown in [*found.within("span"), *(r[1] for r in found.tables[-1])]


def test_the_policy_admits_the_pages_own_script_alone(
    cli: Cli,
) -> None:
    text = printed(cli, "score", "pred.amr", "gold.amr", "--format", "html")
    (script,) = re.findall("<script>(.*?)</script>", text, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert "default-src 'none'; " in text
    assert f"script-src 'sha256-{digest}'; " in text


def test_pages_go_to_a_file_at_once_and_whole(
    cli: Cli,
) -> None:
    for command in ("score", "align"):
        args = [command, *COMMANDS[command][:2], "--format", "html"]
        shown = without_provenance(printed(cli, *args))
        assert printed(cli, *args, "-o", "page.html") == ""
        page = Path("page.html").read_text(encoding="utf-8")
        assert without_provenance(page) == shown
    Path("gold.amr").write_text("(a / x")
    assert main([*args, "-o", "other.html"]) == 2
    assert not Path("other.html").exists()


def test_scores_are_those_of_json(cli: Cli) -> None:
    given = ["score", *COMMANDS["score"], "--metric", "smatch,sembleu"]
    text = printed(cli, *given, "--format", "html")
    records = json.loads(printed(cli, *given, "--format", "json"))["metrics"]
    found = Page(text)
    corpora, pairs = found.tables
    for row, record in zip(corpora[1:], records, strict=True):
        assert row[0] == record["metric"]
        for k, name in enumerate(("precision", "recall", "score"), 1):
            number = record[name]
            assert row[k].startswith("-" if number is None else f"{number:.4f}")
            low = record[f"{name}_low"]
            assert low is None or f"[{low:.4f}, " in row[k]
            assert number is None or f'title="{number!r}"' in text
        assert record["signature"] in "".join(found.within("code"))
    by_metric = {r["metric"]: r["per_pair"] for r in records}
    assert len(pairs) == 1 + 2 * 2
    for row in pairs[1:]:
        record = by_metric[row[2]][int(row[0]) - 1]
        assert row[1] == record["id"]
        assert row[3] == ("-" if record["matched"] is None else str(record["matched"]))
        assert row[9] == f"{record['score']:.4f}"
    assert found.tags["svg"] == 2
    bars = [int(t.rpartition(" ")[2]) for t in found.within("title")[1:]]
    assert sum(bars) == 2 * 2


def test_without_pairs_there_is_the_corpus_alone(
    cli: Cli,
) -> None:
    (table,) = page(cli, "score", "pred.amr", "gold.amr").tables
    assert len(table) == 2
    assert table[1][-1] == "2 of 2"


def test_what_was_left_out_is_on_the_page(cli: Cli) -> None:
    with Path("pred.amr").open("a") as stream:
        stream.write("\n# ::id three\n(a / x\n")
    with Path("gold.amr").open("a") as stream:
        stream.write("\n# ::id three\n(a / x)\n")
    for command in ("score", "align"):
        given = [command, "pred.amr", "gold.amr", "--on-error", "skip"]
        told = page(cli, *given).within("p")
        assert any(t.startswith("skipped: pred.amr:") for t in told)


@pytest.mark.slow
def test_open_pairs_show_their_interval(cli: Cli) -> None:
    """Climbing proves next to nothing, so both pages give both ends."""
    options = ["-q", "--solver", "hillclimb", "-r", "0"]
    record = record_in(printed(cli, *options, "--format", "json"))
    assert record["proven"] < record["pairs"]
    ends = f"{record['f1']:.4f}..{record['f1_upper']:.4f}"
    assert page(cli, "score", *options).tables[0][1][3] == ends
    assert page(cli, "align", *options).tables[0][1][3] == ends


def test_what_is_written_from_right_to_left_keeps_its_side(
    cli: Cli, files: Files
) -> None:
    """Of an arrow, of a colon and of a slash; a sentence is one piece."""
    dog, cat, role = "\u0643\u0644\u0628", "\u0642\u0637", "\u062f\u0648\u0631"
    files.graphs("p.amr", [f"(a / x :{role} (b / {dog}))"])
    files.graphs("g.amr", [f"# ::snt {dog} 2 {cat}\n(a / x :{role} (b / {cat}))"])
    given = ["p.amr", "g.amr", "-q", "--format", "html"]
    listed = printed(cli, "errors", *given)
    assert f"<bdi>{cat}</bdi>→<bdi>{dog}</bdi>" in listed
    aligned = printed(cli, "align", *given)
    assert f"<bdi>b</bdi> :<bdi>instance</bdi> <bdi>{dog}</bdi>" in aligned
    assert f"<bdi>{dog} 2 {cat}</bdi>" in aligned


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--profile", "clean"],
        ["--top", "concept"],
        ["--just", "relation"],
        ["--metric", "s2match"],
        ["--profile", "clean", "--reify"],
        ["--duplicates", "multiset"],
    ],
    ids=" ".join,
)
def test_differing_triples_are_those_of_json(options: list[str], cli: Cli) -> None:
    """Listed beneath the graphs, and as many marked in the graphs themselves."""
    with Path("pred.amr").open("a") as stream:
        stream.write("\n(a / and :op1 (b / x :p 1 :p 1) :op1 b :ARG0 a :q q)\n")
    with Path("gold.amr").open("a") as stream:
        stream.write("\n(b / x :p 1 :p 1 :p 1 :op1-of (a / or) :q r)\n")
    given = ["align", "pred.amr", "gold.amr", *options]
    records = json.loads(printed(cli, *given, "--format", "json"))["pairs"]
    text = printed(cli, *given, "--format", "html")
    found = Page(text)
    expected = [
        f"({source} :{role} {target})"
        for record in records
        for kind in ("missing_triples", "extra_triples")
        for source, role, target in record[kind]
    ]
    listed = [t for t in found.within("code") if t.startswith("(")]
    assert listed == expected
    graphs = "".join(re.findall("<pre>.*?</pre>", text, re.DOTALL))
    for tag, kind in (("del", "extra_triples"), ("ins", "missing_triples")):
        count = sum(len(record[kind]) for record in records)
        assert graphs.count(f"<{tag}>") == count
    for record in records:
        assert f"{record['score']:.4f}" in found.within("b")


def test_aligned_variables_carry_one_number(
    cli: Cli,
) -> None:
    given = ["align", "pred.amr", "gold.amr"]
    records = json.loads(printed(cli, *given, "--format", "json"))["pairs"]
    text = printed(cli, *given, "--format", "html")
    graphs = re.findall("<pre>(.*?)</pre>", text, re.DOTALL)
    for record, gold, pred in zip(records, graphs[::2], graphs[1::2], strict=True):
        marks = [dict(_marks(side)) for side in (pred, gold)]
        for pair in record["alignment"]:
            if pair["pred"] is None or pair["gold"] is None:
                alone = marks[0].get(pair["pred"], marks[1].get(pair["gold"]))
                assert alone == "∅"
            else:
                assert marks[0][pair["pred"]] == marks[1][pair["gold"]] != "∅"


def _marks(graph: str) -> list[tuple[str, str]]:
    return re.findall(r"<b[^>]*>([^<]*)<sub>([^<]*)</sub></b>", graph)


def test_pairs_are_drawn_until_they_are_many(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = printed(cli, "align", "pred.amr", "gold.amr", "--format", "html")
    assert few.count("<svg ") == 2 * few.count("<details")
    view = import_module("exactmatch.studies.align.view")
    monkeypatch.setattr(view, "DRAWN", 5)
    many = printed(cli, "align", "-q", "--format", "html")
    assert many.count("<svg ") == 10
    assert "The first 5 pairs are drawn; exactmatch report draws all." in many


@pytest.mark.slow
def test_many_pairs_are_shut_and_listed(cli: Cli) -> None:
    few = page(cli, "align", "pred.amr", "gold.amr")
    assert all("open" in a for tag, a in few.attributes if tag == "details")
    many = page(cli, "align", "-q")
    opened = [a for tag, a in many.attributes if tag == "details"]
    assert len(opened) == 40
    assert not any("open" in a for a in opened)
    links = [a["href"] for tag, a in many.attributes if tag == "a"]
    assert links == [f"#{a['id']}" for a in opened]


@pytest.mark.parametrize("command", ["audit", "compare", "correlate", "finegrained"])
def test_pages_hold_the_tables_of_the_text(command: str, cli: Cli) -> None:
    text = printed(cli, command, *COMMANDS[command])
    words = text.split()
    found = page(cli, command, *COMMANDS[command])
    for table in found.tables:
        for row in table:
            for shown in row:
                assert all(word in words for word in shown.split())
    flat = "".join(data for _, data in found.texts)
    for line in text.splitlines():
        if line.startswith("signature: "):
            assert line.removeprefix("signature: ") in flat


def test_failures_are_drawn_and_linked(cli: Cli) -> None:
    """The graphs, and both alignments of the prediction."""
    given = ["audit", "-q", "--restarts", "0", "--seeds", "2", "--show", "3"]
    record = record_in(printed(cli, *given, "--format", "json"))
    text = printed(cli, *given, "--format", "html")
    found = Page(text)
    failures = record["failures"][:3]
    assert failures
    keys = [f"smatch-{failure['index']}" for failure in failures]
    assert [a["id"] for tag, a in found.attributes if tag == "details"] == keys
    links = [a["href"] for tag, a in found.attributes if tag == "a"]
    assert links == [f"#{key}" for key in keys]
    assert found.tags["svg"] == 3 * len(failures)
    for failure in failures:
        climbed = f"{failure['climbed_f1'] - failure['f1']:+.4f}"
        assert climbed in found.within("b")
        assert any(f"seed={failure['seed']}" in t for t in found.within("p"))
    captions = found.within("figcaption")[:3]
    assert captions == ["Reference", "Prediction, optimum", "Prediction, climbed"]
    drawings = re.findall("<svg .*?</svg>", text, re.DOTALL)
    marks = [drawing.count("≠") + drawing.count("+ ") for drawing in drawings[1:3]]
    assert marks[0] < marks[1]  # climbing leaves more that differs


def test_intervals_of_a_comparison_are_drawn(
    cli: Cli,
) -> None:
    sample = files("exactmatch") / "sample"
    gold, pred = str(sample / "gold.amr"), str(sample / "pred.amr")
    given = ["compare", gold, pred, gold, "--names", "a,b", "--samples", "20", "-q"]
    record = json.loads(printed(cli, *given, "--format", "json"))
    found = page(cli, *given)
    texts = found.within("text")
    for system in record["systems"]:
        assert system["system"] in texts or system["score_low"] is None
        if system["score_low"] is None:  # no output of the copy errs
            continue
        ends = [system[f"score{end}"] for end in ("", "_low", "_high")]
        assert "{:.4f} [{:.4f}, {:.4f}]".format(*ends) in texts
    assert found.tags["circle"] == 1 + 1


def test_graphs_in_json_are_counted_as_well_formed(tmp_path: Path) -> None:
    """They are read as their metric reads them."""
    pred, gold = (tmp_path / name for name in ("pred.jsonl", "gold.jsonl"))
    for path in (pred, gold):
        nodes, edges = (
            [{"id": 0, "label": "x"}, {"id": 1}],
            [{"source": 0, "target": 1}],
        )
        path.write_text(json.dumps({"nodes": nodes, "links": edges}), "utf-8")
    page = str(studies.report(pred, gold))
    assert page.count("1 graph, 100 % well-formed") == 2
