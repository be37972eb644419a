"""``python -m benchmarks.rivals``: every job beside the programs that do it, on a page.

Programs take turns, and the least CPU time of each counts: other work on the machine
can only add to it.  The page is ``docs/speed.md``.  A program that is not at hand is a
line that says so.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks import history
from benchmarks.speed.lad import written
from benchmarks.speed.measuring import Run, in_turns, run
from benchmarks.speed.programs import version_of

WORKER = str(Path(__file__).parent / "speed" / "workers" / "rivals.py")
SMALL, FEW = 45, 4
"""So many graphs are compared each with each; fewer by a program that is slow."""


@dataclass(frozen=True)
class Timing:
    """CPU time and result of a program's runs.

    Attributes:
        seconds: the least CPU time; ``None`` if the program was not run.
        items: how many pairs or documents that was.
        result: a figure that tells whether programs agree.
    """

    seconds: float | None
    items: int
    result: str


@dataclass(frozen=True)
class Rival:
    """Program that does a job.

    Attributes:
        name: the program and its version.
        command: what is run, or nothing if it is not at hand.
        read: makes a timing of its runs.
        ours: whether our package must be importable.
        lacking: why it is not run.
    """

    name: str
    command: tuple[str, ...]
    read: Callable[[Sequence[Run]], Timing]
    ours: bool = False
    lacking: str = ""


@dataclass(frozen=True)
class Job:
    """Something that several programs do.

    Attributes:
        title: what is done, on which data.
        unit: what is counted.
        result: what the last column has.
        rivals: ours first.
        note: what a reader must know.
    """

    title: str
    unit: str
    result: str
    rivals: tuple[Rival, ...]
    note: str


def whole(items: int, pattern: str) -> Callable[[Sequence[Run]], Timing]:
    """Read the CPU time of a whole command, start-up and reading included."""

    def read(runs: Sequence[Run]) -> Timing:
        shown = re.search(pattern, runs[-1].output)
        result = f"{float(shown[1]):.4f}" if shown else "?"
        return Timing(min(one.cpu for one in runs), items, result)

    return read


def inside(runs: Sequence[Run]) -> Timing:
    """Read what a worker measured inside of its process."""
    records = [json.loads(one.output) for one in runs]
    seconds = min(one["seconds"] for one in records)
    return Timing(seconds, records[0]["pairs"], f"{records[0]['total']:g}")


def clocked(runs: Sequence[Run]) -> Timing:
    """Read the times that BBB prints of every pair, in milliseconds."""
    every = [re.findall(r"ElapsedTime\s*: ([\d.]+)", one.output) for one in runs]
    seconds = min(sum(map(float, times)) for times in every) / 1e3
    distances = re.findall(r"GED\s*: (\d+)", runs[0].output)
    return Timing(seconds, len(distances), str(sum(map(int, distances))))


def paired(items: int) -> Callable[[Sequence[Run]], Timing]:
    """Read the distances that ``ged -m pair -g`` prints."""

    def read(runs: Sequence[Run]) -> Timing:
        total = sum(map(int, re.findall(r"^(\d+)$", runs[0].output, re.MULTILINE)))
        return Timing(min(one.cpu for one in runs), items, str(total))

    return read


def sizes(items: int) -> Callable[[Sequence[Run]], Timing]:
    """Read the sizes that McSplit prints of every pair."""

    def read(runs: Sequence[Run]) -> Timing:
        node_counts = re.findall(r"Solution size (\d+)", runs[0].output)
        return Timing(
            min(one.cpu for one in runs), items, str(sum(map(int, node_counts)))
        )

    return read


def jobs(args: argparse.Namespace, work: Path) -> Iterator[Job]:
    """Yield every job with its programs."""
    ours = (args.our_python, "-m", "exactmatch")
    peer, data = args.peer_python, args.data / "data"
    mine = f"exactmatch {version_of(args.our_python, 'exactmatch') or ''}".strip()
    named = partial(_named, peer)
    para = [str(data / f"bamboo/para/main/{x}.test.amr") for x in ("src", "tgt")]
    score = r"^([\d.]+)$"
    yield Job(
        "Sentence graphs: Smatch of 1,727 pairs (PARA, test)",
        "pair",
        "F1",
        (
            Rival(mine, (*ours, *para, "-q"), whole(1727, score), True),
            Rival(
                named("smatch"),
                (peer, "-m", "smatch", "-f", *para, "--significant", "4"),
                whole(1727, r"F-score: ([\d.]+)"),
            ),
            Rival(
                named("smatchpp", ", ILP"),
                (
                    *(peer, "-m", "smatchpp", "-a", para[0], "-b", para[1]),
                    *("-solver", "ilp", "-score_type", "micro"),
                    *("-output_format", "json"),
                ),
                whole(1727, r'"F1": \{[^}]*?"result": ([\d.]+)'),
            ),
        ),
        "The times are those of whole commands. smatch climbs, so its F1 is below the "
        "optimum; smatchpp counts other triples, in percent.",
    )
    aids = data / "ged" / "neural" / "aids.jsonl"
    small = [json.loads(line) for line in aids.read_text("utf-8").splitlines()[:SMALL]]
    pairs = list(combinations(small, 2))
    sides = _pair_files(pairs, work)
    yield Job(
        f"Edit distances: {len(pairs)} pairs of molecules of at most 10 atoms (AIDS)",
        "pair",
        "sum of distances",
        (
            Rival(mine, _worker(args.our_python, "ged", aids, SMALL), inside, True),
            _built(
                args.programs,
                "AStar-BMao 244d25a",
                "Graph_Edit_Distance/ged",
                *("-m", "pair", "-p", "astar", "-l", "BMao", "-g"),
                *("-d", str(sides[0]), "-q", str(sides[1])),
                read=paired(len(pairs)),
            ),
            _built(
                args.programs,
                "BBB f8e2236",
                "GSSBBB/build/GraphEditDistance",
                read=clocked,
                pairs=[*combinations(_single_files(small, work), 2)],
            ),
            Rival(
                named("networkx", f", {FEW * (FEW - 1) // 2} pairs"),
                _worker(peer, "networkx", aids, FEW),
                inside,
            ),
            Rival("FORI", (), inside, lacking="needs a licence of Gurobi"),
        ),
        "exactmatch and networkx are measured by CPU time without imports, AStar-BMao "
        "by the CPU time of the whole program, and BBB by the clock time that it "
        "prints. Costs are uniform, and bonds have no labels.",
    )
    yield Job(
        f"Common edge subgraphs: the same {len(pairs)} pairs",
        "pair",
        "edges in common",
        (
            Rival(mine, _worker(args.our_python, "common", aids, SMALL), inside, True),
            Rival(
                named("rdkit", ", rascalMCES"),
                _worker(peer, "rascal", aids, SMALL),
                inside,
            ),
        ),
        "rascalMCES is made for molecules. It is faster and finds fewer common edges. "
        "exactmatch takes any graph and proves that no larger common subgraph exists.",
    )
    isomers = args.data / "golden" / "mces.dev.jsonl"
    if isomers.exists():
        yield Job(
            "Molecules: exact MCES distances of 20 pairs of isomers",
            "pair",
            "sum of distances",
            (
                Rival(
                    mine, _worker(args.our_python, "mces", isomers, 20), inside, True
                ),
                Rival(
                    named("myopic_mces", ", CBC, threshold 15"),
                    _worker(peer, "myopic", isomers, 20),
                    inside,
                ),
            ),
            "Both are measured by CPU time without imports, CBC's process included. "
            "exactmatch has no threshold here; distances above that of myopic-mces "
            "count as 15 there.",
        )
    drawn = _drawn_pairs(work)
    yield Job(
        f"Common induced subgraphs: {len(drawn)} pairs of graphs of 20 to 40 nodes",
        "pair",
        "nodes in common",
        (
            Rival(
                mine,
                _worker(args.our_python, "induced", work, len(drawn)),
                inside,
                True,
            ),
            _built(
                args.programs,
                "McSplit+LL 46234ff",
                "McSplit-LL/mcsp+ll",
                *("-l", "min_max"),
                read=sizes(len(drawn)),
                pairs=drawn,
            ),
        ),
        "Random graphs of several densities, trees, regular graphs and graphs of "
        "preferential attachment, without labels. exactmatch is measured by CPU time "
        "without imports, McSplit+LL by the CPU time of its whole processes.",
    )
    umr = [str(data / f"umr/czech/wsj0013.cz-{x}.umr") for x in ("conv", "ML-all")]
    yield Job(
        "A UMR document: Czech, converted beside hand-made (wsj0013)",
        "document",
        "F1",
        (
            Rival(
                f"{mine}, Smatch",
                (*ours, *umr, "--profile", "umr", "-q"),
                whole(1, score),
                True,
            ),
            Rival(
                f"{mine}, `umatch`",
                (*ours, *umr, "--metric", "umatch", "-q"),
                whole(1, score),
                True,
            ),
            _built(
                args.programs,
                "juːmæʧ 4377bc4",
                "umrtools/compare_umr.pl",
                *("GOLD", umr[1], "SYS", umr[0], "--quiet"),
                read=whole(1, r"F₁ .* = ([\d.]+)"),
                before=("perl",),
            ),
        ),
        "The times are those of whole commands. `umatch` is juːmæʧ's own greedy score; "
        "Smatch is another number, the optimum over all triples.",
    )
    mrp = [str(data / f"mrp/{x}.mrp") for x in ("lpps.eds.peking", "lpps")]
    yield Job(
        "MRP graphs: 100 EDS of a parser (Little Prince)",
        "graph",
        "F1 of all pieces",
        (
            Rival(
                mine,
                (
                    *(*ours, *mrp, "--metric", "mrp"),
                    *("--framework", "eds", "--by-id", "-q"),
                ),
                whole(100, score),
                True,
            ),
            _built(
                args.programs,
                "mtool 4cee3a2",
                "mtool/main.py",
                *("--read", "mrp", "--score", "mrp", "--framework", "eds"),
                *("--gold", mrp[1], mrp[0]),
                read=whole(100, r'"all": \{[^}]*"f": ([\d.]+)'),
                before=(args.mtool_python,),
            ),
        ),
        "The times are those of whole commands. mtool needs a NumPy older than 1.24.",
    )


def _named(python: str, package: str, more: str = "") -> str:
    return f"{package} {version_of(python, package) or '(not installed)'}{more}"


def _worker(python: str, program: str, path: Path, number: int) -> tuple[str, ...]:
    return (python, WORKER, program, str(path), str(number))


def _built(
    folder: Path | None,
    name: str,
    place: str,
    *arguments: str,
    read: Callable[[Sequence[Run]], Timing],
    before: tuple[str, ...] = (),
    pairs: Sequence[tuple[Path, Path]] = (),
) -> Rival:
    """Return a program of the folder of programs, which is run once for each pair."""
    if folder is None or not (folder / place).exists():
        return Rival(name, (), read, lacking="not at hand")
    program = str((folder / place).resolve())
    if pairs:
        call = " ".join((program, *arguments))
        lines = [f"{call} {a} {b} 2>&1" for a, b in pairs]
        return Rival(name, ("sh", "-c", "\n".join(lines)), read)
    return Rival(name, (*before, program, *arguments), read)


def _gspan(graph: dict[str, Any], number: int, labels: dict[str, int]) -> str:
    """Return a graph in gSpan's format, with numbers for labels."""
    nodes = (
        f"v {i} {labels.setdefault(label, len(labels) + 1)}"
        for i, label in enumerate(graph["labels"])
    )
    edges = (f"e {u} {v} 1" for u, v in graph["edges"])
    return "\n".join((f"t # {number}", *nodes, *edges)) + "\n"


