"""A pair that is in the cache is not scored again, and what is there is never wrong."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files
from support.running import score_files
from support.scored import evaluate_items

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.base import Pair
from exactmatch.scoring import cache
from exactmatch.scoring.cache import FILE, SECRET, PairCache
from exactmatch.scoring.reporter import Reporter
from exactmatch.scoring.settings import Settings
from exactmatch.solvers.solution import Solution

PREDS = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(a / and :op1 (t / team :mod (c / big)) :op2 (u / team :mod (d / big)))",
    "(d / dog)",
]
GOLDS = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (l / leave-11 :ARG0 b))",
    "(a / and :op1 (t / team :poss (c / big)) :op2 (u / team :mod (d / big)))",
    "(c / cat :mod (b / big))",
]
METRICS = ["smatch", "s2match", "sembleu", "yisi"]


@pytest.fixture
def pair(files: Files) -> list[str]:
    """A file of predictions and one of references."""
    return files.pair("\n\n".join(PREDS), "\n\n".join(GOLDS))


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The keys of pairs, once for each metric under which one was really compared."""
    from exactmatch.scoring.cache import PairCache

    found: list[bytes] = []
    really = PairCache.put

    def counted(self: PairCache, key: bytes, pair: Pair) -> None:
        found.append(key)
        really(self, key, pair)

    monkeypatch.setattr(PairCache, "put", counted)
    return found


def timeless(result: Any) -> Any:
    """A result without the time that its solution took."""
    result = replace(result, stored=False)
    if result.solution is None:
        return result
    solution = replace(result.solution, seconds=0.0)
    return replace(result, solution=solution, score=replace(result.score))


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_second_time_nothing_is_compared(
    pair: list[str], tmp_path: Path, compared: list[bytes], jobs: int
) -> None:
    plain = score_files(*pair, metrics=METRICS)
    compared.clear()
    settings = Settings(cache=tmp_path / "kept", jobs=jobs)
    first = score_files(*pair, metrics=METRICS, settings=settings)
    compared.clear()
    second = score_files(
        *pair, metrics=METRICS, settings=Settings(cache=tmp_path / "kept")
    )
    assert not compared
    assert first.scores == plain.scores
    for one, other in zip(second.scores, plain.scores, strict=True):
        about = "|cached:3/3|"
        assert one == replace(other, stored=3, signature=one.signature)
        assert one.signature.replace(about, "|") == other.signature != one.signature
    for report in (first, second):
        assert list(map(timeless, report.pairs)) == list(map(timeless, plain.pairs))
    assert "from the cache, proven when stored" in repr(second["smatch"])


@pytest.mark.parametrize(
    ("metrics", "told"), [("smatch", True), (["smatch", "yisi"], False)]
)
def test_a_cache_that_saves_no_time_is_remarked_upon(
    pair: list[str], tmp_path: Path, metrics: Any, told: bool
) -> None:
    remarks: list[str] = []

    class Hearing(Reporter):
        def note(self, text: str) -> None:
            remarks.append(text)

        def warn(self, kind: str, text: str) -> None:
            del kind, text

    settings = Settings(cache=tmp_path / "kept")
    score_files(*pair, metrics=metrics, settings=settings, reporter=Hearing())
    assert any("saves no time under smatch" in text for text in remarks) == told


def test_graphs_in_memory_are_found_too(tmp_path: Path, compared: list[bytes]) -> None:
    settings = Settings(cache=tmp_path)
    first = evaluate_items(PREDS, GOLDS, METRICS, settings)
    assert len(compared) == len(PREDS) * len(METRICS)
    compared.clear()
    again = evaluate_items(PREDS, GOLDS, METRICS, settings).scores
    assert [one.score for one in again] == [one.score for one in first.scores]
    assert not compared


