"""Certificates: why no alignment is worth more than a bound.

They are checked by :mod:`exactmatch.solvers.checker`.

**A round** proves a bound.  Split the weight of every pair term between its two
candidates.  Then every alignment *A* is worth at most the sum, over its candidates, of
``unary[c]`` plus the shares *c* has in pair terms with other candidates of *A*.  Those
are one-to-one: each left node and each right node occurs once.  So numbers on left and
right nodes, zero or more, that together cover every share of *c* (``inner_left +
inner_right >= share``) bound the sum of its shares, and with ``unary[c]`` give a
``worth[c]``.  *A* itself is one-to-one as well, so again numbers on nodes that cover
every worth (``left[i] + right[j] >= worth[c]``) bound the value of *A* by their sum.

**Dropping**: an alignment with candidate *c* is worth less still, by the *slack*
``left[i] + right[j] - worth[c]``.  Where that takes it to the certified bound or
below, *c* is dropped; later rounds are about the problem that is left.

**Branching**: an alignment holds a candidate, and then no other one that shares
a node with it, or it does not.  The two cases cover all.

**Symmetry**: exchange two left nodes in all candidates.  Where that changes no weight,
they are *alike*, and so may two right nodes be.  What is alike may be exchanged in an
alignment as well, as long as no branch has taken one of the nodes.  So where no
alignment above the bound holds a candidate, none holds one of nodes that are like its
nodes: the branch that leaves it out leaves them all out.

**Falling apart**: where candidates come in parts that share no node and no pair term,
an alignment is worth the sum of what it is worth in each part, and so bounds of the
parts, each proved by a certificate of its own, add up.

**Shifting**: let *S* be a set of candidates of which an alignment holds *a*, and add a
number *s* to the unary weight of each.  A bound of the shifted problem, proved by a
certificate of its own, bounds the problem by itself less ``s * a``.  There are never
more than a *cover* has nodes, a set of nodes of which each candidate of *S* names one;
and whatever *a* is up to that, the least of several such bounds holds.

**Cases**: a problem may have conflicts, each several sets of candidates of which no
alignment has members of all.  So every alignment is in at least one of the cases that
leave out one of the sets, and the greatest of their bounds holds.

Values are multiples of the greatest common divisor of all weights still there,
so every bound is rounded down to one.  Anyone can write rounds: a dual solution of the
linear relaxation, rounded to integers so that it still covers, is exactly one.

Sources: Adams and Johnson (1994) for the bound; Nemhauser and Wolsey (1988),
"Integer and combinatorial optimization", for fixing by reduced cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

LARGEST = 2**60
"""The numbers of a list add up to less, so that 64 bits hold every sum here."""


class CertificateError(ValueError):
    """A certificate that does not prove what it claims; the message says why."""


@dataclass(frozen=True, slots=True)
class Round:
    """One proof of a bound, about the candidates and pair terms still there.

    All numbers but ``unit`` and ``dropped`` are in parts of ``1 / unit`` of the
    problem's own units, zero or more.

    Attributes:
        unit: into how many parts a unit of weight is split.
        shares: of each pair term, the share of its first candidate; the second
            candidate has the rest.
        inner_left: a number for each candidate and each left node of the
            partners in its pair terms, sorted by candidate, then node.
        inner_right: the same for the partners' right nodes.
        left, right: a number for each left and each right node.
        dropped: the candidates to drop after this round, counted among those
            still there, increasing.
    """

    unit: int
    shares: tuple[int, ...]
    inner_left: tuple[int, ...]
    inner_right: tuple[int, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    dropped: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ProofNode:
    """A node of the tree: rounds, and the candidate it branches on, if any.

    ``branch`` counts among the candidates still there after the rounds.
    """

    rounds: tuple[Round, ...]
    branch: int | None = None


@dataclass(frozen=True, slots=True)
class ComponentProof:
    """A part of a problem that has nothing to do with the others.

    Attributes:
        candidates: its candidates in the whole problem, increasing.
        certificate: about the problem of these candidates, in their order, and of the
            nodes that they name, in theirs.
    """

    candidates: tuple[int, ...]
    certificate: Certificate


@dataclass(frozen=True, slots=True)
class ShiftedProof:
    """A number that is added to some weights, and a certificate of the new problem."""

    amount: int
    certificate: Certificate


@dataclass(frozen=True, slots=True)
class Shifts:
    """Bounds of the problem with some unary weights shifted.

    Attributes:
        candidates: the candidates whose weight is shifted, increasing.
        left, right: the cover, left and right nodes, each increasing.
        proofs: by how much, and why nothing is then worth more than so much.
    """

    candidates: tuple[int, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    proofs: tuple[ShiftedProof, ...]

    def bound(self) -> int:
        """Return the bound that follows for the problem itself."""
        counts = range(len(self.left) + len(self.right) + 1)
        bounds = [(p.certificate.bound, p.amount) for p in self.proofs]
        return max(min(bound - s * a for bound, s in bounds) for a in counts)


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Nodes that are alike: classes of two or more left nodes, or right nodes."""

    left: tuple[tuple[int, ...], ...] = ()
    right: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class CaseNode:
    """A case of a problem with conflicts.

    Attributes:
        conflict: the conflict, by number, of which each set is left out in one of the
            cases that follow; ``None`` where the certificate proves the bound.
        certificate: about the problem without what was left out on the way here.
    """

    conflict: int | None
    certificate: Certificate | None


