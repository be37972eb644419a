"""Folders of proofs: what they hold, and that what was changed in one is noticed."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.cutting_planes import check

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.studies import verify

SAMPLE = Path(exactmatch.__file__).with_name("sample")
PRED, GOLD = (str(SAMPLE / f"{side}.amr") for side in ("pred", "gold"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return two files of six graphs."""
    place = tmp_path_factory.mktemp("graphs")
    found = []
    for path in (PRED, GOLD):
        graphs = Path(path).read_text("utf-8").split("\n\n")[:6]
        short = place / Path(path).name
        short.write_text("\n\n".join(graphs) + "\n", "utf-8")
        found.append(str(short))
    return found[0], found[1]


def write(files: tuple[str, str], folder: Path, **options: Any) -> Any:
    pred, gold = map(Path, files)
    return exactmatch.evaluate(pred, gold, proofs=str(folder), **options)


def test_every_pair_has_its_problem_and_its_proof(
    files: tuple[str, str], tmp_path: Path
) -> None:
    report = write(files, tmp_path / "p")
    manifest = json.loads((tmp_path / "p" / "manifest.json").read_text("utf-8"))
    assert [pair["index"] for pair in manifest["pairs"]] == list(range(6))
    assert manifest["score"]["f1"] == report.scores[0].score.f1
    for pair, result in zip(manifest["pairs"], report.pairs, strict=True):
        opb, pbp = (
            (tmp_path / "p" / pair[which]["path"]).read_text("ascii")
            for which in ("problem", "proof")
        )
        assert check(opb, pbp) == -pair["value"] == -result.score.matched


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.2", "2.0", "3.0"])
def test_problem_and_proof_take_ten_times_the_certificate_at_most(
    tmp_path: Path, version: str
) -> None:
    folder = tmp_path / "p"
    write((PRED, GOLD), folder, proof_version=version)
    _, *certificates = (folder / "certificates.jsonl").read_text().splitlines()
    for number, line in enumerate(certificates, 1):
        both = (folder / "pairs" / f"{number}{end}" for end in (".opb", ".pbp"))
        assert sum(path.stat().st_size for path in both) <= 10 * len(line)


@pytest.mark.parametrize("version", ["1.2", "2.0", "3.0"])
@pytest.mark.parametrize("zipped", [False, True])
def test_a_folder_is_verified(
    files: tuple[str, str], tmp_path: Path, version: str, zipped: bool
) -> None:
    report = write(files, tmp_path / "p", proof_version=version, gzip=zipped)
    found = verify(str(tmp_path / "p"), *map(Path, files))
    assert found.exit_code == 0
    assert (found.verified, found.f1) == (6, report.scores[0].score.f1)
    head = gzip.open if zipped else open
    name = "1.pbp.gz" if zipped else "1.pbp"
    with head(tmp_path / "p" / "pairs" / name, "rt") as stream:
        assert next(stream).split()[-1].rstrip(";") == version


