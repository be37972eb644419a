"""``python -m exactmatch_papers.tables``: measure tables and write their pages."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from exactmatch.base.values import positive_int
from exactmatch_papers.tables.commands import CommandError
from exactmatch_papers.tables.corpora import write_smoke_data
from exactmatch_papers.tables.page import write_pages
from exactmatch_papers.tables.registry import PAPERS
from exactmatch_papers.tables.spec import Setting

_RESULTS = Path("papers")


def make_parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m exactmatch_papers.tables",
        description="Measure published tables again, and write a page for each.",
        epilog="tables:\n"
        + "\n".join(f"  {p.name:<17} {p.what}" for p in PAPERS.values()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="which tables (default: all)")
    add(
        "--data",
        type=Path,
        default=_default_data(),
        help="the folder with lp/ and bamboo/ (default: EXACTMATCH_DATA/data)",
    )
    add("--smoke", action="store_true", help="on a few pairs, to see that it works")
    add("--page", action="store_true", help="only write the pages of what is there")
    add(
        "--runs",
        type=positive_int,
        metavar="N",
        help="climbs of a pair (default: the paper's)",
    )
    add("--seed", type=int, default=0, metavar="N", help="of everything random")
    add("-j", "--jobs", type=positive_int, default=1, metavar="N", help="processes")
    add(
        "--our-python",
        metavar="PATH",
        help="the interpreter whose exactmatch runs, in processes of its own "
        "(default: exactmatch runs in this process)",
    )
    add(
        "--smatch-python",
        metavar="PATH",
        help="one that has smatch 1.0.4, to measure it too",
    )
    add(
        "--output",
        type=Path,
        default=_RESULTS,
        metavar="FOLDER",
        help="where pages, pictures and JSON go (default: papers)",
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Measure the reproductions that are named.

    Returns:
        0; 1 if a command failed; 130 after Ctrl-C.
    """
    parser = make_parser()
    args = parser.parse_args(argv)
    for name in args.names:
        if name not in PAPERS:
            parser.error(f"unknown table {name!r} (known: {', '.join(PAPERS)})")
    output = args.output.resolve()
    if args.page:
        print(write_pages(output))
        return 0
    if not args.smoke and not _is_data(args.data):
        parser.error("--data must name a folder with lp/ and bamboo/")
    output.mkdir(parents=True, exist_ok=True)
    draws = importlib.util.find_spec("matplotlib") is not None
    if not draws:
        _say("no pictures: they need matplotlib; pip install 'exactmatch[plot]'")
    with tempfile.TemporaryDirectory() as work:
        setting = Setting(
            data=_data(args, Path(work)),
            work=Path(work) / "files",
            pictures=output,
            our_python=args.our_python,
            smatch_python=args.smatch_python,
            runs=args.runs or (2 if args.smoke else None),
            seed=args.seed,
            jobs=args.jobs,
            draws=draws,
            say=_say,
        )
        setting.work.mkdir()
        try:
            for name in args.names or PAPERS:
                _say(f"{name}: {PAPERS[name].what}")
                _measure(name, setting, output)
                print(write_pages(output))
        except CommandError as error:
            _say(str(error))
            return 1
        except KeyboardInterrupt:
            _say(f"interrupted; what was measured before is in {output}")
            return 130
    return 0


def _measure(name: str, setting: Setting, output: Path) -> None:
    """Measure one table and write its record."""
    finding = PAPERS[name].run(setting)
    record = {"table": name, "source": PAPERS[name].source, **finding.record()}
    _write(output / f"{name}.json", record)


def _is_data(folder: Path | None) -> bool:
    return folder is not None and all(
        (folder / name).is_dir() for name in ("lp", "bamboo")
    )


def _default_data() -> Path | None:
    folder = os.environ.get("EXACTMATCH_DATA")
    return None if folder is None else Path(folder) / "data"


def _data(args: argparse.Namespace, work: Path) -> Path:
    if not args.smoke:
        data: Path = args.data.resolve()
        return data
    data = work / "data"
    write_smoke_data(data, Path(str(resources.files("exactmatch") / "sample")))
    return data


def _write(path: Path, record: object) -> None:
    """Replace a file at once, so that a killed run leaves no half of it."""
    part = path.with_name(f".{path.name}.part")
    text = json.dumps(record, ensure_ascii=False, indent=1)
    part.write_text(text + "\n", encoding="utf-8")
    os.replace(part, path)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
