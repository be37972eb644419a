"""Pictures that commands draw beside their answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.cluster import hierarchy
from support.command import Cli
from support.files import Files

from exactmatch.views import pictures

pytest.importorskip("matplotlib")

GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
PRED = GOLD.replace("go-02", "leave-11")


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files.one("gold.amr", f"{GOLD}\n\n" * 20)
    files.one("pred.amr", f"{PRED}\n\n{GOLD}\n\n" * 10)
    for name in ("hyp.txt", "ref.txt"):
        files.one(name, "a cat\na dog\n")


@pytest.mark.slow
def test_scores_of_pairs_are_drawn_for_each_metric(cli: Cli) -> None:
    """Of seven triples each pair matches six or all: the corpus scores 13/14."""
    shown = cli.out("pred.amr", "gold.amr", "--metric", "smatch,wlk", "--plot", "p.svg")
    assert "smatch 0.9" not in shown
    text = Path("p.svg").read_text()
    for told in ("smatch, n = 20", "wlk, n = 20", "dashed: corpus 0.9286", "pairs"):
        assert f"<!-- {told} -->" in text
    cli.out("pred.amr", "gold.amr", "-b", "--percent", "--plot", "q.svg")
    assert "<!-- dashed: corpus 92.86 -->" in Path("q.svg").read_text()


@pytest.mark.slow
def test_smatchs_own_lines_and_sentences_are_drawn_too(cli: Cli) -> None:
    cli.out("-f", "pred.amr", "gold.amr", "--ms", "--plot", "smatch.svg")
    assert "<!-- smatch, n = 20 -->" in Path("smatch.svg").read_text()
    cli.out("yisi", "hyp.txt", "ref.txt", "--plot", "yisi.svg")
    assert "<!-- yisi0, n = 2 -->" in Path("yisi.svg").read_text()


@pytest.mark.slow
def test_fine_grained_scores_are_drawn_with_their_intervals(cli: Cli) -> None:
    arguments = ("finegrained", "pred.amr", "gold.amr", "--significant", "3")
    cli.out(*arguments, "--plot", "plain.svg")
    text = Path("plain.svg").read_text()
    for told in ("F1", "Concepts", "Frames", "Negation", "-"):
        assert f"<!-- {told} -->" in text
    cli.out(*arguments, "--confidence", "90", "--macro", "--plot", "drawn.svg")
    text = Path("drawn.svg").read_text()
    assert "<!-- F1, mean over pairs, 90 % intervals -->" in text


@pytest.mark.slow
def test_what_nothing_is_scored_of_has_no_interval(cli: Cli) -> None:
    shown = cli.out("finegrained", "pred.amr", "gold.amr", "--confidence")
    line = next(i for i, row in enumerate(shown.splitlines()) if "Negation" in row)
    assert shown.splitlines()[line + 1].split() == ["95", "%", "-", "-", "-"]


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_ids_are_drawn_as_they_are(files: Files, cli: Cli) -> None:
    """Dollars make no formula; no font's letters, no equal graphs warn."""
    named = (r"a$\frac$b", "\N{CJK UNIFIED IDEOGRAPH-65E5}")
    files.one("odd.amr", "\n".join(f"# ::id {name}\n{GOLD}\n" for name in named))
    cli.out("cluster", "odd.amr", "--plot", "odd.svg")
    assert r"<!-- a$\frac$b -->" in Path("odd.svg").read_text()
    files.one(r"$\frac$.amr", f"{PRED}\n\n" * 20)
    given = ("compare", "gold.amr", r"$\frac$.amr", "pred.amr", "--samples", "20")
    cli.out(*given, "--plot", "forest.svg")
    assert r"$\frac$" in Path("forest.svg").read_text()


@pytest.mark.slow
def test_a_dendrogram_may_be_as_deep_as_there_are_graphs(tmp_path: Path) -> None:
    """Each graph joins all before it: a recursion would be 2,000 calls deep."""
    n = 2000
    joined = [(0, 1, 0.0, 2), *((n + k - 2, k, k / n, k + 1) for k in range(2, n))]
    names = [str(k) for k in range(n)]
    path = tmp_path / "deep.png"
    pictures.clusters(str(path), np.array(joined), np.ones((n, n)), names)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_dendrogram_is_scipys() -> None:
    """The same lines, which SciPy draws with leaves ten units apart."""
    from matplotlib.figure import Figure

    axes, scipys = Figure().subplots(1, 2)
    points = np.random.default_rng(0).random((12, 2))
    tree = hierarchy.linkage(points, "average")
    pictures.draw_dendrogram(axes, tree, hierarchy.leaves_list(tree))
    drawn = hierarchy.dendrogram(tree, orientation="left", ax=scipys)
    expected = [
        [(x, (y - 5) / 10) for x, y in zip(xs, ys, strict=True)]
        for xs, ys in zip(drawn["dcoord"], drawn["icoord"], strict=True)
    ]
    (lines,) = axes.collections
    found = [path.vertices.tolist() for path in lines.get_paths()]
    assert np.allclose(sorted(found), sorted(expected))