@dataclass(frozen=True, slots=True)
class Certificate:
    """Evidence that no alignment is worth more than ``bound``.

    Attributes:
        bound: the claimed bound, in the problem's units.
        nodes: the tree, each node before its branches, the branch that takes
            the candidate before the one that leaves it out.
        parts: in place of a tree, the parts that the problem falls into.
        shifts: in place of both, what follows from shifted weights.
        symmetry: the nodes that the tree takes for alike.
        cases: in place of all these, the cases of a problem with conflicts, each before
            those that it has itself.
    """

    bound: int
    nodes: tuple[ProofNode, ...]
    parts: tuple[ComponentProof, ...] = ()
    shifts: Shifts | None = None
    symmetry: Symmetry | None = None
    cases: tuple[CaseNode, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as plain data, ready for JSON."""
        plain: dict[str, Any] = _plain(self)
        return plain

    @classmethod
    def from_dict(cls, data: Any) -> Certificate:
        """Read back what :meth:`to_dict` wrote.

        Raises:
            CertificateError: if a part is missing or is of another kind.
        """
        try:
            return _read(data, ("cases", "shifts", "parts"))
        except (KeyError, TypeError, AttributeError) as error:
            raise CertificateError(f"not a certificate: {error!r}") from None

    def after(self, rounds: Sequence[Round]) -> Certificate:
        """Put rounds before this certificate of the problem that they leave."""
        first = ProofNode((*rounds, *self.nodes[0].rounds), self.nodes[0].branch)
        return Certificate(self.bound, (first, *self.nodes[1:]))


def _plain(value: Any) -> Any:
    """Make what ``asdict`` would, in less time and without empty optional parts."""
    if isinstance(value, tuple):
        is_numbers = not value or isinstance(value[0], int)
        return value if is_numbers else tuple(map(_plain, value))
    if not is_dataclass(value):
        return value
    values = {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    optional = "parts", "shifts", "symmetry", "cases"
    return {name: x for name, x in values.items() if x or name not in optional}


def _read(data: dict[str, Any], kinds: tuple[str, ...] = ()) -> Certificate:
    """Return a certificate of these kinds; others are left out and missed."""
    parts = tuple(
        ComponentProof(tuple(part["candidates"]), _read(part["certificate"]))
        for part in (data.get("parts", ()) if "parts" in kinds else ())
    )
    nodes = tuple(
        ProofNode(tuple(map(_read_round, node["rounds"])), node["branch"])
        for node in data["nodes"]
    )
    sides, symmetry, shifts = ("left", "right"), None, None
    if "symmetry" in data:
        record = data["symmetry"]
        symmetry = Symmetry(*(tuple(map(tuple, record[side])) for side in sides))
    if "shifts" in kinds and "shifts" in data:
        record = data["shifts"]
        proofs = tuple(
            ShiftedProof(proof["amount"], _read(proof["certificate"], ("parts",)))
            for proof in record["proofs"]
        )
        chosen, left, right = (tuple(record[name]) for name in ("candidates", *sides))
        shifts = Shifts(chosen, left, right, proofs)
    cases = tuple(
        CaseNode(case["conflict"], proof and _read(proof, ("shifts", "parts")))
        for case in (data.get("cases", ()) if "cases" in kinds else ())
        for proof in [case["certificate"]]
    )
    return Certificate(data["bound"], nodes, parts, shifts, symmetry, cases)


def _read_round(data: dict[str, Any]) -> Round:
    lists = [tuple(data[name]) for name in Round.__slots__[1:]]
    return Round(data["unit"], *lists)