def _pair_files(pairs: Sequence[tuple[Any, Any]], work: Path) -> tuple[Path, Path]:
    """Two files whose graphs are compared one by one."""
    labels: dict[str, int] = {}
    for side in (0, 1):
        text = "".join(_gspan(pair[side], k, labels) for k, pair in enumerate(pairs))
        (work / f"side{side}.txt").write_text(text, "utf-8")
    return work / "side0.txt", work / "side1.txt"


def _single_files(graphs: Sequence[dict[str, Any]], work: Path) -> list[Path]:
    labels: dict[str, int] = {}
    paths = [work / f"single{k}.txt" for k in range(len(graphs))]
    for path, graph in zip(paths, graphs, strict=True):
        path.write_text(_gspan(graph, 1, labels), "utf-8")
    return paths


def _drawn_pairs(work: Path) -> list[tuple[Path, Path]]:
    """Write pairs of random graphs in the format LAD."""
    import networkx as nx

    draws: list[Callable[[int], Any]] = [
        lambda seed: nx.gnp_random_graph(20, 0.2, seed),
        lambda seed: nx.gnp_random_graph(25, 0.2, seed),
        lambda seed: nx.gnp_random_graph(25, 0.5, seed),
        lambda seed: nx.gnp_random_graph(30, 0.1, seed),
        lambda seed: nx.gnp_random_graph(35, 0.1, seed),
        lambda seed: nx.random_labeled_tree(40, seed=seed),
        lambda seed: nx.barabasi_albert_graph(30, 2, seed),
        lambda seed: nx.random_regular_graph(3, 24, seed),
    ]
    pairs = []
    for number, draw in enumerate(draws):
        paths = [work / f"drawn{number}{side}.lad" for side in (0, 1)]
        for side, path in enumerate(paths):
            written(draw(2 * number + side), path)
        pairs.append((paths[0], paths[1]))
    return pairs


