"""Published evaluations of UMR by juːmæʧ, and the tables of the first shared task.

The evaluations are text files of the repository ufal/UMR, beside the files that they
compare.  The tables are those of the shared task (DMR 2026); the outputs of its systems
and the annotation of its test set are in the release UMR 2.2.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from exactmatch import evaluate
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.umr.umatch import Umatch
from exactmatch_papers.tables.commands import Commands
from exactmatch_papers.tables.corpora import shared_task, ufal_umr
from exactmatch_papers.tables.spec import Cell, Finding, Setting, Table

_DTEST = "czech/PDT-C-dtest"
_EVALUATED = f"{_DTEST}/evaluation"
_OMITTED = ("--except", "wiki,modal-strength,mode,quote,polite")


class Evaluation(NamedTuple):
    """A published evaluation: both files, its log, and what did not count.

    Without the document level, only values of sentences count.
    """

    name: str
    pred: str
    gold: str
    log: str
    options: tuple[str, ...] = ()
    has_document_level: bool = True


EVALUATIONS = (
    *(
        Evaluation(
            name,
            f"{_EVALUATED}/{part}-conv.umr",
            f"{_EVALUATED}/{part}-gold.umr",
            f"{_EVALUATED}/evaluation-{part}.txt",
            _OMITTED,
        )
        for name, part in (
            ("Czech news", "pdt"),
            ("Czech speech", "pdtsc"),
            ("Czech translations", "pcedt"),
            ("all Czech", "dtest"),
        )
    ),
    Evaluation(
        "ln95046_093, all values",
        f"{_DTEST}/archive-2.1/ln95046_093-conv.umr",
        f"{_DTEST}/archive-2.1/ln95046_093-HH-all.umr",
        f"{_EVALUATED}/evaluation-ln95046_093.txt",
    ),
    Evaluation(
        "English, sentences",
        "english/converted_total_1-5.umr",
        "english/gold_total_1-5.umr",
        "english/comparison_1-5.txt",
        has_document_level=False,
    ),
)
SMATCH_LOG = "english/comparison_1-5-smatch.txt"

LANGUAGES = ("arapaho", "chinese", "czech", "english", "italian", "latin", "navajo")
SYSTEMS = ("orange", "sema")
_PUD = ("czech", "english", "italian")

Figures = dict[str, tuple[float, float]]
"""The published F1 of both systems, by language."""


def _figures(languages: tuple[str, ...], *numbers: float) -> Figures:
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    return dict(zip(languages, pairs, strict=True))


def _without(*languages: str) -> tuple[str, ...]:
    return tuple(name for name in LANGUAGES if name not in languages)


class Published(NamedTuple):
    """A table of the shared task: what it shows, and its figures."""

    title: str
    figures: Figures


# fmt: off
TABLES = {
    "umatch": Published("table 2: juːmæʧ", _figures(
        LANGUAGES, 0.0815, 0.1115, 0.3651, 0.2585, 0.1587, 0.2652, 0.2219, 0.1919,
        0.1394, 0.2137, 0.1724, 0.1918, 0.2155, 0.1273)),
    "pud": Published("table 3: juːmæʧ, files of PUD", _figures(
        _PUD, 0.1445, 0.2764, 0.1590, 0.1641, 0.1394, 0.2137)),
    "other": Published("table 4: juːmæʧ, other files", _figures(
        _without("italian"), 0.0815, 0.1115, 0.3651, 0.2585, 0.1685, 0.2573, 0.2734,
        0.2146, 0.1724, 0.1918, 0.2155, 0.1273)),
    "smatch": Published("table 5: Smatch of sentences, exact here", _figures(
        LANGUAGES, 0.4308, 0.3447, 0.5194, 0.4363, 0.4921, 0.4456, 0.4625, 0.4169,
        0.3567, 0.3796, 0.4446, 0.3879, 0.3754, 0.2568)),
    "tops": Published("table 6: juːmæʧ of sentences with tops", _figures(
        LANGUAGES, 0.1008, 0.1272, 0.3777, 0.2471, 0.1582, 0.2724, 0.2509, 0.2057,
        0.1368, 0.2155, 0.1950, 0.1846, 0.2551, 0.1267)),
    "token-sets": Published("table 7: aligned token sets", _figures(
        LANGUAGES, 0.4078, 0.7368, 0.7074, 0.6122, 0.4308, 0.4957, 0.7148, 0.6457,
        0.1873, 0.2539, 0.5114, 0.5493, 0.4818, 0.2611)),
    "mapped-nodes": Published("table 8: mapped nodes", _figures(
        LANGUAGES, 0.2517, 0.5372, 0.6046, 0.4521, 0.3933, 0.5488, 0.5643, 0.4856,
        0.3766, 0.5194, 0.4289, 0.4700, 0.5309, 0.3514)),
    "mapped-values": Published("table 9: values of mapped nodes", _figures(
        LANGUAGES, 0.5570, 0.1742, 0.5965, 0.5208, 0.5210, 0.4872, 0.4198, 0.4071,
        0.4044, 0.4116, 0.4545, 0.4289, 0.4641, 0.3568)),
    "concepts": Published("table 10: concepts", _figures(
        LANGUAGES, 0.2119, 0.1354, 0.5287, 0.3503, 0.2724, 0.3091, 0.3866, 0.2957,
        0.2110, 0.2653, 0.2541, 0.2337, 0.4287, 0.2099)),
    "arguments": Published("table 11: numbered arguments", _figures(
        LANGUAGES, 0.0, 0.0, 0.2270, 0.1369, 0.0231, 0.1010, 0.1490, 0.0777,
        0.0089, 0.0113, 0.0538, 0.0581, 0.0, 0.0)),
    "aspect": Published("table 12: :aspect", _figures(
        LANGUAGES, 0.0764, 0.2192, 0.2828, 0.3153, 0.0047, 0.3554, 0.0031, 0.3072,
        0.0645, 0.2741, 0.1576, 0.2042, 0.1002, 0.0470)),
    "modal": Published("table 13: document-level modal relations", _figures(
        _without("czech", "italian"), 0.0, 0.3596, 0.4261, 0.4634, 0.0, 0.1386, 0.0,
        0.3236, 0.0, 0.2062)),
    "modal-strength": Published("table 14: :modal-strength", _figures(
        _without("arapaho", "chinese", "latin"), 0.0, 0.3864, 0.0, 0.0195, 0.0, 0.0653,
        0.0316, 0.0)),
}
# fmt: on
"""The tables of the shared task, by the rows of ``finegrained --style umatch``."""


def umr_table(setting: Setting) -> Finding:
    """Make the published evaluations and the tables of the shared task again."""
    commands = Commands(setting)
    folder = ufal_umr(setting.data)
    tables = []
    notes = []
    if folder is None:
        notes.append("The folder lacks ufal-umr, where the evaluations are.")
    else:
        tables += [_evaluations(commands, folder), _smatch(commands, folder)]
        notes.append(_ON_EVALUATIONS)
    task = shared_task(setting.data)
    if task is None:
        notes.append(_ON_TASK)
    else:
        tables += _tables_of_task(commands, task, setting.work)
    return Finding(tuple(tables), tuple(commands.shown), tuple(notes))


_ON_EVALUATIONS = (
    "The evaluation of Czech leaves out `wiki`, `modal-strength`, `mode`, `quote` and "
    "`polite`; that of English is older than the document level. Where a file joins "
    "two documents with sentences of the same numbers (translations, all Czech), the "
    "program confuses their variables and finds fewer values. One value of the English "
    "gold file was changed since. The Czech Smatch log is of an earlier conversion, so "
    "it is left out."
)
_ON_TASK = (
    "The tables 2 to 14 of the shared task (Štěpánek and others 2026) compare outputs "
    "of two systems with the test set. Both are in the release UMR 2.2 "
    "(https://hdl.handle.net/11234/1-6132) and in neither repository, so they are not "
    "measured here. The same command makes them, beside the published figures, from "
    "`umr-task/gold`, `umr-task/orange` and `umr-task/sema` in FOLDER, each with a "
    "folder for each language (`umr-task/gold/czech`). Single tables: `exactmatch "
    "finegrained orange/czech gold/czech --style umatch --ignore-unannotated` has the "
    "rows of tables 2 and 7 to 14."
)


def _evaluations(commands: Commands, folder: Path) -> Table:
    rows = []
    for each in EVALUATIONS:
        files = folder / each.pred, folder / each.gold
        here = _counts(commands, files, each)
        there = published_counts((folder / each.log).read_text("utf-8", "replace"))
        cells = [Cell(here[name], there.get(name), form=",d") for name in _COLUMNS]
        cells.insert(3, Cell(100 * here["f1"], there["f1"], form=".2f"))
        rows.append((each.name, tuple(cells)))
    return Table("Conversion against manual annotation: juːmæʧ", _HEADER, tuple(rows))


def _counts(
    commands: Commands, files: tuple[Path, Path], each: Evaluation
) -> dict[str, Any]:
    """Count the values of an evaluation, under the names of :data:`_COLUMNS`."""
    joined = ("--format-in", "umr-file")
    if each.has_document_level:
        record = commands.metric(*files, "--metric", "umatch", *joined, *each.options)
        matched = {kind: piece["c"] for kind, piece in record["pieces"].items()}
    else:
        answer = commands.json("finegrained", *files, "--style", "umatch", *joined)
        rows = {row["metric"]: row for row in answer["metrics"]}
        record = rows["sentences"]
        matched = {kind: int(rows[name]["matched"]) for kind, name in _ROWS.items()}
    totals = {
        "equal values": int(record["matched"]),
        "of conversion": int(record["pred_total"]),
        "of gold": int(record["gold_total"]),
    }
    return {**totals, "f1": record["f1"], **matched}


_ROWS = {
    "mapped nodes": "mapped-nodes",
    "aligned token sets": "token-sets",
    "mapped nodes' values": "mapped-values",
}
_COLUMNS = ("equal values", "of conversion", "of gold", *_ROWS)
_HEADER = (
    *("files", "equal values", "of conversion", "of gold", "juːmæʧ, %"),
    *("mapped nodes", "equal token sets", "equal values of mapped nodes"),
)
_COUNT = re.compile(
    r"Out of (\d+) (?:total |non-empty )?(?:(aligned token sets) in )?(?:GOLD|gold|"
    r"CONV|conv)[^,]*, (\d+) (?:found|mapped)"
)
_F1 = re.compile(r"juːmæʧ \(.*\) = F₁ = ([\d.]+)%")


def published_counts(log: str) -> dict[str, float]:
    r"""Return the counts in the summary of an evaluation.

    >>> published_counts(
    ...     "SUMMARY: Out of 9 total GOLD nodes, 4 mapped to CONV\n"
    ...     "Out of 8 total CONV nodes, 4 mapped to GOLD\n"
    ...     "Out of 5 non-empty GOLD values, 3 found in CONV\n"
    ...     "Out of 6 non-empty CONV values, 3 found in GOLD\n"
    ...     "Out of 7 non-empty GOLD values, 3 found in CONV\n"
    ...     "Out of 8 non-empty CONV values, 3 found in GOLD\n"
    ...     "=> juːmæʧ (GOLD, CONV) = F₁ = 40.00%."
    ... )["mapped nodes"]
    4
    """
    summary = log[log.rindex("SUMMARY:") :]
    counts = [(int(m[1]), m[2], int(m[3])) for m in _COUNT.finditer(summary)]
    sets = [count for count in counts if count[1]]
    *_, nodes, _, mapped, _, gold, pred = (count for count in counts if not count[1])
    match = _F1.search(summary)
    published: dict[str, float] = {
        "equal values": gold[2],
        "of gold": gold[0],
        "of conversion": pred[0],
        "mapped nodes": nodes[2],
        "mapped nodes' values": mapped[2],
        "f1": float(match[1]) if match else float("nan"),
    }
    if sets:
        published["aligned token sets"] = sets[0][2]
    return published


def _smatch(commands: Commands, folder: Path) -> Table:
    """Compare the published climbed Smatch with the optimum."""
    english = EVALUATIONS[-1]
    files = folder / english.pred, folder / english.gold
    sentences = ("--format-in", "umr-sentences", "--profile", "smatch")
    record = commands.metric(*files, *sentences)
    climbed, gold_total, pred_total, f1 = published_smatch(
        (folder / SMATCH_LOG).read_text("utf-8")
    )
    cells = (
        Cell(record["pairs"], form="d"),
        Cell(record["proven"], form="d"),
        Cell(int(record["matched"]), climbed, form=",d"),
        Cell(int(record["pred_total"]), pred_total, form=",d"),
        Cell(int(record["gold_total"]), gold_total, form=",d"),
        Cell(record["f1"], f1, form=".4f"),
    )
    header = ("sentences", "pairs", "proven", "matched", "of conversion", "of gold")
    title = "The same by Smatch: the optimum, and the published climb"
    return Table(title, (*header, "F1"), ((english.name, cells),))


def published_smatch(log: str) -> tuple[int, int, int, float]:
    r"""Return matches, triples of both sides and F1 from the end of smatch's output.

    >>> published_smatch("best match number 4\n4 10 6\n----\nF-score: 0.5")
    (4, 10, 6, 0.5)
    """
    match = re.search(r"^(\d+) (\d+) (\d+)\n-*\nF-score: ([\d.]+)\s*\Z", log, re.M)
    if match is None:
        raise ValueError("the log of smatch does not end with its score")
    return int(match[1]), int(match[2]), int(match[3]), float(match[4])


def _tables_of_task(commands: Commands, task: Path, work: Path) -> Iterator[Table]:
    """Yield the tables of the shared task, of the languages that are there."""
    found: dict[str, dict[str, list[float | None]]] = {name: {} for name in TABLES}
    for language in LANGUAGES:
        if not (task / "gold" / language).is_dir():
            continue
        for system in SYSTEMS:
            scores = _scores_of_task(commands, task, work, system, language)
            for name, of_table in found.items():
                of_table.setdefault(language, []).append(scores.get(name))
    for name, (title, figures) in TABLES.items():
        rows = tuple(
            (
                language.capitalize(),
                tuple(
                    Cell(here, there, form=".4f")
                    for here, there in zip(
                        found[name][language], figures[language], strict=True
                    )
                ),
            )
            for language in figures
            if language in found[name]
        )
        yield Table(f"Shared task, {title}", ("language", *SYSTEMS), rows)


def _scores_of_task(
    commands: Commands, task: Path, work: Path, system: str, language: str
) -> dict[str, float | None]:
    """Return the scores of a system in a language, by table."""
    sides = task / system / language, task / "gold" / language
    ignoring = ("--ignore-unannotated",)
    styled = ("--style", "umatch", *ignoring)
    answer = commands.json("finegrained", *sides, *styled)
    scores: dict[str, float | None] = {
        row["metric"]: row["f1"] for row in answer["metrics"]
    }
    with_tops = Umatch(
        PROFILES["umr"].with_options(
            beside="nothing", top="constant", ignore_unannotated=True
        )
    )
    scores["tops"] = evaluate(*sides, metric=with_tops).score
    umatch = ("--metric", "umatch", *ignoring)
    sentences = ("--format-in", "umr-sentences", "--profile", "smatch")
    scores["smatch"] = commands.metric(*sides, *sentences)["f1"]
    for name, is_pud in (("pud", True), ("other", False)):
        parts = [_part(side, work / name, is_pud) for side in sides]
        if all(parts):
            scores[name] = commands.metric(*parts, *umatch)["f1"]
    return scores


def _part(folder: Path, work: Path, is_pud: bool) -> Path | None:
    """Copy the files of a folder that are of PUD, or the others; ``None`` for none."""
    part = work / folder.parent.name / folder.name
    part.mkdir(parents=True, exist_ok=True)
    chosen = [p for p in folder.iterdir() if ("pud" in p.name.lower()) == is_pud]
    for path in chosen:
        shutil.copy(path, part)
    return part if chosen else None
