"""The error browser's page: how large it is, and how long a reader waits."""

from __future__ import annotations

from benchmarks.speed import texts
from benchmarks.speed.documents import document, mean_variables
from benchmarks.speed.measuring import run as measured
from benchmarks.speed.programs import passes_python_path
from benchmarks.speed.scripts import run_ours
from benchmarks.speed.spec import Figure, Measure, Outcome, Row, Setting, middle

_TIMES = 8
"""So many times the corpus makes the large page."""

_VARIABLES = 40
_DRAWINGS = 10


def run(setting: Setting) -> Outcome:
    """Write a page of a corpus and one of the same corpus many times; open both."""
    once = texts.para(setting)
    small, note = _page(setting, once)
    large, _ = _page(setting, _repeated(setting, once))
    drawn = _drawings(setting)
    measures = (
        _limit(small, "MB", 2.0),
        _limit(small, "list ms", 500.0),
        _limit(small, "pair ms", 100.0),
        _limit(small, "sort ms", 200.0),
        _limit(large, "MB", 12.0),
        _limit(large, "list ms", 1500.0),
        _limit(drawn, "pair ms", 200.0),
    )
    return Outcome((small, large, drawn), measures, (note,) if note else ())


def _repeated(setting: Setting, corpus: texts.Corpus) -> texts.Corpus:
    """Return a corpus many times over, as files."""
    name = f"{corpus.name}-{_TIMES}"
    paths = []
    for side, path in (("pred", corpus.pred), ("gold", corpus.gold)):
        text = path.read_text(encoding="utf-8").rstrip()
        paths.append(setting.work / f"{name}.{side}.amr")
        paths[-1].write_text(_TIMES * f"{text}\n\n", encoding="utf-8")
    return texts.Corpus(name, paths[0], paths[1], _TIMES * corpus.pairs)


def _limit(row: Row, figure: str, most: float) -> Measure:
    name, _, unit = figure.rpartition(" ")
    value = row.figures.get(figure)
    number = value if isinstance(value, int | float) else None
    return Measure(f"{row.name}, {name or 'size'}", number, "at most", most, f" {unit}")


def _page(setting: Setting, corpus: texts.Corpus) -> tuple[Row, str]:
    """Return one page: written by the command, opened in Chromium; what was missing."""
    name = f"{corpus.pairs:,} pairs"
    path = setting.work / f"{corpus.name}.html"
    command = [setting.our_python, "-m", "exactmatch", "report"]
    command += [str(corpus.pred), str(corpus.gold), "-q", "-o", str(path)]
    written = measured(command, setting.work, python_path=passes_python_path(setting))
    if written.trouble:
        return Row(name, note=written.trouble), ""
    figures: dict[str, Figure] = {
        "written s": written.wall,
        "MB": path.stat().st_size / 1e6,
    }
    setting.say(f"  {name}: written in {written.wall:.1f} s")
    opened, lines = run_ours(setting, "browse.py", (path, 1 if setting.smoke else 5))
    if opened.trouble:
        return Row(name, figures, opened.trouble), ""
    (record,) = lines
    if "missing" in record:
        return Row(name, figures), f"missing: {record['missing']}"
    for what in ("list", "pair", "sort", "search"):
        figures[f"{what} ms"] = record[what]
    return Row(name, figures), f"Chromium {record['chromium']}"


def _drawings(setting: Setting) -> Row:
    """Pairs of graphs of 40 variables, laid out and drawn from Python."""
    corpora = texts.long_texts(setting)
    number = 2 if setting.smoke else _DRAWINGS
    size = 12 if setting.smoke else _VARIABLES
    pairs = [document(size, seed, corpora) for seed in range(number)]
    mean = sum(map(mean_variables, pairs)) / len(pairs)
    corpus = texts.written(setting, "drawings", pairs)
    finished, lines = run_ours(setting, "drawings.py", (corpus.pred, corpus.gold))
    name = f"drawings of {mean:.0f} variables"
    if finished.trouble:
        return Row(name, note=finished.trouble)
    return Row(
        name,
        {
            "graph ms": middle([line["graph"] for line in lines]),
            "pair ms": middle([line["pair"] for line in lines]),
        },
    )
