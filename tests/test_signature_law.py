"""The law of signatures: different numbers of the same files have different signatures.

Options of every command that has signatures are drawn at random.  An option that is new
needs values here, or a reason why it cannot move a number.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.cli.commands import COMMANDS, GROUPS
from exactmatch.metrics import METRICS

GRAPHS = [
    '(w / want-01 :ARG0 (b / boy :wiki "Q1") :ARG1 (g / go-02 :ARG0 b :polarity -))',
    "(s / see-01 :ARG0 (g / girl :mod (s2 / small)) :ARG1 (c / cat :quant 2))",
    "(b / bark-01 :ARG0 (d / dog :ARG1-of (h / have-mod-91 :ARG2 (o / old))))",
    "(r / run-02 :ARG0 (p / person :ARG0-of (t / teach-01)) :location (p2 / park))",
    "(e / eat-01 :ARG0 (h / horse~e.1) :ARG1 (a / apple :mod (r / red)))",
    "(s / sleep-01 :ARG0 (a / and :op1 (c / cat) :op2 (d / dog)) :duration (l / long))",
]
PAIR = ("pred.amr", "gold.amr")
BASES: dict[str, tuple[str, ...]] = {
    "score": PAIR,
    "finegrained": PAIR,
    "compare": ("gold.amr", "pred.amr", "other.amr", "--human", "judged.tsv"),
    "errors": PAIR,
    "thresholds": (*PAIR, "--metric", "s2match"),
    "agreement": (*PAIR, "other.amr"),
    "correlate": (*PAIR, "human.txt"),
    "correlate preferences": (*PAIR, "preferred.txt"),
    "correlate foils": (*PAIR, "--foils"),
    "correlate systems": ("gold.amr", "pred.amr", "other.amr", "--human", "judged.tsv"),
    "audit": (*PAIR, "--runs", "2", "--restarts", "1"),
    "explain-profile": PAIR,
    "align": PAIR,
    "matrix": ("gold.amr",),
    "nearest": ("gold.amr", "other.amr"),
    "ged": ("one.json", "two.json"),
}
"""What each command is run on; commands without an entry have no signature.

