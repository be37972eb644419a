"""The playground: the page of ``docs/play`` in a browser, with Python inside.

It needs Pyodide: ``EXACTMATCH_PYODIDE`` names its npm archive or folder, and elsewhere
npm fetches it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode

import pytest
from browser.conftest import GOLD, PRED, Viewer

pytestmark = pytest.mark.slow

TREE = Path(__file__).parents[2]
SHOWN = "body[data-shows]"
READY = "body[data-shows][data-python]"
NAMED = 8


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Build the playground and serve it from a plain web server."""
    folder = tmp_path_factory.mktemp("play")
    pyodide = os.environ.get("EXACTMATCH_PYODIDE")
    if pyodide is None and shutil.which("npm") is None:
        pytest.skip("no Pyodide: set EXACTMATCH_PYODIDE, or install npm")
    more = () if pyodide is None else ("--pyodide", pyodide)
    build = (sys.executable, "-m", "docs.play", "-o", str(folder), *more)
    subprocess.run(build, cwd=TREE, check=True, stdout=subprocess.DEVNULL)
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


class Player(Viewer):
    """Notes requests that leave for another server, and none of the page's own."""

    def _note(self, asked: str, url: str) -> None:
        if not asked.startswith(url.removesuffix("index.html")):
            self.trouble.append(asked)


@pytest.fixture
def play(chromium: Any, site: str) -> Iterator[Callable[..., Any]]:
    made = Player(chromium)

    def opened(fragment: dict[str, str] | None = None, **options: Any) -> Any:
        return made.open(site, urlencode(fragment or {}), ready=READY, **options)

    yield opened
    made.close()
    assert made.trouble == []


@pytest.fixture(scope="module")
def texts() -> list[tuple[str, str]]:
    sides = [
        Path(path).read_text("utf-8").strip().split("\n\n") for path in (PRED, GOLD)
    ]
    return list(zip(*sides, strict=True))


def test_the_sample_has_the_scores_of_the_command_line(
    play: Any, cli: Any, texts: list[tuple[str, str]]
) -> None:
    args = ("score", PRED, GOLD, "--per-pair")
    pairs = cli.json(*args)["metrics"][0]["per_pair"]
    expected = [pair["f1"] for pair in pairs]
    assert len(expected) == 40
    page = play()
    scores = []
    for number in range(len(texts)):
        page.locator("#example").select_option(str(number + NAMED))
        page.wait_for_selector(SHOWN)
        assert page.locator("#pred").input_value() == texts[number][0]
        assert "proven optimal" in page.locator("#proof").inner_text()
        scores.append(page.locator("#score").inner_text())
    assert scores == [f"{score:.4f}" for score in expected]


def test_the_address_holds_what_is_asked(play: Any, cli: Any, files: Any) -> None:
    asked = {
        "pred": "(b / bark-01 :ARG0 (d / dog))",
        "gold": "(b / bark-01 :ARG1 (d / dog))",
        "metric": "smatch",
        "profile": "clean",
    }
    page = play(asked)
    command = page.locator("#command").inner_text()
    assert command == "exactmatch pred.amr gold.amr --metric smatch --profile clean"
    paths = files({f"{side}.amr": asked[side] for side in ("pred", "gold")})
    there = cli.json("score", *paths, *command.split()[3:])["metrics"][0]
    assert page.locator("#score").inner_text() == f"{there['f1']:.4f}"
    assert page.locator("#signature").inner_text() == there["signature"]
    assert "profile:clean" in page.locator("#signature").inner_text()
    assert (
        page.locator("#errors tr td").first.inner_text() == "role confusion ARG1→ARG0"
    )
    assert page.locator(".drawings svg").count() == 2
    page.locator("#metric").select_option("sembleu")
    page.wait_for_selector(SHOWN)
    assert "metric=sembleu" in page.url


def test_what_cannot_be_read_is_said_beside_its_side(play: Any) -> None:
    page = play({"pred": "(b / bark-01", "gold": "(b / bark-01)"})
    assert page.locator("#error").inner_text().startswith("the prediction: ")
    assert page.locator("#pred").get_attribute("aria-invalid") == "true"
    assert page.locator("#answer").is_hidden()
    page.locator("#pred").fill("(b / bark-01)")
    page.wait_for_selector('[data-shows="score"]')
    assert page.locator("#score").inner_text() == "1.0000"


def test_other_formats_are_recognised(play: Any) -> None:
    triples = "b\tinstance\tbark-01\nb\tARG0\td\nd\tinstance\tdog\n"
    json = (
        '{"id": "1", "flavor": 2, "framework": "amr", "version": 1.0, "tops": [0], '
        '"nodes": [{"id": 0, "label": "bark-01"}, {"id": 1, "label": "dog"}], '
        '"edges": [{"source": 0, "target": 1, "label": "ARG0"}]}'
    )
    gold = "(b / bark-01 :ARG0 (d / dog))"
    page = play(
        {"pred": triples, "gold": gold, "metric": "smatch", "profile": "smatch"}
    )
    assert page.locator("#score").inner_text() == "1.0000"
    page.locator("#pred").fill(json)
    page.wait_for_selector(SHOWN)
    assert page.locator("#command").inner_text().startswith("exactmatch pred.mrp")


