"""Caches that were tampered with: an error in a sentence, or the right scores.

``make fuzz N=100000`` makes a campaign of it.
"""

import json
import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.mutations import mutated_json
from support.scored import evaluate_items

from exactmatch.base.errors import InputError
from exactmatch.scoring.cache import FILE, PairCache, _pair
from exactmatch.scoring.settings import Settings

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "2000"))

PREDS = ["(w / want-01 :ARG0 (b / boy))", "(a / and :op1 (c / cat))", "(d / dog)"]
GOLDS = ["(w / want-01 :ARG0 (g / girl))", "(a / and :op1 (c / cat))", "(c / cat)"]
METRICS = ["smatch", "sembleu"]


def tamper(rng: random.Random, path: Path) -> None:
    """Change a row, the schema or some bytes of a database."""
    kind = rng.randrange(8)
    if kind < 2:
        whole = bytearray(path.read_bytes())
        for _ in range(rng.choice((1, 1, 3, 40))):
            whole[rng.randrange(len(whole))] = rng.randrange(256)
        path.write_bytes(whole if kind else whole[: rng.randrange(len(whole))])
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        rows = database.execute("SELECT key, found FROM pairs").fetchall()
        (key, found), (_, other) = rng.choice(rows), rng.choice(rows)
        content = json.dumps(mutated_json(rng, json.loads(found[16:]))).encode()
        new: Any = {
            2: found[:16] + content,
            3: other[:16] + found[16:],
            4: rng.choice((b"", None, 7, "text", found[:16], found + b" ")),
            5: other,
        }.get(kind, found)
        database.execute("UPDATE pairs SET found = ? WHERE key = ?", (new, key))
        if kind == 6:
            database.execute(rng.choice(SCHEMATA))
        elif kind == 7:
            database.execute("DELETE FROM pairs WHERE key = ?", (key,))


SCHEMATA = (
    "CREATE TABLE more (x)",
    "CREATE VIEW more AS SELECT * FROM pairs",
    "CREATE TRIGGER t AFTER INSERT ON pairs BEGIN DELETE FROM pairs; END",
    "CREATE INDEX more ON pairs (found)",
    "ALTER TABLE pairs RENAME TO others",
    "PRAGMA user_version = 1",
)


@pytest.mark.slow
def test_a_tampered_cache_is_refused_or_of_no_consequence(tmp_path: Path) -> None:
    kept, tried = tmp_path / "kept", tmp_path / "tried"
    settings = Settings(cache=kept)
    right = [s.score for s in evaluate_items(PREDS, GOLDS, METRICS, settings).scores]
    with closing(sqlite3.connect(kept / FILE, isolation_level=None)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    refused = 0
    cases = max(CASES // 10, 50)
    for seed in range(cases):
        shutil.rmtree(tried, ignore_errors=True)
        shutil.copytree(kept, tried)
        tamper(random.Random(seed), tried / FILE)
        try:
            found = evaluate_items(PREDS, GOLDS, METRICS, Settings(cache=tried)).scores
        except InputError as error:
            told = str(error)
        else:
            assert [one.score for one in found] == right, seed
            continue
        assert "the cache cannot be used (" in told, seed
        assert "\n" not in told, seed
        refused += 1
    assert cases / 4 < refused < cases


def test_a_row_is_a_pair_or_none(tmp_path: Path) -> None:
    """Whatever the secret vouches for is read by one function that trusts nothing."""
    kept = PairCache(tmp_path)
    row = [[3.0, 4, 5.0], [[0, -1, 2], 3, "bnb", "branch"]]
    read = 0
    for seed in range(CASES):
        content = json.dumps(mutated_json(random.Random(seed), row)).encode()
        found = _pair(content)
        kept._unwritten[b"k"] = kept.checksum(b"k", content) + content
        if found is None:
            continue
        read += 1
        assert kept.get(b"k") == found, seed
        assert set(map(type, found.statistics)) <= {int, float}, seed
        if found.solution is not None:
            assert set(map(type, found.solution.alignment)) <= {int}, seed
            assert found.solution.is_optimal, seed
    assert CASES / 20 < read < CASES
