"""The command line as a process: the signals that end it, and what is left then."""

from __future__ import annotations

import gc
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support.command import record_in
from support.files import Files

from exactmatch.cli.main import main

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="signals of POSIX"),
]

EASY = 100
"""Pairs before the hard one: enough for the first to come back before its turn."""

GRAPH = "# ::id {}\n(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))\n\n"

RUN = "from exactmatch.__main__ import main\nsys.exit(main())"

STARTED: list[Any] = []

CODES = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> Iterator[None]:
    files.enter()
    easy = "".join(GRAPH.format(k) for k in range(EASY))
    files.one("pred.amr", f"{easy}{hard(1)}\n")
    files.one("gold.amr", f"{easy}{hard(2)}\n")
    yield
    for process in STARTED:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    STARTED.clear()


def hard(seed: int) -> str:
    """A graph whose nodes are all alike: a pair of these takes hours to solve."""
    draw = random.Random(seed)
    inner = ""
    for k in reversed(range(40)):
        links = " ".join(f":r v{draw.randrange(k)}" for _ in range(3) if k)
        inner = f"(v{k} / x {links} {':r ' if inner else ''}{inner})"
    return inner


HEARD = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
"""
"""So that signals are heard where the tests themselves run in the background."""


def started(*arguments: str, code: str = "", **options: Any) -> Any:
    """A process of its own group that runs the command line, after some code."""
    process = subprocess.Popen(
        [sys.executable, "-c", f"import sys\n{HEARD}\n{code}\n{RUN}", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )
    STARTED.append(process)
    return process


def half_way(*arguments: str, **options: Any) -> Any:
    """A run that has scored its first pair and will never be done with its last."""
    files = ("pred.amr", "gold.amr", "--solver", "bnb")
    process = started(*files, "-v", *arguments, **options)
    assert "pair 1" in process.stderr.readline()
    return process


def ended(process: Any) -> tuple[int, str, list[str]]:
    """Exit code, output and the lines of messages that are not about pairs."""
    out, err = process.communicate(timeout=240)  # workers end when they notice
    begun = err.replace("exactmatch: ", "\nexactmatch: ")  # a line may be cut off
    lines = [
        line
        for line in begun.splitlines()
        if not line.startswith("exactmatch: pair ")
        and not line.endswith(" ms")  # the first one lacks what was read with "pair 1"
    ]
    return process.returncode, out, list(filter(None, lines))


def wait_until_gone(group: int) -> None:
    """Wait until no process of a group runs; the init process buries the dead."""
    for _ in range(600):
        if not any(_runs(path, group) for path in Path("/proc").glob("[0-9]*/stat")):
            return
        time.sleep(0.05)
    pytest.fail("processes are left")


def _runs(path: Path, group: int) -> bool:
    try:
        state, _, its_group = path.read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return False
    return int(its_group) == group and state != "Z"


def left_behind() -> set[str]:
    return {path.name for path in Path().iterdir()} - {"pred.amr", "gold.amr"}


def test_the_callers_garbage_collector_is_left_alone() -> None:
    """What a program frees after a call of ours can be freed, and its settings stay."""
    before = gc.get_threshold(), gc.get_freeze_count()
    Path("one.amr").write_text(GRAPH)
    assert main(["one.amr", "one.amr"]) == 0
    assert (gc.get_threshold(), gc.get_freeze_count()) == before


def test_at_the_end_no_object_is_left_to_the_garbage_collector() -> None:
    """Which would go over all of them once more before the process is gone."""
    program = (
        "import gc, sys; from exactmatch.cli.process import run; "
        "sys.argv[1:] = ['solvers']; run(); left = len(gc.get_objects()); "
        "print(left < gc.get_freeze_count() / 10, file=sys.stderr)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stderr == "True\n"


@pytest.mark.parametrize("name", CODES)
def test_a_signal_ends_a_run_with_a_partial_report(name: str) -> None:
    process = half_way("--format", "json")
    process.send_signal(getattr(signal, name))
    code, out, lines = ended(process)
    assert code == CODES[name]
    found = record_in(out)
    assert found["partial"]
    assert 0 < found["pairs"] <= EASY + 1
    assert found["f1"] <= 1.0 <= found["f1_upper"]
    *before, last = lines
    assert last == "exactmatch: interrupted; what is shown is partial"
    unproven = f"smatch: 1 of {found['pairs']} pairs are not proven optimal"
    assert before in ([], [f"exactmatch: {unproven}"])  # the pair it was at


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("whole_group", [True, False], ids=["group", "parent"])
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_signal_leaves_no_part_of_a_file_and_no_process(
    name: str, whole_group: bool
) -> None:
    """A terminal signals the whole group, ``kill`` and a scheduler the parent."""
    process = half_way("-j", "2", "-o", "out", "--certificates", "cert")
    number = getattr(signal, name)
    if whole_group:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    code, _, lines = ended(process)
    assert code == CODES[name]
    assert lines == ["exactmatch: interrupted; what is shown is partial"]
    assert left_behind() == {"out", "cert"}
    assert "PARTIAL" in Path("out").read_text()
    wait_until_gone(process.pid)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_what_a_killed_run_left_is_removed_by_the_next() -> None:
    """But not what a run that is still alive has begun."""
    killed = half_way("-j", "2", "-o", "out", "--certificates", "cert")
    killed.kill()
    code, _, lines = ended(killed)
    assert (code, lines) == (-signal.SIGKILL, [])
    wait_until_gone(killed.pid)
    assert len(left_behind()) == 2
    alive = half_way("-o", "out")
    assert len(left_behind()) == 2
    Path("small.amr").write_text(GRAPH)
    files = ("small.amr", "small.amr", "-o", "out", "--certificates", "cert")
    assert ended(started(*files)) == (0, "", [])
    Path("small.amr").unlink()
    (part,) = left_behind() - {"out", "cert"}
    alive.send_signal(signal.SIGTERM)
    assert ended(alive)[0] == CODES["SIGTERM"]
    assert not Path(part).exists()
    assert "PARTIAL" in Path("out").read_text()


SLOW_UNLINK = """
import pathlib
unlink = pathlib.Path.unlink
def slow(path, *args, **options):
    print("unlinking", file=sys.stderr, flush=True)
    sys.stdin.readline()
    unlink(path, *args, **options)
