"""Command lines made at random, about files that are broken at random.

Whatever it is given, the program ends with one of its exit codes: never with a
traceback, in at most ten seconds of work and within a gigabyte.  ``make fuzz N=100000``
makes a campaign of it; a failure names the seed, and ``case(seed)`` makes it again.
"""

import gc
import json
import os
import random
import shlex
import signal
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn

import pytest
from support.mutations import mutated_json, mutated_text

from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.main import main
from exactmatch.cli.parsers import make_parser
from exactmatch.metrics import METRICS
from exactmatch.solvers import SOLVERS

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "2000")) // 10
FIRST = int(os.environ.get("EXACTMATCH_FUZZ_FIRST", "0"))

LONGEST = 10.0
"""Seconds of work for one command line."""

LARGEST = 1 << 30
"""Bytes that the campaign may add to the process."""

NEVER = {
    "--help", "--jobs", "--encoder", "--output", "--against", "--full-help",
}  # fmt: skip
"""Options that leave the process, the folder or the machine."""

VERDICTS = {0, 1, 2, 130}

NUMBERS = ("0", "0.0", "1", "-1", "2", "3", "0.5", "1e-9", "nan", "inf", "x", "", "1,2")

WORDS: tuple[str, ...] = (
    *("(", ")", "/", ":", '"', " ", "\n", "\t", "~e.1", "-of", "#", "\x1b[2J", "é"),
    *("\ufeff", "\x00", ":ARG0", ":mod", ":op1", "_", "b", "0", "::id", "\\", "{", "}"),
)

GRAPHS = """
# ::id 1
# ::snt the boy wants to go
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

# ::id 2
(s / see-01 :ARG0 (p / person :name (n / name :op1 "New York" :op2 "X"))
   :ARG1 (d / dog :quant 2 :mod (s2 / small) :location-of (h / house)) :polarity -)

# ::id 3
(m / multi-sentence :snt1 (a / and :op1 (x / cat~e.1) :op2 (y / dog)) :snt2 (z / run-02
   :ARG0 y :time (d / date-entity :year 2020)))
"""
VECTORS = "go 1 0 0\nboy 0.9 0.1 0\ndog 0 1 0\ncat 0 0.8 0.3\nrun nan 1 1\n"
CONLL = (
    "1\tthe\tthe\tthe\tDT\tDT\t_\t_\t2\t2\tA\tA\t_\t_\t_\n"
    "2\tboy\tboy\tboy\tNN\tNN\t_\t_\t3\t3\tB\tB\t_\t_\tA0\n"
    "3\tgoes\tgo\tgo\tVB\tVB\t_\t_\t0\t0\tR\tR\tY\tgo.01\t_\n\n"
)
JUDGEMENT = "0.5\n1\n3.25\n"
PREFERENCES = "id\tsystem\tscore\n1\ta\t3\n1\tb\t2\n2\ta\t1\n2\tb\t4\n"
SENTENCES = "the boy goes\na dog runs\n\nit rains\n"

KINDS = {
    "amr": GRAPHS,
    "vec": VECTORS,
    "conll": CONLL,
    "txt": JUDGEMENT,
    "tsv": PREFERENCES,
    "snt": SENTENCES,
}


def write_files(rng: random.Random, folder: Any, proofs: Any) -> list[Any]:
    """A folder of broken files, and some that are as they should be."""
    names = []
    for kind, text in KINDS.items():
        for k in range(2 if kind != "amr" else 4):
            path = folder / f"{k}.{kind}"
            broken = mutated_text(rng, text, WORDS) if rng.random() < 0.7 else text
            path.write_bytes(broken.encode("utf-8", "surrogatepass"))
            if rng.random() < 0.03:
                path.write_bytes(rng.randbytes(40))
            names.append(path.name)
    lines = [*proofs]
    at = rng.randrange(len(lines))
    lines[at] = json.dumps(mutated_json(rng, json.loads(lines[at])))
    (folder / "0.jsonl").write_text("\n".join(lines))
    return [*names, "0.jsonl", "nowhere", "."]


