"""Documents, DRSs and MRP graphs: totals and proven optima of the reference values.

Every record is solved to the proven optimum, so both directions are tested: fewer
matches would be a wrong search, more a wrong count.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from exactmatch.formats.blocks import read_blocks
from exactmatch.formats.formats import FORMATS
from exactmatch.formats.readings import as_graph, read_block
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.metrics.score import Score
from exactmatch.metrics.smatch import Smatch

DATA = os.environ.get("EXACTMATCH_DATA")
pytestmark = pytest.mark.skipif(DATA is None, reason="EXACTMATCH_DATA is not set")

SLOW_WHEN_FREE = ("pdtsc_093", "pdtsc_146")
"""Documents whose free alignment takes a minute to prove."""

LEAVES_ONLY = {
    "mrp-ucca-perturbed-20003007",
    "mrp-ucca-lpps-perturbed-105010",
    "mrp-ucca-lpps-perturbed-106080",
}
"""Where mtool calls its search exact and there is more: it maps leaves to leaves."""


def records(name: str) -> Iterator[dict[str, Any]]:
    lines = Path(DATA or "", "golden", name).read_text("utf-8").splitlines()
    return (record for record in map(json.loads, lines) if not record.get("header"))


def scored(left: Any, right: Any, profile: Profile) -> Score:
    metric = Smatch(profile)
    return metric.scores(metric.measure(left, right).statistics)


def counts(score: Score) -> tuple[float | None, ...]:
    return score.matched, score.bound, score.pred_total, score.gold_total


def read(format_in: str, text: str, profile: Profile) -> Graph:
    (block,) = FORMATS[format_in].blocks(text.splitlines(keepends=True), None)
    return read_block(block, profile).graph


def test_umr_documents(full: bool, note: Callable[[str], None]) -> None:
    left_out = 0
    for record in records("umr.dev.jsonl"):
        graphs = []
        for side in ("pred", "gold"):
            path = Path(DATA or "", "data", "umr", record[side] + ".umr")
            (block,) = read_blocks(path)
            graphs.append(read_block(block, PROFILES["umr"]).graph)
        documents = [graph.document for graph in graphs]
        assert [len(d.sentences) for d in documents if d] == record["sentences"]
        for align in ("same-sentence", "free"):
            if (
                align == "free"
                and not full
                and any(name in record["pred"] for name in SLOW_WHEN_FREE)
            ):
                left_out += 1
                continue
            profile = PROFILES["umr"].with_options(align=align)
            wanted = record[align]
            _, value, bound = wanted["solved"][0]
            totals = wanted["pred_total"], wanted["gold_total"]
            found = counts(scored(graphs[0], graphs[1], profile))
            assert found == (value, bound, *totals), (record["pred"], align)
    if left_out:
        note(f"{left_out} free alignments of UMR documents take --full-conformance")


def test_every_umr_file_is_read_and_written() -> None:
    """What people write: one document a file, or five of them."""
    for path in sorted(Path(DATA or "", "data", "umr").glob("*/*.umr")):
        found = list(read_blocks(path))
        assert len(found) == (5 if path.name == "gold_total_1-5.umr" else 1)
        for block in found:
            graph = FORMATS["umr"].read(block).graph
            text = FORMATS["umr"].write(graph)
            (again,) = FORMATS["umr"].blocks(text.splitlines(keepends=True), None)
            assert FORMATS["umr"].read(again).graph == graph


def test_document_amr() -> None:
    profile = PROFILES["doc-amr"]
    for record in records("docsmatch.dev.jsonl"):
        graphs = [as_graph(record[side], profile) for side in ("amr1", "amr2")]
        wanted = (record["optimum"],) * 2 + (record["total1"], record["total2"])
        assert counts(scored(graphs[0], graphs[1], profile)) == wanted, record["id"]


def test_drs_in_penman_and_in_sbn() -> None:
    """SBN gives what ud-boxer's PENMAN of it gives."""
    seen: Counter[str] = Counter()
    for record in records("sbn.dev.jsonl"):
        wanted = (record["optimum"],) * 2 + (record["total1"], record["total2"])
        profile = PROFILES["drs"]
        graphs = [as_graph(record[side], profile) for side in ("amr1", "amr2")]
        assert counts(scored(graphs[0], graphs[1], profile)) == wanted, record["id"]
        seen[record["form"]] += 1
        if "sbn1" in record and "sbn2" in record:
            graphs = [read("sbn", record[side], profile) for side in ("sbn1", "sbn2")]
            assert counts(scored(graphs[0], graphs[1], profile)) == wanted, record["id"]
            seen["sbn"] += 1
        if record["form"] == "nosense":
            profile = PROFILES["drs-lenient"]
            graphs = [as_graph(record[side], profile) for side in ("amr1", "amr2")]
            assert counts(scored(graphs[0], graphs[1], profile)) == wanted, record["id"]
    assert seen["sbn"] == seen["penman"] > 50


@pytest.mark.parametrize("name", ["mrp_drg.dev.jsonl", "mrp.dev.jsonl"])
def test_mrp_pieces(name: str, note: Callable[[str], None]) -> None:
    """Totals always; the optimum where mtool proved its own, and never below it."""
    profile = PROFILES["mrp"]
    above = 0
    for record in records(name):
        if "mces" not in record:
            continue
        texts = [json.dumps(record[side]) for side in ("system", "gold")]
        score = scored(
            read("mrp", texts[0], profile), read("mrp", texts[1], profile), profile
        )
        wanted = record["mces"]["all"]
        assert (score.pred_total, score.gold_total) == (wanted["s"], wanted["g"])
        assert score.proven
        assert score.matched is not None
        if record["mces_exact"] and record["id"] not in LEAVES_ONLY:
            assert score.matched == wanted["c"], record["id"]
        else:
            assert score.matched >= wanted["c"], record["id"]
            above += score.matched > wanted["c"]
    note(f"{name}: {above} optima above what mtool found")
