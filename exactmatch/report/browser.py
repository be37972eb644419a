"""The error browser: one page with every pair, to be searched, sorted and opened.

Written as one file that works from a disk.  Its content security policy lets it load
nothing, and run no script and use no style but its own, whose hashes it names.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, TextIO

from exactmatch.analysis.errors import pair_errors
from exactmatch.reading.sources import Source
from exactmatch.report.browser_data import Collector, Compared
from exactmatch.scoring.as_read import as_read, lost_in
from exactmatch.scoring.records import corpus_record
from exactmatch.scoring.results import CorpusScore, PairResult, Report
from exactmatch.scoring.tables import trouble
from exactmatch.version import __version__
from exactmatch.writing.markup import Markup, element, joined
from exactmatch.writing.numbers import count, fixed
from exactmatch.writing.page import STYLE, Cell, cell, signatures, table, warnings

SCRIPTS = (
    "drawing.js",
    "browser_data.js",
    "browser_list.js",
    "browser_pair.js",
    "browser_overview.js",
    "browser.js",
)


@dataclass(frozen=True, slots=True)
class System:
    """What one system's predictions came to.

    Attributes:
        name: what it is called.
        source: its predictions.
        report: its corpus scores.
        answers: its pairs, by number.
    """

    name: str
    source: Source
    report: Report
    answers: Mapping[int, Compared]

    @property
    def score(self) -> CorpusScore:
        """The corpus score."""
        return self.report.scores[0]


@dataclass(frozen=True, slots=True)
class About:
    """What a page is about, and where it comes from.

    Attributes:
        gold: the references.
        systems: what was scored against them.
        command: the command line.
        date: when it was run.
    """

    gold: Source
    systems: Sequence[System]
    command: str
    date: str

    @property
    def gold_name(self) -> str:
        """What the references are called."""
        return Path(self.gold.path).name


def compared(result: PairResult, pred: Source, gold: Source) -> Compared:
    """A pair with its errors, and without its graphs and problem.

    Args:
        result: the pair, with its graphs and its alignment problem.
        pred, gold: the files that they were read from.
    """
    texts = pred.text_of(result.pred), gold.text_of(result.gold)
    errors = pair_errors(
        result.stated_problem,
        result.solved.alignment,
        result.index,
        result.id,
        texts,
    )
    return Compared(replace(result, pred=None, gold=None, stated=None), errors)


def collected(about: About) -> Collector:
    """Every pair of every system, as the page holds it."""
    collector = Collector([system.name for system in about.systems])
    every = set().union(*(system.answers for system in about.systems))
    for index in sorted(every):
        collector.add([system.answers.get(index) for system in about.systems])
    return collector


def write_browser(
    stream: TextIO, about: About, collector: Collector, *, live: bool = False
) -> None:
    """Write the page.

    Args:
        stream: where to.
        about: what it is about.
        collector: its pairs.
        live: whether it is served, and asks for news.
    """
    head = collector.head(nothing=0.0)
    names = (*SCRIPTS, "live.js") if live else SCRIPTS
    script = '"use strict";\n' + "\n".join(map(_file, names))
    styles = {"": STYLE + _file("browser.css"), "drawing-style": _file("drawing.css")}
    policy = _policy([script], styles.values()) + ("; connect-src 'self'" * live)
    stream.write(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{element('title', f'exactmatch: {_scored(about)}')}\n"
    )
    for name, style in styles.items():
        stream.write(f"{element('style', Markup(style), id=name or None)}\n")
    stream.write('</head>\n<body class="browser">\n')
    stream.write(f"{_masthead(about)}\n{_side()}\n{_main(about)}\n{_help()}\n")
    stream.write(f'<script type="text/plain" id="head">{head}</script>\n')
    for block in collector.blocks:
        stream.write(f'<script type="text/plain" class="block">{block}</script>\n')
    stream.write(f"<script>{script}</script>\n</body>\n</html>\n")


def _file(name: str) -> str:
    return files("exactmatch.writing").joinpath(name).read_text("utf-8")


def _policy(scripts: Iterable[str], styles: Iterable[str]) -> str:
    def hashes(texts: Iterable[str]) -> str:
        digests = (sha256(text.encode()).digest() for text in texts)
        return " ".join(f"'sha256-{b64encode(d).decode()}'" for d in digests)

    return (
        f"default-src 'none'; style-src {hashes(styles)}; script-src "
        f"{hashes(scripts)}; img-src blob:; base-uri 'none'; form-action 'none'"
    )


def _scored(about: About) -> str:
    return " · ".join(
        f"{system.name} {fixed(system.score.score.score, 4)}"
        for system in about.systems
    )


def _masthead(about: About) -> Markup:
    pairs = max(system.score.pairs for system in about.systems)
    proven = all(system.report.is_proven for system in about.systems)
    told = "every alignment" if proven else "not all alignments"
    return element(
        "header",
        element("h1", f"{_title(about)}: {_scored(about)}"),
        element(
            "p",
            f"against {about.gold_name} · {pairs} pair{'' if pairs == 1 else 's'}, "
            f"{told} proven optimal",
        ),
        element("button", "Keys", type="button", class_="help", data_part="keys"),
        class_="masthead",
    )


def _title(about: About) -> str:
    """The metric, as people call it."""
    from exactmatch.metrics import metric_class

    return metric_class(about.systems[0].score.metric).title


def _side() -> Markup:
    """The list of pairs and what can be asked of it."""
    return element(
        "aside",
        element(
            "div",
            *(_find(), _scores(), _filters(), _status(), _heads()),
            class_="asks",
        ),
        element(
            "div",
            class_="rows",
            role="listbox",
            tabindex="0",
            aria_label="Pairs",
            data_part="rows",
        ),
        class_="side",
        aria_label="List of pairs",
    )


def _find() -> Markup:
    scopes = ("all", "everything"), ("id", "ids"), ("sentence", "sentences")
    return element(
        "div",
        element(
            "input",
            type="search",
            placeholder="Search",
            aria_label="Search",
            aria_keyshortcuts="/",
            data_part="search",
        ),
        element(
            "select",
            *(
                element("option", text, value=value)
                for value, text in (*scopes, ("concept", "concepts"))
            ),
            aria_label="where to search",
            data_part="scope",
        ),
        element(
            "label",
            element("input", type="checkbox", data_part="regex"),
            " ",
            element("abbr", ".*", title="regular expression"),
        ),
        class_="find",
        role="search",
    )


def _scores() -> Markup:
    return element(
        "div",
        element(
            "div",
            class_="histogram",
            role="group",
            aria_label="Pairs by score; choose a range",
            data_part="histogram",
        ),
        element(
            "div",
            *(element("span", text) for text in ("0", "0.5", "1")),
            class_="ticks",
            aria_hidden="true",
        ),
    )


def _filters() -> Markup:
    def chosen(name: str, text: str) -> Markup:
        return joined(
            (
                element("label", text, for_=f"by-{name}"),
                element(
                    "select",
                    element("option", "any", value=""),
                    id=f"by-{name}",
                    data_part=name,
                ),
            )
        )

    def checked(name: str, text: str) -> Markup:
        box = element("input", type="checkbox", data_part=name)
        return element("label", box, f" {text}")

    return element(
        "details",
        element("summary", element("span", "Filters", data_part="filters")),
        element(
            "div",
            chosen("error", "error"),
            chosen("role", "role"),
            element("label", "concept", for_="by-concept"),
            element(
                "input",
                id="by-concept",
                placeholder="lost; +concept: extra",
                list="concepts",
                data_part="concept",
            ),
            element("datalist", id="concepts", data_part="concepts"),
            element(
                "span",
                checked("reentrant", "re-entrant"),
                checked("unproven", "unproven"),
                class_="checks",
            ),
        ),
        class_="filters",
    )


def _status() -> Markup:
    sorts = (
        ("score", "score"),
        ("file", "order of the file"),
        ("missing", "missing"),
        ("extra", "extra"),
        ("size", "size"),
    )
    return element(
        "div",
        element("output", data_part="count"),
        element("button", "Clear", type="button", data_part="clear", hidden=True),
        element(
            "label",
            "of ",
            element("select", data_part="system"),
        ),
        element(
            "select",
            *(element("option", text, value=value) for value, text in sorts),
            aria_label="sort by",
            data_part="sort",
        ),
        element("button", "↑", type="button", data_part="down"),
        class_="status",
    )


def _heads() -> Markup:
    """The headings of the list's columns, which the script fills."""
    return element(
        "div", class_="heads", role="group", aria_label="Sort", data_part="heads"
    )


