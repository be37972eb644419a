"""``python -m benchmarks.machine``: what scores of graphs that models write hang on.

It prints the tables of ``docs/papers/machine.md``: answers of two models beside the
gold triples of Text2KGBench, workflows of WorFBench beside wrong copies of themselves,
both by the published procedures, written anew from how they behave, and by the graph
metric.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

import exactmatch
from benchmarks import machine_parts
from exactmatch.metrics.labelled.matched_items import matched_parts
from exactmatch.metrics.labelled.source_layers import CosineLayer
from exactmatch.metrics.similarity.vectors import unit_rows
from exactmatch.studies import thresholds

MODELS = ("vicuna", "alpaca")
GRADED: dict[str, Any] = {
    "node_similarity": "value+lcs",
    "edge_similarity": "value+lcs",
}
EXACT: dict[str, Any] = {"node_similarity": "exact", "edge_similarity": "exact"}
Triples = list[list[str]]


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Read a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table in Markdown."""
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        cells = [f"{c:.3f}" if isinstance(c, float) else str(c) for c in row]
        print("| " + " | ".join(cells) + " |")
    print()


def published_strings(triple: Sequence[str]) -> list[str]:
    """Write a triple as Text2KGBench compares it: in lower case, without blanks."""
    return [re.sub(r"(_|\s+)", "", part).lower() for part in triple]


def published_answer(pred: Triples, gold: Triples) -> tuple[Triples, Triples]:
    """Return both sides as Text2KGBench compares them.

    Predicted triples whose relation the gold ones never have are left out, and equal
    triples are one.
    """
    known = {triple[1].replace(" ", "_") for triple in gold}
    kept = [triple for triple in pred if triple[1].replace(" ", "_") in known]
    distinct = {tuple(published_strings(triple)) for triple in kept}
    return sorted(map(list, distinct)), [published_strings(triple) for triple in gold]


def scores(pairs: Iterable[tuple[Triples, Triples]], **options: Any) -> list[float]:
    """Return the F1 of triples of every pair, none where nothing was answered."""
    metric: Any = exactmatch.make_metric("graph", count="edges", **options)
    rows = []
    for pred, gold in pairs:
        sides = [metric.prepare(metric.read(side).item) for side in (pred, gold)]
        rows.append(metric.scores(metric.compare(*sides).statistics).score)
    return rows


def text2kg(data: Path) -> None:
    """Published, exact, normalised and graded F1 of two models."""
    rows = lines_of(data / "machine" / "text2kg.dbpedia.dev.jsonl")
    golds = [row["gold"] for row in rows]
    preds = {name: [row[name]["triples"] for row in rows] for name in MODELS}
    published = {name: [r[name]["published"]["f1"] for r in rows] for name in MODELS}
    f1_by_way: dict[str, dict[str, list[float]]] = {"published": published}
    ways: dict[str, dict[str, Any]] = {
        "exact strings, all triples": EXACT,
        "normalised": {},
        "graded (value+lcs, cutoff 0.5)": GRADED,
    }
    own = {
        name: [published_answer(*pair) for pair in zip(preds[name], golds, strict=True)]
        for name in MODELS
    }
    rules = {name: scores(own[name], **EXACT) for name in MODELS}
    f1_by_way["exact strings by its rules, graph metric"] = rules
    for way, options in ways.items():
        f1_by_way[way] = {
            name: scores(zip(preds[name], golds, strict=True), **options)
            for name in MODELS
        }
    print(f"### Text2KGBench: {len(rows)} sentences, mean F1\n")
    table(
        ("", *MODELS),
        [
            (way, *(float(np.mean(f1[m])) for m in MODELS))
            for way, f1 in f1_by_way.items()
        ],
    )
    equal = sum(
        abs(a - b) < 1e-9
        for name in MODELS
        for a, b in zip(rules[name], published[name], strict=True)
    )
    print(
        f"- By its own rules the metric gives the published F1 of {equal:,} of "
        f"{len(MODELS) * len(rows):,} answers."
    )
    graded = f1_by_way["graded (value+lcs, cutoff 0.5)"]
    for name in MODELS:
        zero = [k for k, f1 in enumerate(published[name]) if f1 == 0]
        half = sum(graded[name][k] >= 0.5 for k in zero)
        print(
            f"- {name}: {len(zero)} answers are scored 0, of which {half} hold at "
            "least half of the content (graded F1 ≥ 0.5)."
        )
    systems: Any = {name: [_graph(p) for p in preds[name]] for name in MODELS}
    for macro in (True, False):
        metric = exactmatch.make_metric("graph", count="edges", **GRADED)
        steps: Any = thresholds(systems, golds, metric, macro=macro)
        what = "mean F1 of pairs" if macro else "F1 of sums"
        print(
            f"- {what}, graded, every cutoff: {len(steps.ends()) - 1} stretches; "
            + "; ".join(_led(lead) for lead in steps.leads())
            + "."
        )
    print()


