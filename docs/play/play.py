"""What the playground's page asks of exactmatch, within the page: one pair of graphs.

It runs in Pyodide and imports nothing beyond the package and Python itself.
"""

from __future__ import annotations

import json
import warnings
from importlib.resources import files
from typing import Any

warnings.simplefilter("ignore")

from exactmatch import __version__, make_metric  # noqa: E402  # no warnings on import
from exactmatch.base.errors import InputError  # noqa: E402
from exactmatch.base.numbers import fixed  # noqa: E402
from exactmatch.engine.differences import marks  # noqa: E402  # as above
from exactmatch.formats.blocks import graphs_of_text  # noqa: E402
from exactmatch.graphs.drawing.drawing import DrawnSide  # noqa: E402
from exactmatch.graphs.drawing.drawing import draw as laid_out  # noqa: E402
from exactmatch.graphs.drawing.svg import svg  # noqa: E402
from exactmatch.studies.errors.errors import pair_errors  # noqa: E402
from exactmatch.studies.errors.view import edits  # noqa: E402

METRICS = {
    "smatch": ("smatch", "clean", "smatchpp", "umr", "drs"),
    "sembleu": ("sembleu", "smatch", "clean"),
    "rematch": ("smatch", "clean"),
    "wlk": ("smatch", "clean"),
    "edm": ("mrp",),
    "sdp": ("mrp",),
}
"""The metrics that need no other package, and the profiles that are offered."""

LARGEST = 60
"""Graphs of more variables go to solvers that need NumPy."""

SUFFIX = {"umr": "umr", "mrp": "mrp", "node-link": "json", "triples": "tsv"}
SUFFIX |= {"sbn": "sbn", "clauses": "clf"}


def about() -> str:
    """What the page offers, as JSON: metrics with their profiles, and examples."""
    sample = files("exactmatch") / "sample"
    sides = [
        sample.joinpath(name).read_text("utf-8").strip().split("\n\n")
        for name in ("pred.amr", "gold.amr")
    ]
    return json.dumps(
        {
            "version": __version__,
            "metrics": METRICS,
            "sample": list(zip(*sides, strict=True)),
        }
    )


def compare(pred: str, gold: str, metric: str, profile: str) -> str:
    """Compare two graphs; whatever is wrong with them is said in a sentence.

    Args:
        pred, gold: the texts of the prediction and of its reference, in any format.
        metric: one of :data:`METRICS`.
        profile: its profile.

    Returns:
        A JSON object: the ``error`` and the ``side`` that it is about, or the score and
        all that the page shows of it.
    """
    found: dict[str, Any] = {}
    try:
        found = _compared(pred, gold, metric, profile)
    except InputError as error:
        found = {"error": str(error)}
    except ModuleNotFoundError as error:
        found = {
            "error": f"this pair needs the package {error.name}, which the page has "
            "not; the command line reads and scores it"
        }
    return json.dumps(found)


def _compared(pred: str, gold: str, metric: str, profile: str) -> dict[str, Any]:
    measure: Any = make_metric(metric, profile=profile)
    prepared, remarks, formats = [], [], []
    for side, text in (("prediction", pred), ("reference", gold)):
        try:
            block = _only(text)
            read = measure.read(block)
        except InputError as error:
            return {"error": f"the {side}: {error}", "side": side}
        variables = len(getattr(read.item, "variables", ()))
        if measure.aligns and variables > LARGEST:
            return {
                "error": f"the {side} has {variables} variables; the page aligns up to "
                f"{LARGEST}, the command line any number",
                "side": side,
            }
        formats.append(block.format or "penman")
        remarks += [f"{side}: {remark}" for remark in read.remarks()]
        prepared.append(measure.prepare(read.item))
    pair = measure.compare(*prepared)
    score = measure.scores(pair.statistics)
    shown = {
        "score": fixed(score.score, 4),
        "precision": None if score.precision is None else fixed(score.precision, 4),
        "recall": None if score.recall is None else fixed(score.recall, 4),
        "matched": score.matched,
        "predicted": score.pred_total,
        "reference": score.gold_total,
        "bound": score.bound,
        "proven": score.proven,
        "signature": _signature(measure, pair.solution),
        "command": _command(formats, metric, profile),
        "remarks": remarks,
    }
    if pair.problem is not None and metric == "smatch":
        shown |= _explained(pair, pred, gold, formats)
    return shown


def _only(text: str) -> Any:
    blocks = list(graphs_of_text(text))
    if len(blocks) != 1:
        what = "is empty" if not blocks else f"holds {len(blocks)} graphs"
        raise InputError(f"the text {what}; the page compares one graph with one")
    return blocks[0]


def _signature(measure: Any, solution: Any) -> str:
    items = [("metric", measure.name), *measure.signature()]
    if solution is not None:
        items.append(("proven", f"{int(solution.is_optimal)}/1"))
    items.append(("version", __version__))
    return "|".join(f"{key}:{value}" for key, value in items)


def _command(formats: list[str], metric: str, profile: str) -> str:
    names = [
        f"{name}.{SUFFIX.get(form, 'amr')}"
        for name, form in zip(("pred", "gold"), formats, strict=True)
    ]
    parts = ["exactmatch", *names, "--metric", metric, "--profile", profile]
    return " ".join(parts)


def _explained(pair: Any, pred: str, gold: str, formats: list[str]) -> dict[str, Any]:
    """Return the proof, the drawing and the errors of a pair."""
    solution = pair.solution
    texts = tuple(
        text if form == "penman" else None
        for text, form in zip((_content(pred), _content(gold)), formats, strict=True)
    )
    found = pair_errors(pair.problem, solution.alignment, texts=texts, alone=True)
    gold_marks, pred_marks = marks(found.differences.edits)
    drawn = laid_out(
        DrawnSide(found.gold.graph, (), gold_marks, found.gold.lines),
        DrawnSide(
            found.pred.graph, found.differences.alignment, pred_marks, found.pred.lines
        ),
    )
    left, right = pair.problem.names
    return {
        "value": solution.value,
        "upper": solution.bound,
        "proof": solution.proof,
        "aligned": [
            (str(left[v]), str(right[w]) if w != -1 else None)
            for v, w in enumerate(solution.alignment)
        ],
        "errors": [
            {
                "type": f"{each['kind']} {each['detail']}".strip(),
                "reference": each["gold"],
                "prediction": each["pred"],
            }
            for each in edits(found)
        ],
        "drawings": [svg(drawn, k) for k in range(2)],
    }


def _content(text: str) -> str:
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if not line.startswith("#"))
