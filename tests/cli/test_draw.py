"""``exactmatch draw``: one graph or a pair, as a picture."""

import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.command import Cli
from support.files import Files

from exactmatch import draw
from exactmatch.cli.main import main

TEXT = """# ::id one
(w / want-01 :ARG0 (b / boy :mod (l / little)))

# ::id two
(d / dog :quant 2)
"""


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files.one("gold.amr", TEXT)
    files.one("pred.amr", TEXT.replace("boy", "girl"))
    files.one("single.amr", "(a / x)")


def words(text: str) -> list[Any]:
    root = ElementTree.fromstring(text)
    return [
        "".join(found.itertext())
        for found in root.iter("{http://www.w3.org/2000/svg}text")
    ]


def test_the_only_graph_is_drawn(cli: Cli) -> None:
    assert words(cli.out("draw", "single.amr")) == ["x"]


@pytest.mark.parametrize("which", [["--id", "two"], ["--number", "1"]])
def test_a_graph_is_chosen(which: list[str]) -> None:
    assert main(["draw", "gold.amr", *which, "-o", "graph.svg"]) == 0
    assert words(Path("graph.svg").read_text()) == ["dog", "quant 2"]


def test_a_pair_is_drawn_with_what_differs() -> None:
    assert main(["draw", "pred.amr", "gold.amr", "--id", "one", "-o", "p.svg"]) == 0
    found = words(Path("p.svg").read_text())
    assert found[0] == "Reference"
    assert found.index("≠ boy") < found.index("Prediction") < found.index("≠ girl")
    assert "mod" in found


MRP = """\
{"id": "7", "framework": "dm", "flavor": 0, "tops": [0], "nodes": [{"id": 0, \
"label": "bark"}], "edges": []}
{"id": "7", "framework": "eds", "flavor": 1, "tops": [0], "nodes": [{"id": 0, \
"label": "_bark_v_1"}], "edges": []}
"""


def test_graphs_of_every_format_are_drawn(cli: Cli, files: Files) -> None:
    """Of several graphs of one id, one is chosen by its framework."""
    files.one("a.mrp", MRP)
    files.one("b.mrp", MRP.replace("bark", "sleep"))
    asked = ("draw", "a.mrp", "--id", "7", "--profile", "mrp")
    assert "holds 2 graphs with the id '7'; choose by --framework" in cli.refusal(
        *asked
    )
    assert words(cli.out(*asked, "--framework", "eds"))[0] == "_bark_v_1"
    assert words(cli.out(*asked, "--framework", "dm"))[0] == "bark"
    pair = ("draw", "a.mrp", "b.mrp", *asked[2:], "--framework", "dm")
    assert {"≠ bark", "≠ sleep"} <= set(words(cli.out(*pair)))


def test_documents_are_drawn(cli: Cli, files: Files) -> None:
    document = (
        "# :: snt1\nIndex: 1\nWords: Dogs\n\n# sentence level graph:\n"
        "(s1d / dog)\n\n# alignment:\ns1d: 1-1\n\n"
        "# document level annotation:\n(s1s0 / sentence)\n"
    )
    files.one("one.umr", document)
    files.one("two.umr", f"{document}\n{document.replace('dog', 'cat')}")
    for profile in ("umr", "smatch"):
        assert words(cli.out("draw", "one.umr", "--profile", profile)) == ["dog"]
    asked = ("draw", "two.umr", "--profile", "umr")
    assert "holds several graphs" in cli.refusal(*asked)
    assert words(cli.out(*asked, "--number", "1")) == ["cat"]
    whole = cli.out(*asked, "--format-in", "umr-file")
    assert words(whole) == ["dog", "cat"]


def test_an_id_that_is_repeated_names_no_graph(cli: Cli, files: Files) -> None:
    files.one("twice.amr", TEXT.replace("two", "one"))
    told = "holds 2 graphs with the id 'one'; choose by --number"
    assert told in cli.refusal("draw", "twice.amr", "--id", "one")


def test_python_draws_the_same() -> None:
    text = TEXT.split("\n\n")[0]
    assert main(["draw", "gold.amr", "--number", "0", "-o", "graph.svg"]) == 0
    assert Path("graph.svg").read_text() == f"{draw(text)}\n"
    both = draw(text.replace("boy", "girl"), text)
    assert main(["draw", "pred.amr", "gold.amr", "--number", "0", "-o", "p.svg"]) == 0
    assert Path("p.svg").read_text() == f"{both}\n"
    assert both._repr_html_() == both


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gold.amr"], "several graphs; choose one with --id or --number"),
        (["gold.amr", "--id", "three"], "no graph with the id 'three'"),
        (
            ["gold.amr", "--number", "2"],
            "no graph number 2; it holds 2 graphs, numbered from 0",
        ),
        (["gold.amr", "--number", "0", "-o", "x.gif"], "name ends in .svg"),
        (["none.amr"], "no such file"),
    ],
)
def test_bad_usage_is_met_with_one_sentence(
    cli: Cli, arguments: list[str], message: str
) -> None:
    assert message in cli.refusal("draw", *arguments)
    assert not Path("x.png").exists()


def test_an_empty_file_holds_no_graph(cli: Cli, files: Files) -> None:
    files.one("empty.amr", "\n")
    assert "holds no graph" in cli.refusal("draw", "empty.amr")


@pytest.mark.parametrize(("kind", "begin"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_drawing_is_a_picture_by_the_ending_of_its_file(
    kind: str, begin: bytes
) -> None:
    pytest.importorskip("matplotlib")
    path = Path(f"pair.{kind}")
    assert main(["draw", "pred.amr", "gold.amr", "--id", "one", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(begin)


def test_another_ending_is_refused_before_anything_is_read(cli: Cli) -> None:
    refused = cli.refusal("draw", "missing.amr", "-o", "graph.jpg")
    assert "ends in .svg, .png, .pdf" in refused


def test_a_picture_without_matplotlib_names_what_to_install(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    refused = cli.refusal("draw", "single.amr", "-o", "graph.png")
    assert "pip install 'exactmatch[plot]'" in refused


def test_a_picture_has_the_boxes_and_texts_of_the_drawing() -> None:
    figures = pytest.importorskip("matplotlib.figure")
    from exactmatch.views import svg_pictures

    drawn: list[Any] = []

    def keep(_: str, figure: Any) -> None:
        drawn.append(figure)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(svg_pictures, "save", keep)
        svg_pictures.write_picture("x.png", draw("(b / bark-01 :ARG0 (d / dog))"))
    (figure,) = drawn
    assert isinstance(figure, figures.Figure)
    (axes,) = figure.axes
    assert {text.get_text() for text in axes.texts} == {"bark-01", "dog", "ARG0"}
    boxes = [p for p in axes.patches if type(p).__name__ == "FancyBboxPatch"]
    assert len(boxes) == 2
