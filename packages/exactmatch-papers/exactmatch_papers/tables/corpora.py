"""The public graphs that stand in for the papers' corpora.

* The Little Prince: the sentences' gold graphs and the graphs of two parsers, one
  built on BART and one on T5, of which people said which is better (Opitz and Frank
  2022, "Better Smatch = Better Parser?"; repository Heidelberg-NLP/AMRParseEval).
  In its files pairs 2k and 2k + 1 are the same sentence by either parser.
* BAMBOO: parsed pairs of sentences with human similarity (Opitz, Daza and Frank
  2021, "Weisfeiler-Leman in the Bamboo"; repository flipz357/bamboo-amr-benchmark).
* COLI: AMR of a parser and gold, 1,368 pairs, among mtool's samples (repository
  cfmrp/mtool).  It is measured where it is at hand, as are BAMBOO's parts.
* WMT 2018: what systems made of newstest2018 from English into German, in the layout of
  the archive ``wmt18-submitted-data``; measured where it is at hand.
* PMB 5: discourse representation structures as PENMAN, gold and of parsers (repository
  xiulinyang/compositional_drs_parsing).
* UMR: all files of UMR 3.0 (repository umr4nlp/umr-data) and of Charles University
  (repository ufal/UMR), in clones ``umr-data`` and ``ufal-umr``.

A smoke run has the bundled sample in their place, under the same names.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

PARSERS = ("BART", "T5")
"""The two Little Prince parsers."""

DRS_PARSERS = {
    "AM parser": "amparser_dep",
    "Neural Boxer": "neuralboxer_gold+silver",
    "T5": "t5_gold",
}
"""The parsers of discourse structures, and what their files are called."""

TASKS = ("sts", "sick", "para")
VARIANTS = ("main", "reify", "syno", "role_confusion")
"""BAMBOO's tasks and their variants; role confusion alone has no human scores."""

PARTS = ("test", "dev")


@dataclass(frozen=True, slots=True)
class LittlePrince:
    """Little Prince, as it stands and by parser.

    Attributes:
        parsed, gold: the files of pairs.
        preference: which graph of every two people prefer.
        systems: each parser's file.
        references: the gold graphs that belong to either.
    """

    parsed: Path
    gold: Path
    preference: Path
    systems: dict[str, Path]
    references: Path

    def texts(self) -> tuple[dict[str, list[str]], list[str]]:
        """Return the graphs of each parser, and the references."""
        systems = {name: read_graphs(path) for name, path in self.systems.items()}
        return systems, read_graphs(self.references)


def little_prince(data: Path, work: Path) -> LittlePrince:
    """Find the Little Prince, and write each parser's graphs to a file of its own."""
    folder = data / "lp"
    files = {name: work / f"{name.lower()}.amr" for name in PARSERS}
    parsed = _blocks(folder / "parsed.amr")
    for place, path in enumerate(files.values()):
        _write(path, parsed[place::2])
    references = work / "gold.amr"
    _write(references, _blocks(folder / "gold.amr")[::2])
    return LittlePrince(
        folder / "parsed.amr",
        folder / "gold.amr",
        folder / "preference.txt",
        files,
        references,
    )


def bamboo(data: Path, task: str, variant: str, part: str) -> tuple[Path, Path]:
    """Return the two files of one of BAMBOO's sets."""
    folder = data / "bamboo" / task / variant
    return folder / f"src.{part}.amr", folder / f"tgt.{part}.amr"


def similarity(data: Path, task: str, part: str) -> Path:
    """People's scores of a set's pairs."""
    return data / "bamboo" / task / f"{part}.y"


def has_bamboo(data: Path, task: str, variant: str, part: str) -> bool:
    """Return whether a set of BAMBOO is at hand, with people's scores if it has any."""
    files = [*bamboo(data, task, variant, part)]
    if variant != "role_confusion":
        files.append(similarity(data, task, part))
    return all(path.exists() for path in files)


