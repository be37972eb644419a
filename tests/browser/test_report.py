"""The error browser: asked by mouse and by keys, it shows what the library finds."""

from __future__ import annotations

import csv
import json
import os
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.command import record_in
from support.report_page import address, follow, listed, press, scroll, visit

from exactmatch import compare, evaluate
from exactmatch.cli.main import main
from exactmatch.engine.differences import marks
from exactmatch.formats.blocks import read_blocks
from exactmatch.graphs.drawing.drawing import DrawnSide, draw
from exactmatch.graphs.drawing.svg import svg
from exactmatch.studies.errors.errors import ErrorSums

pytestmark = pytest.mark.slow

SAMPLE = files("exactmatch") / "sample"
PRED, GOLD = str(SAMPLE / "pred.amr"), str(SAMPLE / "gold.amr")


def ids(examined: Any, wanted: Any) -> list[Any]:
    return [result.id for result, errors in examined if wanted(result, errors)]


def test_the_worst_pairs_come_first(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    page = viewer.open(page_of_sample)
    by_score = sorted(examined, key=lambda pair: (pair[0].score.score, pair[0].index))
    assert listed(page) == [result.id for result, _ in by_score]
    shown = page.locator(".row").first.locator(".own").inner_text()
    assert shown
    page.select_option("[data-part=sort]", "extra")
    most = max(len([e for e in p[1].differences.edits if e.pred]) for p in examined)
    assert page.locator(".row .extra").first.inner_text() == f"+{most}"
    page.click("[data-part=down]")
    assert page.locator(".row .extra").first.inner_text() == "+0"


def test_headings_stand_above_their_columns(
    viewer: Any, page_of_sample: Any, page_of_two: Any
) -> None:
    for path, last in ((page_of_sample, ".own"), (page_of_two, "i")):
        page = viewer.open(path)
        head = page.locator("[data-part=heads] button").last.bounding_box()
        cell = page.locator(f".row .scores {last}").first.bounding_box()
        assert head["x"] + head["width"] == pytest.approx(
            cell["x"] + cell["width"], abs=16
        )


def test_headings_of_the_list_sort_it(
    viewer: Any, page_of_two: Any, examined: Any
) -> None:
    page = viewer.open(page_of_two)
    heads = page.locator("[data-part=heads] button")
    assert [text.strip("↑↓\u2009") for text in heads.all_inner_texts()] == [
        "pair", "−", "+", "first", "second", "gain"
    ]  # fmt: skip
    heads.nth(3).focus()
    page.keyboard.press("Enter")
    by_score = sorted(examined, key=lambda pair: (pair[0].score.score, pair[0].index))
    expected = [result.id for result, _ in by_score]
    assert listed(page) == expected
    assert page.evaluate("document.activeElement.textContent") == "↑\u2009first"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "↓\u2009first"
    scores = [result.score.score for result, _ in by_score]
    names = dict(zip(expected, scores, strict=True))
    assert [names[name] for name in listed(page)] == sorted(scores, reverse=True)
    heads.nth(0).click()
    assert listed(page) == [result.id for result, _ in examined]
    assert "sort=file" in address(page)


def test_scores_are_those_of_the_command(
    viewer: Any, page_of_sample: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", PRED, GOLD, "--per-pair", "--format", "json", "-q"]) == 0
    record = record_in(capsys.readouterr().out)
    page = viewer.open(page_of_sample)
    assert f"{record['f1']:.4f}" in page.locator("h1").inner_text()
    for pair in record["per_pair"][::7]:
        visit(page, page_of_sample, f"pair={pair['id']}")
        facts = page.locator(".facts").inner_text()
        assert f"F1 {pair['f1']:.4f}" in facts
        assert f"{pair['matched']} of {pair['pred_total']} predicted" in facts
        assert "proven optimal" in facts


def test_pairs_that_lost_a_role_are_found(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    def lost(_: Any, errors: Any) -> bool:
        edits = errors.differences.edits
        return any(e.gold and e.gold.written.role == "polarity" for e in edits)

    page = viewer.open(page_of_sample)
    page.click("text=Filters")
    page.select_option("[data-part=role]", "-polarity")
    page.select_option("[data-part=sort]", "file")
    assert listed(page) == ids(examined, lost)
    assert "role=-polarity" in address(page)
    page.click("[data-part=clear]")
    assert len(listed(page)) == len(examined)


def test_pairs_that_lost_or_have_gained_a_concept_are_found(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    def changed(errors: Any, gold: Any) -> set[Any]:
        return {
            edit[gold].triple.target
            for edit in errors.differences.edits
            if edit[gold] and edit[gold].triple.kind == "instance"
        }

    lost = Counter(c for _, e in examined for c in changed(e, 1)).most_common(1)[0][0]
    extra = Counter(c for _, e in examined for c in changed(e, 0)).most_common(1)[0][0]
    page = viewer.open(page_of_sample, "sort=file")
    page.click("text=Filters")
    for asked, name, gold in ((lost, lost, 1), (f"+{extra}", extra, 0)):
        page.fill("[data-part=concept]", asked)
        page.keyboard.press("Tab")
        assert listed(page) == ids(
            examined, lambda _, e, name=name, gold=gold: name in changed(e, gold)
        )


def test_re_entrant_graphs_are_found(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    def is_reentrant(result: Any, _: Any) -> bool:
        return any(
            len(graph.relations) >= len(graph.variables)
            for graph in (result.pred, result.gold)
        )

    page = viewer.open(page_of_sample, "sort=file")
    page.click("text=Filters")
    page.check("[data-part=reentrant]")
    expected = ids(examined, is_reentrant)
    assert 0 < len(expected) < len(examined)
    assert listed(page) == expected


def test_unproven_pairs_are_found_and_say_what_is_open(
    viewer: Any, written: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ("--solver", "hungarian")
    page = viewer.open(written("report", PRED, GOLD, *chosen, "--samples", "5"))
    command = ["score", PRED, GOLD, *chosen, "--per-pair", "--format", "json", "-q"]
    assert main(command) == 0
    record = record_in(capsys.readouterr().out)
    unproven = {p["id"] for p in record["per_pair"] if p["f1"] != p["f1_upper"]}
    assert 0 < len(unproven) < len(record["per_pair"])
    page.click("text=Filters")
    page.check("[data-part=unproven]")
    assert set(listed(page)) == unproven
    scroll(page)
    assert page.locator(".row em").first.inner_text() == "open"
    page.locator(".row").first.click()
    page.locator(".facts .open").wait_for()
    assert "not proven: at most" in page.locator(".facts").inner_text()


def test_the_most_frequent_role_confusion_leads_to_its_pairs(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    counts = ErrorSums([errors for _, errors in examined]).counts()
    best = max(
        (each for each in counts if each.type.kind == "role confusion"),
        key=lambda each: (bool(each.type.detail), each.count),
    )
    page = viewer.open(page_of_sample, "sort=file")
    page.click("button[data-kind='role confusion']")
    row = page.locator("tr.detail", has_text=best.type.detail).first
    cells = row.locator("td").all_inner_texts()
    assert cells[1] == str(best.count)
    assert cells[-1] == str(len(best.pairs))
    follow(page, row.locator("a"))
    assert listed(page) == [examined[k][0].id for k in best.pairs]


def test_each_error_shows_its_most_frequent_kind(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    most: dict[str, int] = {}
    of_detail: dict[tuple[str, str], int] = {}
    for each in ErrorSums([errors for _, errors in examined]).counts():
        kind, detail = each.type.kind, each.type.detail
        if detail:
            of_detail[kind, detail] = each.count
            most[kind] = max(most.get(kind, 0), each.count)
    page = viewer.open(page_of_sample)
    rows = page.locator("[data-part=errors] tbody tr", has=page.locator(".example"))
    shown = {
        row.locator("a").inner_text(): row.locator(".example").inner_text()
        for row in rows.all()
    }
    assert len(shown) > 5
    for kind, example in shown.items():
        assert of_detail[kind, example] == most[kind]
    button = page.locator("button[data-kind='concept confusion']")
    button.click()
    assert page.locator("tr", has=button).locator(".example").count() == 0


def test_errors_are_those_of_the_library(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    page = viewer.open(page_of_sample)
    shown = {}
    for row in page.locator("[data-part=errors] tbody tr").all():
        cells = row.locator("td").all_inner_texts()
        shown[row.locator("a").inner_text()] = (cells[1], cells[2], cells[0], cells[3])
    expected: dict[str, Any] = {}
    for each in ErrorSums([errors for _, errors in examined]).counts():
        if not each.type.detail:
            ends = (each.least, each.greatest)
            expected[each.type.kind] = (
                str(each.count),
                "" if ends[0] == ends[1] else f"{ends[0]}–{ends[1]}",
                pytest.approx(100 * each.share, abs=0.051),
                str(len(each.pairs)),
            )
    for kind, (count, between, share, pairs) in shown.items():
        number = float(share.strip().removesuffix(" %"))
        assert (count, between, number, pairs) == expected.pop(kind)
    assert not expected


def test_two_systems_are_sorted_by_their_difference(
    viewer: Any, page_of_two: Any, second: Any
) -> None:
    texts = [
        ["\n".join(block.lines) for block in read_blocks(path)]
        for path in (PRED, second, GOLD)
    ]
    first, other = (evaluate(side, texts[2], "smatch").pairs for side in texts[:2])
    gain = {b.id: b.score.f1 - a.score.f1 for a, b in zip(first, other, strict=True)}
    page = viewer.open(page_of_two)
    order = listed(page)
    values = [gain[name] for name in order]
    assert values == sorted(values, reverse=True)
    assert gain[order[0]] > 0
    scroll(page)
    page.locator(".row").first.click()
    page.wait_for_selector("h3:has-text('Who is right')")
    assert page.locator("figure.drawing").count() == 3
    assert page.locator("text=✓ right").count() > 0
    visit(page, page_of_two, "sort=change&down=0")
    assert [gain[name] for name in listed(page)] == sorted(values)


@pytest.mark.parametrize(("width", "columns"), [(390, 1), (1280, 1), (1920, 3)])
def test_small_graphs_stand_beside_each_other(
    viewer: Any, page_of_two: Any, width: int, columns: int
) -> None:
    page = viewer.open(page_of_two, "pair=sample.5", size=(width, 900))
    boxes = [each.bounding_box() for each in page.locator("figure.drawing").all()]
    assert len({round(box["x"]) for box in boxes}) == columns
    assert len({round(box["y"]) for box in boxes}) == 4 - max(columns, 1)


def test_what_not_every_optimum_pairs_is_dotted(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    page = viewer.open(page_of_sample)
    unsure = [(r.id, e) for r, e in examined if e.uncertain]
    assert unsure
    for name, errors in (*unsure[:3], (examined[5][0].id, examined[5][1])):
        visit(page, page_of_sample, f"pair={name}")
        drawings = page.locator("svg.graph")
        assert drawings.nth(0).locator(".uncertain").count() == 0
        assert drawings.nth(1).locator(".uncertain").count() == len(errors.uncertain)
        is_told = "Dotted outlines" in page.locator(".legend").inner_text()
        assert is_told == bool(errors.uncertain)
        rows = page.locator(".alignment tbody").inner_text()
        assert rows.count("in some optima") == len(errors.varying & errors.uncertain)


def test_everything_can_be_done_with_keys(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample)
    first = listed(page)
    scroll(page)
    for key, expected in (("j", 0), ("j", 1), ("j", 2), ("k", 1)):
        press(page, key, f"pair={first[expected]}")
        assert page.locator("[data-part=pair] h2").inner_text() == first[expected]
    page.keyboard.press("Escape")
    assert page.locator("[data-part=overview]").is_visible()
    assert page.evaluate("document.activeElement.dataset.part") == "rows"
    press(page, "ArrowDown", f"pair={first[0]}")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "H2"
    page.keyboard.press("/")
    page.keyboard.type("boat")
    assert page.evaluate("document.activeElement.dataset.part") == "search"
    page.wait_for_function("() => location.hash.includes('search=boat')")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.locator("dialog").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="hidden")


@pytest.mark.parametrize(
    ("scope", "search", "regex", "text"),
    [
        ("sentence", "boat", "", "sentence"),
        ("id", "sample.1", "", "id"),
        ("id", r"^sample\.1$", "1", "id"),
        ("concept", "sell-01", "", "concept"),
        ("concept", "^", "1", "all"),
    ],
)
def test_searches_find_what_holds_the_text(
    viewer: Any,
    page_of_sample: Any,
    examined: Any,
    scope: str,
    search: str,
    regex: str,
    text: str,
) -> None:
    asked = f"sort=file&scope={scope}&search={search}&regex={regex}"
    page = viewer.open(page_of_sample, asked.replace("^", "%5E"))
    page.wait_for_function(
        "() => !document.querySelector('[data-part=count]').textContent.includes('…')"
    )
    whole = rf"\b{re.escape(search)}\b"
    pattern = re.compile(search if regex else whole, re.IGNORECASE)
    where: Any = {
        "sentence": lambda r: [r.gold.metadata.get("snt", "")],
        "id": lambda r: [r.id],
        "concept": lambda r: [c or "" for g in (r.gold, r.pred) for c in g.concepts()],
        "all": lambda _: [""],
    }[text]
    expected = ids(examined, lambda r, _: any(map(pattern.search, where(r))))
    if text != "all":
        assert 0 < len(expected) < len(examined)
        assert listed(page) == expected


def test_a_broken_expression_is_told_apart(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, "scope=id")
    page.check("[data-part=regex]")
    page.fill("[data-part=search]", "sample(")
    page.wait_for_selector("[data-part=search][aria-invalid=true]")
    page.fill("[data-part=search]", r"sample\.1$")
    page.wait_for_selector("[data-part=search]:not([aria-invalid])")
    assert len(listed(page)) == 1


def test_bars_of_the_histogram_choose_pairs_and_take_it_back(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    page = viewer.open(page_of_sample, "sort=file")
    bins = Counter(min(int(r.score.score * 20 + 1e-9), 19) for r, _ in examined)
    chosen = bins.most_common(1)[0][0]
    bar = page.locator(f"[data-bin='{chosen}']")
    bar.click()
    assert len(listed(page)) == bins[chosen]
    assert bar.get_attribute("aria-pressed") == "true"
    page.locator(f"[data-bin='{chosen}']").click()
    assert len(listed(page)) == len(examined)
    page.locator("[data-bin='0']").focus()
    for _ in range(chosen):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert len(listed(page)) == bins[chosen]


def test_links_lead_to_pairs_and_back(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, "pair=sample.5")
    assert page.locator("[data-part=pair] h2").inner_text() == "sample.5"
    assert page.locator("[aria-selected=true] .id").inner_text() == "sample.5"
    visit(page, page_of_sample, "pair=no.such.pair")
    assert page.locator("[data-part=overview]").is_visible()
    visit(page, page_of_sample, "pair=%2340")
    assert page.locator("[data-part=pair]").is_visible()


def shape(element: Any) -> Any:
    """An SVG element without what only a page or a file needs."""
    attributes = {
        name: float(value) if re.fullmatch(r"-?\d+(\.\d+)?", value) else value
        for name, value in element.attrib.items()
        if not name.startswith("data-") and name != "style" and value != ""
    }
    children = [shape(child) for child in element]
    return (
        element.tag.rpartition("}")[2],
        sorted(attributes.items()),
        (element.text or "") + "".join(child.tail or "" for child in element),
        sorted(children, key=repr),
    )


def test_pictures_are_those_of_the_library(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    """The page draws what ``exactmatch draw`` draws, box by box and line by line."""
    page = viewer.open(page_of_sample)
    for result, errors in examined[::3]:
        visit(page, page_of_sample, f"pair={result.id}")
        gold_marks, pred_marks = marks(errors.differences.edits)
        pred, gold = errors.pred, errors.gold
        drawing = draw(
            DrawnSide(gold.graph, (), gold_marks, gold.lines),
            DrawnSide(
                pred.graph,
                errors.differences.alignment,
                pred_marks,
                pred.lines,
                uncertain=errors.uncertain,
            ),
        )
        for k in (0, 1):
            text = (
                page.locator("svg.graph")
                .nth(k)
                .evaluate("svg => new XMLSerializer().serializeToString(svg)")
            )
            ours = svg(drawing, k, styled=False, numbered=True)
            assert shape(ElementTree.fromstring(text)) == shape(
                ElementTree.fromstring(ours)
            )


def test_texts_are_those_of_the_file(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    page = viewer.open(page_of_sample)
    blocks = {b.id: b for b in read_blocks(GOLD)}
    for result, _ in examined[::5]:
        visit(page, page_of_sample, f"pair={result.id}")
        shown = page.locator("pre").first.evaluate(
            """pre => { const copy = pre.cloneNode(true);
            for (const number of copy.querySelectorAll('sub')) number.remove();
            return copy.textContent }"""
        )
        words = shown.replace(" root", "").split()
        assert words == " ".join(blocks[result.id].content).split()


def test_the_open_pair_is_proved_in_the_browser(viewer: Any, written: Any) -> None:
    """What the page says of each pair is the number of triples that match."""
    path = written("report", PRED, GOLD, "--samples", "20", "--proofs")
    page = viewer.open(path, "pair=sample.5")
    said = page.locator(".checked").inner_text()
    assert said == "checked here, in your browser: 22 ≤ optimum ≤ 22"


def test_without_proofs_nothing_is_checked(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, "pair=sample.5")
    assert page.locator(".checked").count() == 0
    assert "const refusal" not in page_of_sample.read_text("utf-8")


def test_a_search_finds_words_and_not_their_parts(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    sentences = {r.id: r.gold.metadata["snt"].lower() for r, _ in examined}
    for search, pattern in (("he", r"\bhe\b"), ("the*", r"\bthe\w*")):
        page = viewer.open(page_of_sample, f"sort=file&scope=sentence&search={search}")
        expected = [
            name for name, said in sentences.items() if re.search(pattern, said)
        ]
        assert listed(page) == expected
        assert 0 < len(expected) < len(sentences)
        if "*" not in search:
            assert len(expected) < sum(search in said for said in sentences.values())
        marked = page.locator(".row mark.match").all_inner_texts()
        assert marked
        assert all(re.fullmatch(pattern, m.lower()) for m in marked)


def test_the_list_is_saved_as_it_is_shown(viewer: Any, page_of_two: Any) -> None:
    page = viewer.open(page_of_two, "sort=size&from=10")
    saved = {}
    for part in ("csv", "ids"):
        with page.expect_download() as download:
            page.click(f"[data-part={part}]")
        with open(download.value.path(), encoding="utf-8", newline="") as stream:
            saved[part] = stream.read()
    assert saved["ids"].split() == listed(page)
    rows = list(csv.DictReader(saved["csv"].splitlines()))
    assert [row["id"] for row in rows] == listed(page)
    assert all(float(row["f1 first"]) >= 0.5 for row in rows)


def test_two_systems_are_compared_before_all_else(
    viewer: Any, page_of_two: Any, second: str
) -> None:
    page = viewer.open(page_of_two)
    names = {"first": Path(PRED), "second": Path(second)}
    found = compare(names, Path(GOLD), samples=20)
    said = page.locator(".verdict").all_inner_texts()
    assert said == [f"{verdict}." for verdict in found.verdicts]
    pairs = [
        (one.score.score, two.score.score)
        for one, two in zip(
            *(found["smatch"].results[name] for name in names), strict=True
        )
    ]
    better = sum(two > one for one, two in pairs)
    assert (
        f"second is better on {better},"
        in page.locator(".scatter figcaption").inner_text()
    )
    assert page.locator(".scatter circle").count() == len(pairs)
    option = page.locator("[data-part=sort] option:checked").inner_text()
    assert option == "second gains most"


def test_a_bracket_joins_parts_that_stand_for_one(viewer: Any, tmp_path: Path) -> None:
    steps = ("boil water", "put the tea bag", "into the cup", "pour")
    whole = ("boil water", "put the tea bag into the cup", "pour")
    for name, labels in (("pred", steps), ("gold", whole)):
        links = [{"source": k, "target": k + 1} for k in range(len(labels) - 1)]
        nodes = [{"id": k, "label": label} for k, label in enumerate(labels)]
        graph = {"directed": True, "nodes": nodes, "links": links}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(graph) + "\n")
    sides = [str(tmp_path / f"{name}.jsonl") for name in ("pred", "gold")]
    path = tmp_path / "page.html"
    parts = ("--metric", "graph", "--parts", "2", "-o", str(path))
    assert main(["report", *sides, *parts]) == 0
    page = viewer.open(path, "pair=%231")
    drawings = page.locator("figure.drawing")
    assert drawings.nth(0).locator(".bracket path").count() == 0
    bracket = drawings.nth(1).locator(".bracket path")
    assert bracket.count() == 1
    own = bracket.bounding_box()
    for label in ("put the tea bag", "into the cup"):
        box = drawings.nth(1).locator(f"g.node:has-text('{label}') rect").bounding_box()
        assert box["x"] < own["x"] + own["width"]
        assert own["x"] < box["x"] + box["width"]
    assert "together with" in page.locator("table.alignment").inner_text()
    facts = page.locator("body").inner_text()
    assert "nodes above a bracket stand for one" in facts
    assert "the graphs are equal" not in facts
    assert "P 0.9857" in facts
    assert "R 1.0000" in facts
    assert "6.900 of 7 predicted, 5 of 5 in the reference" in facts
    if folder := os.environ.get("EXACTMATCH_SCREENSHOTS"):
        page.screenshot(path=str(Path(folder) / "parts.png"), full_page=True)
