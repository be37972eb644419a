"""The pages: an index, and one page for each reproduction, with its pictures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from exactmatch_papers.tables.registry import PAPERS

_OPENING = """\
# The papers' tables, measured again

Each page holds one table or figure of the literature on graph metrics, measured again
on graphs that anybody can have. Our number comes first, the published one follows in
brackets. The corpora differ from the papers' (each page says how), so the numbers are
only alike; the conclusions must be the same.

```sh
pip install '.[plot]' './packages/exactmatch-papers'
python -m exactmatch_papers.tables --data FOLDER          # everything, and these pages
python -m exactmatch_papers.tables opitz-table-3 --data FOLDER
```

FOLDER is called `$DATA` in the commands of the pages. A part that it lacks is named and
left out; the rest is measured.

| part of FOLDER | content |
|---|---|
| `lp` | [AMRParseEval]: `parsed.amr`, `gold.amr` and `preference.txt` |
| `bamboo` | [BAMBOO], as in its repository |
| `mtool` | [mtool] with `data/score/amr/coli.gold.amr` and `coli.system.amr` |
| `wmt18-submitted-data` | that archive of [WMT 2018], unpacked |
| `drs` | the structures of [compositional_drs_parsing] |
| `vectors` | word vectors, `concepts.100d.txt.gz`, in GloVe's text format |
| `ged` | sets of graph edit distance: `neural/*.jsonl`, and FORI's molecules as GXL |
| `mces` | `smiles_subset.csv` and `bio_dists_main_mces.csv` of [myopic-mces] |
| `umr-data`, `ufal-umr` | clones of [umr4nlp/umr-data] and [ufal/UMR] |
| `umr-task` | gold and systems of the first UMR shared task, from [UMR 2.2] |

[AMRParseEval]: https://github.com/Heidelberg-NLP/AMRParseEval
[BAMBOO]: https://github.com/flipz357/bamboo-amr-benchmark
[mtool]: https://github.com/cfmrp/mtool
[WMT 2018]: https://www.statmt.org/wmt18/results.html
[myopic-mces]: https://github.com/AlBi-HHU/myopic-mces/tree/main/tests/testdata
[umr4nlp/umr-data]: https://github.com/umr4nlp/umr-data
[ufal/UMR]: https://github.com/ufal/UMR
[UMR 2.2]: https://hdl.handle.net/11234/1-6132
[compositional_drs_parsing]: https://github.com/xiulinyang/compositional_drs_parsing

The commands also use `bart.amr`, `t5.amr` and `gold.amr`, which hold every second graph
of the Little Prince:

```sh
awk -v RS= -v ORS='\\n\\n' 'NR % 2 == 1' $DATA/lp/parsed.amr > bart.amr
awk -v RS= -v ORS='\\n\\n' 'NR % 2 == 0' $DATA/lp/parsed.amr > t5.amr
awk -v RS= -v ORS='\\n\\n' 'NR % 2 == 1' $DATA/lp/gold.amr > gold.amr
```
"""

_ABSENT = {
    "Song and Gildea (2019), figure 1": "two graphs without a result; "
    "sembleu-table-1 reads them",
    "Opitz et al. (2020), figure 1": "a drawing of one graph, without a result",
    "figure 2": "one pair that SemBleu scores 1; opitz-table-10 searches many "
    "such pairs (principle II)",
    "figure 3": "one pair of those that opitz-figure-4 draws; among the tests",
    "BLEU in figure 4": "it needs the translations of WMT 2018; opitz-table-2 has its "
    "numbers",
    "figure 5": "drawings of graphs that exemplify, without scores, the bias that "
    "opitz-table-4 measures",
    "table 6": "the judgements of its two annotators were not published; "
    "`exactmatch align PARSED GOLD --metric s2match --vectors FILE` shows which "
    "unlike concepts are paired",
    "figure 7": "three graphs, scored in pairs; among the tests",
    "figure 9": "under opitz-table-7",
}
"""Parts of the two papers on AMR metrics without a page, and why."""


_MEASURED_ELSEWHERE = {
    "json-peers": "JSON documents beside autoevals, deepdiff, jsondiff and ANLS*, by "
    "`python -m benchmarks.json_peers`",
}
"""Pages that other commands measure; the index lists those that are in the folder."""


def write_pages(folder: Path) -> Path:
    """Write the index of all records in a folder, and a page for each.

    Returns:
        The index.
    """
    records = {
        name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for name in PAPERS
        if (folder / f"{name}.json").exists()
    }
    for name, record in records.items():
        page = _page(name, record)
        (folder / f"{name}.md").write_text(page, encoding="utf-8")
    index = folder / "README.md"
    others = [name for name in _MEASURED_ELSEWHERE if (folder / f"{name}.md").exists()]
    parts = [_OPENING, _contents(records, others), _absent(), _tree(records)]
    index.write_text("\n".join(parts), encoding="utf-8")
    return index


def _contents(records: Iterable[str], others: Iterable[str]) -> str:
    lines = ["| table or figure | measured again |", "|---|---|"]
    rows = {name: PAPERS[name].what for name in records}
    rows |= {name: _MEASURED_ELSEWHERE[name] for name in others}
    lines += [f"| [{name}]({name}.md) | {what} |" for name, what in rows.items()]
    return "\n".join(lines) + "\n"


def _absent() -> str:
    lines = [
        "Of Song and Gildea (2019) and Opitz et al. (2020), every other table and "
        "figure has a page:",
        "",
        "| without a page | why |",
        "|---|---|",
        *(_line(row) for row in _ABSENT.items()),
    ]
    return "\n".join(lines) + "\n"


def _tree(records: Iterable[str]) -> str:
    return "\n".join([":::{toctree}", ":hidden:", "", *records, ":::", ""])


def _page(name: str, record: Mapping[str, Any]) -> str:
    paper = PAPERS[name]
    lines = [
        f"# {paper.what[0].upper()}{paper.what[1:]}",
        "",
        f"`{name}` measures again: {paper.source}.",
        "",
        f"*What differs*: {paper.differs}.",
        "",
    ]
    for table in record["tables"]:
        lines += [f"**{table['title']}**", "", *_table(table), ""]
    for note in record["notes"]:
        lines += [note, ""]
    for picture, what in record["pictures"].items():
        lines += [f"![{what}]({picture})", ""]
    commands = [f"python -m exactmatch_papers.tables {name} --data $DATA"]
    if record["commands"]:
        commands += ["# which runs", *record["commands"]]
    return "\n".join([*lines, "```sh", *commands, "```", ""])


def _table(table: Mapping[str, Any]) -> list[str]:
    width = len(table["header"]) - 1
    lines = [_line(table["header"]), "|---|" + "---:|" * width]
    for row in table["rows"]:
        lines.append(_line([row["name"], *(c["shown"] for c in row["cells"])]))
    return lines


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
