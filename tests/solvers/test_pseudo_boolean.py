"""OPB problems and VeriPB proofs, by a checker that shares no code with the writer."""

from __future__ import annotations

import io
import itertools
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from support.cutting_planes import (
    Constraint,
    Opb,
    ProofError,
    check,
    check_lines,
    computed,
)
from support.examples import examples
from support.oracle import brute_force
from support.strategies import problems, random_problem

from exactmatch.base.errors import SolverError
from exactmatch.solvers import get_solver
from exactmatch.solvers.certificate import CertificateError
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.proof_files import claimed_interval, write_proof
from exactmatch.solvers.pseudo_boolean import write_problem
from exactmatch.solvers.solution import Limits, Solution, check_solution

SEEDS_WITH_BRANCHES = (5, 18, 27)


def written(problem: AlignmentProblem, solver: str = "auto") -> tuple[str, str]:
    solution = get_solver(solver).solve(problem, Limits(record_proof=True))
    return texts(problem, solution)


def texts(
    problem: AlignmentProblem, solution: Solution, version: str = "2.0"
) -> tuple[str, str]:
    opb, proof = io.StringIO(), io.StringIO()
    write_problem(opb, problem)
    write_proof(proof, problem, solution, version)
    return opb.getvalue(), proof.getvalue()


def n_constraints(opb: str) -> int:
    return sum(line[0] not in "*m" for line in opb.splitlines())


def problem_in_parts(seed: int) -> AlignmentProblem:
    """Return a problem of three parts that have nothing to do with each other."""
    unary: dict[tuple[int, int], int] = {}
    terms: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}
    for k in range(3):
        part = random_problem(3 * seed + k, 4, 4, 1.2)
        nodes = zip(part.left.tolist(), part.right.tolist(), strict=True)
        at = [(4 * k + i, 4 * k + j) for i, j in nodes]
        unary |= dict(zip(at, part.unary.tolist(), strict=True))
        ends = zip(part.first, part.second, part.weight.tolist(), strict=True)
        terms |= {(at[c], at[d]): weight for c, d, weight in ends}
    return AlignmentProblem.from_weights(12, 12, unary, terms)


@settings(max_examples=examples(25))
@given(problem=problems(max_nodes=2))
def test_the_problem_is_the_problem(problem: AlignmentProblem) -> None:
    """The best assignment of its variables is worth what the best alignment is."""
    opb, _ = written(problem)
    if len(Opb(opb).variables()) <= 14:
        assert Opb(opb).minimum() == -brute_force(problem)


@settings(max_examples=examples(80))
@given(problem=problems())
def test_every_proof_is_accepted(problem: AlignmentProblem) -> None:
    assert check(*written(problem)) == -brute_force(problem)


def unlabelled(seed: int, nodes: int = 8, edges: int = 11) -> AlignmentProblem:
    """Two graphs whose nodes and edges are all alike: one bound is not enough."""
    rng = random.Random(seed)
    every = list(itertools.combinations(range(nodes), 2))
    own, others = rng.sample(every, edges), rng.sample(every, edges)
    pairs = itertools.product(own, [way for e in others for way in (e, e[::-1])])
    return AlignmentProblem.from_weights(
        nodes,
        nodes,
        dict.fromkeys(itertools.product(range(nodes), range(nodes)), 2),
        {((i, j), (k, m)): 2 for (i, k), (j, m) in pairs},
    )


@pytest.mark.parametrize("seed", SEEDS_WITH_BRANCHES)
def test_proofs_with_branches_are_accepted(seed: int) -> None:
    problem = unlabelled(seed)
    solution = get_solver("bnb").solve(problem)
    assert solution.proof == "branch"
    assert check(*written(problem, "bnb")) == -solution.value


