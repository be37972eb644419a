"""Old signatures still give their old numbers: fifty of them, on the bundled sample.

A line of ``stored.jsonl`` has the arguments, and for each metric its signature without
the version and its scores.  A line is never changed: a new version that cannot
reproduce one has broken a published number, and the changelog has to say so.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

STORED = [
    json.loads(line)
    for line in Path(__file__).with_name("stored.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(
    "stored", STORED, ids=lambda stored: " ".join(stored["options"])
)
def test_a_stored_signature_gives_its_number(stored: dict[str, Any], cli: Cli) -> None:
    answers = cli.json(*stored["options"], "--quiet")["metrics"]
    assert len(answers) == len(stored["metrics"])
    for found, old in zip(answers, stored["metrics"], strict=True):
        signature, _, _ = found["signature"].rpartition("|version:")
        assert signature == old["signature"]
        for name in ("precision", "recall", "f1", "score"):
            assert found[name] == (
                old[name] and pytest.approx(old[name], rel=0, abs=1e-12)
            ), name


def test_there_are_fifty_and_no_signature_twice() -> None:
    signatures = [metric["signature"] for line in STORED for metric in line["metrics"]]
    assert len(signatures) >= 50
    assert len(set(signatures)) == len(signatures)
