"""What a reader sees of a drawing: arrowheads, outlines, all of it, and the way on."""

from __future__ import annotations

import csv
import re
from collections import Counter
from importlib.resources import files as resources
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from exactmatch import draw
from exactmatch.cli.main import main
from exactmatch.studies.errors.errors import ErrorSums

pytestmark = pytest.mark.slow

SAMPLE = resources("exactmatch") / "sample"
PRED, GOLD = str(SAMPLE / "pred.amr"), str(SAMPLE / "gold.amr")

_SEEN = """each => {
  const { fill, stroke, display, visibility } = getComputedStyle(each);
  const { width, height } = each.getBBox();
  return each.checkVisibility() && display !== "none" && visibility === "visible"
    && width > 0 && height > 0 && [fill, stroke].some((colour) =>
      colour !== "none" && colour !== getComputedStyle(document.body).backgroundColor);
}"""
_REACHED = """each => {
  each.scrollIntoView({ block: "center" });
  const { x, y, width, height } = each.getClientRects()[0];
  const hit = document.elementFromPoint(x + width / 2, y + height / 2);
  return each === hit || each.contains(hit);
}"""


@pytest.mark.parametrize(
    "look", [{"scheme": "light"}, {"scheme": "dark"}, {"forced_colors": "active"}]
)
def test_every_edge_has_an_arrowhead(
    viewer: Any, page_of_sample: Any, look: dict[str, str]
) -> None:
    page = viewer.open(page_of_sample, "pair=sample.5", **look)
    edges = page.locator("svg.graph .edge")
    tips = page.locator("svg.graph .edge .tip")
    assert tips.count() == edges.count() > 10
    for tip in tips.all():
        assert tip.evaluate(_SEEN)


def test_a_variable_lights_up_with_its_partner(
    viewer: Any, page_of_sample: Any
) -> None:
    page = viewer.open(page_of_sample, "pair=sample.5")
    boxes = page.locator("svg.graph [data-place='0'] rect")
    stroke = "rect => getComputedStyle(rect).stroke"
    assert boxes.count() == 2
    assert {box.evaluate(stroke) for box in boxes.all()} == {"none"}
    page.locator("svg.graph [data-place='0'] .concept").first.hover()
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert {box.evaluate(stroke) for box in boxes.all()} == {ink}
    numbered = page.locator("pre [data-place='0'].on")
    assert numbered.count() >= 2


def test_partners_light_up_on_the_page_of_alignments(viewer: Any, written: Any) -> None:
    path = written("align", PRED, GOLD, "--ids", "sample.5", "--format", "html")
    page = viewer.open(path, ready="body")
    boxes = page.locator("svg.graph [data-place='0'] rect")
    assert boxes.count() == 2
    page.locator("svg.graph [data-place='0'] .concept").first.hover()
    strokes = {b.evaluate("r => getComputedStyle(r).stroke") for b in boxes.all()}
    assert strokes == {page.evaluate("getComputedStyle(document.body).color")}


@pytest.mark.parametrize("size", [(390, 844), (1280, 800), (1920, 1080)])
@pytest.mark.parametrize("name", ["sample.5", "sample.33"])
def test_a_drawing_that_fits_is_seen_whole(
    viewer: Any, page_of_sample: Any, size: tuple[int, int], name: str
) -> None:
    page = viewer.open(page_of_sample, f"pair={name}", size=size)
    page.get_by_role("button", name="Fit drawings").click()
    for canvas in page.locator(".canvas").all():
        room = canvas.evaluate(
            """box => [box.scrollWidth - box.clientWidth,
            box.scrollHeight - box.clientHeight]"""
        )
        assert max(room) <= 0
        outer, inner = canvas.bounding_box(), canvas.locator("svg").bounding_box()
        for start, length in (("x", "width"), ("y", "height")):
            assert inner[start] >= outer[start]
            assert inner[start] + inner[length] <= outer[start] + outer[length]
    page.get_by_role("button", name="1:1").click()
    drawn = page.locator("svg.graph").first
    width = drawn.evaluate("svg => svg.viewBox.baseVal.width")
    assert drawn.bounding_box()["width"] == pytest.approx(width, abs=1)


def test_folding_keeps_the_zoom(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, "pair=sample.5")
    page.get_by_role("button", name="Zoom in").click()
    before = page.locator("svg.graph").first.bounding_box()["width"]
    page.get_by_role("button", name="Fold what matches").click()
    assert page.locator("svg.graph").first.bounding_box()["width"] == before


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_all_pairs_are_one_click_away(
    viewer: Any, page_of_sample: Any, width: int
) -> None:
    page = viewer.open(page_of_sample, "pair=sample.5", size=(width, 800))
    page.get_by_role("button", name="All pairs").click()
    page.wait_for_selector("[data-part=overview]:not([hidden])")