def _graph(triples: Triples) -> Any:
    return triples or {"nodes": [], "edges": []}


def _led(lead: Any) -> str:
    who = "a tie" if lead.best is None else f"{lead.best} leads"
    return (
        f"{who} above {lead.low:.3f} up to {lead.high:.3f} "
        f"(by {lead.least:.3f} to {lead.most:.3f})"
    )


class Workflows:
    """Workflows, how alike their steps are, and the published procedure.

    The procedure matches nodes by the cosine of their texts from 0.6 on, then compares
    edges by the indices of their ends, without the matching; the score is made of the
    largest connected part.
    """

    def __init__(self, data: Path) -> None:
        self.golds = lines_of(data / "machine" / "worfbench.gold.jsonl")
        self.vectors = data / "vectors" / "concepts.100d.txt.gz"
        self.cosine = CosineLayer(self.vectors, None)

    def published(self, pred: dict[str, Any], gold: dict[str, Any]) -> float:
        """F1 as it behaves."""
        alike = np.zeros((len(pred["nodes"]), len(gold["nodes"])))
        self.cosine.put(alike, pred["nodes"], gold["nodes"])
        pairs = nx.Graph()
        for i, j in zip(*np.nonzero(alike >= 0.6), strict=True):
            pairs.add_edge(("p", int(i)), ("g", int(j)), weight=float(alike[i, j]))
        matched = {
            number
            for pair in nx.max_weight_matching(pairs)
            for side, number in pair
            if side == "p"
        }
        common = nx.Graph()
        common.add_nodes_from(matched)
        ends = {tuple(edge) for edge in gold["edges"]}
        common.add_edges_from(
            edge
            for edge in map(tuple, pred["edges"])
            if edge in ends and set(edge) <= matched
        )
        size = max(map(len, nx.connected_components(common)), default=0)
        return 2 * size / (len(pred["nodes"]) + len(gold["nodes"]))


def relisted(graph: dict[str, Any], order: Sequence[int]) -> dict[str, Any]:
    """Return the same workflow, with its nodes listed in another order."""
    place = {node: k for k, node in enumerate(order)}
    return {
        "nodes": [graph["nodes"][k] for k in order],
        "edges": [[place[i], place[j]] for i, j in graph["edges"]],
    }


def inner(graph: dict[str, Any]) -> list[int]:
    """Return the numbers of the steps, without START and END."""
    return [k for k, n in enumerate(graph["nodes"]) if n not in ("START", "END")]


def reordered(graph: dict[str, Any], order: Sequence[int]) -> dict[str, Any]:
    """Return a workflow whose steps come in another order, along the same edges."""
    nodes = list(graph["nodes"])
    for place, node in zip(inner(graph), order, strict=True):
        nodes[place] = graph["nodes"][node]
    return {"nodes": nodes, "edges": graph["edges"]}