pathlib.Path.unlink = slow
"""
"""Unlinks as soon as it is told to, by a line."""


@pytest.mark.parametrize("name", CODES)
def test_a_second_signal_does_not_disturb_the_end(name: str) -> None:
    """A window that is closed may send two; the first one's work is done whole."""
    files = ("pred.amr", "gold.amr", "--solver", "bnb")
    arguments = ("report", *files, "-o", "out")
    process = started(*arguments, code=SLOW_UNLINK, stdin=subprocess.PIPE)
    while not any(path.suffix == ".part" for path in Path().iterdir()):
        time.sleep(0.05)
    process.send_signal(getattr(signal, name))
    assert process.stderr.readline() == "unlinking\n"
    process.send_signal(getattr(signal, name))  # delivered before the line is read
    process.stdin.write("\n")
    assert ended(process) == (CODES[name], "", ["exactmatch: interrupted"])
    assert not any(path.suffix == ".part" for path in Path().iterdir())


def test_a_signal_that_was_ignored_stays_ignored() -> None:
    """As under ``nohup``."""
    ignore = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    process = half_way("--format", "json", code=ignore)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert ended(process)[0] == CODES["SIGTERM"]


SLOW_IMPORT = """
class Slow:
    def find_spec(self, name, *_):
        if name == {name!r}:
            print("waiting", file=sys.stderr, flush=True)
            import time
            time.sleep(60)
sys.meta_path.insert(0, Slow())
"""


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize(
    "module", ["exactmatch.cli.main", "exactmatch.cli.questions", "numpy"]
)
def test_a_signal_during_the_start_is_one_line(name: str, module: str) -> None:
    code = SLOW_IMPORT.format(name=module)
    process = started("pred.amr", "gold.amr", "--solver", "cpsat", code=code)
    assert process.stderr.readline() == "waiting\n"
    process.send_signal(getattr(signal, name))
    assert ended(process) == (CODES[name], "", ["exactmatch: interrupted"])


def test_ctrl_c_before_the_handlers_are_set_is_one_line() -> None:
    code = SLOW_IMPORT.format(name="exactmatch.cli.process")
    process = started("pred.amr", "gold.amr", code=code)
    assert process.stderr.readline() == "waiting\n"
    process.send_signal(signal.SIGINT)
    assert ended(process) == (130, "", ["exactmatch: interrupted"])


DEAF = """
import time
class Deaf:
    def __del__(self):
        print("waiting", file=sys.stderr, flush=True)
        time.sleep(0.5)
class Finder:
    def find_spec(self, name, *_):
        if name == "exactmatch.cli.questions":
            found = Deaf()
            del found
            time.sleep(60)
sys.meta_path.insert(0, Finder())
"""


def test_a_signal_inside_a_destructor_is_not_lost() -> None:
    """Python only prints what a destructor raises, and goes on."""
    process = started("pred.amr", "gold.amr", code=DEAF)
    assert process.stderr.readline() == "waiting\n"
    process.send_signal(signal.SIGTERM)
    assert ended(process) == (143, "", ["exactmatch: interrupted"])


