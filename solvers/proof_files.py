"""Proofs that others can check: a certificate as a VeriPB proof.

The *proof* is one of cutting planes, as VeriPB and CakePB check them, for the problem
that :mod:`exactmatch.solvers.pseudo_boolean` writes.  After the alignment
(``soli``), which demands a better value from then on, every line (``pol``) adds up
multiples of constraints, and divides and rounds:

* a round of the certificate adds the constraints, each as often as its dual says: what
  is left bounds the value of the candidates still there;
* against the demand for a better value, one line shows of all dropped candidates that
  none is chosen, or that a decision on the way to the node is wrong, and one more
  demands the better value of those that are left;
* or it shows that some decision is wrong, which closes the node.  The two branches of a
  node together show the same without the decision between them, and at the root no
  decision is left: nothing is better.

Nothing is added that a line holds without: duals are divided by what they have in
common, and coefficients below 0 of what was dropped stay.

A certificate in parts becomes a proof of each part's bound by contradiction (``red``
without a witness, whose subproof is about a better value in that part alone), and a
last line adds the bounds to the demand for a better value of the whole.  What follows
from shifted weights begins with a proof of each shifted problem's bound, in the same
way.  Each and the demand for a better value say how many of the shifted candidates are
chosen, at least or at most, and so do the rows of the cover: more than there may be.

A case of a problem with conflicts ends with the line that one of the candidates that it
leaves out is chosen.  Those of all cases and the conflict itself add up to the same
about what was left out before, and at the root that is nothing.

A checker reads a proof of any content and says that it holds; what it holds for, its
*claim*, stands in the file.  It is read here, of proofs that have no rules but ours:
others, such as VeriPB's assumptions, would let a proof claim anything.

Source: Gocht and Nordström (2021), "Certifying parity reasoning efficiently using
pseudo-Boolean proofs", and VeriPB's documentation.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from exactmatch.base.errors import InputError, SolverError
from exactmatch.base.files import replacing
from exactmatch.base.inputs import max_bytes
from exactmatch.base.unpacking import unpacked
from exactmatch.solvers.certificate import Certificate, CertificateError
from exactmatch.solvers.components import apart
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.proof_cases import CaseProof, without_symmetry
from exactmatch.solvers.proof_lines import VERSIONS, ProofLines
from exactmatch.solvers.proof_tree import (
    ConstraintSum,
    TreeProof,
    check_proved,
    literal,
)
from exactmatch.solvers.pseudo_boolean import Constraint, Model, terms, write_problem
from exactmatch.solvers.solution import Solution


def write_proof(
    stream: TextIO, problem: AlignmentProblem, solution: Solution, version: str = "2.0"
) -> None:
    """Write the proof that no alignment is worth more than the solution's bound.

    The proof is of an interval where the solution is not optimal.

    Raises:
        SolverError: if it has no certificate, or one that does not hold.
    """
    if solution.certificate is None:
        raise SolverError(
            f"solver {solution.solver!r} records no certificates to make a proof of; "
            "use auto"
        )
    model = Model(problem)
    lines = ProofLines(stream, version, len(model.constraints), model.n_variables)
    true = problem.indicators(solution.alignment).tolist() or [False]
    demanded = lines.solution(literal(v, value) for v, value in enumerate(true, 1))
    lines.compare("e", demanded, _linear(model, 1, solution.value + 1))
    certificate = without_symmetry(problem, solution.certificate)
    if not model.objective.any():
        proven = lines.sum([str(demanded)])
    elif certificate.shifts is not None:
        proven = _write_shifts(
            lines, model, certificate, demanded if solution.is_optimal else None
        )
    elif certificate.cases and solution.is_optimal:
        goal = solution.value + 1
        demand = Constraint.of(demanded, model.objective, goal)
        proven = CaseProof(lines, model, certificate).write(demand, goal).number
    elif certificate.parts or not solution.is_optimal:
        proven = _write_bound(lines, model, certificate)
        if solution.is_optimal:
            proven = lines.sum([str(demanded), f"{proven} +"])
    else:
        goal = solution.value + 1
        demand = Constraint.of(demanded, model.objective, goal)
        proven = TreeProof(lines, model, certificate).write(demand, goal).number
    if not solution.is_optimal:
        lines.compare("i", proven, _linear(model, -1, -solution.bound))
    lines.conclude(-solution.bound, -solution.value, proven)


def _write_shifts(
    lines: ProofLines, model: Model, certificate: Certificate, demanded: int | None
) -> int:
    """Prove what follows from shifted weights.

    That refutes the constraint *demanded*, of a better value; without one the bound is
    proved by itself.
    """
    shifts = certificate.shifts
    assert shifts is not None
    shifted = np.zeros(model.n_variables, dtype=np.int64)
    shifted[list(shifts.candidates)] = 1
    cover = ConstraintSum(lines, model)
    for nodes, by_node in zip((shifts.left, shifts.right), model.by_node, strict=True):
        cover.add(*(by_node[node] for node in nodes if node in by_node))
    cover.raise_to(-shifted)
    at_least: list[Constraint] = []
    at_most, bounds = [cover.write()], []
    for proof in shifts.proofs:
        shifted_model = model.shifted(proof.amount * shifted)
        number = _write_bound(lines, shifted_model, proof.certificate)
        bounds.append(
            Constraint.of(number, -shifted_model.objective, -proof.certificate.bound)
        )
    claim = _linear(model, -1, -certificate.bound)
    better = lines.suppose(claim) if demanded is None else demanded
    demand = Constraint.of(better, model.objective, certificate.bound + 1)
    for proof, bound in zip(shifts.proofs, bounds, strict=True):
        counted = ConstraintSum(lines, model)
        counted.add(bound, demand)
        counted.divide(abs(proof.amount))
        (at_least if proof.amount < 0 else at_most).append(counted.write())
    contradiction = ConstraintSum(lines, model)
    for constraint in filter(None, (at_least, at_most)):
        contradiction.add(max(constraint, key=lambda each: each.degree))
    contradiction.raise_to(np.zeros_like(shifted))
    check_proved(contradiction.degree > 0)
    refuted = contradiction.write().number
    return lines.contradiction(refuted) if demanded is None else refuted


def _write_bound(lines: ProofLines, model: Model, certificate: Certificate) -> int:
    """Prove a bound without what was demanded; return the number of the constraint."""
    if certificate.cases:
        return _write_all_cases(lines, model, certificate)
    if not certificate.parts:
        return _write_part(lines, model, certificate)
    owner = np.full(model.problem.n_candidates, -1, dtype=np.int64)
    for k, part in enumerate(certificate.parts):
        owner[list(part.candidates)] = k
    if np.any(owner < 0):
        raise SolverError("the certificate has a candidate in no part")
    steps: list[str] = []
    bound = 0
    parts = zip(apart(model.problem, owner), certificate.parts, strict=True)
    for component, part in parts:
        part_model = model.part(component)
        if part_model.objective.any():  # something of it counts
            number = _write_part(lines, part_model, part.certificate)
            steps.append(f"{number} +" if steps else f"{number}")
            bound += part.certificate.bound
    check_proved(bound <= certificate.bound)
    return lines.sum(steps)


def _write_all_cases(lines: ProofLines, model: Model, certificate: Certificate) -> int:
    """Prove the bound of a problem with conflicts; return the line's number."""
    demanded = lines.suppose(_linear(model, -1, -certificate.bound))
    demand = Constraint.of(demanded, model.objective, certificate.bound + 1)
    proof = CaseProof(lines, model, certificate)
    return lines.contradiction(proof.write(demand, certificate.bound + 1).number)