def is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two workflows are the same but for the order of their lists."""
    graphs = []
    for workflow in (one, other):
        graph = nx.DiGraph()
        graph.add_nodes_from((k, {"n": n}) for k, n in enumerate(workflow["nodes"]))
        graph.add_edges_from(map(tuple, workflow["edges"]))
        graphs.append(graph)
    isomorphic: bool = nx.is_isomorphic(*graphs, node_match=lambda a, b: a == b)
    return isomorphic


def changes(seed: int, near: Callable[[str], str]) -> dict[str, Callable[[Any], Any]]:
    """Return the changes to a workflow, by name."""
    draw = random.Random(seed)

    def shuffled(graph: Any) -> Any:
        order = inner(graph)
        draw.shuffle(order)
        return reordered(graph, order)

    def listed(graph: Any) -> Any:
        order = inner(graph)
        draw.shuffle(order)
        ends = [k for k in range(len(graph["nodes"])) if k not in order]
        return relisted(graph, [ends[0], *order, *ends[1:]] if ends else order)

    def merged(graph: Any) -> Any:
        steps = inner(graph)
        edges = [e for e in graph["edges"] if set(e) <= set(steps)]
        if not edges:
            return None
        i, j = draw.choice(edges)
        nodes = list(graph["nodes"])
        nodes[i] = f"{nodes[i]} and {nodes[j]}"
        rest = [k for k in range(len(nodes)) if k != j]
        turned = [[i if a == j else a, i if b == j else b] for a, b in graph["edges"]]
        kept = [list(e) for e in dict.fromkeys(map(tuple, turned)) if e[0] != e[1]]
        place = {node: k for k, node in enumerate(rest)}
        return {
            "nodes": [nodes[k] for k in rest],
            "edges": [[place[a], place[b]] for a, b in kept],
        }

    def split(graph: Any) -> Any:
        long = [k for k in inner(graph) if len(graph["nodes"][k].split()) > 3]
        if not long:
            return None
        k = draw.choice(long)
        words = graph["nodes"][k].split()
        nodes = [*graph["nodes"], " ".join(words[len(words) // 2 :])]
        nodes[k] = " ".join(words[: len(words) // 2])
        new = len(nodes) - 1
        edges = [[new if a == k else a, b] for a, b in graph["edges"]]
        return {"nodes": nodes, "edges": [*edges, [k, new]]}

    def reworded(graph: Any) -> Any:
        nodes = [n if n in ("START", "END") else near(n) for n in graph["nodes"]]
        return {"nodes": nodes, "edges": graph["edges"]}

    def dropped(graph: Any) -> Any:
        if not graph["edges"]:
            return None
        edges = list(graph["edges"])
        edges.pop(draw.randrange(len(edges)))
        return {"nodes": graph["nodes"], "edges": edges}

    return {
        "listed in another order (the same)": listed,
        "steps in reverse order": lambda g: reordered(g, inner(g)[::-1]),
        "steps in another order": shuffled,
        "two steps merged": merged,
        "a step split": split,
        "reworded (nearest vectors)": reworded,
        "an edge dropped": dropped,
    }


def neighbours(cosine: CosineLayer, words: set[str]) -> Callable[[str], str]:
    """Make a function that replaces each word by the nearest other one."""
    vectors: Any = cosine._vectors
    names = [w for w in vectors.rows if w.isalpha()]
    units = unit_rows(vectors.matrix)
    candidates = units[[vectors.rows[w] for w in names]]
    near = {}
    for word in sorted(words):
        if word in vectors:
            alike = candidates @ units[vectors.rows[word]]
            best = [names[k] for k in np.argsort(-alike)[:2]]
            near[word] = next(w for w in best if w != word)
    return lambda text: " ".join(near.get(w.lower(), w) for w in text.split())


def worfbench(data: Path, seed: int = 0) -> None:
    """Wrong copies of gold workflows, by the published procedure and by ours."""
    flows = Workflows(data)
    words = {w.lower() for g in flows.golds for n in g["nodes"] for w in n.split()}
    near = neighbours(flows.cosine, words)
    options: dict[str, Any] = {"node_similarity": "cosine", "vectors": flows.vectors}
    both: Any = exactmatch.make_metric("graph", **options, node_cutoff=0.6)
    edges: Any = exactmatch.make_metric(
        "graph", **options, node_cutoff=0.6, count="edges"
    )
    rows = []
    for name, change in changes(seed, near).items():
        published, ours, triples = list[float](), list[float](), list[float]()
        for gold in flows.golds:
            pred = change(gold)
            must_be_same = name.startswith("listed")
            if pred is None or is_same(pred, gold) != must_be_same:
                continue
            published.append(flows.published(pred, gold))
            for metric, into in ((both, ours), (edges, triples)):
                sides = [metric.prepare(metric.read(g).item) for g in (pred, gold)]
                into.append(metric.scores(metric.compare(*sides).statistics).score)
        perfect = [sum(x > 1 - 1e-9 for x in xs) for xs in (published, ours, triples)]
        means = [float(np.mean(xs)) for xs in (published, ours, triples)]
        rows.append(
            (
                name,
                len(published),
                means[0],
                perfect[0],
                means[1],
                perfect[1],
                means[2],
                perfect[2],
            )
        )
        print(f"  {name}: done", file=sys.stderr)
    print(f"### WorFBench: {len(flows.golds)} gold workflows against copies\n")
    table(
        (
            "what was done",
            "workflows",
            "published F1",
            "called perfect",
            "graph F1",
            "perfect",
            "edges F1",
            "perfect",
        ),
        rows,
    )


def guesses(data: Path) -> None:
    """Nodes aligned first and edges counted afterwards, beside the joint optimum."""
    rows = lines_of(data / "machine" / "text2kg.dbpedia.dev.jsonl")
    answers: list[Any] = [
        (_graph(row[name]["triples"]), row["gold"])
        for name in MODELS
        for row in rows
        if row[name]["triples"]
    ]
    flows = Workflows(data)
    shuffled = changes(1, str)["steps in another order"]
    copies: list[Any] = [(shuffled(gold), gold) for gold in flows.golds]
    print("### Nodes first, edges afterwards, beside the joint optimum\n")
    shown = []
    for data_set, pairs in (("Text2KGBench", answers), ("WorFBench, shuffled", copies)):
        for count in ("nodes-and-edges", "edges"):
            metric: Any = exactmatch.make_metric("graph", count=count, **GRADED)
            nodes: Any = exactmatch.make_metric("graph", count="nodes", **GRADED)
            lost, best = [], []
            for pair in pairs:
                sides = [metric.prepare(metric.read(g).item) for g in pair]
                first = nodes.compare(*sides).solution.alignment
                result = metric.scores(metric.compare(*sides).statistics)
                left, right = (side.labelled for side in sides)
                parts = matched_parts(left, right, metric.rules, first)
                guess = math.fsum(chain(*parts))
                sizes = result.pred_total + result.gold_total
                best.append(result.score)
                lost.append(
                    result.score - (2 * guess / sizes if sizes else result.score)
                )
            below = [x for x in lost if x > 1e-6]
            shown.append(
                (
                    data_set,
                    count,
                    len(pairs),
                    float(np.mean(best)),
                    float(np.mean(best) - np.mean(lost)),
                    f"{100 * len(below) / len(pairs):.1f} %",
                    float(max(lost, default=0.0)),
                )
            )
    table(("data", "count", "pairs", "joint F1", "guess", "below", "at most by"), shown)


def rates(data: Path, most: int = 320) -> None:
    """Measure pairs scored in a minute, and the time of thresholds."""
    rows = lines_of(data / "machine" / "text2kg.dbpedia.dev.jsonl")[:most]
    triples = [row["gold"] for row in rows]
    flows = lines_of(data / "machine" / "worfbench.gold.jsonl")[:: 2136 // most][:most]
    print("### Time, CPU seconds of one core\n")
    shown = []
    sets: tuple[tuple[str, Any, str], ...] = (
        ("Text2KGBench", triples, "edges"),
        ("Text2KGBench", triples, "nodes-and-edges"),
        ("WorFBench", flows, "nodes-and-edges"),
    )
    for name, graphs, count in sets:
        begin = time.process_time()
        exactmatch.cdist(graphs, graphs, exactmatch.make_metric("graph", count=count))
        seconds = time.process_time() - begin
        pairs = len(graphs) ** 2
        rate = f"{60 * pairs / seconds:,.0f}"
        shown.append((name, count, f"{pairs:,}", f"{seconds:.1f}", rate))
    table(("data", "count", "pairs", "seconds", "pairs a minute"), shown)


def parts(data: Path) -> None:
    """Score copies of workflows, and answers, one to one and with parts."""
    flows = Workflows(data)
    golds, made = flows.golds, changes(0, str)
    kept = ("a step split", "two steps merged", "steps in another order")
    others = {name: made[name] for name in kept}
    pairs = machine_parts.copies(golds[::5], others, is_same)
    rows = [(name, *machine_parts.measured(own).row()) for name, own in pairs.items()]
    answers = lines_of(data / "machine" / "text2kg.dbpedia.dev.jsonl")[::3]
    like = {"node_similarity": GRADED["node_similarity"]}
    for name in MODELS:
        both = [(_graph(row[name]["triples"]), row["gold"]) for row in answers]
        figures = machine_parts.measured(both, **like)
        rows.append((f"Text2KGBench, {name}", *figures.row()))
    print("### Parts that stand for one node\n")
    table(("what was done", *machine_parts.COLUMNS), rows)
    words = {w.lower() for g in golds[::10] for n in g["nodes"] for w in n.split()}
    near = neighbours(flows.cosine, words)
    shown = machine_parts.reworded(golds, changes(5, str), near)
    print("### The same, with other words\n")
    table(("words replaced", "split", "merged", "missing", "foreign"), shown)


def excused(data: Path) -> None:
    """Count the copies of all workflows that gain by parts, each kind and pooled."""
    flows = Workflows(data)
    golds, made = flows.golds, changes(0, str)
    kept = ("a step split", "two steps merged", "steps in another order")
    pairs = machine_parts.copies(golds, {name: made[name] for name in kept}, is_same)
    del pairs["a step missing, its neighbours joined"]
    rows: list[tuple[object, ...]] = []
    pooled = machine_parts.Measured([], [], (0.0, 0.0), 0.0, 0)
    for name, own in pairs.items():
        figures = machine_parts.measured(own)
        rows.append((name, *figures.share_row()))
        if name not in kept[:2]:
            pooled = pooled.with_others(figures)
    rows.append(("missing, foreign and in another order", *pooled.share_row()))
    print("### Who gains, of all workflows\n")
    heads = ("pairs", "parts 2 ≥ 0.9", "gain", "share", "slowest", "not proven")
    table(("what was done", *heads), rows)


PARTS: dict[str, Callable[[Path], None]] = {
    "text2kg": text2kg,
    "worfbench": worfbench,
    "guesses": guesses,
    "parts": parts,
    "excused": excused,
    "time": rates,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables that are asked for; return 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.machine")
    parser.add_argument("names", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--data", type=Path, required=True)
    args = parser.parse_args(argv)
    warnings.simplefilter("ignore")  # of triples that answers repeat
    for name in args.names or PARTS:
        PARTS[name](args.data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
