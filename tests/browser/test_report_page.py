"""The page of the error browser: what leaves it, who may run in it, where it fits."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from exactmatch.base.deadline import OutOfTimeError
from exactmatch.studies.errors.errors import meaning

pytestmark = pytest.mark.slow

SAMPLE = files("exactmatch") / "sample"
PRED, GOLD = str(SAMPLE / "pred.amr"), str(SAMPLE / "gold.amr")
WIDTHS = (360, 390, 768, 1280, 1920)
EVIL = "<img src=x onerror=alert(1)><script>alert(1)</script>&\"'\u202e</title></style>"


def test_drawings_are_copied(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(
        page_of_sample,
        "pair=sample.5",
        permissions=["clipboard-read", "clipboard-write"],
    )
    drawing = page.locator("figure.drawing").first
    read = "navigator.clipboard.readText()"
    drawing.locator("text=SVG").click()
    drawing.locator("text=Copied").wait_for()
    root = ElementTree.fromstring(page.evaluate(read))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "sell-01" in "".join(root.itertext())
    drawing.locator("text=Copied").wait_for(state="detached")
    drawing.locator("text=LaTeX").click()
    drawing.locator("text=Copied").wait_for()
    text = page.evaluate(read)
    assert text.startswith(r"\begin{tikzpicture}")
    assert re.search(r"\\node\[concept\b.*\{sell-01\};", text)
    assert text.count("{") == text.count("}")
    drawing.locator("text=Copied").wait_for(state="detached")
    drawing.locator("text=PNG").click()
    drawing.locator("text=Copied").wait_for()
    size = page.evaluate(
        """async () => { const [item] = await navigator.clipboard.read();
        const picture = await createImageBitmap(await item.getType("image/png"));
        return [picture.width, picture.height] }"""
    )
    drawn = drawing.locator("svg.graph")
    assert size == [2 * int(drawn.get_attribute(each)) for each in ("width", "height")]


def test_a_pair_without_places_has_its_texts_and_says_so(
    viewer: Any, written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: Any) -> Any:
        raise OutOfTimeError("late")

    monkeypatch.setattr("exactmatch.graphs.drawing.drawing.placed", late)
    page = viewer.open(written("report", PRED, GOLD), "pair=sample.5")
    notes = page.locator("p.drawing.note").all_inner_texts()
    assert len(notes) == 2
    assert all("not drawn in the time limit" in note for note in notes)
    assert "sell-01" in page.locator("pre").first.inner_text()
    assert not page.locator("svg.graph").count()


def test_a_hostile_corpus_runs_nothing(
    viewer: Any, written: Any, tmp_path: Path
) -> None:
    pred, gold = tmp_path / "pred.amr", tmp_path / "gold.amr"
    concept = re.sub(r"[\s\"/()]|\(1\)", "", EVIL)
    role = concept
    text = f"# ::id {EVIL}\n# ::snt {EVIL}\n"
    pred.write_text(f'{text}(a / {concept} :{role} "{{}}" :r (b / x))\n', "utf-8")
    gold.write_text(f"{text}(a / {concept} :{role} (b / {concept}))\n", "utf-8")
    path = written("report", str(pred), str(gold), "--samples", "5")
    page = viewer.open(path, "pair=%231")
    assert page.locator("script:not([type])").count() == 1
    assert page.locator("img").count() == 0
    assert "onerror" in page.locator("[data-part=pair] h2").inner_text()
    assert "onerror" in page.locator("[data-part=sentences]").inner_text()
    assert "<script>" in page.locator("svg.graph").first.text_content()
    page.fill("[data-part=search]", "<img")
    page.wait_for_function("() => document.body.dataset.shows.includes('search=')")
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    for fold in page.locator("button.fold").all():
        fold.click()
    assert "<script>" in page.locator("[data-part=errors]").inner_text()


LETTERS = r"<b>\textbf{x}$%&#_^~|"
"""A concept of everything that means something to LaTeX."""


def test_copies_for_latex_compile(viewer: Any, written: Any, tmp_path: Path) -> None:
    """Where LaTeX with TikZ is there, it sets what is copied, whatever the names."""
    pdflatex = shutil.which("pdflatex")
    tikz = ["kpsewhich", "tikz.sty"]
    if pdflatex is None or subprocess.run(tikz, capture_output=True).returncode:
        pytest.skip("no LaTeX with TikZ: apt-get install texlive-pictures")
    pred, gold, other = (tmp_path / f"{name}.amr" for name in ("pred", "gold", "other"))
    pred.write_text(f'(a / {LETTERS} :r (b / x) :s a :q "_{{}}%")\n')
    gold.write_text(f"(a / {LETTERS} :{LETTERS} (c / y :r a) :polarity -)\n")
    other.write_text("(c / y :r (a / z :q 1))\n")
    page = viewer.open(
        written(
            "report", str(other), "--systems", str(pred), str(gold), "--samples", "5"
        ),
        "pair=%231",
        permissions=["clipboard-read", "clipboard-write"],
    )
    text = "\\documentclass{article}\\usepackage{tikz}\\begin{document}\n"
    for drawing in page.locator("figure.drawing").all():
        drawing.locator("text=LaTeX").click()
        drawing.locator("text=Copied").wait_for()
        text += page.evaluate("navigator.clipboard.readText()") + "\n"
    (tmp_path / "copies.tex").write_text(text + "\\end{document}\n", "utf-8")
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "copies.tex"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stdout.decode("utf-8", "replace")[-2000:]


def test_systems_are_named_where_they_were_misread(
    viewer: Any, written: Any, tmp_path: Path
) -> None:
    pred, gold = tmp_path / "pred.amr", tmp_path / "gold.amr"
    pred.write_text('(a / x :mod (b / y :op1-of "z"))\n')
    gold.write_text("(a / x)\n")
    systems = ("--systems", str(pred), str(gold), "--names", "one,two")
    arguments = (str(gold), *systems)
    page = viewer.open(written("report", *arguments, "--samples", "5"))
    assert page.locator(".warn").all_inner_texts() == [
        "one: smatch: as read: 1 constant of :mod or of an inverted role left out"
    ]


@pytest.mark.parametrize("width", [390, 1280])
def test_what_the_profile_leaves_out_can_be_read(
    viewer: Any, written: Any, serious: Any, tmp_path: Path, width: Any
) -> None:
    pred, gold = tmp_path / "a-file-of-a-rather-long-name.amr", tmp_path / "gold.amr"
    pred.write_text('(a / x :mod (b / y :op1-of "z"))\n')
    gold.write_text("(a / x)\n")
    path = written("report", str(pred), str(gold), "--samples", "5")
    page = viewer.open(path, "pair=%231", size=(width, 900))
    assert "Italics" in page.locator(".legend").inner_text()
    assert serious(page) == []
    for button in page.locator(".copies button").all():
        box = button.bounding_box()
        assert box["x"] + box["width"] <= width


def test_the_policy_forbids_what_is_not_ours(viewer: Any, page_of_sample: Any) -> None:
    """An element that got into the page all the same would not run."""
    page = viewer.open(page_of_sample)
    page.evaluate(
        """() => { const script = document.createElement('script');
        script.textContent = 'window.ran = true'; document.body.append(script);
        const image = document.createElement('img');
        image.setAttribute('onerror', 'window.ran = true'); image.src = 'x:y';
        document.body.append(image); }"""
    )
    for _ in range(100):  # what the browser says of it comes a moment later
        refused = [text for text in viewer.trouble if "Content Security Policy" in text]
        if len(refused) >= 2:
            break
        page.wait_for_timeout(100)
    assert len(refused) >= 2
    assert page.evaluate("window.ran") is None
    viewer.trouble.clear()


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_fit_every_width(
    viewer: Any, page_of_two: Any, screenshot: Any, width: int
) -> None:
    for name, fragment in (
        ("all", ""),
        ("pair", "pair=sample.5"),
        ("errors", "error=role+confusion"),
    ):
        height = 844 if width < 768 else 900
        page = viewer.open(page_of_two, fragment, size=(width, height))
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for box in ("documentElement", "body"):
                size = page.evaluate(f"document.{box}.scrollWidth")
                assert size <= width
            screenshot(page, f"report-{name}-{width}-{scheme}")


def test_the_picture_of_the_documentation(
    viewer: Any, page_of_sample: Any, screenshot: Any
) -> None:
    page = viewer.open(page_of_sample, "pair=sample.5&sort=file", size=(1280, 800))
    screenshot(page, "report")


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_serious(
    viewer: Any, page_of_two: Any, serious: Any, width: int
) -> None:
    for fragment in ("", "pair=sample.5", "pair=sample.5&error=role+confusion"):
        page = viewer.open(page_of_two, fragment, size=(width, 844))
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert serious(page) == []


def test_paper_shows_the_pair_or_all_pairs(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, "pair=sample.5")
    page.emulate_media(media="print")
    assert not page.locator(".side").is_visible()
    assert not page.locator(".turn").is_visible()
    assert page.locator("svg.graph").first.is_visible()


def test_the_theme_is_chosen_and_remembered(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Theme: auto").click()
    assert page.evaluate(ground) == "rgb(255, 255, 255)" != dark
    page.reload()
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    page.get_by_role("button", name="Theme: light").click()
    page.emulate_media(color_scheme="light")
    assert page.evaluate(ground) == dark
    page.emulate_media(media="print")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"


def test_at_most_five_sizes_of_letters(viewer: Any, page_of_two: Any) -> None:
    sizes: set[str] = set()
    for fragment in ("", "pair=sample.5"):
        page = viewer.open(page_of_two, fragment)
        found = """[...document.querySelectorAll('body *')].filter(each =>
            each.checkVisibility() && [...each.childNodes].some(
                child => child.nodeType === 3 && child.data.trim()))"""
        sizes |= set(page.evaluate(f"{found}.map(e => getComputedStyle(e).fontSize)"))
        fonts = page.evaluate(f"{found}.map(e => getComputedStyle(e).fontFamily)")
        assert len(set(fonts)) <= 2  # of words, and of code
    assert len(sizes) <= 5


def test_the_summary_comes_first_on_a_phone(viewer: Any, page_of_two: Any) -> None:
    page = viewer.open(page_of_two, size=(390, 844))
    assert page.locator(".verdict").bounding_box()["y"] < 400
    listed = page.locator(".rows")
    assert listed.bounding_box()["y"] > 844
    page.get_by_role("button", name="Pairs", exact=True).click()
    assert page.locator(".side").bounding_box()["y"] < 10


def test_drawings_zoom_and_move(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, "pair=sample.5", size=(390, 844))
    drawing = page.locator("svg.graph").first
    before = drawing.bounding_box()["width"]
    for _ in range(4):
        page.get_by_role("button", name="Zoom in").click()
    assert drawing.bounding_box()["width"] == pytest.approx(before * 1.25**4, rel=0.01)
    canvas = page.locator(".canvas").first
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 50, box["y"] + 40, steps=5)
    page.mouse.up()
    assert canvas.evaluate("canvas => canvas.scrollLeft") > 50
    page.get_by_role("button", name="Fit drawings").click()
    assert drawing.bounding_box()["width"] <= before


def test_what_matches_is_folded(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample, "pair=sample.5")
    text = page.locator("pre").first
    before = text.inner_text()
    page.get_by_role("button", name="Fold what matches").click()
    after = text.inner_text()
    assert len(after.splitlines()) < len(before.splitlines())
    assert "that match" in after
    assert after.count("(") == after.count(")")
    marks = text.locator(".missing, .changed").count()
    page.get_by_role("button", name="Fold what matches").click()
    assert text.inner_text() == before
    assert text.locator(".missing, .changed").count() == marks > 0


def test_errors_are_defined_where_they_stand(viewer: Any, page_of_sample: Any) -> None:
    page = viewer.open(page_of_sample)
    link = page.locator(".errors .defined a").first
    tip = page.locator(".errors .tooltip").first
    assert not tip.is_visible()
    link.focus()
    assert tip.is_visible()
    assert tip.inner_text() == meaning(link.inner_text())


def test_every_system_has_its_histogram(viewer: Any, page_of_two: Any) -> None:
    page = viewer.open(page_of_two)
    said = page.locator(".charts figcaption").all_inner_texts()
    assert [text.partition(":")[0] for text in said][1:] == ["first", "second"]
    titles = page.locator(".charts figure").nth(2).locator("title").all_text_contents()
    assert sum(int(title.rpartition(" ")[2]) for title in titles) == 40


def test_one_pair_and_no_difference(viewer: Any, written: Any, tmp_path: Path) -> None:
    same = tmp_path / "same.amr"
    same.write_text("(a / x)\n")
    page = viewer.open(written("report", str(same), str(same)), "pair=%231")
    assert "1 pair," in page.locator(".masthead").inner_text()
    assert page.locator("[data-part=count]").inner_text() == "1 pair"
    assert (
        "Nothing: the graphs are equal."
        in page.locator("[data-part=pair]").inner_text()
    )


def test_scripts_are_valid() -> None:
    """Where node is there, it reads every script of ours."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    scripts = sorted(Path(str(files("exactmatch"))).rglob("*.js"))
    assert scripts
    for script in scripts:
        subprocess.run([node, "--check", str(script)], check=True)