def _main(about: About) -> Markup:
    records = [corpus_record(system.score) for system in about.systems]
    overview = element(
        "section",
        element("h2", "All pairs"),
        _score_table(about, records),
        element("h3", "Errors"),
        element(
            "p",
            "Confusions are named from reference to prediction. A range says how "
            "often an error occurs at least and at most if other optimal alignments "
            "are chosen. A link lists its pairs.",
            class_="note",
        ),
        element("div", class_="scroll", tabindex="0", data_part="errors"),
        element("h3", "Where this comes from"),
        _sources(about),
        *(
            warnings([*as_read(lost_in(system.report)), *trouble(system.report)])
            for system in about.systems
        ),
        signatures(dict.fromkeys(record["signature"] for record in records)),
        aria_label="All pairs",
        data_part="overview",
    )
    return element(
        "main",
        element("noscript", element("p", "The list of pairs needs JavaScript.")),
        overview,
        element("section", data_part="pair", hidden=True, aria_label="Pair"),
        class_="view",
    )


def _score_table(about: About, records: Sequence[dict[str, Any]]) -> Markup:
    """Each system's corpus scores, with the intervals that they lie in."""
    head = ["system", "F1", "precision", "recall", "matched", "predicted", "reference"]
    rows = []
    for system, record in zip(about.systems, records, strict=True):
        row = [Cell(system.name)]
        row += [_ratio(record, name) for name in ("score", "precision", "recall")]
        row += [
            Cell(count(record[name]))
            for name in ("matched", "pred_total", "gold_total")
        ]
        row.append(Cell(f"{record['proven']} of {record['pairs']}"))
        rows.append(row)
    level = next((r["confidence"] for r in records if "confidence" in r), None)
    note = "" if level is None else f"Small: {100 * level:g} % bootstrap intervals."
    return joined(
        (
            table([*head, "proven"], rows),
            element("p", note, class_="note") if note else "",
        )
    )