OF_NODES_AND_EDGES = {
    "mmd": ("flowchart TD\n a[x] --> b[y]\n", "flowchart TD\n a[x] -->|go| b[y]\n"),
    "json": (
        '{"nodes": ["a", "b"], "edges": [[0, 1], [0, "x", 1]]}',
        '{"nodes": ["a", "B", "c"], "edges": [[0, 1]]}',
    ),
    "tsv": ("Ada\tborn in\tLondon\n", "Ada\tbornIn\tLondon\nAda\tknows\tAda\n"),
}


@pytest.mark.parametrize("suffix", OF_NODES_AND_EDGES)
def test_nodes_and_edges_have_the_scores_of_the_command_line(
    play: Any, cli: Any, files: Any, suffix: str
) -> None:
    """In the page NumPy is missing, on the command line it is not."""
    pred, gold = OF_NODES_AND_EDGES[suffix]
    page = play({"pred": pred, "gold": gold})
    command = page.locator("#command").inner_text()
    assert command == f"exactmatch pred.{suffix} gold.{suffix}"
    paths = files({f"pred.{suffix}": pred, f"gold.{suffix}": gold})
    there = cli.json("score", *paths)["metrics"][0]
    assert page.locator("#score").inner_text() == f"{there['f1']:.4f}"
    assert page.locator("#signature").inner_text() == there["signature"]
    assert page.locator(".drawings svg").count() == 2


def test_names_in_triples_are_partners(play: Any) -> None:
    page = play()
    page.locator("#example").select_option("3")
    page.wait_for_selector(SHOWN)
    assert "Charles Babbage → Charles Babbage" in page.locator("#proof").inner_text()
    first = page.locator("#errors tr td").first.inner_text()
    assert first == "role confusion works with→student of"


def test_the_answer_is_in_sight_on_a_phone(play: Any) -> None:
    score = play(size=(390, 844)).locator("#score").bounding_box()
    assert score["y"] + score["height"] < 844


def test_a_page_is_no_wider_than_a_telephone_and_accessible(
    play: Any, serious: Any, screenshot: Any
) -> None:
    for width in (390, 1280, 1920):
        for scheme in ("light", "dark"):
            page = play(size=(width, 900), scheme=scheme)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width
            assert serious(page) == []
            screenshot(page, f"play-{width}-{scheme}")


def test_the_first_example_is_there_without_python_and_without_script(
    chromium: Any, site: str
) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site)
    assert page.locator("#score").inner_text() == "0.8571"
    assert "proven optimal" in page.locator("#proof").inner_text()
    assert page.locator(".drawings svg").count() == 2
    context.close()


def test_named_examples_are_answered_at_once(play: Any) -> None:
    page = play()
    names = page.locator("#example option").all_inner_texts()[: NAMED + 1]
    assert names[0] == "your graphs"
    assert len(set(names)) == NAMED + 1
    for number in range(NAMED):
        page.locator("#example").select_option(str(number))
        page.wait_for_selector('[data-shows="score"]')
        assert "Computed before" in page.locator("#state").inner_text()
        assert "checked in your browser" in page.locator("#checked").inner_text()
    page.locator("#example").select_option("1")
    captions = page.locator(".drawing figcaption").all_inner_texts()
    assert captions[2] == "Prediction, aligned by hill-climbing: 0.8033"
    assert page.locator("#score").inner_text() == "0.8201"


def test_a_link_opens_as_what_it_is(play: Any) -> None:
    page = play({"pred": "(b / bark-01)", "gold": "(d / dog)", "metric": "smatch"})
    chosen = page.locator("#example option:checked")
    assert chosen.inner_text() == "your graphs"
    page.locator("#swap").click()
    page.wait_for_selector(SHOWN)
    assert page.locator("#pred").input_value() == "(d / dog)"
    page.locator("#clear").click()
    assert page.locator("#pred").input_value() == ""
    assert page.locator("#answer").inner_text() == ""
    assert "pred" not in page.url


def test_two_files_are_dropped_at_once(play: Any) -> None:
    page = play()
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["(g / gold-01)"], "gold.amr"));
          data.items.add(new File(["(p / pred-01)"], "parsed.amr"));
          document.body.dispatchEvent(new DragEvent("drop",
            { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    page.wait_for_function("document.getElementById('gold').value.includes('gold')")
    assert page.locator("#pred").input_value() == "(p / pred-01)"


def test_it_works_without_a_network_after_one_visit(chromium: Any, site: str) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(site)
    page.wait_for_selector(READY)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    context.set_offline(True)
    page.reload()
    page.wait_for_selector(READY)
    page.locator("#pred").fill("(b / bark-01)")
    page.locator("#gold").fill("(b / bark-01)")
    page.wait_for_selector(SHOWN)
    page.wait_for_function("document.getElementById('score').innerText === '1.0000'")
    context.close()
