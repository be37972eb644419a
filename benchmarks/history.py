"""``python -m benchmarks.history``: append a line a release, and draw all of them.

    python -m benchmarks.history --data FOLDER            # measure this checkout
    python -m benchmarks.history --data FOLDER --tree DIR # measure another one
    python -m benchmarks.history --draw                   # draw what is there

Each line of ``history.jsonl`` has version, commit and its date, the day, the machine,
and CPU times: the least of several runs.  ``docs/performance/history.svg`` draws them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from benchmarks.speed.measuring import run
from exactmatch.base.markup import Markup, element

HISTORY = Path(__file__).with_name("history.jsonl")
PICTURE = Path(__file__).parents[1] / "docs" / "performance" / "history.svg"
FIGURES = {
    "start-up": ("--version",),
    "sample, 40 pairs": (),
    "PARA, 1,727 pairs": ("{para}/src.test.amr", "{para}/tgt.test.amr"),
    "PARA, S²Match": (
        *("{para}/src.test.amr", "{para}/tgt.test.amr", "--metric", "s2match"),
    ),
    "PARA, SemBleu": (
        *("{para}/src.test.amr", "{para}/tgt.test.amr", "--metric", "sembleu"),
    ),
    "Little Prince, fine-grained": (
        *("finegrained", "{lp}/parsed.amr", "{lp}/gold.amr", "--on-error", "skip"),
    ),
}
"""Whole commands by the name of their figure."""

_WIDTH, _HEIGHT, _ROW = 680, 64, 78
_STYLE = """
svg{--ink:#1b1f24;--quiet:#5d6672;--line:#9aa3ae;--paper:#fff;--good:#0a5ea8}
@media(prefers-color-scheme:dark){svg{--ink:#e3e6ea;--quiet:#9aa3ae;--line:#3a424c;
--paper:#14171b;--good:#78bbf5}}
text{fill:var(--ink);
font:13px "Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif}
.quiet{fill:var(--quiet);font-size:12px}
.paper{fill:var(--paper)}
polyline{fill:none;stroke:var(--good);stroke-width:2px}
circle{fill:var(--good)}
line{stroke:var(--line)}
"""


def today() -> str:
    """Return the date, or that of ``SOURCE_DATE_EPOCH``."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.now(timezone.utc)
    day = datetime.fromtimestamp(float(seconds), timezone.utc) if seconds else now
    return f"{day:%Y-%m-%d}"


def keep_bytecode(folder: Path) -> None:
    """Let children keep compiled modules there, as an installed program has them."""
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def measured(tree: Path, data: Path, repeats: int) -> dict[str, Any]:
    """Return the line of a checkout, its commands run in turns."""
    places = {"para": data / "data/bamboo/para/main", "lp": data / "data/lp"}
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(tree)
    least: dict[str, float] = {}
    try:
        with tempfile.TemporaryDirectory() as folder:
            keep_bytecode(Path(folder))
            for turn in range(repeats + 1):
                for name, arguments in FIGURES.items():
                    words = [word.format(**places) for word in arguments]
                    command = [sys.executable, "-m", "exactmatch", *words]
                    done = run(command, Path(folder), timeout=600)
                    if done.trouble:
                        raise SystemExit(f"{name}: {done.trouble}")
                    if turn:
                        least[name] = min(least.get(name, done.cpu), done.cpu)
            version = run(
                [sys.executable, "-m", "exactmatch", "--version"], Path(folder)
            )
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
    commit, date = _git(tree, "log", "-1", "--format=%h %cs").split()
    return {
        "version": version.output.split()[1],
        "commit": commit,
        "date": date,
        "measured": today(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "cpu_seconds": {name: round(seconds, 4) for name, seconds in least.items()},
    }


def _git(tree: Path, *arguments: str) -> str:
    command = ["git", "-C", str(tree), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def lines() -> list[dict[str, Any]]:
    """Return the lines that are there, the oldest commit first."""
    records = [json.loads(line) for line in HISTORY.read_text("utf-8").splitlines()]
    return sorted(records, key=lambda line: str(line["date"]))


def drawing(history: Sequence[dict[str, Any]]) -> Markup:
    """Return a small line for each figure: CPU seconds over the commits, from 0."""
    names = [name for name in FIGURES if name in history[-1]["cpu_seconds"]]
    left, right = 210, _WIDTH - 90
    step = (right - left) / max(len(history) - 1, 1)
    parts: list[Markup] = []
    for row, name in enumerate(names):
        base = 60 + _ROW * row
        values = [line["cpu_seconds"].get(name) for line in history]
        most = max(value for value in values if value is not None)
        points = [
            (left + step * k, base - (_HEIGHT - 20) * value / most)
            for k, value in enumerate(values)
            if value is not None
        ]
        ends = {"x1": left, "x2": right, "y1": base, "y2": base}
        parts += [
            element("line", **{key: f"{place:g}" for key, place in ends.items()}),
            element("polyline", points=" ".join(f"{x:g},{y:.1f}" for x, y in points)),
            *(
                element("circle", cx=f"{x:g}", cy=f"{y:.1f}", r="3.5")
                for x, y in points
            ),
            _text(16, base - 4, name),
            _text(right + 12, points[-1][1] + 4, f"{values[-1]:.2f} s"),
        ]
    foot = 60 + _ROW * len(names) - 40
    for k, line in enumerate(history):
        if k in (0, len(history) - 1) or len(history) < 6:
            parts.append(
                _text(left + step * k, foot, line["commit"], "quiet", "middle")
            )
            parts.append(
                _text(left + step * k, foot + 15, line["date"], "quiet", "middle")
            )
    return element(
        "svg",
        element("title", "CPU seconds of whole commands, by commit"),
        element("style", Markup(_STYLE)),
        element("rect", width="100%", height="100%", rx="8", class_="paper"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {foot + 30}",
        width=str(_WIDTH),
        height=str(foot + 30),
    )


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "") -> Markup:
    return element(
        "text",
        text,
        x=f"{x:g}",
        y=f"{y:g}",
        class_=kind or None,
        text_anchor=anchor or None,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and append, then draw."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.history")
    add = parser.add_argument
    add("--data", type=Path, default=os.environ.get("EXACTMATCH_DATA"))
    add("--tree", type=Path, default=Path(__file__).parents[1])
    add("--repeats", type=int, default=5)
    add("--draw", action="store_true", help="measure nothing")
    args = parser.parse_args(argv)
    if not args.draw:
        if args.data is None:
            parser.error("--data or EXACTMATCH_DATA must name the folder with data/")
        figures = measured(args.tree.resolve(), args.data.resolve(), args.repeats)
        with HISTORY.open("a", encoding="utf-8") as file:
            file.write(json.dumps(figures, ensure_ascii=False) + "\n")
        print(json.dumps(figures, ensure_ascii=False, indent=2))
    PICTURE.write_text(f"{drawing(lines())}\n", "utf-8")
    print(PICTURE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