def table(job: Job, runs_of: dict[str, list[Run]]) -> Iterator[str]:
    """Yield a job as a section of the page."""
    yield from (f"## {job.title}", "")
    yield f"| program | CPU ms a {job.unit} | times ours | {job.result} |"
    yield "|---|---|---|---|"
    base = 0.0
    for rival in job.rivals:
        runs = runs_of.get(rival.name, [])
        troubles = [rival.lacking, *(one.trouble for one in runs)]
        trouble = next(filter(None, troubles), "" if runs else "not asked for")
        if trouble:
            yield f"| {rival.name} | not run: {trouble} | | |"
            continue
        measured = rival.read(runs)
        assert measured.seconds is not None
        each = 1e3 * measured.seconds / measured.items
        base = base or each
        cells = (rival.name, _short(each), _short(each / base), measured.result)
        yield f"| {' | '.join(cells)} |"
    yield from ("", job.note, "")


def _short(number: float) -> str:
    """Return a number in three digits."""
    return f"{float(f'{number:.3g}'):,g}"


def machine() -> str:
    """Return a line about the machine and versions."""
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        model = re.search(r"model name\s*: (.*)", info.read_text("utf-8"))
        processor = model[1] if model else processor
    return (
        f"{processor}, {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}, load {os.getloadavg()[0]:.0f}"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print the page's tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rivals")
    add = parser.add_argument
    add("--data", type=Path, default=os.environ.get("EXACTMATCH_DATA"))
    add("--our-python", default=sys.executable)
    add("--peer-python", default=sys.executable, help="has smatch, smatchpp, rdkit")
    add("--mtool-python", default=sys.executable, help="has NumPy below 1.24")
    add("--programs", type=Path, help="checkouts of the others, built")
    add("--repeats", type=int, default=3)
    args = parser.parse_args(argv)
    if args.data is None:
        parser.error("--data or EXACTMATCH_DATA must name the folder that holds data/")
    args.data = args.data.resolve()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        history.keep_bytecode(work)
        print(f"Measured on {history.today()}: {machine()}.\n")
        for job in jobs(args, work):
            runs = {
                rival.name: partial(
                    run, rival.command, work, python_path=rival.ours, timeout=600
                )
                for rival in job.rivals
                if not rival.lacking
            }
            runs_of = in_turns(runs, args.repeats, 0, _say)
            print("\n".join(table(job, runs_of)), flush=True)
    return 0


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