def _ratio(record: dict[str, Any], name: str) -> Cell:
    """A number with the interval that its search left open, and its bootstrap one."""
    low = record[name]
    high = record["f1_upper" if name == "score" else f"{name}_upper"]
    shown = fixed(low, 4)
    if record["proven"] != record["pairs"]:
        shown += f"..{fixed(high, 4)}"
    ends = record.get(f"{name}_low"), record.get(f"{name}_high")
    if None in ends:
        return cell(low, shown)
    between = "–".join(fixed(end, 4) for end in ends)
    return Cell(joined((shown, element("small", between))), repr(low))


def _sources(about: About) -> Markup:
    rows: list[Markup] = []
    sources = [(about.gold_name, about.gold)]
    sources += [(system.name, system.source) for system in about.systems]
    for name, source in sources:
        share = source.well_formed / source.graphs if source.graphs else 1.0
        told = (
            f"{source.graphs} graphs, {100 * share:.4g} % well-formed, "
            f"SHA-256 {source.digest[:16]}…"
        )
        rows.append(element("dt", name))
        path = element("code", source.path)
        rows.append(element("dd", path, f": {told}", title=source.digest))
    rows += [
        element("dt", "command"),
        element("dd", element("code", about.command)),
        element("dt", "written"),
        element("dd", f"{about.date} by exactmatch {__version__}"),
    ]
    return element("dl", *rows)


def _help() -> Markup:
    keys = (
        ("j, k", "next and previous pair"),
        ("/", "search"),
        ("Enter", "from the list into the pair"),
        ("o, Escape", "back to all pairs"),
        ("?", "this help"),
    )
    rows = [
        element(
            "tr", element("th", element("kbd", key), scope="row"), element("td", text)
        )
        for key, text in keys
    ]
    return element(
        "dialog",
        element("h2", "Keys"),
        element("table", element("tbody", *rows)),
        element("button", "Close", type="button", data_part="close"),
        data_part="help",
        aria_label="Keys",
    )
