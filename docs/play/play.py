"""Answers of the playground's page, within the page: one pair of graphs.

It runs in Pyodide and imports nothing beyond the package and Python itself.  An answer
is HTML, so that the build can write the first one into the page.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, NamedTuple

warnings.simplefilter("ignore")

# E402 below: an import may warn, so warnings are off before the first one.
from exactmatch import __version__, make_metric  # noqa: E402
from exactmatch.base.errors import InputError  # noqa: E402
from exactmatch.base.markup import Markup, element, joined  # noqa: E402
from exactmatch.base.numbers import fixed  # noqa: E402
from exactmatch.engine.differences import gold_marks, marks  # noqa: E402
from exactmatch.formats.blocks import graphs_of_text  # noqa: E402
from exactmatch.formats.recognised import formats_seen, scored_by_all, seen_of  # noqa: E402
from exactmatch.formats.scored_by import AMR  # noqa: E402
from exactmatch.graphs.drawing.drawing import DrawnSide  # noqa: E402
from exactmatch.graphs.drawing.drawing import draw as laid_out  # noqa: E402
from exactmatch.graphs.drawing.svg import svg  # noqa: E402
from exactmatch.metrics import metric_class  # noqa: E402
from exactmatch.metrics.labelled.plain_labels import PlainLabelledMatch  # noqa: E402
from exactmatch.solvers.solution import Limits  # noqa: E402
from exactmatch.studies.errors.errors import pair_errors  # noqa: E402
from exactmatch.studies.errors.view import edits  # noqa: E402

BY_FORMAT = "by format"

METRICS = {
    BY_FORMAT: (BY_FORMAT,),
    "smatch": ("smatch", "clean", "smatchpp", "umr", "drs"),
    "graph": ("clean", "smatch"),
    "sembleu": ("sembleu", "smatch", "clean"),
    "rematch": ("smatch", "clean"),
    "wlk": ("smatch", "clean"),
    "edm": ("mrp",),
    "sdp": ("mrp",),
}
"""Metrics that need no other package, each with the profiles that are offered; the
first stands for that of the graphs' format, as on the command line."""

EXPLAINED = ("smatch", "graph")

HAS_NUMPY = (
    find_spec("numpy") is not None and sys.modules.get("numpy", True) is not None
)
"""True where the page is built: only then are there certificates and hill-climbing."""

LARGEST = 60
"""Variables of a graph at most; larger ones go to solvers that need NumPy."""

SUFFIX = {"umr": "umr", "mrp": "mrp", "node-link": "json", "triples": "tsv"}
SUFFIX |= {"json": "json", "dot": "dot"}
SUFFIX |= {"sbn": "sbn", "clauses": "clf", "mermaid": "mmd"}


WORKFLOW = """flowchart TD
  a[read the order] --> b[check the stock of every item]
  b -->|all there| c[pack the parcel]
  b -->|not all| d[order what is missing]
  d --> c
  c --> e[send the parcel]
"""

NETWORK = """{
  "nodes": ["supplier", "factory", "shop"],
  "edges": [
    [0, "delivers to", 1],
    [1, "delivers to", 2]
  ]
}
"""


class Example(NamedTuple):
    """Pair to choose, with the metric and profile that it is scored by."""

    name: str
    pred: str
    gold: str
    metric: str = BY_FORMAT
    profile: str = BY_FORMAT


TRIPLES = "Ada Lovelace\tborn in\tLondon\nAda Lovelace\t{}\tCharles Babbage\n"
DRS = "female.n.02 Name {}\ntime.n.08 TPR now\n{} Agent -2 Time -1\n"


def examples() -> list[Example]:
    """Return the examples by name, the first one first."""
    sample = files("exactmatch") / "sample"
    preds, golds = (
        sample.joinpath(name).read_text("utf-8").strip().split("\n\n")
        for name in ("pred.amr", "gold.amr")
    )
    plain = "(w / want-01\n   :ARG0 (b / boy)\n   :ARG1 (g / go-02\n      :ARG0 b))"
    negated = "(g / go-02\n   :ARG0 (b / boy)\n   :polarity -)"
    return [
        Example(
            "one role wrong",
            plain.replace("go-02\n      :ARG0", "go-02\n      :ARG1"),
            plain,
        ),
        Example("hill-climbing gets this wrong: 0.80 for 0.82", preds[38], golds[38]),
        Example("negation lost", "(g / go-02\n   :ARG0 (b / boy))", negated),
        Example(
            "triples of a model",
            TRIPLES.format("student of") + "London\tcapital of\tEngland\n",
            TRIPLES.format("works with"),
        ),
        Example(
            "a DRS",
            DRS.format('"Mary"', "grin.v.01"),
            DRS.format('"Mary"', "smile.v.01"),
        ),
        Example("a proof you can check", preds[4], golds[4]),
        Example(
            "a workflow",
            WORKFLOW.replace("c[pack", "c[wrap").replace("d --> c", "d --> e"),
            WORKFLOW,
        ),
        Example("a graph in JSON", NETWORK.replace("[1, ", "[0, "), NETWORK),
        *(
            Example(f"sample pair {number}", *pair)
            for number, pair in enumerate(zip(preds, golds, strict=True), 1)
        ),
    ]


