"""Proofs that were tampered with: none is wrongly accepted, none ends in a traceback.

``make fuzz N=100000`` makes a campaign of it.
"""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.mutations import mutated_json

from exactmatch.base.errors import CertificationError, ExactmatchError
from exactmatch.cli.main import main
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.proofs import Header, check_record, read_certificates
from exactmatch.solvers.certificate import CertificateError
from exactmatch.solvers.solution import Limits

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "2000"))

PRED = """\
(t / and :op1 (a / team :mod (b / country)) :op2 (c / team :mod (d / country)))

(w / want-01 :ARG0 (b / boy :mod (o / old)) :ARG1 (g / go-02 :ARG0 b :time (n / now)))

(a / and :op1 (x / dog :mod (y / dog)) :op2 (z / dog :mod (v / dog)) :op3 (u / dog))
"""
GOLD = """\
(t / and :op1 (a / team :mod (b / country)) :op2 (c / team :poss (d / country)))

(w / want-01 :ARG0 (b / boy :mod (o / big)) :ARG1 (l / leave-11 :ARG0 b :time (n / it)))

(a / and :op1 (x / dog :mod (y / dog)) :op3 (z / dog :mod (v / dog :mod (u / dog))))
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("proofs")
    pred, gold, proofs = (folder / name for name in ("p.amr", "g.amr", "proofs.jsonl"))
    pred.write_text(PRED)
    gold.write_text(GOLD)
    command = [str(pred), str(gold), "-q", "--output", str(folder / "scores")]
    assert main([*command, "--certificates", str(proofs)]) == 0
    return folder


@pytest.mark.slow
def test_no_tampered_proof_is_wrongly_accepted(written: Any) -> None:
    metric = Smatch()
    _, lines = read_certificates(str(written / "proofs.jsonl"))
    records = list(lines)
    texts = zip(PRED.split("\n\n"), GOLD.split("\n\n"), strict=True)
    stated = []
    for pair in texts:
        prepared = [metric.prepare(metric.read(text).item) for text in pair]
        stated.append(metric.build_problem(*prepared))
    optima = [metric.solver.solve(s.problem, Limits()).value for s in stated]
    assert optima == [record["value"] for record in records]
    accepted = 0
    for seed in range(CASES):
        rng = random.Random(seed)
        k = rng.randrange(len(records))
        record = mutated_json(rng, records[k])
        try:
            proved = check_record(stated[k], record)
        except (CertificateError, CertificationError):
            continue
        accepted += 1
        alignment = tuple(record["alignment"])
        assert stated[k].problem.value(alignment) == record["value"], seed
        assert record["bound"] >= optima[k], seed
        assert proved == (record["value"] == record["bound"] == optima[k]), seed
    assert accepted < CASES / 2  # some changes are of no consequence


@pytest.mark.slow
def test_a_tampered_file_ends_in_one_sentence(
    written: Any, tmp_path: Path, cli: Cli
) -> None:
    lines = (written / "proofs.jsonl").read_text().splitlines()
    files = [str(written / "p.amr"), str(written / "g.amr")]
    path = tmp_path / "tampered.jsonl"
    codes = set()
    for seed in range(max(CASES // 20, 1)):
        rng = random.Random(seed)
        changed = list(lines)
        at = rng.choice((0, 0, 0, 1, 2, 3))
        changed[at] = json.dumps(mutated_json(rng, json.loads(lines[at])))
        path.write_text("\n".join(changed))
        code, _, err = cli("verify", path, *files, "-q")
        assert code in (0, 1, 2), seed
        if code == 2:
            assert err.startswith("exactmatch: error: "), seed
            assert err.count("\n") == 1, seed
        codes.add(code)
    assert codes == {0, 1, 2} or CASES < 1000


@pytest.mark.slow
def test_every_kind_of_header_is_read_or_refused(written: Any) -> None:
    lines = (written / "proofs.jsonl").read_text().splitlines()
    header = json.loads(lines[0])
    for seed in range(CASES):
        record = mutated_json(random.Random(seed), header)
        told = "file"
        try:
            Header.of_record(record, "file").remade_metric()
        except ExactmatchError as error:
            told = str(error)
        assert told.startswith("file"), seed
        assert "\n" not in told, seed
