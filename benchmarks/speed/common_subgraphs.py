"""Common induced subgraphs of random graphs without labels, beside McSplit."""

from __future__ import annotations

from pathlib import Path

from benchmarks.speed.scripts import run_ours
from benchmarks.speed.spec import Measure, Outcome, Row, Setting

MOST = 2.0
"""So many times McSplit's time ours may be."""


def run(setting: Setting) -> Outcome:
    """Return every size and density; McSplit where ``--peers`` names its program."""
    sizes, number = ("8", 2) if setting.smoke else ("15,20,25", 5)
    program = [peer for peer in setting.peers if Path(peer).is_file()][:1]
    arguments = (setting.work, number, sizes, *program)
    finished, lines = run_ours(setting, "common_subgraphs.py", arguments)
    if finished.trouble:
        return Outcome((Row("exactmatch", note=finished.trouble),))
    rows, measures = [], []
    for line in lines:
        name = line.pop("name")
        rows.append(Row(name, line))
        if "ratio" in line:
            ratio = line["ratio"]
            measures.append(Measure(name, ratio, "at most", MOST, " of McSplit"))
    note = "CPU time of one thread; McSplit's is that of its whole process"
    return Outcome(tuple(rows), tuple(measures), (note,))