def test_a_terminal_that_is_gone_changes_nothing() -> None:
    """Closing a window sends SIGHUP, and nobody reads what is said then."""
    process = half_way()
    process.stdout.close()
    process.stderr.close()
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=60) == CODES["SIGHUP"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        *(["--version"], ["--cite"], ["help"], ["solvers"], ["sample", "-q"]),
        *(["score", "--help"], ["score", "--help-all"]),
    ],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_cannot_be_shown_is_an_error(
    arguments: list[str], unbuffered: str
) -> None:
    """A full disk behind standard output; a reader that has gone is none."""
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    for place, code in (("> /dev/full", 2), ("| true; exit ${PIPESTATUS[0]}", 0)):
        words = [sys.executable, "-m", "exactmatch", *arguments]
        command = f"{' '.join(words)} {place}"
        done = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        assert done.returncode == code
        assert ("No space left on device" in done.stderr) == bool(code)
        assert "Traceback" not in done.stderr


CLOSED = {
    "sample -q >&-": (2, "standard output: cannot be written: Bad file descriptor"),
    "--version >&-": (2, "standard output: cannot be written: Bad file descriptor"),
    "sample -q -o out >&- <&-": (0, ""),
    "sample -q -o out -j 2 >&- <&- 2>&-": (0, ""),
    "- gold.amr <&-": (2, "standard input: Bad file descriptor"),
    "no.amr gold.amr 2>&-": (2, ""),
}


@pytest.mark.parametrize("command", CLOSED)
def test_a_stream_that_is_closed_from_the_start_is_no_file_of_ours(
    command: str,
) -> None:
    code, said = CLOSED[command]
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m exactmatch {command}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == bool(said)
    if "-o out" in command:
        assert Path("out").read_text() == "0.7880\n"


NAME = "é\u65e5\N{SMILING FACE WITH SMILING EYES}"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16", "utf-8:strict"])
def test_files_and_pipes_are_utf_8_whatever_the_system_has(encoding: str) -> None:
    Path("a.amr").write_text(f"# ::id {NAME}\n(a / b)\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "LC_ALL": "C"}
    for command in (
        ["convert", "a.amr", "--to", "penman"],
        ["align", "a.amr", "a.amr", "--format", "jsonl", "-q"],
        ["report", "a.amr", "a.amr"],
        ["score", "a.amr", "a.amr", "--per-pair", "--format", "csv"],
    ):
        whole = [sys.executable, "-m", "exactmatch", *command]
        done = subprocess.run(whole, capture_output=True, env=environment, check=True)
        with open("out", "wb") as file:
            subprocess.run(whole, stdout=file, env=environment, check=True)
        for content in (done.stdout, Path("out").read_bytes()):
            text = content.decode("utf-8")
            if command[0] != "report":  # whose pairs are packed
                assert NAME in text
            assert "\\u65e5" not in text


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("ascii", r"\u00e9\u65e5\ud83d\ude0a"),
        ("cp1252", "\xe9" + r"\u65e5\ud83d\ude0a"),
        ("utf-8", NAME),
    ],
)
def test_what_a_terminal_cannot_show_is_escaped(encoding: str, shown: str) -> None:
    pty = pytest.importorskip("pty")
    Path("a.amr").write_text(f"# ::id {NAME}\n(a / b)\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    arguments = ["align", "a.amr", "a.amr", "--format", "jsonl", "-q"]
    master, slave = pty.openpty()
    with open(master, "rb", buffering=0) as screen:
        whole = [sys.executable, "-m", "exactmatch", *arguments]
        subprocess.run(whole, stdout=slave, env=environment, check=True)
        os.close(slave)
        seen = b""
        with suppress(OSError):  # how a terminal ends on Linux
            while part := screen.read(4096):
                seen += part
    text = seen.decode(encoding)
    assert shown in text
    assert json.loads(text)["id"] == NAME


def test_a_current_folder_that_is_gone_is_no_obstacle(tmp_path: Path) -> None:
    """Files are looked for where they are said to be; those beside it are missing."""
    Path("easy.amr").write_text(GRAPH.format(0))
    files = [str(Path("easy.amr").resolve())] * 2
    outside = str(tmp_path / "out")
    gone = "import os; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')"
    code, out, lines = ended(started(*files, "--format", "json", code=gone))
    assert (code, lines, record_in(out)["f1"]) == (0, [], 1)
    assert ended(started(*files, "-o", outside, code=gone)) == (0, "", [])
    for words, said in (
        (["pred.amr", "gold.amr"], "pred.amr: no such file"),
        ([*files, "-o", "out"], "out: cannot be written: No such file or directory"),
    ):
        answer = ended(started(*words, code=gone))
        assert answer == (2, "", [f"exactmatch: error: {said}"])


def test_a_signal_before_handlers_are_set_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from exactmatch import __main__
    from exactmatch.cli import process

    def interrupted() -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(process, "run", interrupted)
    assert __main__.main() == 130
    assert capsys.readouterr().err == "exactmatch: interrupted\n"