@pytest.mark.parametrize("seed", [0, 2])
def test_deep_trees_are_accepted(seed: int) -> None:
    """More than a hundred nodes: the search goes down and back many times."""
    problem = unlabelled(seed, 20, 30)
    solution = get_solver("bnb").solve(problem, Limits(record_proof=True))
    assert solution.certificate is not None
    assert len(solution.certificate.nodes) > 100
    check_solution(problem, solution)


def test_a_proof_of_many_branches_is_accepted() -> None:
    problem = unlabelled(0, 12, 18)
    solution = get_solver("bnb").solve(problem)
    assert check(*written(problem, "bnb")) == -solution.value


@pytest.mark.slow
def test_a_proof_of_more_than_a_hundred_nodes_is_accepted_from_a_file(
    tmp_path: Path,
) -> None:
    """Four megabytes, written and checked line by line."""
    problem = unlabelled(0, 16, 22)
    solution = get_solver("bnb").solve(problem, Limits(record_proof=True))
    assert solution.certificate is not None
    assert len(solution.certificate.nodes) > 100
    opb = io.StringIO()
    write_problem(opb, problem)
    with open(tmp_path / "p.pbp", "w") as stream:
        write_proof(stream, problem, solution)
    with open(tmp_path / "p.pbp") as stream:
        assert check_lines(Opb(opb.getvalue()), stream) == -solution.value


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1 2 + 2 d", ({"x1": 1, "~x2": 1, "x3": 1}, 1)),
        ("1 3 * 2 2 * +", ({"x1": 5, "~x2": 3, "x3": 2}, 5)),
        ("3 1 +", ({"x3": 1, "x1": 1}, 1)),
        ("x1 2 * ~x1 +", ({"x1": 1}, -1)),
        ("1 x2 2 * +", ({"x1": 1, "x2": 1}, 0)),
        ("1 0 *", ({}, 0)),
        ("1 5 * x1 2 * + s", ({"x1": 5, "~x2": 5}, 5)),
        ("2 3 * ~x1 + s", ({"x1": 2, "x3": 2}, 2)),
        ("1 3 + x1 w", ({"x3": 1}, 0)),
        ("1 3 * x2 w 3 2 * +", ({"x1": 3, "x2": 2, "x3": 2}, 2)),
    ],
)
def test_the_checker_adds_up(line: str, expected: Constraint) -> None:
    """Opposite literals make 1 together; what is added is left as it was."""
    known = [
        ({"x1": 1, "~x2": 1}, 1),
        ({"x1": 1, "x3": 1}, 1),
        ({"x2": 1, "x3": 1}, 1),
    ]
    before = [(dict(terms), degree) for terms, degree in known]
    assert computed(line.split(), known) == expected
    assert known == before


def tampered(proof: str, rule: str, old: str, new: str) -> str:
    """Replace something in the last line of a rule."""
    lines = proof.splitlines()
    place = max(n for n, line in enumerate(lines) if line.startswith(rule))
    lines[place] = re.sub(old, new, lines[place], count=0 if old == "~" else 1)
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("rule", "old", "new"),
    [
        ("pol", "^.*$", "pol 1"),
        ("pol", r" [0-9]+ [0-9]+ \* \+$", ""),
        ("soli", "~", ""),
        ("soli", " x", " ~x"),
        ("soli", " ~?x1 ", " "),
        ("conclusion", "^.*$", "conclusion BOUNDS -1 -1"),
        ("end", "^.*$", "output NONE"),
    ],
)
def test_the_checker_rejects_what_is_wrong(rule: str, old: str, new: str) -> None:
    opb, proof = written(random_problem(1, 6, 6, 1.5))
    check(opb, proof)
    with pytest.raises((ProofError, ValueError)):
        check(opb, tampered(proof, rule, old, new))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("parted", [False, True])
