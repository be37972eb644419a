"""Files are written whole or not at all, and nothing is left beside them."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import pytest

from exactmatch.base.errors import InputError
from exactmatch.base.files import (
    atomic_output,
    check_writable,
    replacing,
    write_bytes,
)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def names() -> list[Any]:
    return sorted(path.name for path in Path().iterdir())


def test_text_takes_the_place_when_it_is_complete() -> None:
    Path("out").write_text("old")
    with atomic_output("out") as stream:
        stream.write("new\n")
        assert Path("out").read_text() == "old"
    assert Path("out").read_bytes() == b"new\n"
    assert names() == ["out"]


def test_links_that_go_in_circles_are_no_place() -> None:
    Path("one").symlink_to("two")
    Path("two").symlink_to("one")
    said = "one: cannot be written: links go in circles"
    with pytest.raises(InputError, match=said), atomic_output("one"):
        pass
    with pytest.raises(InputError, match=said):
        check_writable("one")
    assert Path("one").is_symlink()
    assert names() == ["one", "two"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, SystemExit])
def test_whatever_ends_the_writing_leaves_the_old_file(error: Any) -> NoReturn:
    Path("out").write_text("old")
    with pytest.raises(error), atomic_output("out") as stream:  # noqa: PT012  raised in there
        stream.write("half")
        raise error
    assert Path("out").read_text() == "old"
    assert names() == ["out"]


def test_a_new_file_has_the_usual_mode_and_an_old_one_keeps_its_own() -> None:
    Path("plain").write_text("")
    Path("secret").write_text("")
    Path("secret").chmod(0o600)
    write_bytes("new", b"")
    with replacing(Path("secret")) as file:
        (part,) = (p for p in Path().iterdir() if p.name.startswith(".secret"))
        assert part.stat().st_mode & 0o777 == 0o600
        file.write(b"x")
    assert Path("new").stat().st_mode == Path("plain").stat().st_mode
    assert Path("secret").stat().st_mode & 0o777 == 0o600
    assert Path("secret").read_bytes() == b"x"


def test_links_stay_and_what_they_lead_to_is_written() -> None:
    Path("folder").mkdir()
    Path("folder/real").write_text("old")
    Path("link").symlink_to("folder/real")
    write_bytes("link", b"new")
    assert Path("link").is_symlink()
    assert Path("folder/real").read_bytes() == b"new"


def test_devices_and_pipes_are_written_to_as_they_are() -> None:
    before = Path(os.devnull).stat()
    with atomic_output(os.devnull) as stream:
        stream.write("nobody reads this")
    assert Path(os.devnull).stat().st_mode == before.st_mode
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    with atomic_output("pipe") as stream:
        stream.write("through\n")
    assert os.read(reader, 100) == b"through\n"
    os.close(reader)
    assert names() == ["pipe"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [("no/such", "No such file"), (".", "is a folder"), ("x" * 300, "too long")],
)
def test_what_cannot_be_written_is_refused_before_any_work(
    path: str, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        check_writable(path)
    with pytest.raises(InputError, match=reason), atomic_output(path):
        pytest.fail("there was work")
    assert names() == []


def test_a_write_protected_file_is_not_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its folder would allow it; and whoever is root may write to anything."""
    Path("out").write_text("old")
    Path("out").chmod(0o444)
    asked: list[str] = []

    def access(path: str | Path, mode: int) -> bool:
        asked.append(str(path))
        return bool(Path(path).stat().st_mode & 0o222) or mode != os.W_OK

    monkeypatch.setattr(os, "access", access)
    with (
        pytest.raises(InputError, match="out: is write-protected; name another file"),
        atomic_output("out"),
    ):
        pytest.fail("there was work")
    assert Path("out").read_text() == "old"
    assert [Path(path).name for path in asked] == ["out"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_standard_output_is_an_error_and_a_closed_pipe_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with (
            pytest.raises(InputError, match="standard output: cannot be written: No"),
            atomic_output(None) as stream,
        ):
            stream.write("text")
        os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w", encoding="utf-8") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        with pytest.raises(BrokenPipeError), atomic_output(None) as stream:
            stream.write("text")
        os.dup2(os.open(os.devnull, os.O_WRONLY), gone.fileno())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_is_written_to_and_not_replaced() -> None:
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    for name in ("pipe", "link"):
        check_writable(name)
        write_bytes(name, b"some bytes")
        assert os.read(reader, 99) == b"some bytes"
        with suppress(ValueError), replacing(name) as file:
            file.write(b"half")
            raise ValueError
        assert os.read(reader, 99) == b""  # half of an output is not written
        assert not os.path.isfile("pipe")
    os.close(reader)
    assert names() == ["link", "pipe"]


def test_checking_leaves_things_as_they_are() -> None:
    Path("out").write_text("old")
    check_writable("out")
    check_writable("new")
    assert names() == ["out"]
    assert Path("out").read_text() == "old"


def test_a_long_name_has_room() -> None:
    write_bytes("x" * 250, b"1")
    assert names() == ["x" * 250]


_HOLD = """
import sys
from contextlib import suppress
from pathlib import Path
from exactmatch.base.files import replacing
with replacing(Path("out")) as file:
    file.write(b"theirs")
    print("open", flush=True)
    sys.stdin.read()
"""


def holding() -> Any:
    """Another process that has begun to write ``out``."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout.readline() == b"open\n"
    return process


def finished(process: Any) -> Any:
    process.communicate()
    return process.returncode


def test_only_what_a_dead_process_left_is_removed() -> None:
    """One killed, one alive; files that merely look alike stay, whoever made them."""
    look_alikes = [".out.backup.part", ".out.exactmatch-0.part", ".other.part"]
    for name in look_alikes:
        Path(name).write_text("mine")
    killed, alive = holding(), holding()
    killed.kill()
    finished(killed)
    assert len(names()) == len(look_alikes) + 2
    write_bytes("out", b"ours")
    (theirs,) = set(names()) - {*look_alikes, "out"}
    assert Path("out").read_bytes() == b"ours"
    assert Path(theirs).exists()
    assert finished(alive) == 0
    assert Path("out").read_bytes() == b"theirs"
    assert names() == sorted([*look_alikes, "out"])


LIMITED = """
import resource, signal, sys
from exactmatch.cli.main import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of POSIX")
@pytest.mark.parametrize("option", ["-o", "--certificates"])
def test_a_file_that_cannot_grow_is_named(option: str) -> None:
    """As on a full disk; which of several files it is, its owner has to know.

    Compiled modules are not kept (``-B``): they would be cut off, too.
    """
    other = {"-o": "--certificates", "--certificates": "-o"}[option]
    words = ["sample", "-q", "--per-pair", option, "full", other, os.devnull]
    done = subprocess.run(
        [sys.executable, "-Bc", LIMITED, *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("exactmatch: error: full: ")
    assert done.stderr.count("\n") == 1
    assert names() == []