def _write_part(lines: ProofLines, model: Model, certificate: Certificate) -> int:
    """Prove that a part is worth no more than its bound; return the line's number."""
    trivial = ConstraintSum(lines, model)
    trivial.raise_to(-model.objective)
    if -trivial.degree <= certificate.bound:
        return lines.sum(trivial.steps)
    if certificate.symmetry is not None:
        return _write_symmetric(lines, model, certificate)
    goal = certificate.bound + 1
    demanded = lines.suppose(_linear(model, -1, -certificate.bound))
    demand = Constraint.of(demanded, model.objective, goal)
    refuted = TreeProof(lines, model, certificate).write(demand, goal)
    return lines.contradiction(refuted.number)


def _write_symmetric(lines: ProofLines, model: Model, certificate: Certificate) -> int:
    """Prove the bound of a part where nodes are alike; return the line's number.

    A subproof has no lines with a witness.  So a new variable says that the part is
    worth more, and the tree shows that it is false.
    """
    bound, weights = certificate.bound, model.objective
    new = lines.new_variable()
    missing = bound + 1 - int(np.minimum(weights, 0).sum())
    excess = int(np.maximum(weights, 0).sum()) - bound
    demanded = lines.strengthen(
        f"{missing} ~x{new} {_linear(model, 1, bound + 1)}", [(f"x{new}", "0")]
    )
    limited = lines.strengthen(
        f"{excess} x{new} {_linear(model, -1, -bound)}", [(f"x{new}", "1")]
    )
    wrong = np.zeros(model.n_variables + 1, dtype=np.int64)
    wrong[-1] = -missing
    demand = Constraint.of(demanded, np.append(weights, -missing), bound + 1 - missing)
    tree = TreeProof(lines, model.with_variable(new), certificate)
    refuted = tree.write(demand, bound + 1, wrong)
    return lines.sum([str(limited), f"{refuted.number} {excess} * +"])


