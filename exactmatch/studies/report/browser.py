"""The error browser: one page with every pair, to be searched, sorted and opened.

Written as one file that works from a disk.  Its content security policy lets it load
nothing, and run no script and use no style but its own, whose hashes it names.
"""

from __future__ import annotations

from base64 import b64encode
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files
from typing import TextIO

from exactmatch.base.markup import Markup, element
from exactmatch.base.numbers import fixed, several
from exactmatch.scoring.results import PairResult
from exactmatch.studies.errors.errors import pair_errors
from exactmatch.studies.report.browser_data import Collector, Compared
from exactmatch.studies.report.browser_list import side
from exactmatch.studies.report.browser_overview import About, main
from exactmatch.views.page import GRAPHS, STYLE

SCRIPTS = (
    "drawing.js",
    "browser_data.js",
    "browser_list.js",
    "browser_pair.js",
    "browser_overview.js",
    "browser.js",
)


def compared(result: PairResult, until: float | None = None) -> Compared:
    """A pair with its errors, and without its graphs and problem.

    Args:
        result: the pair, with its graphs and its alignment problem.
        until: when to look for no more alignments, on the clock of ``time.time()``.
    """
    errors = pair_errors(
        result.stated_problem,
        result.solved.alignment,
        result.index,
        result.id,
        result.texts,
        until,
    )
    return Compared(
        replace(result, pred=None, gold=None, stated=None, texts=(None, None)), errors
    )


def collect(
    collector: Collector,
    earlier: Sequence[dict[int, Compared]],
    last: Iterable[Compared],
) -> None:
    """Let the page have every pair in order, and keep none.

    Args:
        collector: what the page holds.
        earlier: the answers of all systems but the last, by number; they are taken out.
        last: those of the last system, in order, as they come.
    """
    waiting = deque(sorted(set().union(*earlier)))

    def add(index: int, answer: Compared | None) -> None:
        collector.add([*(answers.pop(index, None) for answers in earlier), answer])

    for answer in last:
        while waiting and waiting[0] < answer.result.index:
            add(waiting.popleft(), None)
        if waiting and waiting[0] == answer.result.index:
            waiting.popleft()
        add(answer.result.index, answer)
    for index in waiting:
        add(index, None)


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
    head = collector.head()
    names = (*SCRIPTS, "live.js") if live else SCRIPTS
    script = '"use strict";\n' + "\n".join(map(_file, names))
    styles = {"": STYLE + _file("browser.css"), "drawing-style": GRAPHS}
    policy = _policy([script], styles.values()) + ("; connect-src 'self'" * live)
    stream.write(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{element('title', f'exactmatch: {_scored(about)}')}\n"
    )
    for name, style in styles.items():
        stream.write(f"{element('style', Markup(style), id=name or None)}\n")
    body = f'<body class="browser" data-digits="{about.digits}">'
    stream.write(f"</head>\n{body}\n")
    stream.write(f"{_masthead(about)}\n{side()}\n{main(about)}\n{_help()}\n")
    stream.write(f'<script type="text/plain" id="head">{head}</script>\n')
    for block in collector.blocks:
        stream.write(f'<script type="text/plain" class="block">{block}</script>\n')
    stream.write(f"<script>{script}</script>\n</body>\n</html>\n")


def _file(name: str) -> str:
    return files("exactmatch.studies.report").joinpath(name).read_text("utf-8")


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
        f"{system.name} {fixed(about.record_of(system)['score'], about.digits)}"
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
            f"against {about.gold_name} · {several(pairs, 'pair')}, "
            f"{told} proven optimal",
        ),
        element("button", "Keys", type="button", class_="help", data_part="keys"),
        class_="masthead",
    )


def _title(about: About) -> str:
    """The metric, as people call it."""
    from exactmatch.metrics import metric_class

    return metric_class(about.systems[0].score.metric).title


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
