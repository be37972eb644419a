"""YiSi on text against the values of NRC's own program, through the command line.

Reads ``golden/yisi.dev.jsonl`` and ``golden/yisi.vectors.{en,xx}.txt`` under the
folder ``EXACTMATCH_DATA``.  :func:`options_of` is the table from the name of a
recorded run to the options of ``exactmatch yisi``.

The record's header allows 1e-6 for word vectors, which the program reads as 32-bit
numbers; so do we, and 1e-9 holds for every run.  Where several matchings are
optimal (``tie_range``), a value is held to the interval between the smallest and
the largest structural value, whose ends were computed with 64-bit vectors.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from support.command import Cli
from support.files import Files

FOLDER = os.environ.get("EXACTMATCH_DATA")
TOLERANCE = 1e-9
TIE_TOLERANCE = 1e-6

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

Command: TypeAlias = Callable[..., list[dict[str, Any]]]
"""Runs ``exactmatch yisi``; returns its objects, one a sentence."""


def golden() -> list[Any]:
    if not FOLDER:
        return [{}]
    text = (Path(FOLDER) / "golden/yisi.dev.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


HEADER, *RECORDS = golden()


def vectors(*languages: str) -> str:
    return ",".join(f"{FOLDER}/golden/yisi.vectors.{name}.txt" for name in languages)


def options_of(run: str, named: dict[str, str]) -> list[str]:
    """The options behind the name of a recorded run.

    Args:
        run: such as ``yisi0-n3``, ``lcs-own-idf-n3`` or ``srl-w2v-n1-docweights``.
        files: paths of what the test has written: ``counts``, ``roles``, ``idf``,
            ``input``, ``srl-hyp`` and so on.
    """
    parts = run.split("-")
    gram = next(part for part in parts if part[0] == "n" and part[1:].isdigit())
    options = ["--yisi", "official", "--ngram", gram[1:]]
    first = parts[0]
    if first == "exact":
        options += ["--similarity", "exact"]
    elif first == "yisi1" or "w2v" in parts:
        options += ["--variant", "yisi1", "--vectors", vectors("en")]
    elif first in ("yisi2", "yisi2srl"):
        options += ["--variant", "yisi2", "--vectors", vectors("en", "xx")]
        options += ["--input", named["input"]]
    else:  # yisi0, lcs, srl-lcs
        options += ["--variant", "yisi0"]
    if "uniform" in parts:
        options += ["--idf", "uniform"]
    elif "own" in parts:
        options += ["--idf", "own"]
    elif "countfile" in parts:
        options += ["--idf", f"counts:{named['counts']}"]
    elif first == "srl":
        options += ["--idf", f"counts:{named['idf']}"]
    if first in ("srl", "yisi2srl"):
        for side in ("hyp", "ref", "input"):
            if f"srl-{side}" in named:
                options += [f"--srl-{side}", named[f"srl-{side}"]]
    last = parts[-1]
    if last == "docweights":
        options += ["--role-weights", named["roles"]]
    elif last == "uniformroles":
        options += ["--role-weights", "uniform"]
    elif last == "lexweightroles":
        options += ["--role-weights", "lexical"]
    elif last == "uniformframes":
        options += ["--frame-weights", "uniform"]
    return options


@pytest.fixture
def command(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(*arguments: str) -> list[dict[str, Any]]:
        return cli.json_lines("yisi", *arguments, "--per-pair")

    return run


def lines_of(sentences: Sequence[str]) -> str:
    return "".join(f"{sentence}\n" for sentence in sentences)


def counts_of(sentences: Sequence[str]) -> str:
    """A file of counts for ``--idf counts:FILE``, counted here."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts.update({token for token in sentence.split(" ") if token})
    rows = "".join(f"{count} {word}\n" for word, count in counts.items())
    return f"{len(sentences)}\n{rows}"


def conll_of(sentences: Sequence[str], frames: Sequence[Any]) -> str:
    """CoNLL-2009 text for frames that were recorded as spans."""
    blocks = []
    for sentence, found in zip(sentences, frames, strict=True):
        tokens = [token for token in sentence.split(" ") if token]
        columns = [["_"] * len(tokens) for _ in found]
        for column, frame in zip(columns, found, strict=True):
            for (label, _, end), (after, start, _) in pairwise(frame["args"]):
                assert not (label == after and end == start)
            for label, start, end in frame["args"]:
                column[start:end] = [label] * (end - start)
        predicates = {frame["pred"] for frame in found}
        rows = []
        for i, token in enumerate(tokens):
            mark = ["Y", f"{token}.01"] if i in predicates else ["_", "_"]
            fields = [str(i + 1), token, *"_" * 6, "0", "0", "_", "_", *mark]
            rows.append("\t".join([*fields, *(column[i] for column in columns)]))
        blocks.append("".join(f"{row}\n" for row in rows) + "\n")
    return "".join(blocks)


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    found = [record for record in RECORDS if record["kind"] in kinds]
    return pytest.mark.parametrize("record", found, ids=lambda record: record["id"])


def close(value: float, tolerance: float = TOLERANCE) -> Any:
    return pytest.approx(value, abs=tolerance, rel=0)


