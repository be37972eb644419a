"""``exactmatch draw``: one graph or a pair, as a picture."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from exactmatch import draw
from exactmatch.cli.main import main

TEXT = """# ::id one
(w / want-01 :ARG0 (b / boy :mod (l / little)))

# ::id two
(d / dog :quant 2)
"""


@pytest.fixture(autouse=True)
def _in_folder_with_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.amr").write_text(TEXT)
    (tmp_path / "pred.amr").write_text(TEXT.replace("boy", "girl"))
    (tmp_path / "single.amr").write_text("(a / x)")


def words(text):
    root = ElementTree.fromstring(text)
    return [
        "".join(found.itertext())
        for found in root.iter("{http://www.w3.org/2000/svg}text")
    ]


def test_the_only_graph_is_drawn(capsys):
    assert main(["draw", "single.amr"]) == 0
    assert words(capsys.readouterr().out) == ["x"]


@pytest.mark.parametrize("which", [["--id", "two"], ["--number", "1"]])
def test_a_graph_is_chosen(which):
    assert main(["draw", "gold.amr", *which, "-o", "graph.svg"]) == 0
    assert words(Path("graph.svg").read_text()) == ["dog", "quant 2"]


def test_a_pair_is_drawn_with_what_differs():
    assert main(["draw", "pred.amr", "gold.amr", "--id", "one", "-o", "p.svg"]) == 0
    found = words(Path("p.svg").read_text())
    assert found[0] == "Reference"
    assert found.index("≠ boy") < found.index("Prediction") < found.index("≠ girl")
    assert "mod" in found


def test_python_draws_the_same():
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
        (["gold.amr", "--id", "three"], "no graph of the id 'three'"),
        (["gold.amr", "--number", "2"], "no graph number 2"),
        (["gold.amr", "--number", "0", "-o", "x.png"], "name ends in .svg"),
        (["none.amr"], "no such file"),
    ],
)
def test_bad_usage_is_met_with_one_sentence(capsys, arguments, message):
    assert main(["draw", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not Path("x.png").exists()


def test_an_empty_file_holds_no_graph(capsys, tmp_path):
    (tmp_path / "empty.amr").write_text("\n")
    assert main(["draw", "empty.amr"]) == 2
    assert "holds no graph" in capsys.readouterr().err
