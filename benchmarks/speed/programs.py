"""The programs that are compared: ours under each solver, and the peers.

A program is measured as a user runs it: a whole command in a process of its own.
Peers may live in another environment; one that is absent becomes a row that says
so.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial

from benchmarks.speed.measuring import Run, in_turns, run
from benchmarks.speed.spec import Figure, Row, Setting, middle
from benchmarks.speed.texts import Corpus

VERSIONS = {"smatch": "1.0.4", "smatchpp": "1.8.0"}
"""The versions of the peers that the figures are about."""

RESTARTS = (1, 4, 10)


@dataclass(frozen=True, slots=True)
class Program:
    """Command that scores two files.

    Attributes:
        name: what its row is called.
        peer: the distribution it comes from; ``None`` for ours.
        arguments: after the interpreter; ``{pred}`` and ``{gold}`` are the files.
        read: finds figures in what it writes.
    """

    name: str
    peer: str | None
    arguments: tuple[str, ...]
    read: Callable[[str], dict[str, Figure]]

    def execute(self, setting: Setting, corpus: Corpus) -> Run:
        """Score a corpus."""
        files = {"pred": str(corpus.pred), "gold": str(corpus.gold)}
        arguments = [part.format(**files) for part in self.arguments]
        python = setting.peer_python if self.peer else setting.our_python
        return run(
            [python, *arguments],
            setting.work,
            python_path=not self.peer and passes_python_path(setting),
        )

    def missing(self, setting: Setting) -> str:
        """Why it cannot be run, or nothing."""
        if self.peer is None:
            return ""
        return missing_peer(setting.peer_python, self.peer)


def passes_python_path(setting: Setting) -> bool:
    """Return whether our children see ``PYTHONPATH``; in other environments not."""
    return setting.our_python == sys.executable


@cache
def version_of(python: str, distribution: str) -> str | None:
    """Return the version of a distribution in an environment, or ``None``."""
    code = f"import importlib.metadata as m; print(m.version({distribution!r}))"
    try:
        answer = subprocess.run(
            [python, "-I", "-c", code], capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return answer.stdout.strip() or None


def missing_peer(python: str, peer: str) -> str:
    """Why a peer cannot be run, or nothing."""
    version = version_of(python, peer)
    if version == VERSIONS[peer]:
        return ""
    have = f"is {version}" if version else "is not installed"
    return (
        f"missing: {peer} {VERSIONS[peer]} {have} in {python}; "
        f"pip install 'exactmatch[bench]' or name --peer-python"
    )


def ours(solver: str = "auto", profile: str = "smatch") -> Program:
    """Our own command with a solver and a profile."""
    name = f"exactmatch {solver}"
    if profile != "smatch":
        name += f", {profile} profile"
    return Program(
        name,
        None,
        (
            *("-m", "exactmatch", "{pred}", "{gold}", "--solver", solver),
            *("--profile", profile, "--format", "json", "--quiet"),
        ),
        _our_figures,
    )


def smatch(restarts: int) -> Program:
    """Return the command of smatch 1.0.4."""
    return Program(
        f"smatch -r {restarts}",
        "smatch",
        (
            *("-m", "smatch", "-f", "{pred}", "{gold}"),
            *("-r", str(restarts), "--significant", "4"),
        ),
        _smatch_figures,
    )


def smatchpp() -> Program:
    """Return the command of smatchpp 1.8.0 with its integer linear program."""
    return Program(
        "smatchpp ilp",
        "smatchpp",
        (
            *("-m", "smatchpp", "-a", "{pred}", "-b", "{gold}", "-solver", "ilp"),
            *("-score_type", "micro", "-output_format", "json"),
        ),
        _smatchpp_figures,
    )


def field(setting: Setting, restarts: Iterable[int] = RESTARTS) -> list[Program]:
    """Everything that is compared on a corpus: ours first, then the peers."""
    programs = [ours(), *(ours(solver) for solver in setting.solvers)]
    if "smatch" in setting.peers:
        programs += [smatch(r) for r in restarts]
    if "smatchpp" in setting.peers:
        programs.append(smatchpp())
    return programs


def compared(
    setting: Setting, programs: Iterable[Program], corpus: Corpus
) -> dict[str, Row]:
    """Run programs in turns on the same files; one row each, by name."""
    every = list(programs)
    lacking = {p.name: p.missing(setting) for p in every}
    runs = in_turns(
        {
            p.name: partial(p.execute, setting, corpus)
            for p in every
            if not lacking[p.name]
        },
        setting.repeats,
        setting.warmup,
        setting.say,
    )
    rows = {}
    for program in every:
        if lacking[program.name]:
            setting.say(f"  {program.name}: {lacking[program.name]}")
            rows[program.name] = Row(program.name, note=lacking[program.name])
        else:
            rows[program.name] = row_of(program.name, runs[program.name], program.read)
    return rows


def row_of(
    name: str,
    runs: list[Run],
    read: Callable[[str], dict[str, Figure]] = lambda _: {},
) -> Row:
    """Return the medians of some runs of one command, or why it failed."""
    if runs[0].trouble:
        return Row(name, note=runs[0].trouble)
    return Row(
        name,
        {
            "wall s": middle([r.wall for r in runs]),
            "cpu s": middle([r.cpu for r in runs]),
            "peak MB": max(r.peak for r in runs),
            **read(runs[-1].output),
        },
    )


def _our_figures(output: str) -> dict[str, Figure]:
    (report,) = json.loads(output)["metrics"]
    proven = f"{report['proven']}/{report['pairs']}"
    return {"F1": report["f1"], "proven": proven}


def _smatch_figures(output: str) -> dict[str, Figure]:
    match = re.search(r"F-score: ([\d.]+)", output)
    return {"F1": float(match[1]) if match else None}


def _smatchpp_figures(output: str) -> dict[str, Figure]:
    return {"F1": json.loads(output)["main"]["F1"]["result"] / 100}