def test_whatever_changes_a_result_is_part_of_what_it_is_found_by(
    tmp_path: Path, compared: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of these evaluations is another one, and finds nothing."""

    def new(metric: Any, golds: list[str] = GOLDS, **more: Any) -> bool:
        compared.clear()
        settings = Settings(cache=tmp_path, **more)
        evaluate_items(PREDS[:1], golds[:1], metric, settings)
        return bool(compared)

    made = exactmatch.make_metric
    assert new("smatch")
    assert not new("smatch")
    assert new(made("smatch", profile="clean"))
    assert new(made("smatch", profile=get_profile("smatch").with_options(top="none")))
    assert new(made("smatch", solver="cpsat"))
    assert new(made("smatch", max_terms=1000))
    assert new(made("s2match"))
    assert new(made("s2match", diffsense=0.25))
    assert new("smatch", golds=GOLDS[1:])
    climb = made("smatch", solver="hillclimb")
    new(climb)
    assert new(climb, seed=1)
    monkeypatch.setattr(cache, "__version__", "another")
    assert new("smatch")


def test_a_metric_that_learns_is_found_by_what_it_learned(
    tmp_path: Path, compared: list[bytes]
) -> None:
    settings = Settings(cache=tmp_path)
    evaluate_items(PREDS, GOLDS, "yisi", settings)
    compared.clear()
    golds = [*GOLDS[:2], "(m / mouse :mod (b / big))"]
    found = evaluate_items(PREDS, golds, "yisi", settings)
    assert len(compared) == 3, "the first references are the same, their weights not"
    assert found.scores == evaluate_items(PREDS, golds, "yisi").scores


def test_a_metric_that_was_fitted_elsewhere_is_refused(tmp_path: Path) -> None:
    """What it has learned is not known, so it could be given another's results."""
    metric = exactmatch.make_metric("yisi")
    metric.fit(metric.prepare(metric.read(gold).item) for gold in GOLDS)
    assert evaluate_items(PREDS, GOLDS, metric).score > 0
    with pytest.raises(InputError, match="'yisi' was fitted before"):
        evaluate_items(PREDS, GOLDS, metric, Settings(cache=tmp_path / "kept"))


def test_an_unreadable_graph_is_not_found_by_its_text(tmp_path: Path) -> None:
    """Under ``strict`` the same text counts as an empty graph."""
    preds, golds = tmp_path / "p", tmp_path / "g"
    preds.write_text("(b / bark-01 :ARG0 (d / dog)\n")
    golds.write_text("(b / bark-01 :ARG0 (d / dog))\n")
    scores = []
    for strict in (False, True, False, True):
        settings = Settings(cache=tmp_path / "c", on_error="empty", strict=strict)
        plain = Settings(on_error="empty", strict=strict)
        found = score_files(preds, golds, settings=settings).scores[0].score.score
        assert found == score_files(preds, golds, settings=plain).scores[0].score.score
        scores.append(found)
    assert scores[0] == scores[2] != scores[1] == scores[3]


def test_only_what_is_proven_is_kept(tmp_path: Path) -> None:
    kept = PairCache(tmp_path)
    open_one = Solution((0,), 1, 2, "bnb", "branch", 0.1)
    kept.put(b"open", Pair((1.0, 2.0), open_one))
    kept.put(b"proven", Pair((1.0, 2.0), replace(open_one, value=2)))
    kept.close()
    again = PairCache(tmp_path)
    assert again.get(b"open") is None
    found = again.get(b"proven")
    again.close()
    assert found is not None
    assert found.statistics == (1.0, 2.0)
    assert found.solution == replace(open_one, value=2, seconds=0.0)


def test_certificates_are_made_and_checked_as_if_nothing_were_kept(
    pair: list[str], tmp_path: Path, compared: list[bytes]
) -> None:
    score_files(*pair, settings=Settings(cache=tmp_path))
    compared.clear()
    settings = Settings(cache=tmp_path, proofs="check")
    report = score_files(*pair, settings=settings)
    assert len(compared) == len(PREDS)
    assert [pair.rejected for pair in report.pairs] == [""] * len(PREDS)
    assert report.proofs.checked == len(PREDS)


def test_the_database_is_closed_at_the_end(
    pair: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def connected(*args: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*args, **options))
        return opened[-1]

    monkeypatch.setattr("exactmatch.scoring.cache.sqlite3.connect", connected)
    score_files(*pair, settings=Settings(cache=tmp_path))
    assert opened
    for database in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            database.execute("SELECT 1")


@pytest.mark.slow
def test_several_processes_write_at_the_same_time(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from exactmatch.metrics.base import Pair\n"
        "from exactmatch.scoring.cache import PairCache\n"
        "cache = PairCache(sys.argv[1])\n"
        "for k in range(200):\n"
        "    cache.put(f'{sys.argv[2]} {k}'.encode(), Pair((float(k),)))\n"
        "    cache.put(f'both {k}'.encode(), Pair((float(k),)))\n"
        "    cache.flush()\n"
        "cache.close()\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "new")]
    writers = [subprocess.Popen([*command, name]) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    kept = PairCache(tmp_path / "new")
    for name in ("a", "b", "both"):
        for k in range(200):
            found = kept.get(f"{name} {k}".encode())
            assert found is not None
            assert found.statistics == (float(k),)
    kept.close()


def test_its_size_has_a_bound_and_the_newest_stay(tmp_path: Path) -> None:
    most = 100_000
    kept = PairCache(tmp_path, most)
    for k in range(5000):
        kept.put(str(k).encode() * 4, Pair((float(k),) * 6))
    kept.flush()
    found = [kept.get(str(k).encode() * 4) is not None for k in range(5000)]
    kept.close()
    assert found == sorted(found), "the oldest go first"
    assert 100 < sum(found) < 5000
    size = sum(path.stat().st_size for path in tmp_path.glob(FILE))
    assert size < 2 * most + 200_000


@pytest.mark.parametrize("damage", ["garbage", "half", "a byte", "another version"])
def test_a_damaged_cache_is_a_sentence(
    damage: str, pair: list[str], tmp_path: Path, cli: Cli
) -> None:
    folder = tmp_path / "kept"
    command = ["score", *pair, "--cache", str(folder)]
    before = cli.out(*command)
    told = "every one proven optimal"
    stored = f"{told} (3 from the cache, proven when stored)"
    after = before.replace(told, stored).replace("|version", "|cached:3/3|version")
    assert cli.out(*command) == after
    path = folder / FILE
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if damage == "a byte":
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute(
                "UPDATE pairs SET found = CAST(substr(found, 1, 16) || "
                "replace(substr(found, 17), '[[', '[[1') AS BLOB)"
            )
    elif damage == "another version":
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute("PRAGMA user_version = 99")
    else:
        whole = path.read_bytes()
        path.write_bytes(b"x" * 5000 if damage == "garbage" else whole[:1500])
    code, out, err = cli(*command)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert f"{path}: the cache cannot be used" in err


def test_a_folder_that_cannot_be_made_is_a_sentence(
    pair: list[str], files: Files, tmp_path: Path, cli: Cli
) -> None:
    files.one("file", "")
    assert "the cache cannot be used" in cli.refusal(
        "score", *pair, "--cache", str(tmp_path / "file" / "x")
    )


def test_an_executor_sends_what_the_cache_lacks(tmp_path: Path) -> None:
    """What cannot be read is left out in its place, and references may be several."""
    from concurrent.futures import ThreadPoolExecutor

    golds = ["(a / b :x (c / d))", "(oops", "(e / f)", "(g / h :y (i / j))"]
    preds = ["(a / b :x (c / c))", "(a / b)", "(e / f)", "(g / h :x (i / j))"]
    several = [[gold, "(k / l)"] for gold in golds]
    for references in (golds, several):
        options: dict[str, Any] = {"on_error": "skip", "keep_pairs": True}
        alone = exactmatch.evaluate(preds, references, **options)
        exactmatch.evaluate(preds[:1], references[:1], cache=tmp_path)
        with ThreadPoolExecutor(1) as pool:
            options |= {"cache": tmp_path, "executor": pool}
            reports = [
                exactmatch.evaluate(preds, references, **options) for _ in range(2)
            ]
        for report in reports:
            assert [(p.index, p.score) for p in report.pairs] == [
                (p.index, p.score) for p in alone.pairs
            ]
            assert report.omitted == alone.omitted


def test_ctrl_c_ends_the_wait_for_a_cache_that_does_not_answer(
    pair: list[str], tmp_path: Path
) -> None:
    """Another process holds it; what was scored is dropped, not waited for."""
    kept = tmp_path / "kept"
    score_files(*pair, settings=Settings(cache=kept))
    with closing(sqlite3.connect(kept / FILE, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("DELETE FROM pairs")
        tried: list[float] = []

        def interrupted(seconds: float) -> None:
            tried.append(seconds)
            raise KeyboardInterrupt

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("time.sleep", interrupted)
            with pytest.raises(KeyboardInterrupt):
                score_files(*pair, settings=Settings(cache=kept))
        assert tried == [cache._TRY_EVERY]


def test_a_cache_that_is_busy_for_a_moment_is_waited_for(
    pair: list[str], tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    wanted = score_files(*pair, settings=Settings(cache=kept)).scores
    other = sqlite3.connect(kept / FILE, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("DELETE FROM pairs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("time.sleep", lambda _: other.close())
        found = score_files(*pair, settings=Settings(cache=kept)).scores
    assert [s.score for s in found] == [s.score for s in wanted]


def rows_of(folder: Path) -> dict[bytes, bytes]:
    with closing(sqlite3.connect(folder / FILE)) as database:
        return dict(database.execute("SELECT key, found FROM pairs"))


def test_nobody_else_makes_a_result(
    pair: list[str], tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that whoever brings a folder knows is the graphs and this program."""
    folder = tmp_path / "kept"
    command = ["score", *pair, "--cache", str(folder)]
    plain = cli.out(*command)
    own = rows_of(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    assert cli.out(*command) == plain, "others' results are not found"
    others = {key: row for key, row in rows_of(folder).items() if key not in own}
    assert len(others) == len(own) == 3
    monkeypatch.undo()
    forged = b'[[9.0, 9.0, 9.0], [[0], 9, "bnb", "bound"]]'
    for sums in (b"0" * 16, hashlib.blake2b(forged, digest_size=16).digest()):
        with closing(sqlite3.connect(folder / FILE)) as database:
            database.execute("UPDATE pairs SET found = ?", (sums + forged,))
            database.commit()
        assert "cannot be used (a checksum is wrong)" in cli.refusal(*command)
    keys = list(own)
    with closing(sqlite3.connect(folder / FILE)) as database:
        for key, other in zip(keys, keys[1:] + keys[:1], strict=True):
            database.execute(
                "UPDATE pairs SET found = ? WHERE key = ?", (own[other], key)
            )
        database.commit()
    assert "a checksum is wrong" in cli.refusal(*command), "of another pair"


@pytest.mark.parametrize(
    "content",
    [
        b"", b"[]", b"null", b"[[1], 2, 3]", b'[["1"], null]', b"[[NaN], null]",
        b"[[1e999], null]", b"[[true], null]", b'[[1], [[0.5], 1, "a", "b"]]',
        b'[[1], [[0], "1", "a", "b"]]', b"[[1], [[0], 1, 2, 3]]", b"[" * 10**5,
        b"[7, null]", b'["77", null]', b"[[1], {}]", b"\xff",
    ],
)  # fmt: skip
def test_a_result_is_one_of_a_pair(tmp_path: Path, content: bytes) -> None:
    kept = PairCache(tmp_path)
    kept._unwritten[b"k"] = kept.checksum(b"k", content) + content
    kept.flush()
    with pytest.raises(InputError, match="a stored result is malformed"):
        kept.get(b"k")
    kept.close()


@pytest.mark.skipif(os.name == "nt", reason="no such permissions")
def test_the_secret_is_the_users_alone(
    pair: list[str], tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    command = ["score", *pair, "--cache", str(tmp_path / "kept")]
    cli.out(*command)
    path = tmp_path / "own" / "exactmatch" / SECRET
    assert (path.stat().st_mode & 0o777, path.stat().st_size) == (0o600, 32)
    assert [one.name for one in path.parent.iterdir()] == [SECRET]
    assert "(3 from the cache" in cli.out(*command)
    path.chmod(0o640)
    assert "is not a valid secret that only you can read" in cli.refusal(*command)
    path.chmod(0o600)
    path.write_bytes(b"short")
    assert "is not a valid secret that only you can read" in cli.refusal(*command)
    path.unlink()
    assert "from the cache" not in cli.out(*command), "another secret finds nothing"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(pair[0]))
    assert "cannot be read or written (Not a directory)" in cli.refusal(*command)