def test_an_unknown_pair_is_named(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, "pair=no.such.pair")
    said = page.locator("[data-part=unknown]")
    assert said.inner_text() == "This page has no pair called no.such.pair."
    page.locator(".row").first.click()
    page.wait_for_selector("[data-part=pair]:not([hidden])")
    page.get_by_role("button", name="All pairs").click()
    assert not said.is_visible()


def test_no_hit_says_so_and_leads_back(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, "search=zzzzzz&scope=sentence")
    assert page.locator(".row").count() == 0
    page.get_by_role("button", name="Show all pairs").click()
    page.wait_for_selector(".row")
    assert not page.get_by_role("button", name="Show all pairs").is_visible()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("fragment", ["", "pair=sample.5"])
def test_every_control_is_reached(
    viewer: Any, page_of_two: Any, width: int, fragment: str
) -> None:
    """By the mouse, as nothing lies over it; and by Tab, or by keys of its group."""
    page = viewer.open(page_of_two, fragment, size=(width, 844))
    if summary := page.locator("summary:visible").all():
        summary[0].click()
    controls = page.locator("button:visible, a:visible, select:visible, input:visible")
    assert controls.count() > 20
    for control in controls.all():
        assert control.evaluate(_REACHED), control.evaluate("e => e.outerHTML")
    by_keys = page.evaluate(
        """[...document.querySelectorAll('button, a, select, input, pre, .rows')]
        .filter(each => each.checkVisibility() && each.tabIndex < 0)
        .every(each => each.closest('.histogram'))"""
    )
    assert by_keys


def test_open_scores_are_intervals_everywhere(viewer: Any, written: Any) -> None:
    """In the title, the list, the facts and the picture, in one spelling."""
    path = written(*("report", PRED, GOLD, "--solver", "hungarian", "--samples", "20"))
    interval = re.compile(r"0\.\d{4}\.\.0\.\d{4}")
    page = viewer.open(path)
    title = page.locator("h1").inner_text()
    (corpus,) = interval.findall(title)
    assert corpus in page.title()
    assert corpus in page.locator("[data-part=overview]").inner_text()
    for chart in page.locator(".charts svg").all():
        assert corpus in chart.inner_html()
    row = page.locator(".row:has(em)").first
    (own,) = interval.findall(row.inner_text())
    row.click()
    page.wait_for_selector("[data-part=pair]:not([hidden])")
    assert f"F1 {own}" in page.locator(".facts").inner_text()
    bars = page.locator(".histogram button")
    hatched = sum(bar.locator(".open").count() for bar in bars.all())
    assert hatched > 1


def test_bars_are_seen_in_forced_colours(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, forced_colors="active")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    for bar in page.locator(".histogram .bar, .track .bar").all()[:30]:
        colour = bar.evaluate("bar => getComputedStyle(bar).backgroundColor")
        assert colour not in (ground, "rgba(0, 0, 0, 0)")