def compare(pred: str, gold: str, metric: str, profile: str) -> str:
    """Compare two graphs; a fault in them is a sentence in the answer.

    Args:
        pred, gold: the texts of the prediction and of its reference, in any format.
        metric: one of :data:`METRICS`.
        profile: its profile.

    Returns:
        A JSON object: the ``error`` and the ``side`` that it is about, or the score and
        the ``html`` of all that the page shows of it.
    """
    answer: dict[str, Any] = {}
    try:
        answer = _compared(pred, gold, metric, profile)
    except InputError as error:
        answer = {"error": str(error)}
    except ModuleNotFoundError as error:
        answer = {
            "error": f"this pair needs the package {error.name}, which the page has "
            "not; the command line reads and scores it"
        }
    return json.dumps(answer)


def _compared(pred: str, gold: str, metric: str, profile: str) -> dict[str, Any]:
    is_by_format = metric == BY_FORMAT
    measure = _by_format(pred, gold) if is_by_format else _metric(metric, profile)
    metric = measure.name
    prepared, remarks, formats = [], [], []
    for side, text in (("prediction", pred), ("reference", gold)):
        try:
            block = _only(text)
            read = measure.read(block)
        except InputError as error:
            return {"error": f"the {side}: {error}", "side": side}
        item = read.item
        variables = len(getattr(item, "variables", getattr(item, "names", ())))
        if measure.aligns and variables > LARGEST:
            return {
                "error": f"the {side} has {variables} variables; the page aligns up to "
                f"{LARGEST}, the command line any number",
                "side": side,
            }
        formats.append(next((form.name for form in formats_seen([text])), "penman"))
        remarks += [f"{side}: {remark}" for remark in read.remarks()]
        prepared.append(measure.prepare(read.item))
    if measure.aligns and HAS_NUMPY:
        pair = measure.compare(*prepared, limits=Limits(record_proof=True))
    else:
        pair = measure.compare(*prepared)
    score = measure.scores(pair.statistics)
    title = metric_class(metric).title
    parts = [_headline(title, score), element("p", _proof(pair, score), id="proof")]
    parts.append(element("p", id="checked", class_="quiet"))
    parts.append(
        element("ul", *(element("li", each) for each in remarks), id="remarks")
    )
    answer: dict[str, Any] = {"score": fixed(score.score, 4), "title": title}
    if pair.problem is not None and metric in EXPLAINED:
        parts += _explained(pair, pred, gold, formats)
        if HAS_NUMPY:
            from exactmatch.studies.report.browser_data import proof_data

            answer["proof"] = proof_data(pair.problem.problem, pair.solution)
    parts += [
        element("h2", "The same from the command line"),
        element(
            "pre",
            _command(formats, "" if is_by_format else metric, profile),
            id="command",
            tabindex=0,
        ),
        element("h2", "Signature"),
        element("pre", _signature(measure, pair.solution), id="signature", tabindex=0),
    ]
    return answer | {"html": joined(parts)}


def _by_format(pred: str, gold: str) -> Any:
    """Return the metric of the graphs' format."""
    way = scored_by_all(seen_of([pred, gold])) or AMR
    if way.metric not in METRICS:
        raise InputError(
            f"these are scored by metric {way.metric}, which the page has not; choose "
            "another one above, or use the command line"
        )
    return _metric(way.metric, way.profile, **dict(way.options))


def _metric(name: str, profile: str | None, **options: Any) -> Any:
    if name == "graph" and not HAS_NUMPY:
        return PlainLabelledMatch(profile, **options)
    return make_metric(name, profile=profile, **options)


def _only(text: str) -> Any:
    blocks = list(graphs_of_text(text))
    if len(blocks) != 1:
        what = "is empty" if not blocks else f"holds {len(blocks)} graphs"
        raise InputError(f"the text {what}; the page compares one graph with one")
    return blocks[0]


def _headline(title: str, score: Any) -> Markup:
    """Return the score with its metric's name, and what it is made of."""
    detail = ""
    if score.precision is not None:
        detail = (
            f"precision {fixed(score.precision, 4)}, recall {fixed(score.recall, 4)}: "
            f"{score.matched:g} match, of {score.pred_total:g} predicted and "
            f"{score.gold_total:g} in the reference"
        )
    number = element("span", fixed(score.score, 4), id="score")
    strong = element("strong", f"{title} ", number)
    return element("p", strong, " ", element("span", detail), class_="headline")