def coli(data: Path) -> tuple[Path, Path]:
    """Return the parsed and the gold graphs among mtool's samples."""
    folder = data / "mtool" / "data" / "score" / "amr"
    return folder / "coli.system.amr", folder / "coli.gold.amr"


def wmt18(data: Path) -> tuple[Path, list[Path]]:
    """Return the reference translations of newstest2018, and those of the systems."""
    folder = data / "wmt18-submitted-data" / "txt"
    outputs = folder / "system-outputs" / "newstest2018" / "en-de"
    return (
        folder / "references" / "newstest2018-ende-ref.de",
        sorted(outputs.glob("newstest2018.*.en-de")),
    )


def long_drs(data: Path) -> tuple[Path, Path]:
    """Return the parsed and the gold structures of PMB 5's long texts."""
    folder = data / "drs"
    return folder / "test_long.amparser.penman", folder / "test_long.gold.penman"


def multibox_drs(data: Path) -> tuple[Path, list[Path]]:
    """Return the gold structures of several boxes, and those of each of the parsers."""
    folder = data / "drs"
    files = [folder / f"multibox5.{name}.penman" for name in DRS_PARSERS.values()]
    return folder / "multibox5.gold.penman", files


def public_umr(data: Path) -> dict[str, list[Path]]:
    """Return all public UMR files: those of UMR 3.0 by language, and of ufal/UMR."""
    collections: dict[str, list[Path]] = {}
    for path in sorted((data / "umr-data").glob("*/umr_data/*.umr")):
        collections.setdefault(f"UMR 3.0, {path.parts[-3]}", []).append(path)
    if not collections:
        collections["umr-data"] = []
    collections["ufal/UMR"] = sorted((data / "ufal-umr").glob("**/*.umr"))
    return collections


def ufal_umr(data: Path) -> Path | None:
    """Return the folder with the evaluations of ufal/UMR, if it is there."""
    folder = data / "ufal-umr" / "data"
    return folder if folder.is_dir() else None


def shared_task(data: Path) -> Path | None:
    """Return the folder with gold and systems of the shared task, if it is there."""
    folder = data / "umr-task"
    return folder if folder.is_dir() else None


def vectors(data: Path) -> list[object]:
    """Return the options that name the word vectors; none where there are none."""
    path = data / "vectors" / "concepts.100d.txt.gz"
    return ["--vectors", path] if path.exists() else []


_UMR = """\
# :: snt1 Dogs bark

# sentence level graph:
(s1b / bark-01 :ARG0 (s1d / dog))

# alignment:
s1b: 2-2
s1d: 1-1

# document level annotation:
(s1s0 / sentence :temporal ((document-creation-time :before s1b)))"""


_EVALUATION = """\
SUMMARY:
Out of 2 aligned token sets in GOLD, 2 found in CONV => recall 100%.
Out of 2 aligned token sets in CONV, 2 found in GOLD => precision 100%.
Out of 2 total GOLD nodes, 2 mapped to CONV => recall = 100%.
Out of 2 total CONV nodes, 2 mapped to GOLD => precision = 100%.
Out of 3 non-empty GOLD values, 2 found in CONV => recall 67%.
Out of 3 non-empty CONV values, 2 found in GOLD => precision 67%.
Out of 4 non-empty GOLD values, 3 found in CONV => recall 75%.
Out of 4 non-empty CONV values, 3 found in GOLD => precision 75%.
=> juːmæʧ (GOLD, CONV) = F₁ = 75.00%."""


