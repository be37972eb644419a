"""UMR documents: real ones joined to longer ones, aligned within their sentences.

The Czech documents, by hand and converted (ufal/UMR d3e4694), and the English ones;
``umr_joining.py`` says how they are joined.

Smatch 1.0.4 knows no documents.  It scores the same sentence graphs as one graph
``(m / multi-sentence :snt1 (...) :snt2 (...) ...)``, and aligns any two nodes.
"""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.speed.documents import joined
from benchmarks.speed.measuring import Run, run
from benchmarks.speed.programs import missing_peer, passes_python_path
from benchmarks.speed.scripts import run_peer
from benchmarks.speed.spec import Figure, Outcome, Row, Setting
from benchmarks.speed.umr_joining import Part, document, sentences

CZECH = (
    ("czech/ln94210_111-conv.umr", "czech/ln94210_111-ML-all.umr"),
    ("czech/ln95046_093-conv.umr", "czech/ln95046_093-HH-all.umr"),
    ("czech/pdtsc_093_3.02-conv.umr", "czech/pdtsc_093_3.02-ML-s1-s25.umr"),
    ("czech/pdtsc_146_2.05-conv.umr", "czech/pdtsc_146_2.05-HH-s1-s25.umr"),
    ("czech/wsj0013.cz-conv.umr", "czech/wsj0013.cz-ML-all.umr"),
    ("czech/wsj0072.cz-conv.umr", "czech/wsj0072.cz-HH-s1-s10.umr"),
)
ENGLISH = (("english/converted_total_1-5.umr", "english/gold_total_1-5.umr"),)
LANGUAGES = {"Czech": CZECH, "English": ENGLISH}

SIZES = (1_000, 2_000, 5_000, 14_000)
_SMOKE_SIZES = (10,)
_SECONDS = 600.0
_PEER_SECONDS = 120.0
_GRACE = 120.0

_SAMPLE = """\
# :: snt1
Index: 1   2
Words: Ann slept

# sentence level graph:
(s1s / sleep-01
    :ARG0 (s1p / person
        :name (s1n / name :op1 "Ann"))
    :aspect state)

# alignment:
s1s: 2-2
s1p: 1-1

# document level annotation:
(s1s0 / sentence
    :temporal ((document-creation-time :before s1s)))

# :: snt2
Index: 1   2
Words: She  dreamt

# sentence level graph:
(s2d / dream-01
    :ARG0 (s2p / person)
    :aspect activity)

# alignment:
s2d: 2-2
s2p: 1-1

# document level annotation:
(s2s0 / sentence
    :coref ((s1p :same-entity s2p)))
"""


def run_every(setting: Setting) -> Outcome:
    """Return both languages in every size."""
    rows: list[Row] = []
    for language in LANGUAGES:
        pairs = _pairs(setting, language)
        programs = _programs(setting)
        for size in _SMOKE_SIZES if setting.smoke else SIZES:
            pred, gold, count = document(size, pairs)
            files = [
                setting.work / f"{language}-{size}.{side}.umr"
                for side in ("pred", "gold")
            ]
            for path, parts in zip(files, (pred, gold), strict=True):
                path.write_text("\n".join(parts), encoding="utf-8")
            for program in list(programs):
                row = _row(setting, program, files)
                if row.note or row.figures.get("interval"):
                    programs.remove(program)
                row = Row(f"{language} {count:,}, {program}", row.figures, row.note)
                rows.append(row)
                setting.say(f"  {row.name}: {row.note or row.figures}")
    limit = _SECONDS if setting.time_limit is None else setting.time_limit
    return Outcome(
        tuple(rows),
        notes=(
            "whole commands on one document, --profile umr --align same-sentence; "
            f"limits of {limit:g} s (smatch: {_PEER_SECONDS:g} s); a program that "
            "does not prove a document, or finish, gets none that is longer",
        ),
    )


def _pairs(setting: Setting, language: str) -> list[tuple[list[Part], list[Part]]]:
    if setting.smoke or setting.data is None:
        return [(sentences(_SAMPLE), sentences(_SAMPLE))]
    folder = setting.data / "data" / "umr"
    return [
        (
            sentences((folder / pred).read_text(encoding="utf-8")),
            sentences((folder / gold).read_text(encoding="utf-8")),
        )
        for pred, gold in LANGUAGES[language]
    ]


def _programs(setting: Setting) -> list[str]:
    """Run the programs; one that cannot prove a document gets no longer one."""
    names = ["exactmatch auto"]
    names += ["exactmatch highs"] * ("highs" in setting.solvers)
    return names + ["smatch -r 1"] * ("smatch" in setting.peers)


def _row(setting: Setting, program: str, files: list[Path]) -> Row:
    if program.startswith("smatch"):
        return _smatch_row(setting, program, files)
    limit = _SECONDS if setting.time_limit is None else setting.time_limit
    finished = run(
        [
            *(setting.our_python, "-m", "exactmatch", *map(str, files)),
            *("--profile", "umr", "--align", "same-sentence"),
            *("--solver", program.split()[1], "--time-limit", f"{limit:g}"),
            *("--format", "json", "--quiet"),
        ],
        setting.work,
        python_path=passes_python_path(setting),
        timeout=limit + _GRACE,
    )
    return _our_row(program, finished)


def _our_row(name: str, finished: Run) -> Row:
    if not finished.output:
        return Row(name, note=finished.trouble)
    (report,) = json.loads(finished.output)["metrics"]
    figures: dict[str, Figure] = {
        "cpu s": finished.cpu,
        "peak MB": finished.peak,
        "matched": report["matched"],
        "interval": report["bound"] - report["matched"],
        "F1": report["f1"],
    }
    return Row(name, figures)


def _smatch_row(setting: Setting, name: str, files: list[Path]) -> Row:
    missing = missing_peer(setting.peer_python, "smatch")
    if missing:
        return Row(name, note=missing)
    paths = []
    for path in files:
        parts = sentences(path.read_text(encoding="utf-8"))
        graphs = [graph for part in parts if (graph := part.graph())]
        paths.append(path.with_suffix(".amr"))
        paths[-1].write_text(joined(graphs) + "\n", encoding="utf-8")
    finished, lines = run_peer(setting, "smatch_pairs.py", (*paths, "1"), _PEER_SECONDS)
    if not lines:
        lacking = "MemoryError" in finished.trouble
        note = f"takes more than {setting.memory:g} GB" if lacking else finished.trouble
        return Row(name, note=note or "cannot read it")
    f1: Figure = lines[0]["f1"]
    return Row(name, {"cpu s": finished.cpu, "peak MB": finished.peak, "F1": f1})