def test_an_interval_has_a_proof(seed: int, parted: bool) -> None:
    problem = problem_in_parts(seed) if parted else random_problem(seed, 6, 6, 1.5)
    solution = get_solver("auto").solve(problem, Limits(record_proof=True))
    worse = replace(solution, alignment=(-1,) * problem.n_left, value=0)
    opb, proof = texts(problem, worse)
    assert check(opb, proof) == 0
    claims = claimed_interval(proof.splitlines(), opb.splitlines())
    assert claims == (0, solution.bound)
    claim = f"BOUNDS {-solution.bound} :"
    assert claim in proof
    with pytest.raises(ProofError):
        check(opb, proof.replace(claim, f"BOUNDS {1 - solution.bound} :"))


@pytest.mark.parametrize("seed", range(8))
def test_the_formats_say_the_same(seed: int) -> None:
    problem = problem_in_parts(seed) if seed % 2 else random_problem(seed, 6, 6, 1.5)
    best = get_solver("auto").solve(problem, Limits(record_proof=True))
    worse = replace(best, alignment=(-1,) * problem.n_left, value=0)
    for found in (best, worse):
        opb, middle = texts(problem, found)
        old, new = (texts(problem, found, version)[1] for version in ("1.2", "3.0"))
        assert as_2_0(new) == middle.splitlines()
        known = as_2_0(old)
        assert known == middle.splitlines()[: len(known)]
        assert len(known) == len(middle.splitlines()) - 3  # without the conclusion
        for proof in (old, middle, new):
            claims = claimed_interval(proof.splitlines(), opb.splitlines())
            assert claims == (found.value, found.bound)


def as_2_0(proof: str) -> list[str]:
    """Turn a proof of another format into one of format 2.0, line by line."""
    if proof.startswith("pseudo-Boolean proof version 3.0"):
        proof = proof.replace("version 3.0", "version 2.0")
        proof = re.sub(r"^(red .*) : : subproof$", r"\1 ; ; begin", proof, flags=re.M)
        proof = re.sub(r"^qed #1 : (\d+) ;$", r"end \1", proof, flags=re.M)
        proof = re.sub(r"^qed red ;$", "end", proof, flags=re.M)
        return re.sub(r" ;$", "", proof, flags=re.M).splitlines()
    proof = proof.replace("version 1.2", "version 2.0")
    proof = re.sub(r"^f (\d+) 0$", r"f \1", proof, flags=re.M)
    proof = re.sub(r"^o ", "soli ", proof, flags=re.M)
    proof = re.sub(r"^p (.*) 0$", r"pol \1", proof, flags=re.M)
    proof = re.sub(r"^c (\d+) 0\nend\n", r"end \1\n", proof, flags=re.M)
    return re.sub(r"^[eic] .*\n", "", proof, flags=re.M).splitlines()


def test_a_claim_is_read_of_our_rules_alone() -> None:
    opb, proof = written(random_problem(3, 6, 6, 1.5))
    n = n_constraints(opb)
    for wrong, why in (
        (proof.replace("pol", "a +1 x1 >= 1 ;\npol", 1), "a rule 'a', which none"),
        (proof.replace("version 2.0", "version 9.0"), "no known format"),
        (proof.replace("conclusion BOUNDS", "conclusion NONE"), "concludes no bounds"),
        (proof.replace(f"f {n}", f"f {n - 1}"), "another number of constraints"),
        (proof.replace("conclusion", "conclusion NONE\nconclusion"), "two lines"),
        (proof.replace("soli", "end pseudo-Boolean proof\nsoli"), "after its end"),
        (proof + "\n", "after its end"),
        (proof[: proof.index("conclusion")], "states no claim"),
        (proof[: proof.index("soli")], "states no claim"),
        (re.sub("soli .*\n", "", proof), "does not begin with an alignment"),
        (proof.replace("conclusion BOUNDS", "conclusion BOUNDS 1 :"), "no claim"),
        (proof.replace("output", "proofgoal #1\noutput"), "without an end"),
        (proof.replace("output", "end 3\noutput"), "has not begun"),
        (proof.replace("output", "pol 1 begin\noutput"), "where none can be"),
        (proof.replace("output", "red +1 x1 >= 0 ; ; begin ;;\noutput"), "none can be"),
        (proof.replace("output", "pol 1\x7f2\noutput"), "a character that none"),
        ("", "no known format"),
    ):
        with pytest.raises(CertificateError, match=why):
            claimed_interval(wrong.splitlines(), opb.splitlines())