def _linear(model: Model, sign: int, degree: int) -> str:
    """Return the constraint that the value, times 1 or -1, is at least so much."""
    return f"{terms(model.names, sign * model.objective) or '+0 x1'} >= {degree}"


_HEAD = ["pseudo-Boolean", "proof", "version"]
_RULES = {"f", "p", "pol", "o", "soli", "e", "i", "c", "red", "proofgoal", "end", "qed"}
_RULES |= {"output", "conclusion", "d", "del"}
_CLAIMS = ("f", "o", "soli", "e", "i", "c", "conclusion")
_OPENING = ("begin", "subproof")


def claimed_interval(proof: Iterable[str], problem: Iterable[str]) -> tuple[int, int]:
    """Return the least and greatest value that a proof says the optimum may have.

    Values are those of alignments, which the problem's objective is minus.  The lines
    of the *problem* are as we write them.

    Raises:
        CertificateError: if it is not a proof as we write them, or what it claims is
            not about the problem's objective.
    """
    n_constraints, objective = 0, "+0 x1"
    for line in problem:
        n_constraints += line[:1] not in ("*", "m")
        if line.startswith("min: "):
            objective = line[len("min: ") :].strip().removesuffix(";").strip()
    lines = iter(proof)
    *head, version = next(lines, "").removesuffix("\n").split(" ") or [""]
    if head != _HEAD or version not in VERSIONS:
        raise CertificateError("the proof is of no known format")
    claims, first = _claims(_rules(lines), n_constraints)
    is_old = version == "1.2"
    begins = ["f", "o", "e"] if is_old else ["f", "soli"]
    try:
        if claims["f"] != ["f", str(n_constraints), *(["0"] if is_old else [])]:
            raise CertificateError("the proof is about another number of constraints")
        if not is_old and claims["conclusion"][1] != "BOUNDS":
            raise CertificateError("the proof concludes no bounds")
        if first[: len(begins)] != begins:
            raise CertificateError("the proof does not begin with an alignment")
        if not is_old:
            return _concluded(claims["conclusion"])
        value = int(claims["e"][-1]) - 1
        demanded = ["e", str(n_constraints + 1), *_claim(objective, -1, value + 1)]
        if claims["e"] != demanded:
            raise CertificateError("the proof claims a value of something else")
        if "c" in claims:
            _, number, end = claims["c"]
            int(number)
            if end != "0":
                raise ValueError
            return value, value
        bound = -int(claims["i"][-1])
        if ["i", *claims["i"][2:]] != ["i", *_claim(objective, 1, -bound)]:
            raise CertificateError("the proof claims a bound of something else")
        return value, bound
    except CertificateError:
        raise
    except (KeyError, ValueError, IndexError):
        raise CertificateError("the proof states no claim") from None


