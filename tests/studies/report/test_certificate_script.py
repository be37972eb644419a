"""The page's checker says of every certificate what the Python checker says."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from importlib.resources import files
from typing import Any

import pytest
from support.strategies import random_problem, side_by_side, symmetric_problem

from exactmatch.solvers import auto
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.certificate import Certificate, CertificateError
from exactmatch.solvers.checker import check_certificate
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits
from exactmatch.studies.report.browser_data import proof_data

SCRIPT = files("exactmatch.studies.report") / "certificate.js"
REAL = 500
RUN = """
const lines = require("fs").readFileSync(0, "utf8").trim().split("\\n");
for (const line of lines) console.log(refusal(JSON.parse(line)));
"""


def problem_of(seed: int) -> AlignmentProblem:
    """A problem of a few nodes; each third falls apart."""
    rng = random.Random(seed)
    sizes = [(rng.randint(1, 6), rng.randint(1, 6)) for _ in range(2)]
    density, cost = rng.uniform(0.5, 1.6), rng.choice((0, 0, 2))
    parts = [
        random_problem(2 * seed + k, *size, density, rng.randint(1, 4), cost=cost)
        for k, size in enumerate(sizes)
    ]
    return side_by_side(*parts) if seed % 3 == 0 else parts[0]


@pytest.fixture(scope="module")
def real() -> list[tuple[AlignmentProblem, dict[str, Any]]]:
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auto, "CERTIFY_WHOLE", 0)
        for seed in range(REAL):
            problem = problem_of(seed)
            solution = Auto().solve(problem, Limits(record_proof=True))
            assert solution.is_optimal
            data = json.dumps(proof_data(problem, solution))
            found.append((problem, json.loads(data)))
    return found


@pytest.fixture(scope="module")
def symmetric() -> list[tuple[AlignmentProblem, dict[str, Any]]]:
    """Certificates in which nodes are alike."""
    found = []
    for seed in range(400):
        problem = symmetric_problem(seed, 9)
        solution = BranchAndBound(record_proof=1, symmetry=2).solve(problem)
        proof = json.loads(json.dumps(proof_data(problem, solution)))
        if len(proof["certificate"]["nodes"]) > 1:
            found.append((problem, proof))
    return found


def numbers_in(data: Any) -> list[tuple[Any, Any]]:
    """The places of all whole numbers of a proof, the problem left alone."""
    keys = range(len(data)) if isinstance(data, list) else data
    found = []
    for key in keys:
        if type(data[key]) is int:
            found.append((data, key))
        elif isinstance(data[key], (list, dict)) and key != "problem":
            found += numbers_in(data[key])
    return found


def tampered(proof: dict[str, Any], seed: int) -> dict[str, Any]:
    """A copy with one number changed, or one element of a list left out."""
    rng = random.Random(seed)
    forged: dict[str, Any] = json.loads(json.dumps(proof))
    place, key = rng.choice(numbers_in(forged))
    if isinstance(place, list) and rng.random() < 0.2:
        del place[key]
    else:
        place[key] += rng.choice((-3, -1, -1, -1, 1, 2**60))
    return forged


def refused_here(problem: AlignmentProblem, proof: dict[str, Any]) -> bool:
    alignment, value = tuple(proof["alignment"]), proof["value"]
    try:
        certificate = Certificate.from_dict(proof["certificate"])
        check_certificate(problem, alignment, value, certificate)
    except CertificateError:
        return True
    return False


def numbers_of_symmetry(proof: dict[str, Any]) -> list[tuple[Any, Any]]:
    return numbers_in(proof["certificate"].get("symmetry", {}))


def is_too_large(proof: dict[str, Any]) -> bool:
    """Whether it has a number beyond those that scripts count with."""
    return any(abs(place[key]) >= 2**50 for place, key in numbers_in(proof))


def refusals(proofs: list[dict[str, Any]]) -> list[str]:
    """What the script says of each proof, in Node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node: apt-get install nodejs")
    ran = subprocess.run(
        [node, "-e", SCRIPT.read_text("utf-8") + RUN],
        input="\n".join(map(json.dumps, proofs)),
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout.split("\n")[: len(proofs)]


@pytest.mark.slow
def test_every_real_certificate_is_accepted(real: Any) -> None:
    proofs = [proof for _, proof in real]
    assert refusals(proofs) == [""] * REAL
    kinds = [proof["certificate"] for proof in proofs]
    assert any(kind.get("parts") for kind in kinds)
    nodes = [node for kind in kinds for node in kind["nodes"]]
    assert any(node["branch"] is not None for node in nodes)
    assert any(r["dropped"] for node in nodes for r in node["rounds"])


@pytest.mark.slow
def test_a_tampered_certificate_is_refused_where_python_refuses_it(real: Any) -> None:
    forged = [(p, tampered(proof, k)) for k, (p, proof) in enumerate(real)]
    expected = [is_too_large(proof) or refused_here(p, proof) for p, proof in forged]
    found = refusals([proof for _, proof in forged])
    assert [bool(reason) for reason in found] == expected
    assert sum(expected) > REAL / 2
    assert len(set(found)) > 20


@pytest.mark.slow
def test_classes_of_nodes_are_checked_as_in_python(symmetric: Any) -> None:
    assert refusals([proof for _, proof in symmetric]) == [""] * len(symmetric)
    rng, forged = random.Random(5), []
    for problem, proof in symmetric:
        for _ in range(4):
            copy = json.loads(json.dumps(proof))
            places = numbers_of_symmetry(copy)
            if rng.random() < 0.2 or not places:
                copy["certificate"].pop("symmetry", None)
            elif rng.random() < 0.5:
                place, key = rng.choice(places)
                del place[key]
            else:
                place, key = rng.choice(places)
                place[key] += rng.choice((-1, 1, 1, 2))
            forged.append((problem, copy))
    expected = [refused_here(*each) for each in forged]
    assert [bool(reason) for reason in refusals([p for _, p in forged])] == expected
    assert len(forged) > 100
    assert 0.2 * len(forged) < sum(expected) < len(forged)