def write_smoke_data(data: Path, sample: Path, pairs: int = 8) -> None:
    """Lay out a few pairs of the bundled sample as if they were the corpora.

    Args:
        data: the folder to make.
        sample: the folder with ``pred.amr`` and ``gold.amr``.
        pairs: how many pairs to take, an even number.
    """
    pred, gold = (_blocks(sample / f"{s}.amr")[:pairs] for s in ("pred", "gold"))
    both = zip(pred, gold, strict=True)
    _write(data / "lp" / "parsed.amr", [block for pair in both for block in pair])
    _write(data / "lp" / "gold.amr", [block for block in gold for _ in range(2)])
    for files in (long_drs(data), coli(data)):
        for path, blocks in zip(files, (pred, gold), strict=True):
            _write(path, blocks)
    reference, systems = multibox_drs(data)
    for path, blocks in zip(
        (reference, *systems), (gold, pred, gold, pred), strict=True
    ):
        _write(path, blocks)
    two = '{"n": 2, "edges": [[0, 1]]}\n{"n": 3, "edges": [[0, 1], [1, 2]]}'
    _write(data / "ged" / "neural" / "linux.jsonl", [two])
    _write(data / "mces" / "smiles_subset.csv", ["1,CCO,CCN\n2,CCCO,CCCl"])
    _write(data / "mces" / "bio_dists_main_mces.csv", ["1,2.0\n2,3.0"])
    isomers = {
        "k": 0,
        "graphs": [
            {"atoms": ["C", "C", "O"], "bonds": [[0, 1, 1.0], [1, 2, 1.0]]},
            {"atoms": ["C", "O", "C"], "bonds": [[0, 1, 1.0], [1, 2, 1.0]]},
        ],
        "cbc": {"dist": 2.0, "mode": 1, "cpu": 0.1},
    }
    _write(data.parent / "golden" / "mces.dev.jsonl", [json.dumps(isomers)])
    reference, _ = wmt18(data)
    _write(reference, ["ein Satz hat Wörter\nnoch ein Satz"])
    for name, text in (("A", "Satz hat Wörter\nein Satz"), ("B", "ein Satz\nSatz")):
        outputs = reference.parent.parent / "system-outputs/newstest2018/en-de"
        _write(outputs / f"newstest2018.{name}.en-de", [text])
    _write(data / "umr-data" / "english" / "umr_data" / "english_umr-1.umr", [_UMR])
    _write(data / "umr-data" / "english" / "umr_data" / "english_umr-2.umr", ["#"])
    _write_smoke_evaluations(data)
    judged = "".join(f"{k % 2}.0 1 1\nsee above\n" for k in range(pairs))
    (data / "lp" / "preference.txt").write_text(judged, encoding="utf-8")
    for task in TASKS:
        for variant in VARIANTS:
            for part in PARTS:
                source, target = bamboo(data, task, variant, part)
                _write(source, pred)
                _write(target, gold)
        scores = "".join(f"{k / pairs}\n" for k in range(pairs))
        for part in PARTS:
            similarity(data, task, part).write_text(scores, encoding="utf-8")


def _write_smoke_evaluations(data: Path) -> None:
    """Lay out UMR files, their evaluations and the shared task's folders."""
    from exactmatch_papers.tables.shared_task import EVALUATIONS, SMATCH_LOG, SYSTEMS

    folder = data / "ufal-umr" / "data"
    for each in EVALUATIONS:
        _write(folder / each.pred, [_UMR.replace("bark-01", "bark-02")])
        _write(folder / each.gold, [_UMR])
        _write(folder / each.log, [_EVALUATION])
    _write(folder / SMATCH_LOG, ["1 4 4\n----\nF-score: 0.25"])
    for side in ("gold", *SYSTEMS):
        task = data / "umr-task" / side / "english"
        _write(task / "english_pud.umr", [_UMR])
        _write(task / "english-1.umr", [_UMR])


def read_graphs(path: Path) -> list[str]:
    """Return the texts of a file's graphs, without their comments."""
    blocks = re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))
    texts = (
        "\n".join(line for line in block.splitlines() if not line.startswith("#"))
        for block in blocks
    )
    return [text.strip() for text in texts if text.strip()]


def _blocks(path: Path) -> list[str]:
    """Return the graphs of a file with their comments."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    return [block.strip("\n") for block in blocks if "(" in block]


def _write(path: Path, blocks: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
