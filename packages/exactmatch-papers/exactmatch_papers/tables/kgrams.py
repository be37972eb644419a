"""SemBleu's k-grams: which there are, whom an error hits, how many there are."""

from __future__ import annotations

from typing import Any

from exactmatch_papers.tables.commands import Commands
from exactmatch_papers.tables.corpora import bamboo, little_prince
from exactmatch_papers.tables.spec import Cell, Finding, Setting, Table

MAX_ORDER = 4

FIGURE_1 = {
    "(a)": "(a / ask-01 :ARG0 (g / girl) :ARG1 (l / leave-11 :ARG0 (b / boy)))",
    "(b)": "(m / make-01 :ARG0 (w / woman) :ARG1 (p / pie :quant 2))",
}
"""Song and Gildea (2019), figure 1."""

TABLE_1 = {
    ("(a)", 1): "ask-01; girl; leave-11; boy",
    ("(a)", 2): "ask-01 :ARG0 girl; ask-01 :ARG1 leave-11; leave-11 :ARG0 boy",
    ("(a)", 3): "ask-01 :ARG1 leave-11 :ARG0 boy",
    ("(b)", 1): "woman; make-01; pie; 2",
    ("(b)", 2): "make-01 :ARG0 woman; make-01 :ARG1 pie; pie :quant 2",
    ("(b)", 3): "make-01 :ARG1 pie :quant 2",
}
"""Song and Gildea (2019), table 1: n-grams by subfigure and order."""


def table_1(setting: Setting) -> Finding:
    """Return the k-grams of the paper's two graphs."""
    commands = Commands(setting)
    path = setting.work / "figure-1.amr"
    blocks = [f"# ::id {name}\n{graph}" for name, graph in FIGURE_1.items()]
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    rows = []
    for graph in commands.json("kgrams", path)["graphs"]:
        for k, grams in graph["kgrams"].items():
            ours = [gram["kgram"] for gram in grams]
            theirs = TABLE_1[graph["id"], int(k)].split("; ")
            same = "the same" if sorted(ours) == sorted(theirs) else "; ".join(theirs)
            rows.append((f"{graph['id']}, n = {k}", (Cell("; ".join(ours), same),)))
    table = Table(
        "n-grams of the graphs of figure 1", ("graph", "n-grams"), tuple(rows)
    )
    return Finding((table,), tuple(commands.shown))


def figure_3(setting: Setting) -> Finding:
    """K-grams against nodes, with a straight line through them."""
    commands = Commands(setting)
    data = setting.data
    corpora: list[tuple[str, str, list[object]]] = [
        ("Little Prince, gold", "", [data / "lp" / "gold.amr"]),
        (
            "STS and PARA, dev",
            "kgrams.svg",
            [
                path
                for task in ("sts", "para")
                for path in bamboo(data, task, "main", "dev")
            ],
        ),
    ]
    tables, notes, pictures = [], [], {}
    for title, picture, paths in corpora:
        options: list[object] = ["--growth", "--ngram", MAX_ORDER, "--on-error", "skip"]
        if picture and setting.draws:
            options += ["--plot", setting.pictures / picture]
            pictures[picture] = f"{title}: k-grams of a graph against its nodes"
        answer = commands.json("kgrams", *paths, *options)
        tables.append(_growth(title, answer))
        notes.append(f"{title}: {answer['repeated']} repeated graphs are left out.")
    notes.append(
        "The paper finds the numbers roughly linear, those of unigrams exactly the "
        "nodes, and more scattered from bigrams to trigrams; it gives a picture and no "
        "numbers. Graphs with fewer unigrams than nodes have a part that no root leads "
        "to; the official code passes over it."
    )
    return Finding(tuple(tables), tuple(commands.shown), tuple(notes), pictures)


def _growth(title: str, answer: Any) -> Table:
    rows = []
    for line in answer["growth"]:
        forms = {"mean": ".1f", "slope": ".2f", "r_squared": ".3f", "bend": ".4f"}
        cells = tuple(
            Cell(_plain(line[name]), form=form) for name, form in forms.items()
        )
        rows.append((str(line["k"]), cells))
    return Table(
        f"{title}: {answer['graphs']} graphs of {answer['mean_nodes']:.1f} nodes "
        f"(at most {answer['most_nodes']})",
        ("k", "k-grams a graph", "more a node", "R² of the line", "quadratic term"),
        tuple(rows),
    )


def _plain(value: float | None) -> float | None:
    """Return the value; nothing that would be printed as -0.0000."""
    return None if value is None else round(value, 4) + 0.0


def figure_6(setting: Setting) -> Finding:
    """Count the k-grams that contain a node, by its position in real graphs."""
    commands = Commands(setting)
    prince = little_prince(setting.data, setting.work)
    answer = commands.json("kgrams", prince.references, "--nodes", "--on-error", "skip")
    by_degree: dict[tuple[str, int], list[int]] = {}
    for node in answer["nodes"]:
        key = (node["position"], min(node["degree"], 6))
        by_degree.setdefault(key, []).append(node["total"])
    positions = {place["position"]: place for place in answer["positions"]}
    degrees = sorted({degree for _, degree in by_degree})
    rows = []
    for position in positions:
        cells = [Cell(positions[position]["nodes"], form="d")]
        cells += [Cell(positions[position]["mean"])]
        for degree in degrees:
            totals = by_degree.get((position, degree))
            cells.append(Cell(sum(totals) / len(totals) if totals else None))
        rows.append((position, tuple(cells)))
    shown = [f"degree {d}" + (" or more" if d == 6 else "") for d in degrees]
    table = Table(
        "k-grams (k = 1 to 3) that a node of the Little Prince stands in, on average",
        ("position", "nodes", "all degrees", *shown),
        tuple(rows),
    )
    note = (
        "The paper draws the numbers of one small tree; those of complete trees are "
        "counted under opitz-table-4. Here, too, a node in the middle of a graph "
        "stands in more k-grams than a leaf, and in the more the higher its degree. "
        "Roots are all nodes without an edge into them; inverse roles make several."
    )
    return Finding((table,), tuple(commands.shown), (note,))