def _proof(pair: Any, score: Any) -> str:
    solution = pair.solution
    if solution is None or pair.problem is None:
        if score.proven:
            return "Proven optimal: no alignment matches more."
        return "This metric needs no search."
    left, right = pair.problem.names
    aligned = [
        f"{left[v]} → {right[w] if w != -1 else 'nothing'}"
        for v, w in enumerate(pair.problem.completed(solution.alignment))
    ]
    state = "proven optimal" if solution.is_optimal else "not proven"
    low, high = (
        _units(n, pair.problem.scale) for n in (solution.value, solution.bound)
    )
    return (
        f"{low} ≤ optimum ≤ {high}: {state} ({solution.proof}). "
        f"Aligned: {', '.join(aligned) or 'nothing'}."
    )


def _units(number: int, scale: int) -> str:
    return f"{number / scale:g}"


def _signature(measure: Any, solution: Any) -> str:
    items = [("metric", measure.name), *measure.signature()]
    if solution is not None:
        items.append(("proven", f"{int(solution.is_optimal)}/1"))
    items.append(("version", __version__))
    return "|".join(f"{key}:{value}" for key, value in items)


def _command(formats: Sequence[str], metric: str, profile: str) -> str:
    names = [
        f"{name}.{SUFFIX.get(form, 'amr')}"
        for name, form in zip(("pred", "gold"), formats, strict=True)
    ]
    chosen = ["--metric", metric, "--profile", profile] if metric else []
    return " ".join(["exactmatch", *names, *chosen])


def _explained(
    pair: Any, pred: str, gold: str, formats: Sequence[str]
) -> Iterator[Markup]:
    """Yield the drawings and the errors of a pair."""
    texts = tuple(
        text if form == "penman" else None
        for text, form in zip((_content(pred), _content(gold)), formats, strict=True)
    )
    optimum = _errors(pair, pair.solution, texts)
    shown, names = [optimum], ["Reference", "Prediction"]
    climbed = _climbed(pair)
    if climbed is not None:
        score, solution = climbed
        shown.append(_errors(pair, solution, texts))
        names[1] = "Prediction, the best alignment"
        names.append(f"Prediction, aligned by hill-climbing: {fixed(score, 4)}")
    yield element("h2", "Drawings")
    yield _drawings(shown, names)
    yield element(
        "p",
        "Same place and tint: aligned; point at a box to see its partner. A plus is "
        "extra, a minus is missing, an unequal sign differs.",
        class_="note",
    )
    yield element("h2", "What differs")
    rows = [
        element(
            "tr",
            element("td", f"{each['kind']} {each['detail']}".strip()),
            *(element("td", element("code", each[k] or "–")) for k in ("gold", "pred")),
        )
        for each in edits(optimum)
    ]
    if not rows:
        yield element("p", "Nothing differs.", id="none")
        return
    heads = (
        element("th", name, scope="col")
        for name in ("Error", "Reference", "Prediction")
    )
    table = element(
        "table",
        element("thead", element("tr", *heads)),
        element("tbody", *rows, id="errors"),
    )
    yield element(
        "div",
        table,
        class_="table",
        tabindex=0,
        role="region",
        aria_label="Table of what differs",
    )


def _errors(pair: Any, solution: Any, texts: Any) -> Any:
    return pair_errors(pair.problem, solution.alignment, texts=texts, alone=True)


def _climbed(pair: Any) -> tuple[float, Any] | None:
    """Return the score and solution of hill-climbing, if they are worse; else None."""
    if not HAS_NUMPY:
        return None
    from exactmatch.solvers.hillclimb import HillClimb

    solution = HillClimb().solve(pair.problem.problem, Limits())
    if solution.value >= pair.solution.value:
        return None
    totals = pair.statistics[2:4] if len(pair.statistics) > 3 else pair.statistics[1:3]
    return 2 * solution.value / pair.problem.scale / sum(totals), solution


def _drawings(shown: Sequence[Any], names: Sequence[str]) -> Markup:
    """Draw the reference and the prediction, under each alignment."""
    gold, notes = gold_marks([each.differences for each in shown])
    first = shown[0]
    sides = [DrawnSide(first.gold.graph, (), gold, first.gold.lines, notes)]
    for each in shown:
        own = marks(each.differences.edits)[1]
        alignment = each.differences.alignment
        sides.append(DrawnSide(each.pred.graph, alignment, own, each.pred.lines))
    drawing = laid_out(*sides)
    figures = []
    for number, name in enumerate(names):
        picture = svg(drawing, number, styled=False)
        canvas = element("div", picture, class_="canvas", tabindex=0)
        caption = element("figcaption", name)
        figures.append(element("figure", caption, canvas, class_="drawing"))
    return element("div", *figures, class_="drawings")


def _content(text: str) -> str:
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if not line.startswith("#"))