def test_the_overview_begins_with_the_answer(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    page = viewer.open(page_of_sample)
    lead = page.locator("[data-part=lead]").inner_text()
    assert re.match(
        r"Smatch 0\.7880 ± 0\.\d{4} \(95 % interval\); \d+ % of what is lost is ", lead
    )
    low = sum(result.score.score < 0.5 for result, _ in examined)
    assert lead.endswith(f"{low} pair below 0.5.")
    assert low == 1
    page.locator("[data-part=lead] a").click()
    page.wait_for_function("() => document.querySelectorAll('.row').length === 1")


def test_scores_and_errors_are_those_of_the_list(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    page = viewer.open(page_of_sample, "error=role+confusion")
    own = [p for p in examined if any(t.kind == "role confusion" for t in p[1].types)]
    counts = {str(each.type): each for each in ErrorSums(e for _, e in own).counts()}
    shown = {}
    for row in page.locator(".errors tbody tr").all():
        cells = row.locator("td").all_inner_texts()
        name = row.locator("th a").inner_text()
        shown[name] = (int(cells[1]), float(cells[0].split()[0]), int(cells[3]))
    kinds = [each for each in counts.values() if not each.type.detail and each.count]
    assert shown.keys() == {each.type.kind for each in kinds}
    for each in kinds:
        count, share, pairs = shown[each.type.kind]
        assert (count, pairs) == (each.count, len(each.pairs))
        assert share == pytest.approx(100 * each.share, abs=0.051)
    matched, pred, gold = (
        sum(getattr(r.score, name) for r, _ in own)
        for name in ("matched", "pred_total", "gold_total")
    )
    lead = page.locator("[data-part=lead]").inner_text()
    assert f"Smatch {2 * matched / (pred + gold):.4f} on {len(own)} pairs" in lead


def test_filters_are_chips_that_go_away(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, "search=the&error=role+confusion&from=4")
    chips = page.locator(".chips button")
    assert chips.count() == 3
    page.get_by_role("button", name="remove: role confusion").click()
    assert "error" not in page.evaluate("location.hash")
    assert chips.count() == 2
    while chips.count():
        chips.first.click()
    assert page.locator("[data-part=count]").inner_text() == "40 pairs"


def test_fourteen_rows_are_in_sight_with_their_main_error(
    viewer: Any, page_of_sample: Any, examined: Any
) -> None:
    page = viewer.open(page_of_sample, size=(1280, 800))
    rows = page.locator(".row").all()
    assert sum(row.bounding_box()["y"] + 38 <= 800 for row in rows) >= 14
    by_id = {result.id: errors for result, errors in examined}
    for row in rows[:10]:
        errors = by_id[row.locator(".id").inner_text()]
        costs: Counter[str] = Counter()
        for edit, kind in zip(errors.differences.edits, errors.types, strict=True):
            costs[kind.kind] += edit.size
        main = row.locator(".main").inner_text()
        assert costs[main] == max(costs.values())


def test_a_pair_is_marked_and_the_marks_are_saved(
    viewer: Any, page_of_sample: Any
) -> None:
    page = viewer.open(page_of_sample, "pair=sample.5&sort=file")
    page.check("[data-part=seen]")
    page.fill("[data-part=note]", 'gold is "wrong", I think')
    page.reload()
    page.wait_for_selector("[data-part=pair]:not([hidden])")
    assert page.is_checked("[data-part=seen]")
    assert page.locator(".row[aria-selected=true] .seen").count() == 1
    with page.expect_download() as download:
        page.click("[data-part=marks]")
    with open(download.value.path(), encoding="utf-8", newline="") as stream:
        assert list(csv.reader(stream)) == [
            ["id", "seen", "note"],
            ["sample.5", "true", 'gold is "wrong", I think'],
        ]
    page.click("text=Filters")
    page.check("[data-part=unseen]")
    assert page.locator("[data-part=count]").inner_text() == "39 of 40 pairs"


def test_the_command_that_is_copied_shows_the_pair(
    viewer: Any,
    page_of_sample: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: Any,
) -> None:
    page = viewer.open(
        page_of_sample,
        "pair=sample.5",
        permissions=["clipboard-read", "clipboard-write"],
    )
    page.get_by_role("button", name="Copy command").click()
    page.locator("text=Copied").wait_for()
    command = page.evaluate("navigator.clipboard.readText()")
    assert command == "exactmatch align pred.amr gold.amr --ids sample.5"
    monkeypatch.chdir(str(SAMPLE))
    assert main(command.split()[1:]) == 0
    assert "pair 5 (sample.5)" in capsys.readouterr().out


BOX = """(b0 / box :member (s0 / person.n.01 :EQU "speaker")%s
    :NEGATION (b1 / box :member (s1 / run.v.02 :Agent s0)%s))
"""
CHART = "flowchart TD\n  A[Start] -->|%s| B[End]\n"


def test_boxes_are_frames_and_texts_are_those_of_the_files(
    viewer: Any, written: Any, files: Any
) -> None:
    """What the page draws of boxes is what Python draws; Mermaid stays Mermaid."""
    member = "\n    :member (s2 / time.n.08)"
    paths = files({"pred.amr": BOX % (member, ""), "gold.amr": BOX % ("", member)})
    profile = ("--profile", "drs")
    page = viewer.open(written("report", *paths, *profile), "pair=%231")
    expected = str(draw(Path(paths[0]), Path(paths[1]), profile="drs"))
    frames = page.locator("svg.graph .frame")
    assert frames.count() == expected.count('class="frame"') == 4
    assert all(frame.evaluate(_SEEN) for frame in frames.all())
    drawn = page.locator("svg.graph .constant").all_text_contents()
    assert drawn.count("≠ member time.n.08") == expected.count(">≠ member<") == 2
    roles = page.locator("svg.graph .edge .role").all_text_contents()
    assert {role.split()[-1] for role in roles} == {"Agent", "NEGATION"}
    paths = files({"pred.mmd": CHART % "yes", "gold.mmd": CHART % "no"})
    page = viewer.open(written("report", *paths), "pair=%231")
    gold, pred = page.locator(".texts pre").all()
    marks = gold.locator("mark"), pred.locator("mark")
    assert [mark.inner_text() for mark in marks] == [
        f"A1[Start] -->|{word}| B2" for word in ("no", "yes")
    ]


def test_workflows_have_lines_and_no_roles_as_in_the_svg(
    viewer: Any, written: Any, tmp_path: Path
) -> None:
    text = "flowchart TD\n a[start] --> b[check the stock of every item in the order]\n"
    paths = [str(tmp_path / name) for name in ("pred.mmd", "gold.mmd")]
    for path, label in zip(paths, ("ship", "ship the order"), strict=True):
        Path(path).write_text(f"{text} b --> c[{label}]\n", "utf-8")
    page = viewer.open(written("report", *paths), "pair=%231")
    texts = page.locator("svg.graph text:not(.number)").all_text_contents()
    lines = ["check the stock of every", "item in the order"]
    assert all(texts.count(line) == 2 for line in lines)
    assert "edge" not in texts
    pred, gold = map(Path, paths)
    drawn = draw(pred, gold)
    assert all(f">{line}<" in drawn for line in lines)
    ways = page.locator("svg.graph .edge path").evaluate_all(
        "paths => paths.map(path => path.getAttribute('d'))"
    )
    edges = re.findall(r'<g class="edge.*?</g>', drawn)
    assert sorted(ways) == sorted(re.findall(r' d="(.*?)"', "".join(edges)))
    first, last = (
        page.locator(f"svg.graph .concept:text-is('{name}')").first.bounding_box()
        for name in ("start", "≠ ship the order")
    )
    assert first["y"] + 80 < last["y"]


def test_the_first_difference_is_in_view(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, "pair=sample.39", size=(390, 844))
    seen = """() => {
      const canvas = document.querySelector(".canvas");
      const first = canvas.querySelector(
        ".node:is(.extra, .missing), .edge:is(.extra, .missing, .changed)");
      const [box, view] = [first, canvas].map((each) => each.getBoundingClientRect());
      return box.left < view.right && box.right > view.left;
    }"""
    page.wait_for_function(seen)


_PLACES = """() => [...document.querySelectorAll("svg.graph")].map((svg) => ({
  boxes: [...svg.querySelectorAll(".node > rect, .ghost")].map((rect) =>
    ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)))),
  lines: [...svg.querySelectorAll(".edge .line")].map((line) =>
    [0, line.getTotalLength()].map((at) => {
      const { x, y } = line.getPointAtLength(at);
      return [x, y];
    })),
}))"""


@pytest.mark.parametrize("number", [5, 12, 33, 39])
def test_a_phone_has_drawings_read_from_above(
    viewer: Any, page_of_sample: Any, number: int
) -> None:
    """No box lies over another one, and lines end in the middle of edges of boxes."""
    page = viewer.open(page_of_sample, f"pair=sample.{number}", size=(390, 844))
    pictures = page.evaluate(_PLACES)
    assert len(pictures) == 2
    for picture in pictures:
        for (x, y, w, h), (x1, y1, w1, h1) in combinations(picture["boxes"], 2):
            assert x + w < x1 or x1 + w1 < x or y + h < y1 or y1 + h1 < y
        uppers = {(x + w // 2, y) for x, y, w, _ in picture["boxes"]}
        lowers = {(x + w // 2, y + h) for x, y, w, h in picture["boxes"]}
        for begin, end in picture["lines"]:
            assert tuple(map(round, begin)) in lowers
            assert tuple(map(round, end)) in uppers
    down = page.locator("svg.graph").first.bounding_box()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function(
        "() => document.querySelector('svg.graph').viewBox.baseVal.width > "
        "document.querySelector('svg.graph').viewBox.baseVal.height"
    )
    assert page.locator("svg.graph").first.bounding_box()["width"] > down["width"]


def test_small_drawings_have_their_names_on_a_phone(
    viewer: Any, written: Any, files: Any
) -> None:
    paths = files({"pred.amr": "(b / bark-01)", "gold.amr": "(d / dog)"})
    page = viewer.open(written("report", *paths), "pair=%231", size=(390, 844))
    for caption in page.locator("figcaption > span:first-child").all():
        assert caption.bounding_box()["width"] > 50
