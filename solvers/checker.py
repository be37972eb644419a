"""The checker of certificates, which trusts nothing but the problem.

It is exact integer arithmetic, it shares no code with any solver, and it is short
enough to be read and believed.  :mod:`exactmatch.solvers.certificate` says what each
part of a certificate proves, and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from exactmatch.base.errors import ProblemError
from exactmatch.solvers.certificate import (
    LARGEST,
    Certificate,
    CertificateError,
    ComponentProof,
    Round,
    Shifts,
    Symmetry,
)
from exactmatch.solvers.problem import Alignment, AlignmentProblem, BoolArray, IntArray


def check_certificate(
    problem: AlignmentProblem,
    alignment: Alignment,
    value: int,
    certificate: Certificate,
) -> None:
    """Check that the alignment has its value and no alignment exceeds the bound.

    Where value and bound are equal, the alignment is therefore optimal.

    Raises:
        CertificateError: if anything is not as claimed; the message says what.
    """
    try:
        problem.check_alignment(alignment)
    except ProblemError as error:
        raise CertificateError(str(error)) from None
    counted = _value(problem, alignment)
    if counted != value:
        raise CertificateError(f"the alignment is worth {counted}, not {value}")
    if not _is_count(certificate.bound) or certificate.bound < value:
        raise CertificateError(
            f"the bound {certificate.bound!r} is below the value {value}"
        )
    chosen = [alignment[i] == j for i, j in _pairs(problem)]
    for number, conflict in enumerate(problem.conflicts):
        if all(any(chosen[c] for c in each) for each in conflict):
            raise CertificateError(f"the alignment breaks conflict {number}")
    candidates = problem.left, problem.right, problem.unary
    terms = problem.first, problem.second, problem.weight
    whole = _Part(problem.n_left, problem.n_right, *candidates, *terms)
    if certificate.cases:
        _check_cases(whole, certificate, problem.conflicts)
    else:
        _check_whole(whole, certificate)


def _check_whole(whole: _Part, certificate: Certificate) -> None:
    if certificate.shifts is not None:
        _check_shifts(whole, certificate, certificate.shifts)
    else:
        _check_unshifted(whole, certificate)


def _check_cases(
    whole: _Part, certificate: Certificate, conflicts: Sequence[Any]
) -> None:
    """Check that the cases cover all alignments, and the bound of each."""
    if certificate.nodes or certificate.parts or certificate.shifts is not None:
        raise CertificateError("it has cases and something else")
    waiting = [np.ones(len(whole.left), dtype=np.bool_)]
    for number, case in enumerate(certificate.cases):
        if not waiting:
            raise CertificateError(f"case {number} belongs to none")
        keep, case_certificate = waiting.pop(), case.certificate
        if case.conflict is not None:
            if not _is_count(case.conflict) or case.conflict >= len(conflicts):
                raise CertificateError(f"there is no conflict {case.conflict!r}")
            if case_certificate is not None:
                raise CertificateError(f"case {number} is proved and has cases")
            for each in reversed(conflicts[case.conflict]):
                rest = keep.copy()
                rest[list(each)] = False
                waiting.append(rest)
        elif (
            case_certificate is None
            or case_certificate.cases
            or not _is_count(case_certificate.bound)
        ):
            raise CertificateError(f"case {number} has no bound")
        elif case_certificate.bound > certificate.bound:
            raise CertificateError(f"case {number} does not prove {certificate.bound}")
        else:
            try:
                _check_whole(whole.restricted(keep), case_certificate)
            except CertificateError as error:
                raise CertificateError(f"case {number}: {error}") from None
    if waiting:
        raise CertificateError(f"cases that are missing: {len(waiting)}")


def _check_unshifted(whole: _Part, certificate: Certificate) -> None:
    if certificate.parts:
        _check_parts(whole, certificate)
    else:
        _check_tree(whole, certificate)


def _check_shifts(whole: _Part, certificate: Certificate, shifts: Shifts) -> None:
    """Check the cover, each shifted problem, and what follows for the problem."""
    if certificate.nodes or certificate.parts:
        raise CertificateError("it has shifts and something else")
    n_candidates = len(whole.left)
    chosen = _members("shifts", shifts.candidates, n_candidates)
    covered = _members("cover", shifts.left, whole.n_left)[whole.left]
    covered |= _members("cover", shifts.right, whole.n_right)[whole.right]
    if np.any(chosen & ~covered):
        raise CertificateError("a shifted candidate is not covered")
    if not shifts.proofs:
        raise CertificateError("nothing is shifted")
    for k, proof in enumerate(shifts.proofs):
        amount, inner = proof.amount, proof.certificate
        if type(amount) is not int or abs(amount) * (n_candidates + 1) >= LARGEST:
            raise CertificateError(f"shift {k} is by {amount!r}")
        if inner.shifts is not None or not _is_count(inner.bound):
            raise CertificateError(f"shift {k} has shifts of its own, or no bound")
        try:
            _check_unshifted(replace(whole, unary=whole.unary + amount * chosen), inner)
        except CertificateError as error:
            raise CertificateError(f"shift {k}: {error}") from None
    if shifts.bound() > certificate.bound:
        raise CertificateError(f"the shifts do not prove {certificate.bound}")


def _members(name: str, numbers: Sequence[int], count: int) -> BoolArray:
    """Return flags of the *count* items that an increasing list names."""
    members = np.zeros(count, dtype=np.bool_)
    last = -1
    for number in numbers:
        if not _is_count(number) or not last < number < count:
            raise CertificateError(f"{name} cannot hold {number!r}")
        members[number] = True
        last = number
    return members


def _pairs(problem: AlignmentProblem) -> Iterator[tuple[int, int]]:
    return zip(problem.left.tolist(), problem.right.tolist(), strict=True)


def _value(problem: AlignmentProblem, alignment: Alignment) -> int:
    chosen = np.array([alignment[i] == j for i, j in _pairs(problem)], dtype=np.bool_)
    together = chosen[problem.first] & chosen[problem.second]
    return int(problem.unary[chosen].sum()) + int(problem.weight[together].sum())


def _check_parts(whole: _Part, certificate: Certificate) -> None:
    """Check that the parts are apart, and each bound, and that these add up."""
    if certificate.nodes:
        raise CertificateError("it has both nodes and parts")
    number = _numbered(certificate.parts, len(whole.left))
    for nodes, count in ((whole.left, whole.n_left), (whole.right, whole.n_right)):
        of_node = np.zeros(count, dtype=np.int64)
        of_node[nodes] = number
        if np.any(of_node[nodes] != number):
            raise CertificateError("two parts share a node")
    if np.any(number[whole.first] != number[whole.second]):
        raise CertificateError("a pair term joins two parts")
    bounds = [part.certificate.bound for part in certificate.parts]
    if not all(map(_is_count, bounds)) or sum(bounds) > certificate.bound:
        raise CertificateError(f"the parts do not prove the bound {certificate.bound}")
    order = np.argsort(number[whole.first], kind="stable")
    ends = np.searchsorted(number[whole.first][order], np.arange(len(bounds) + 1))
    for k, part in enumerate(certificate.parts):
        if part.certificate.parts:
            raise CertificateError(f"part {k} has parts of its own")
        try:
            terms = order[ends[k] : ends[k + 1]]
            _check_tree(whole.part(part.candidates, terms), part.certificate)
        except CertificateError as error:
            raise CertificateError(f"part {k}: {error}") from None


def _numbered(parts: Sequence[ComponentProof], count: int) -> IntArray:
    """Return the part of each candidate, if each is in exactly one."""
    number = np.full(count, -1, dtype=np.int64)
    for k, part in enumerate(parts):
        last = -1
        for c in part.candidates:
            if not _is_count(c) or not last < c < count or number[c] != -1:
                raise CertificateError(f"part {k} cannot hold candidate {c!r}")
            number[c] = k
            last = c
    if np.any(number < 0):
        missing = int(np.flatnonzero(number < 0)[0])
        raise CertificateError(f"candidate {missing} is in no part")
    return number


def _check_tree(whole: _Part, certificate: Certificate) -> None:
    if certificate.symmetry is not None:
        whole = whole.with_symmetry(certificate.symmetry)
    open_parts: list[tuple[_Part, bool]] = [(whole, False)]
    for number, node in enumerate(certificate.nodes):
        if not open_parts:
            raise CertificateError(f"node {number} belongs to no branch")
        part, closed = open_parts.pop()
        for evidence in node.rounds:
            try:
                goal = _next_value(part, certificate.bound)
                bound, part = _check_round(part, evidence, goal)
            except CertificateError as error:
                raise CertificateError(f"node {number}: {error}") from None
            closed = closed or bound < goal * evidence.unit
        if node.branch is not None:
            taken, left_out = part.branches(node.branch)
            open_parts += [(left_out, closed), (taken, closed)]
        elif not closed:
            raise CertificateError(
                f"node {number} does not prove the bound {certificate.bound}"
            )
    if open_parts:
        raise CertificateError(f"branches that are missing: {len(open_parts)}")


def _next_value(part: _Part, bound: int) -> int:
    """Return the least value above the bound that an alignment of the part may have."""
    lattice = int(np.gcd.reduce(np.abs(np.concatenate([part.unary, part.weight]))))
    return (bound // max(lattice, 1) + 1) * max(lattice, 1)


def _check_round(part: _Part, evidence: Round, goal: int) -> tuple[int, _Part]:
    """Check a round; return its bound in parts, and what it leaves."""
    unit = evidence.unit
    total = int(np.abs(part.unary).sum()) + int(part.weight.sum())
    if not _is_count(unit) or unit < 1 or total * unit >= LARGEST:
        raise CertificateError(f"{unit!r} parts of a unit are none or too many")
    share = _numbers("shares", evidence.shares, len(part.weight))
    if np.any(share > part.weight * unit):
        raise CertificateError("a share is more than the weight that is split")
    share = np.concatenate([share, part.weight * unit - share])
    owner = np.concatenate([part.first, part.second]).astype(np.int64)
    partner = np.concatenate([part.second, part.first])
    worth = part.unary * unit
    cover = np.zeros(len(share), dtype=np.int64)
    for name, nodes, width, listed in (
        ("inner_left", part.left, part.n_left, evidence.inner_left),
        ("inner_right", part.right, part.n_right, evidence.inner_right),
    ):
        keys, key = np.unique(owner * width + nodes[partner], return_inverse=True)
        numbers = _numbers(name, listed, len(keys))
        cover += numbers[key]
        np.add.at(worth, keys // max(width, 1), numbers)
    if np.any(cover < share):
        raise CertificateError("the inner numbers do not cover a share")
    u = _numbers("left", evidence.left, part.n_left)
    v = _numbers("right", evidence.right, part.n_right)
    slack = u[part.left] + v[part.right] - worth
    if np.any(slack < 0):
        raise CertificateError("the outer numbers do not cover a candidate's worth")
    bound = int(u.sum()) + int(v.sum())
    keep = np.ones(len(worth), dtype=np.bool_)
    for c in evidence.dropped:
        if not _is_count(c) or c >= len(keep) or not keep[c]:
            raise CertificateError(f"there is no candidate {c!r} to drop")
        if bound - int(slack[c]) >= goal * unit:
            raise CertificateError(f"candidate {c} is dropped without proof")
        keep[c] = False
    return bound, part.restricted(keep)


@dataclass(frozen=True, slots=True)
class _Part:
    """The candidates and pair terms that are still there.

    Of left and right nodes, equal ``classes`` say that they are alike and free.
    """

    n_left: int
    n_right: int
    left: IntArray
    right: IntArray
    unary: IntArray
    first: IntArray
    second: IntArray
    weight: IntArray
    classes: tuple[IntArray, IntArray] | None = None

    def with_symmetry(self, symmetry: Symmetry) -> _Part:
        """Add classes of nodes, if exchanging any two changes no weight."""
        left, right = np.arange(self.n_left), np.arange(self.n_right)
        classes = left.copy(), right.copy()
        for side, side_classes in enumerate((symmetry.left, symmetry.right)):
            classes_of_side = classes[side]
            for members in side_classes:
                alike = np.flatnonzero(
                    _members("symmetry", members, len(classes_of_side))
                )
                if len(alike) < 2 or np.any(classes_of_side[alike] != alike):
                    raise CertificateError(f"{members} is not a class of its own")
                swapped = alike[[1, 0, *range(2, len(alike))]]
                for moved in (swapped, np.roll(alike, 1)):  # they make all exchanges
                    images = [left, right]
                    images[side] = images[side].copy()
                    images[side][alike] = moved
                    if not self._is_kept(*images):
                        raise CertificateError(f"nodes {members} are not alike")
                classes_of_side[alike] = alike[0]
        return replace(self, classes=classes)

    def _is_kept(self, left_image: IntArray, right_image: IntArray) -> bool:
        """Return whether exchanging nodes keeps all candidates and weights."""
        left, right = left_image[self.left], right_image[self.right]
        order = np.lexsort((right, left))
        number = np.argsort(order)  # the candidate that each becomes
        first, second = np.sort([number[self.first], number[self.second]], axis=0)
        terms = np.lexsort((second, first))
        candidates = left[order], right[order], self.unary[order]
        images = *candidates, first[terms], second[terms], self.weight[terms]
        arrays = self.left, self.right, self.unary, self.first, self.second, self.weight
        return all(map(np.array_equal, images, arrays))

    def restricted(self, keep: BoolArray) -> _Part:
        """Return the candidates to keep, and the pair terms between them."""
        if keep.all():
            return self
        number = np.cumsum(keep) - 1
        keep_term = keep[self.first] & keep[self.second]
        candidates = self.left[keep], self.right[keep], self.unary[keep]
        first, second = number[self.first[keep_term]], number[self.second[keep_term]]
        pairs = first, second, self.weight[keep_term]
        return _Part(self.n_left, self.n_right, *candidates, *pairs, self.classes)

    def part(self, candidates: Sequence[int], terms: IntArray) -> _Part:
        """Some candidates and pair terms, and the nodes that they name, renumbered."""
        chosen = np.array(candidates, dtype=np.int64)
        left, i = np.unique(self.left[chosen], return_inverse=True)
        right, j = np.unique(self.right[chosen], return_inverse=True)
        part_candidates = i.ravel(), j.ravel(), self.unary[chosen]
        first = np.searchsorted(chosen, self.first[terms])
        second = np.searchsorted(chosen, self.second[terms])
        pairs = first, second, self.weight[terms]
        return _Part(len(left), len(right), *part_candidates, *pairs)

    def branches(self, c: int) -> tuple[_Part, _Part]:
        """Return the rests where candidate *c* is taken, and where it is left out."""
        if not _is_count(c) or c >= len(self.left):
            raise CertificateError(f"there is no candidate {c!r} to branch on")
        itself = np.arange(len(self.left)) == c
        rival = (self.left == self.left[c]) | (self.right == self.right[c])
        taken, gone = self.restricted(itself | ~rival), itself
        if self.classes is not None:
            alike, classes = np.ones(len(self.left), dtype=np.bool_), []
            for nodes, side_classes in zip(
                (self.left, self.right), self.classes, strict=True
            ):
                alike &= side_classes[nodes] == side_classes[nodes[c]]
                side_classes = side_classes.copy()
                side_classes[nodes[c]] = (
                    len(side_classes) + nodes[c]
                )  # not free any more
                classes.append(side_classes)
            gone = alike
            taken = replace(taken, classes=(classes[0], classes[1]))
        return taken, self.restricted(~gone)


def _is_count(number: Any) -> bool:
    """Return whether this is an integer, zero or more, and not a truth value."""
    return type(number) is int and number >= 0


def _numbers(name: str, numbers: Sequence[int], length: int) -> IntArray:
    """Return a list as an array, if it has the length and sums cannot overflow."""
    if len(numbers) != length:
        raise CertificateError(f"{name} has {len(numbers)} numbers, not {length}")
    if not all(map(_is_count, numbers)):
        raise CertificateError(f"{name} holds what is not a count")
    if sum(numbers) >= LARGEST:
        raise CertificateError(f"{name} adds up to 2**60 or more")
    return np.array(numbers, dtype=np.int64)