The second word of a key says which of a command's questions it asks.
"""

UNSIGNED = {
    *("yisi", "ground-truth", "solve", "report", "draw", "verify"),
    *("duplicates", "ensemble", "cluster", "convert", "lint", "completion", "solvers"),
    *("plugins", "merge"),
}
"""Commands that print no score, need other files, or answer with a choice of graphs."""

VALUES: dict[str, tuple[tuple[str, ...], ...]] = {
    "metric": tuple(
        ("--metric", name)
        for name in ("smatch", "s2match", "sembleu", "graph", "wlk", "rematch", "yisi")
    ),
    "confidence": (("--confidence",), ("--confidence", "80")),
    "interval": (("--interval", "bca"), ("--interval", "percentile")),
    "unit": (("--unit", "document"),),
    "seed": (("--seed", "1"), ("--seed", "7")),
    "profile": (("--profile", "clean"), ("--profile", "smatchpp")),
    "top": (("--top", "none"), ("--top", "concept")),
    "duplicates": (("--duplicates", "set"),),
    "wiki": (("--no-wiki",),),
    "sense": (("--no-sense",),),
    "reification": (("--reify",), ("--dereify",)),
    "strip_alignments": (("--strip-alignments",),),
    "just": (("--just", "relation"),),
    "roles": (("--roles", "ARG0,ARG1"),),
    "except_roles": (("--except-roles", "ARG1"),),
    "extract": (("--extract", "repair"),),
    "format_in": (("--format-in", "penman"),),
    "by_id": (("--by-id",),),
    "on_error": (("--on-error", "skip"), ("--on-error", "empty")),
    "strict": (("--strict",),),
    "common": (("--common",),),
    "macro": (("--macro",),),
    "test": (("--test", "bootstrap"),),
    "finegrained": (("--finegrained",),),
    "aspects": (("--aspects",),),
    "style": (("--style", "damonte"), ("--style", "graph")),
    "chance_pairs": (("--chance-pairs", "3"),),
    "human_range": (("--human-range", "0,4"),),
    "standardise": (("--standardise",),),
    "group_by": (("--group-by", "system"), ("--group-by", "none")),
    "darr_margin": (("--darr-margin", "1"),),
    "ties": (("--ties", "float"),),
    "moves": (("--moves", "both"),),
    "node_match": (("--node-match", "label"),),
    "edge_match": (("--edge-match", "label"),),
    "labels": (("--labels", "all"), ("--labels", "none")),
    "node_costs": (("--node-costs", "1,2,2"),),
    "edge_costs": (("--edge-costs", "1,2,2"),),
    "costs": (("--costs", "chem1"),),
    "ids": (("--ids", "1,2,3"),),
    "where": (("--where", "f1 > 0.3"),),
}
"""Values that move numbers, by the name of the option."""

OF_METRICS = (
    ("--metric", "graph", "--count", "edges"),
    ("--metric", "graph", "--node-similarity", "lcs", "--node-cutoff", "0.2"),
    ("--metric", "graph", "--unlike", "forbidden"),
    ("--metric", "graph", "--edge-share", "0.2"),
    ("--metric", "graph", "--reify"),
    ("--metric", "graph", "--no-wiki", "--no-sense"),
    ("--metric", "s2match", "--cutoff", "0.2"),
    ("--metric", "sembleu", "--ngram", "2"),
    ("--metric", "wlk", "--iterations", "1"),
)
"""Options of metrics, with their metric."""

DRAWS = 16
VOLATILE = {
    *("provenance", "signature", "signatures", "names", "warnings", "seconds"),
    *("profile", "notes", "remarks", "predictions", "metric", "command"),
    *("per_pair", "pairs_that_decide"),  # more or fewer rows of the same numbers
}
"""Fields that are not numbers of an answer, or that say what is asked for."""


def documents(order: list[int], old: str, new: str) -> str:
    return "\n\n".join(
        f"# ::id {k + 1}\n# ::doc d{k // 2}\n{GRAPHS[k].replace(old, new)}"
        for k in order
    )


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files.one("gold.amr", documents([*range(6)], "", ""))
    files.one("pred.amr", documents([1, 0, 2, 3, 5, 4], "girl", "boy"))
    files.one("other.amr", documents([0, 1, 2, 4, 3, 5], "-01", "-02"))
    for name, label in (("one", "a"), ("two", "b")):
        nodes = [{"id": k, "label": text} for k, text in enumerate((label, "c", "d"))]
        links = [{"source": 0, "target": 1}, {"source": 1, "target": 2, "label": name}]
        network = {"directed": True, "nodes": nodes, "links": links}
        Path(f"{name}.json").write_text(json.dumps(network))
    Path("human.txt").write_text("1\n0.5\n0.25\n0.7\n0.1\n0.9\n")
    Path("preferred.txt").write_text("1\n0\n1\n")
    rows = ["system\tsegment\tjudge\tscore"]
    for k in range(6):
        for name, scores in (("pred", "142341"), ("other", "322411")):
            score = int(scores[k])
            rows += [f"{name}\t{k + 1}\tanna\t{score}"]
            rows += [f"{name}\t{k + 1}\tben\t{10 + score**2}"]
    Path("judged.tsv").write_text("\n".join(rows) + "\n")


def numbers_of(found: Any) -> Any:
    """Return the numbers of an answer, with the fields that they stand in."""
    if isinstance(found, dict):
        kept = {k: v for k, v in found.items() if k not in VOLATILE}
        return {k: n for k, v in kept.items() if (n := numbers_of(v)) not in (None, {})}
    if isinstance(found, list):
        return [numbers_of(one) for one in found]
    if isinstance(found, float):
        return f"{found:.9g}"
    return found if isinstance(found, int) else None


def paths(found: Any, at: str = "") -> list[str]:
    """Return every number of an answer with the way to it."""
    if isinstance(found, dict):
        return [one for k, v in found.items() for one in paths(v, f"{at}.{k}")]
    if isinstance(found, list):
        return [one for k, v in enumerate(found) for one in paths(v, f"{at}[{k}]")]
    return [f"{at} {found}"]


def signatures_of(found: Any) -> list[str]:
    """Return every signature of an answer, in order."""
    if isinstance(found, list):
        return [text for one in found for text in signatures_of(one)]
    if not isinstance(found, dict):
        return []
    own = [found["signature"]] if found.get("signature") else []
    return (
        own
        + list(found.get("signatures", []))
        + [
            text
            for name, part in found.items()
            if name != "provenance"
            for text in signatures_of(part)
        ]
    )


def _command(asked: str) -> str:
    return asked.partition(" ")[0]


def settable(command: str) -> list[str]:
    """Return the options of a command that measure or say how files are paired."""
    row = COMMANDS[command].row
    options = [row.options] + ([] if row.shown is None else [row.shown])
    return [
        name
        for cls in options
        for name, declared in cls.DECLARED.items()
        if declared.purpose in ("measures", "pairs") and declared.flags != ()
    ]


IDLE = {
    *("roots", "triples", "upper_bound"),  # of two graphs alone
    *("align", "ignore_unannotated"),  # of documents with sentences
    *("field", "framework"),  # of rows and of MRP, which these files are not
    *("refs",),  # of several references
}
"""Options without values here, as these files have nothing that they could move."""


def test_every_option_has_values_or_a_reason() -> None:
    lacking = {}
    for command in map(_command, BASES):
        own = {
            name
            for name in settable(command)
            if name not in VALUES and name not in IDLE
        }
        if own:
            lacking[command] = sorted(own)
    assert lacking == {}


def test_every_command_is_run_or_has_a_reason() -> None:
    names = {name for group in GROUPS.values() for name in group}
    signed = {*map(_command, BASES)}
    assert names == signed | UNSIGNED
    assert not signed & UNSIGNED


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("asked", BASES)
def test_equal_signatures_have_equal_numbers(asked: str, cli: Cli) -> None:
    rng, command = random.Random(asked), _command(asked)
    known = [n for n in settable(command) if n in VALUES] + ["ids"] * (command != "ged")
    takes_metrics = "metric" in settable(command)
    single = [list(value) for name in known for value in VALUES[name]]
    single += [list(v) for v in OF_METRICS] if takes_metrics else []
    runs: list[list[str]] = [[], *single]
    for _ in range(DRAWS):
        drawn = rng.sample(known, rng.randint(2, 3))
        runs.append([part for name in drawn for part in rng.choice(VALUES[name])])
    found: dict[tuple[str, ...], dict[str, list[str]]] = {}
    answered = 0
    for more in runs:
        ran = cli(command, *BASES[asked], *more, "--format", "json", "-q")
        if ran.code not in (0, 1) or not ran.out.strip():
            continue
        answer = json.loads(ran.out)
        signed = tuple(signatures_of(answer))
        if not signed:
            continue
        answered += 1
        numbers = json.dumps(numbers_of(answer), sort_keys=True)
        found.setdefault(signed, {}).setdefault(numbers, more)
    assert answered >= len(runs) // 4
    for by in found.values():
        (first, of_first), *others = by.items()
        for numbers, more in others:
            own, other = ({*paths(json.loads(text))} for text in (first, numbers))
            assert (of_first, more, sorted(own ^ other)[:4]) is None


def test_metrics_of_the_law_exist() -> None:
    for name in VALUES["metric"]:
        assert name[1] in METRICS