def edited(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        text = (folder / name).read_text("utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), "utf-8")

    return change


def restated(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    change(manifest)
    path.write_text(json.dumps(manifest), "utf-8")


def forged(folder: Path) -> None:
    """Raise the claim of a proof, and make the manifest fit it."""
    from exactmatch.base.inputs import sha256_of

    proof = folder / "pairs" / "2.pbp"
    text = proof.read_text("ascii")
    head, words, end = text.partition("conclusion BOUNDS ")
    value = int(end.split()[0])
    proof.write_text(head + words + end.replace(str(value), str(value - 1)), "ascii")

    def fit(manifest: dict[str, Any]) -> None:
        manifest["pairs"][1]["proof"]["sha256"] = sha256_of(str(proof))

    restated(folder, fit)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (
            edited("pairs/2.opb", "min: -", "min: -9"),
            "missing, or not that",
        ),
        (edited("pairs/2.pbp", "pol ", "pol 1 "), "missing, or not that"),
        (lambda f: (f / "pairs" / "3.pbp").unlink(), "missing, or not that of"),
        (forged, "claims another value or bound"),
        (edited("certificates.jsonl", "\n", "\n\n"), ""),
        (
            lambda f: restated(f, lambda m: m["pairs"][0].update(value=99)),
            "states another value",
        ),
        (
            lambda f: restated(f, lambda m: m["pairs"].pop()),
            "manifest.json has no such pair",
        ),
        (
            lambda f: restated(f, lambda m: m["score"].update(f1=0.99)),
            "states another score",
        ),
        (
            lambda f: restated(
                f, lambda m: m["pairs"][0]["proof"].update(path="../../x.pbp")
            ),
            "names no file of the pair",
        ),
        (
            lambda f: restated(f, lambda m: m["pairs"].append({"index": 77})),
            "has a pair 78 without",
        ),
    ],
)
def test_a_changed_folder_is_rejected(
    files: tuple[str, str],
    tmp_path: Path,
    change: Callable[[Path], Any],
    complaint: str,
) -> None:
    folder = tmp_path / "p"
    write(files, folder)
    change(folder)
    if not complaint:  # a line that is not JSON is not a proof
        with pytest.raises(InputError):
            verify(str(folder), *map(Path, files))
        return
    found = verify(str(folder), *map(Path, files))
    said = [*found.faults, *(rejection.reason for rejection in found.rejected)]
    assert found.exit_code == 1
    assert any(complaint in text for text in said), said


def refit(folder: Path, name: str, content: bytes) -> None:
    """Replace a proof, and make the manifest fit it."""
    from exactmatch.base.inputs import sha256_of

    (folder / "pairs" / name).write_bytes(content)

    def fit(manifest: dict[str, Any]) -> None:
        digest = sha256_of(str(folder / "pairs" / name))
        manifest["pairs"][1]["proof"]["sha256"] = digest

    restated(folder, fit)


def last_claim(proof: str) -> str:
    """Replace the conclusion by a claim that is true of anything."""
    *lines, _ = proof.splitlines()
    return "\n".join([*lines, "i 1 -1 x1 >= -9 ;"]) + "\n"


def moved(proof: str) -> str:
    """Raise a claim by what is always 1, so that a checker accepts it."""
    return re.sub(
        r"^(e .*)>= (\d+) ;$",
        lambda m: f"{m[1]}+1 x2 +1 ~x2 >= {int(m[2]) + 1} ;",
        proof,
        flags=re.MULTILINE,
    )


@pytest.mark.parametrize("change", [last_claim, moved])
def test_a_claim_about_something_else_is_not_accepted(
    files: tuple[str, str], tmp_path: Path, change: Callable[[str], str]
) -> None:
    """A checker that accepts anything is not counted for what cannot be compared."""
    folder, program = tmp_path / "p", tmp_path / "checker"
    program.write_text("#!/bin/sh\necho Verification succeeded.\n")
    program.chmod(0o755)
    write(files, folder, proof_version="1.2")
    changed = change((folder / "pairs" / "2.pbp").read_text("ascii"))
    refit(folder, "2.pbp", changed.encode("ascii"))
    found = verify(str(folder), *map(Path, files), checker=str(program), jobs=1)
    assert (found.verified, found.accepted, found.exit_code) == (5, 5, 1)
    assert [rejection.index for rejection in found.rejected] == [1]


@pytest.mark.parametrize(
    ("says", "accepted"),
    [
        ("Verification succeeded.", 6),
        ("s VERIFIED BOUNDS $BOUND <= obj <= $BOUND", 6),
        ("Verification succeeded.\ns VERIFIED BOUNDS $BOUND <= obj <= $BOUND", 6),
        ("Verification succeeded.\ns VERIFIED BOUNDS -999 <= obj <= $BOUND", 0),
        ("Verification succeeded.\ns VERIFIED BOUNDS -999 <= obj <= INF", 0),
        ("Verification succeeded.\ns VERIFIED NO CONCLUSION", 0),
        ("s VERIFIED SAT", 0),
        ("s VERIFIED BOUNDS", 0),
        ("no Verification succeeded.", 0),
        ("", 0),
    ],
)
def test_what_another_checker_says_is_compared(
    files: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    says: str,
    accepted: int,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    program = tmp_path / "checker"
    program.write_text(
        "#!/bin/sh\nBOUND=$(sed -n 's/^conclusion BOUNDS \\(-[0-9]*\\) .*/\\1/p' $2)\n"
        f'echo "{says}"\n'
    )
    program.chmod(0o755)
    write(files, tmp_path / "p")
    found = verify(str(tmp_path / "p"), *map(Path, files), checker=str(program), jobs=2)
    assert found.accepted == accepted
    assert len(found.rejected) == 6 - accepted


@pytest.mark.parametrize("how", ["cut", "cut at its end", "changed", "added", "text"])
def test_a_damaged_compressed_proof_is_rejected(
    files: tuple[str, str], tmp_path: Path, how: str
) -> None:
    folder = tmp_path / "p"
    write(files, folder, gzip=True)
    whole = (folder / "pairs" / "2.pbp.gz").read_bytes()
    changed = {
        "cut": whole[: len(whole) // 2],
        "cut at its end": whole[:-9],
        "changed": whole[:20] + bytes(255 - b for b in whole[20:24]) + whole[24:],
        "added": whole + gzip.compress(b"pol 1\n"),
        "text": gzip.decompress(whole),
    }[how]
    refit(folder, "2.pbp.gz", changed)
    found = verify(str(folder), *map(Path, files))
    ((index, reason),) = found.rejected
    assert (index, found.verified, found.exit_code) == (1, 5, 1)
    assert "cannot be read" in reason or "after its end" in reason


def test_the_commands(files: tuple[str, str], tmp_path: Path, cli: Cli) -> None:
    folder = tmp_path / "p"
    cli.out("score", *files, "--proofs", str(folder), "--gzip", "--zip")
    out = cli.out("verify", str(folder), *files)
    assert out.startswith(
        "6 verified, 6 of them optimal\nF1 of all pairs, as proven: 0."
    )
    with zipfile.ZipFile(tmp_path / "p.zip") as deposited:
        names = set(deposited.namelist())
    assert {"p/manifest.json", "p/README.txt", "p/pairs/6.pbp.gz"} <= names


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["score", "A", "B", "--proofs", "FULL"], "is not empty; name a new folder"),
        (
            ["score", "A", "B", "--proofs", "NEW", "--metric", "sembleu"],
            "one metric",
        ),
        (["score", "A", "B", "B", "--proofs", "NEW"], "are about two files"),
        (
            ["score", "A", "B", "--proofs", "NEW", "--solver", "highs"],
            "no certificates",
        ),
        (["verify", "FULL", "A", "B"], "has no manifest.json"),
        (["verify", "A", "--with", "veripb"], "is not a folder of proofs"),
    ],
)
def test_what_makes_no_sense_is_refused(
    files: tuple[str, str], tmp_path: Path, cli: Cli, args: list[str], complaint: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    places = {"A": files[0], "B": files[1], "NEW": str(tmp_path / "new")}
    places["FULL"] = str(tmp_path / "full")
    code, out, err = cli(*[places.get(arg, arg) for arg in args])
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") <= 2
    assert (tmp_path / "full" / "letter.txt").read_text() == "mine"


def test_a_program_that_is_not_there_is_named(
    files: tuple[str, str], tmp_path: Path
) -> None:
    write(files, tmp_path / "p")
    with pytest.raises(InputError, match="--with nobody: there is no such program"):
        verify(str(tmp_path / "p"), *map(Path, files), checker="nobody")


def test_another_program_is_asked_once_for_each_proof(
    files: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it has accepted is remembered by content, what it rejects is asked again."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    log = tmp_path / "log"
    program = tmp_path / "checker"
    program.write_text(
        f'#!/bin/sh\necho "$2" >> {log}\n'
        'case "$2" in *2.pbp) echo "no good" >&2; exit 1;; esac\n'
        "echo Verification succeeded.\n"
    )
    program.chmod(0o755)
    write(files, tmp_path / "p", gzip=True)
    for calls in (6, 7):
        found = verify(
            str(tmp_path / "p"), *map(Path, files), checker=str(program), jobs=2
        )
        assert found.accepted == 5
        assert [r.index for r in found.rejected] == [1]
        assert "no good" in found.rejected[0].reason
        assert len(log.read_text().splitlines()) == calls


def test_an_error_leaves_an_empty_folder(tmp_path: Path, cli: Cli) -> None:
    for name, last in (("a", "(c / d"), ("b", "(c / d))")):
        (tmp_path / name).write_text(f"(a / b)\n\n{last}\n")
    files = (str(tmp_path / "a"), str(tmp_path / "b"))
    assert cli("score", *files, "--proofs", str(tmp_path / "p")).code == 2
    assert list((tmp_path / "p").iterdir()) == []