OLD: list[tuple[str, Any, str]] = [
    (
        r"^(e .*)>= (\d+) ;$",
        lambda m: f"{m[1]}+1 x2 +1 ~x2 >= {int(m[2]) + 1} ;",
        "value of something",
    ),
    (r"^e \d+ .*;$", lambda _: "e 1 -1 x1 >= -1 ;", "value of something"),
    (r"^e (\d+) ", lambda m: f"e {int(m[1]) + 1} ", "value of something"),
    (r"^c \d+ 0\n\Z", lambda _: "", "states no claim"),
    (r"^c \d+ 0\n\Z", lambda _: "i 1 -1 x1 >= -9 ;\n", "bound of something else"),
    (r"^c (\d+) 0\n\Z", lambda m: f"c {m[1]} {m[1]} 0\n", "states no claim"),
    (r"^f (\d+) 0$", lambda m: f"f {m[1]}", "another number of constraints"),
    (r"^(f .*)\n(o .*)\n", lambda m: f"{m[1]}\np 1 0\n{m[2]}\n", "begin with an al"),
]


@pytest.mark.parametrize(("old", "new", "why"), OLD)
def test_what_format_1_2_claims_is_about_the_objective(
    old: str, new: Any, why: str
) -> None:
    """This format has no conclusion: a checker accepts any claim that is true."""
    problem = random_problem(3, 6, 6, 1.5)
    best = get_solver("auto").solve(problem, Limits(record_proof=True))
    opb, proof = texts(problem, best, "1.2")
    assert claimed_interval(proof.splitlines(), opb.splitlines()) == (best.value,) * 2
    wrong = re.sub(old, new, proof, flags=re.MULTILINE)
    assert wrong != proof
    with pytest.raises(CertificateError, match=why):
        claimed_interval(wrong.splitlines(), opb.splitlines())


def test_the_bound_of_format_1_2_is_about_the_objective() -> None:
    problem = random_problem(3, 6, 6, 1.5)
    best = get_solver("auto").solve(problem, Limits(record_proof=True))
    worse = replace(best, alignment=(-1,) * problem.n_left, value=0)
    opb, proof = texts(problem, worse, "1.2")
    *_, last = proof.splitlines()
    for wrong in (
        re.sub(r">= (\S+)", lambda m: f"+1 x1 +1 ~x1 >= {int(m[1]) + 1}", last),
        re.sub(r" .* >=", " 1 -1 x1 >=", last),
        last.replace("i ", "j "),
        f"{last}\n{last}",
    ):
        changed = proof.replace(last, wrong)
        with pytest.raises(CertificateError):
            claimed_interval(changed.splitlines(), opb.splitlines())
    claims = claimed_interval(proof.splitlines(), opb.splitlines())
    assert claims == (0, best.bound)


def test_a_problem_in_which_nothing_counts_has_a_proof() -> None:
    for unary in ({}, {(0, 0): 0}):
        problem = AlignmentProblem.from_weights(1, 1, unary, {})
        assert check(*written(problem)) == 0


def test_only_what_is_proven_has_a_proof() -> None:
    problem = random_problem(1, 6, 6, 1.5)
    for name, complaint in (
        ("hillclimb", "'hillclimb' records no certificates"),
        ("cpsat", "'cpsat' records no certificates"),
    ):
        solution = get_solver(name).solve(problem)
        with pytest.raises(SolverError, match=complaint):
            write_proof(io.StringIO(), problem, solution)
