"""Limits of time: by how much each command that has one exceeds it.

Every command is given one problem that cannot be finished: a pair of graphs whose nodes
are all alike, samples without end, or a pair whose problem alone takes longer to build.
It should end with an answer within its limit and half a second, in one process and in
two.  Start-up is not counted: what the command takes for a small pair without limit.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

from benchmarks.speed.measuring import Run, in_turns, run
from benchmarks.speed.programs import passes_python_path
from benchmarks.speed.spec import Measure, Outcome, Row, Setting

_LIMIT = 1.0
_MOST_OVER = 0.5
_FOREVER = "10000000"  # samples
_OF_A_PAIR = {
    "score": ["P", "G"],
    "align": ["P", "G"],
    "ged": ["B.jsonl", "C.jsonl"],
    "ground-truth": ["A.jsonl", "-o", "truth"],
}
_OF_A_LARGE_PAIR = {
    "score": ["LP", "LG"],
    "align": ["LP", "LG"],
    "errors": ["LP", "LG"],
    "report": ["LP", "LG", "-o", "large.html"],
    "audit": ["LP", "LG"],
    "thresholds": ["LP", "LG", "--metric", "s2match"],
    "ged": ["LB.jsonl", "LC.jsonl"],
    "ground-truth": ["LA.jsonl", "-o", "large-truth"],
}
_OF_ALL_PAIRS = {
    "score": ["P", "G", "--confidence", "--samples", _FOREVER],
    "finegrained": ["P", "G", "--confidence", "--samples", _FOREVER],
    "align": ["P", "G"],
    "report": ["P", "G", "-o", "page.html"],
    "errors": ["P", "G"],
    "explain-profile": ["P", "G"],
    "compare": ["G", "P", "Q", "--samples", _FOREVER],
    "audit": ["P", "G"],
    "thresholds": ["P", "G", "--metric", "s2match"],
    "correlate": ["P", "G", "--human", "human.txt", "--samples", _FOREVER],
}


def time_limits(setting: Setting) -> Outcome:
    """Run each command with a limit of a pair, or of all its work."""
    folder = setting.work / "limits"
    folder.mkdir()
    _write(folder, size=60)
    limit = 0.1 if setting.smoke else _LIMIT
    commands = {}
    for option, ways in (
        ("--time-limit", _OF_A_PAIR),
        ("--total-time", _OF_ALL_PAIRS),
    ):
        for name, arguments in ways.items():
            commands[f"{name} {option}"] = [name, *arguments, option, str(limit)]
            shared = [name, *arguments, "-j", "2", option, str(limit)]
            commands[f"{name} -j 2 {option}"] = shared
    for name, arguments in _OF_A_LARGE_PAIR.items():
        command = [name, *arguments, "--time-limit", str(limit)]
        commands[f"{name}, large, --time-limit"] = command
    if setting.smoke:
        kept = ("score --time-limit", "compare --total-time")
        commands = {key: commands[key] for key in kept}
    ways = {**_OF_A_PAIR, **_OF_ALL_PAIRS}
    for name in {key.split()[0].strip(",") for key in commands}:
        commands[name] = _of_small_graphs(name, ways[name])
    runs = in_turns(
        {
            key: partial(
                run,
                [setting.our_python, "-m", "exactmatch", *arguments],
                folder,
                python_path=passes_python_path(setting),
                timeout=120.0,
            )
            for key, arguments in commands.items()
        },
        setting.repeats,
        setting.warmup,
        setting.say,
    )
    walls = {
        key: min((one.wall for one in finished if _has_ended(one)), default=None)
        for key, finished in runs.items()
    }
    start_ups = {key: walls.pop(key) or 0.0 for key in [*walls] if " " not in key}
    rows, measures = [], []
    for key, wall in walls.items():
        start_up = start_ups[key.split()[0].strip(",")]
        over = None if wall is None else wall - start_up - limit
        rows.append(Row(key, {"wall s": wall, "over s": over}))
        measures.append(
            Measure(f"{key} {limit:g}, over", over, "at most", _MOST_OVER, " s")
        )
    return Outcome(tuple(rows), tuple(measures))


def _of_small_graphs(name: str, arguments: list[str]) -> list[str]:
    """Return the same command for small graphs, which need no limit."""
    small = {key: f"S{key}" for key in ("P", "G", "Q")}
    small |= {f"{key}.jsonl": "S.jsonl" for key in "ABC"}
    small |= {_FOREVER: "10", "truth": "small-truth"}
    return [name, *(small.get(each, each) for each in arguments)]


def _has_ended(finished: Run) -> bool:
    """Return whether a command answered, or said that there was no time to."""
    return not finished.trouble or finished.trouble.startswith("failed (2)")


def _write(folder: Path, size: int) -> None:
    """Write one pair that none can align in time, and some that are small."""
    rng = random.Random(1)
    for name in "GPQ":
        texts = [_graph(rng, size), *(_graph(rng, 3) for _ in range(24))]
        (folder / name).write_text("\n\n".join(texts) + "\n", "utf-8")
    scores = "".join(f"{k % 7}\n" for k in range(25))
    (folder / "human.txt").write_text(scores, "utf-8")
    small = "\n\n".join([texts[1], *texts[1:]])
    (folder / f"S{name}").write_text(small + "\n", "utf-8")
    for name in ("LP", "LG"):
        (folder / name).write_text(_graph(rng, 10 * size) + "\n", "utf-8")
    for name in ("LB", "LC"):
        text = _edges(rng, 10 * size, 8 / (10 * size))
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    text = "".join(_edges(rng, 10 * size, 8 / (10 * size)) for _ in "ab")
    (folder / "LA.jsonl").write_text(text, "utf-8")
    small = "".join(_edges(rng, 3) for _ in "ab")
    (folder / "S.jsonl").write_text(small, "utf-8")
    for name, count in (("A", 2), ("B", 1), ("C", 1)):
        graphs = (_edges(rng, 2 * size // 3) for _ in range(count))
        (folder / f"{name}.jsonl").write_text("".join(graphs), "utf-8")


def _graph(rng: random.Random, n: int) -> str:
    """Write a random graph in which all nodes are alike, as an AMR."""
    text = ""
    for k in range(n):
        text += f"(x{k} / a"
        for role, end in sorted({(rng.randrange(2), rng.randrange(n)) for _ in "ab"}):
            text += f" :r{role} x{end}" if end != k else ""
        text += " :r0 " if k < n - 1 else ")" * n
    return text


def _edges(rng: random.Random, n: int, share: float = 0.4) -> str:
    """Write a random graph without labels as a line of JSON."""
    edges = [f"[{i}, {k}]" for i in range(n) for k in range(i) if rng.random() < share]
    return f'{{"n": {n}, "edges": [{", ".join(edges)}]}}\n'