def option(rng: random.Random, action: Any, names: Any) -> list[Any]:
    """One option of a command, with a value that may or may not fit."""
    flag = rng.choice(action.option_strings)
    if action.nargs == 0:
        return [flag]
    if action.dest == "metric" and rng.random() < 0.8:
        value = ",".join(rng.sample(list(METRICS), rng.choice((1, 1, 2))))
    elif action.dest == "solver" and rng.random() < 0.8:
        value = rng.choice([n for n in SOLVERS if n not in ("cbc", "pulp")])
    elif action.choices and rng.random() < 0.9:
        value = rng.choice(list(action.choices))
    elif action.type is None or "FILE" in str(action.metavar):
        value = rng.choice(names)
    else:
        value = rng.choice(NUMBERS)
    how_many = action.nargs if isinstance(action.nargs, int) else 1
    return [flag, *[str(value)] * how_many]


LEFT_OUT = ("completion", "plugins", "solvers")
"""The commands without files, or without an end."""


def command_line(rng: random.Random, names: Any) -> list[Any]:
    """A command, some files and some options."""
    command = rng.choice([name for name in COMMANDS if name not in LEFT_OUT])
    module = COMMANDS[command]
    metrics = ["--metric", ",".join(METRICS)] if rng.random() < 0.5 else []
    parser = make_parser(module, f"exactmatch {command}", metrics)
    actions = [
        action
        for action in parser._actions
        if action.option_strings and not NEVER & set(action.option_strings)
    ]
    graphs = [name for name in names if name.endswith(".amr")]
    usual = {"yisi": [n for n in names if n[-3:] in ("snt", "nll")]}.get(
        command, graphs
    )
    arguments = [
        rng.choice(usual if rng.random() < 0.9 else names)
        for _ in range(rng.choice((1, 2, 2, 2, 3, 3, 4)))
    ]
    if command == "verify":
        arguments.insert(0, "0.jsonl")
    elif command == "correlate":
        arguments = [*arguments[:2], rng.choice(("0.txt", "1.txt", "0.tsv"))]
    for action in rng.sample(
        actions, min(rng.choice((0, 0, 1, 1, 2, 3)), len(actions))
    ):
        at = rng.randrange(len(arguments) + 1)
        arguments[at:at] = option(rng, action, names)
    if rng.random() < 0.7:
        arguments.append("-q")
    return [command, *arguments]


class TooLongError(BaseException):
    """A command line works for more than ten seconds."""


def give_up(*_: Any) -> NoReturn:
    raise TooLongError


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("proofs")
    sample = [
        str(files("exactmatch") / "sample" / f"{n}.amr") for n in ("pred", "gold")
    ]
    command = [*sample, "-q", "--output", str(folder / "scores")]
    assert main([*command, "--certificates", str(folder / "proofs.jsonl")]) == 0
    return (folder / "proofs.jsonl").read_text().splitlines()


def case(seed: int, folder: Any, proofs: Any) -> Any:
    """The command line of one seed; its files are written to the folder."""
    rng = random.Random(seed)
    return command_line(rng, write_files(rng, folder, proofs))


def resident() -> int:
    """Bytes of memory that this process occupies."""
    with open("/proc/self/statm") as status:
        return int(status.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGVTALRM"), reason="no timer of work done")
@pytest.mark.filterwarnings("default")
def test_any_command_line_ends_well(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    proofs: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    signal.signal(signal.SIGVTALRM, give_up)
    before = resident() if Path("/proc/self/statm").exists() else 0
    failures = []
    codes = dict.fromkeys(sorted(VERDICTS), 0)
    for seed in range(FIRST, FIRST + CASES):
        arguments = case(seed, tmp_path, proofs)
        signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
        try:
            code: Any = main(list(arguments))
        except SystemExit as end:
            code = end.code or 0
        except BaseException as error:
            code = f"{type(error).__name__}: {error}"
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        told = capsys.readouterr()
        if code not in VERDICTS or "Traceback" in told.err:
            failures.append(f"{seed}: {shlex.join(arguments)}: {code}")
        else:
            codes[code] += 1
        if seed % 200 == 0 and before and resident() - before > LARGEST:
            failures.append(f"{seed}: occupies {resident() - before:,} bytes")
            break
    gc.unfreeze()
    assert not failures, "\n".join(failures[:20])
    assert codes[0] > CASES / 20, codes
