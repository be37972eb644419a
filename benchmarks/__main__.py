"""``python -m benchmarks``: run benchmarks, show tables, write JSON and plots."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from benchmarks.speed.documents import numbers
from benchmarks.speed.plots import draw
from benchmarks.speed.programs import VERSIONS, version_of
from benchmarks.speed.registry import BENCHMARKS
from benchmarks.speed.spec import Outcome, Setting
from benchmarks.speed.tables import rendered

_RESULTS = Path(__file__).parent / "results"


def make_parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure exactmatch beside its peers and its own solvers.",
        epilog="benchmarks:\n"
        + "\n".join(f"  {s.name:<14} {s.what}" for s in BENCHMARKS.values())
        + "\n  coverage       false alarms of tests and coverage of intervals, which "
        "is run alone",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="which benchmarks (default: all)")
    add(
        "--data",
        type=Path,
        default=os.environ.get("EXACTMATCH_DATA"),
        help="the folder that holds data/ (default: EXACTMATCH_DATA)",
    )
    add("--smoke", action="store_true", help="run everything on very little")
    add(
        "--our-python",
        default=sys.executable,
        metavar="PATH",
        help="the interpreter in which exactmatch is measured (default: this one)",
    )
    add(
        "--peer-python",
        default=sys.executable,
        metavar="PATH",
        help="the interpreter in which the peers are measured (default: this one)",
    )
    add(
        "--peers",
        metavar="NAMES",
        help="smatch,smatchpp (default: both) or none; also the path of McSplit",
    )
    add(
        "--solvers",
        metavar="NAMES",
        help="ours that run beside auto (default: cpsat,highs,cbc) or none",
    )
    add("--repeats", type=int, metavar="N", help="counted runs (default: 3)")
    add("--warmup", type=int, metavar="N", help="runs before those (default: 1)")
    add("--seed", type=numbers, metavar="N..M", help="of the documents (default: 0..9)")
    add("--time-limit", type=float, metavar="SECONDS", help="for each document")
    add("--memory", type=float, default=6.0, metavar="GB", help="for a peer's pairs")
    add(
        "--output",
        type=Path,
        default=_RESULTS,
        metavar="FOLDER",
        help="where tables, JSON files and plots go (default: benchmarks/results)",
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run what was asked for.

    Returns:
        0, or 1 if a program that was there failed.
    """
    own = list(sys.argv[1:] if argv is None else argv)
    if own[:1] == ["coverage"]:
        from benchmarks import coverage

        return coverage.main(own[1:])
    parser = make_parser()
    args = parser.parse_args(own)
    unknown = [name for name in args.names if name not in BENCHMARKS]
    if unknown:
        parser.error(
            f"unknown benchmark {unknown[0]!r} (known: {', '.join(BENCHMARKS)})"
        )
    args.output.mkdir(parents=True, exist_ok=True)
    conditions = _conditions(args)
    records: dict[str, dict[str, Any]] = {}
    failed = False
    with tempfile.TemporaryDirectory() as work:
        setting = _setting(args, Path(work))
        for name in args.names or BENCHMARKS:
            spec = BENCHMARKS[name]
            setting.say(f"{name}: {spec.what}")
            outcome = spec.run(setting)
            failed |= any("failed" in row.note for row in outcome.rows)
            table = rendered(name, spec.what, outcome)
            print(table)
            records[name] = _record(name, spec.what, outcome, conditions)
            _write(args.output / f"{name}.txt", table)
            document = json.dumps(records[name], ensure_ascii=False, indent=2)
            _write(args.output / f"{name}.json", document + "\n")
    try:
        paths = draw(records, args.output)
    except ImportError:
        print("no plots: they need matplotlib; pip install 'exactmatch[bench]'")
    else:
        for path in paths:
            print(path)
    return 1 if failed else 0


def _setting(args: argparse.Namespace, work: Path) -> Setting:
    """Return the setting of the arguments; a smoke run measures less by default."""
    smoke = args.smoke

    def chosen(argument: Any, usual: Any, in_smoke: Any) -> Any:
        return (in_smoke if smoke else usual) if argument is None else argument

    return Setting(
        data=None if args.data is None else args.data.resolve(),
        work=work,
        our_python=_absolute(args.our_python),
        peer_python=_absolute(args.peer_python),
        peers=_names(chosen(args.peers, "smatch,smatchpp", "none")),
        solvers=_names(chosen(args.solvers, "cpsat,highs,cbc", "none")),
        repeats=chosen(args.repeats, 3, 1),
        warmup=chosen(args.warmup, 1, 0),
        seeds=chosen(args.seed, tuple(range(10)), (0,)),
        time_limit=args.time_limit,
        memory=args.memory,
        smoke=smoke,
        say=lambda text: print(text, file=sys.stderr, flush=True),
    )


def _absolute(python: str) -> str:
    """Return an interpreter's path, links kept, wherever children will run."""
    return os.path.abspath(python) if os.sep in python else python


def _names(text: str) -> tuple[str, ...]:
    return () if text == "none" else tuple(text.split(","))


def _conditions(args: argparse.Namespace) -> dict[str, Any]:
    """Return what else determines the figures: machine, versions, command."""
    return {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "command": ["python", "-m", "benchmarks", *map(_named, sys.argv[1:])],
        "machine": platform.platform(),
        "processors": os.cpu_count(),
        "load": os.getloadavg(),
        "python": platform.python_version(),
        "versions": {
            "exactmatch": version_of(args.our_python, "exactmatch"),
            **{peer: version_of(args.peer_python, peer) for peer in VERSIONS},
        },
    }


def _named(argument: str) -> str:
    """Return an argument without the folders of this machine."""
    option, equals, value = argument.rpartition("=")
    return f"{option}{equals}{Path(value).name}" if os.path.isabs(value) else argument


def _record(
    name: str, what: str, outcome: Outcome, conditions: dict[str, Any]
) -> dict[str, Any]:
    return {"benchmark": name, "what": what, **outcome.record()} | {
        "conditions": conditions
    }


def _write(path: Path, text: str) -> None:
    """Replace a file at once, so that a killed run leaves no half of it."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


if __name__ == "__main__":
    sys.exit(main())
