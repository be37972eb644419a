"""Certificates are checked alike by one process and by many."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from support.command import Cli
from support.files import Files

from exactmatch.studies import verify
from exactmatch.studies.verify.results import Verification

PREDS = [f"(b / bark-01 :ARG0 (d / dog{number}))" for number in range(40)]
GOLDS = [f"(b / bark-01 :ARG0 (d / dog{number % 7}))" for number in range(40)]


def told(found: Verification) -> tuple[object, ...]:
    return found.verified, found.optimal, found.rejected, found.missing, found.faults


def test_workers_check_as_one_process_does(cli: Cli, files: Files) -> None:
    """One is damaged, one is missing, and one is of no pair."""
    files.enter()
    pred, gold = files.pair("\n\n".join(PREDS), "\n\n".join(GOLDS))
    cli.out(pred, gold, "--certificates", "proofs.jsonl")
    header, *lines = Path("proofs.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    records[20]["value"] += 1
    del records[30]
    records.append({**records[3], "index": 99})
    written = "\n".join([header, *map(json.dumps, records)])
    Path("proofs.jsonl").write_text(f"{written}\n")
    one = verify("proofs.jsonl")
    assert (one.verified, one.missing) == (38, [30])
    assert [rejection.index for rejection in one.rejected] == [20, 99]
    with ThreadPoolExecutor(2) as executor:
        assert told(verify("proofs.jsonl", executor=executor)) == told(one)
    shown = cli("verify", "proofs.jsonl", "--format", "csv")
    for engine in (("-j", "2"), ("--executor", "processes:2")):
        shared = cli("verify", "proofs.jsonl", "--format", "csv", *engine)
        assert (shared.code, shared.out) == (shown.code, shown.out)


def test_a_folder_of_proofs_is_checked_by_workers(cli: Cli, files: Files) -> None:
    files.enter()
    pred, gold = files.pair("\n\n".join(PREDS), "\n\n".join(GOLDS))
    cli.out(pred, gold, "--proofs", "proofs")
    with ThreadPoolExecutor(2) as executor:
        shared = verify("proofs", executor=executor)
    assert told(shared) == told(verify("proofs"))
    assert shared.verified == 40


def test_jobs_beside_an_engine_are_refused(cli: Cli, files: Files) -> None:
    files.enter()
    pred, gold = files.pair("(a / b)", "(a / b)")
    cli.out(pred, gold, "--certificates", "proofs.jsonl")
    refused = ("verify", "proofs.jsonl", "--executor", "processes:2", "-j", "3")
    assert "leave -j out" in cli.refusal(*refused)