def _rules(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the words of each line up to the end, after which there is nothing."""
    is_over = False
    for line in lines:
        text = line.removesuffix("\n")
        if is_over:
            raise CertificateError("the proof goes on after its end")
        if not text.isprintable() or not text.isascii():
            raise CertificateError("the proof has a character that none needs")
        words = text.removesuffix(";").split()
        rule = words[0] if words else "*"
        if rule not in _RULES:
            raise CertificateError(
                f"the proof has a rule {rule!r:.40}, which none needs"
            )
        is_over = words == ["end", *_HEAD[:2]]
        if not is_over:
            yield words


def _claims(
    rules: Iterable[list[str]], n_constraints: int
) -> tuple[dict[str, list[str]], list[str]]:
    """Return the lines that claim something, outside subproofs, and the first rules."""
    claims: dict[str, list[str]] = {}
    first: list[str] = []
    depth = 0
    for words in rules:
        rule = words[0]
        if len(first) < 3:
            first.append(rule)
        is_opening = words[-1] in _OPENING
        if is_opening != any(word in _OPENING for word in words) or (
            is_opening and rule != "red"
        ):
            raise CertificateError("the proof has a subproof where none can be")
        depth += (is_opening or rule == "proofgoal") - (rule in ("end", "qed"))
        if depth < 0:
            raise CertificateError("the proof ends a subproof that has not begun")
        if rule in ("d", "del"):
            gone = words[1 if rule == "d" else 2 :]
            gone = gone[:-1] if rule == "d" and gone[-1:] == ["0"] else gone
            is_by_number = rule == "d" or words[1:2] == ["id"]
            are_derived = (n.isdecimal() and int(n) > n_constraints for n in gone)
            if not is_by_number or not all(are_derived):
                raise CertificateError("the proof deletes what it is about")
        if depth == 0 and rule in _CLAIMS:
            if rule in claims:
                raise CertificateError(f"the proof has two lines {rule!r}")
            claims[rule] = words
    if depth:
        raise CertificateError("the proof has a subproof without an end")
    return claims, first


def _claim(objective: str, sign: int, degree: int) -> list[str]:
    """Return the words that say that the objective, times 1 or -1, is at least so."""
    words = objective.split()
    factors = [f"{sign * int(factor):+d}" for factor in words[::2]]
    terms = [
        word
        for factor_and_word in zip(factors, words[1::2], strict=True)
        for word in factor_and_word
    ]
    return [*terms, ">=", str(degree)]


def _concluded(words: list[str]) -> tuple[int, int]:
    """Return the interval of a conclusion."""
    _, _, lower, *hint, upper = words
    if hint and (len(hint) != 2 or hint[0] != ":" or not hint[1].isdecimal()):
        raise ValueError
    return -int(upper), -int(lower)


PROOF, PROBLEM, ZIPPED = ".pbp", ".opb", ".gz"
"""How the names of the two files end, and those of compressed ones."""


def check_proof_path(path: str) -> None:
    """Refuse a file whose name does not end as a proof's does."""
    if not path.removesuffix(ZIPPED).endswith(PROOF):
        raise InputError(
            f"{path}: the file of a proof is named like NAME{PROOF}, or like "
            f"NAME{PROOF}{ZIPPED} to be compressed"
        )


def write_proof_files(
    path: str, problem: AlignmentProblem, solution: Solution, version: str = "2.0"
) -> str:
    """Write the proof to *path*, and the problem beside it, whose path is returned.

    Both are compressed if the name ends in ``.gz``.

    Raises:
        SolverError: if the solution has no certificate that holds.
        InputError: if a file cannot be written.
    """
    ending = ZIPPED * path.endswith(ZIPPED)
    beside = path.removesuffix(ending).removesuffix(PROOF) + PROBLEM + ending
    with _written(path) as stream:
        write_proof(stream, problem, solution, version)
    with _written(beside) as stream:
        write_problem(stream, problem)
    return beside


@contextmanager
def _written(path: str) -> Iterator[TextIO]:
    """Open a file that is there as a whole or not at all."""
    with ExitStack() as opened:
        file: Any = opened.enter_context(replacing(Path(path)))
        if path.endswith(ZIPPED):  # the same bytes whenever it is written
            file = opened.enter_context(gzip.GzipFile("", "wb", 6, file, mtime=0))
        yield opened.enter_context(io.TextIOWrapper(file, "ascii", newline=""))


def read_lines(path: str) -> Iterator[str]:
    """Yield the lines of a file, compressed or not.

    Raises:
        InputError: if it cannot be read, a line is longer than ``--max-bytes``, or it
            unpacks to far more than it holds.
    """
    max_size = max_bytes()
    try:
        with open(path, "rb") as file:
            content: Any = unpacked(file, path) if path.endswith(ZIPPED) else file
            with io.TextIOWrapper(content, "ascii", newline="\n") as stream:
                for line in iter(partial(stream.readline, max_size + 1), ""):
                    if len(line) > max_size:
                        raise InputError(
                            f"{path}: has a line of more than {max_size:,} bytes; "
                            "raise --max-bytes"
                        )
                    yield line
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