@of_kind("document", "multiref", "yisi2")
def test_documents(record: Any, command: Command, files: Files) -> None:
    """Precision, recall and score of each sentence, and the document's mean."""
    counts = "5\n4 the\n2 cat\n3 a\n1 sat\n2 dog\n"  # README.md beside the records
    named = {"counts": files.one("counts", counts)}
    arguments = [files.one("hyp", lines_of(record["hyps"]))]
    if record["kind"] == "yisi2":
        named["input"] = files.one("input", lines_of(record["inputs"]))
    else:
        arguments.append(files.one("ref", lines_of(record["refs"])))
    if record["kind"] == "multiref":
        arguments += ["--ref2", files.one("ref2", lines_of(record["refs2"]))]
    for run, expected in record["runs"].items():
        options = [*arguments, *options_of(run, named)]
        for alpha in (key for key in expected if key != "features"):
            found = command(*options, "--alpha", alpha.removeprefix("alpha="))
            assert [pair["index"] for pair in found] == list(range(len(found)))
            scores = [pair["score"] for pair in found]
            assert scores == close(expected[alpha]["sentences"]), (run, alpha)
            mean = sum(scores) / len(scores)
            assert mean == close(expected[alpha]["document"]), (run, alpha)
            for pair, features in zip(found, expected["features"], strict=True):
                both = [pair["precision"], pair["recall"]]
                assert both == close(features), (run, alpha, pair["index"])


@of_kind("srl")
def test_frames(record: Any, command: Command, files: Files) -> None:
    """One pair with frames from CoNLL-2009: structural and flat parts, and scores."""
    roles = " ".join(map(str, record["role_weights_document"]))
    named = {
        "idf": files.one("idf", counts_of(HEADER["srl_idf_document"])),
        "roles": files.one("roles", roles),
        "srl-hyp": files.one("hyp.conll", record["hyp_conll09"]),
        "srl-ref": files.one("ref.conll", record["ref_conll09"]),
    }
    texts = [
        files.one("hyp", f"{record['hyp']}\n"),
        files.one("ref", f"{record['ref']}\n"),
    ]
    for run, expected in record["runs"].items():
        options = [*texts, *options_of(run, named)]
        check_run(record["tie_range"].get(run, {}), run, options, expected, command)


@of_kind("yisi2srl")
def test_frames_of_the_input(record: Any, command: Command, files: Files) -> None:
    """A document against its input, with frames of both."""
    named = {
        "input": files.one("input", lines_of(record["inputs"])),
        "srl-hyp": files.one(
            "hyp.conll", conll_of(record["hyps"], record["hyp_frames"])
        ),
        "srl-input": files.one(
            "input.conll", conll_of(record["inputs"], record["inp_frames"])
        ),
    }
    text = files.one("hyp", lines_of(record["hyps"]))
    for run, expected in record["runs"].items():
        options = [text, *options_of(run, named)]
        check_run(record["tie_range"].get(run, {}), run, options, expected, command)


def check_run(
    ties: Any, run: str, options: list[str], expected: Any, command: Command
) -> None:
    """Compare one run with frames; *ties* are by sentence and side."""
    features = expected["features"]
    rows = features if isinstance(features[0], list) else [features]
    structure = command(*options, "--beta", "1")
    flat = command(*options, "--beta", "0")
    for i, row in enumerate(rows):
        tie = ties.get(str(i), {}) if len(rows) > 1 else ties.get("0", ties)
        for name, side, k in (("precision", "P", 0), ("recall", "R", 2)):
            assert flat[i][name] == close(row[k + 1]), (run, i, side)
            if side in tie:
                low, high = tie[side]
                assert low - TIE_TOLERANCE <= structure[i][name], (run, i, side)
                assert structure[i][name] <= high + TIE_TOLERANCE, (run, i, side)
            else:
                assert structure[i][name] == close(row[k]), (run, i, side)
    for key in (key for key in expected if key != "features"):
        alpha, beta = (float(part.split("=")[1]) for part in key.split(","))
        pairs = command(*options, "--alpha", str(alpha), "--beta", str(beta))
        scores = [pair["score"] for pair in pairs]
        stated = expected[key]
        if not isinstance(stated, dict):
            stated = {"sentences": [stated], "document": stated}
        for i, (score, value) in enumerate(
            zip(scores, stated["sentences"], strict=True)
        ):
            if ties.get(str(i)) or ties.get("P") or ties.get("R"):
                low, high = tied_scores(rows[i], ties.get(str(i), ties), alpha, beta)
                assert low - TIE_TOLERANCE <= score <= high + TIE_TOLERANCE, (run, key)
            else:
                assert score == close(value), (run, key, i)
        if not ties:
            assert sum(scores) / len(scores) == close(stated["document"]), (run, key)


def tied_scores(
    row: Sequence[float], tie: Any, alpha: float, beta: float
) -> tuple[float, float]:
    """The smallest and largest score that tied matchings give."""
    ends = []
    for end in (0, 1):
        structural_p = tie["P"][end] if "P" in tie else row[0]
        structural_r = tie["R"][end] if "R" in tie else row[2]
        p = beta * structural_p + (1 - beta) * row[1]
        r = beta * structural_r + (1 - beta) * row[3]
        ends.append(p * r / (alpha * p + (1 - alpha) * r) if p * r else 0.0)
    return ends[0], ends[1]


def test_every_record_is_of_a_known_kind() -> None:
    """A new kind of record must not pass unnoticed."""
    known = {"document", "multiref", "yisi2", "srl", "yisi2srl"}
    assert {record["kind"] for record in RECORDS} <= known
    assert len(RECORDS) == HEADER["records"]
