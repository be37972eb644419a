"""``bnb``: exact search by our own compiled kernel; see ``kernel/search.py`` for how.

This module has its options, the proofs of its bounds, and its certificates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import SolverError
from exactmatch.solvers.base import Solver
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Proof, Proposal

if TYPE_CHECKING:  # importing these imports NumPy, which is slow
    from exactmatch.solvers.certificate import Certificate
    from exactmatch.solvers.linear.cuts import Relief
    from exactmatch.solvers.problem import Alignment, AlignmentProblem, IntArray

KERNEL = "exactmatch.solvers.kernel.solve"

CORE_NODES = 200
"""Limit on the nodes of the search for a better alignment of the core."""

EASY_NODES = 100
"""Nodes of a first search without symmetry, which is enough for easy problems."""

MANY_ALIKE = 4
"""Symmetry is used if kinds of candidates have this many members on average."""

_UNLIMITED = 2**62
_ROUND, _BRANCH = 0, 1


class BranchAndBound(Solver):
    """Prove the optimum by Lagrangian bounds inside a branch and bound.

    Args:
        record_proof: 1 to record a certificate always, whatever the limits say.
        nodes: the most nodes of the tree; 0 for no limit.
        symmetry: whether to try only one of the candidates whose nodes are alike: 1 if
            many are alike, 2 always, 0 never.
    """

    name: ClassVar[str] = "bnb"
    exact: ClassVar[bool] = True
    records_proofs: ClassVar[bool] = True
    summary: ClassVar[str] = "our own Lagrangian branch and bound"
    _load: Callable[[str], Any] = staticmethod(kernels.load)

    def __init__(
        self, record_proof: int = 0, nodes: int = 0, symmetry: int = 1
    ) -> None:
        if nodes < 0:
            raise SolverError(f"nodes is {nodes}; it must be 0 or more")
        self.record_proof = record_proof
        self.nodes = nodes
        self.symmetry = symmetry

    @property
    def kernel_nodes(self) -> int | None:
        return None if self.record_proof or self.nodes else EASY_NODES

    @classmethod
    def version(cls) -> str:
        """Return whether the search runs as machine code or as Python."""
        compiled = kernels.is_compiled(kernels.load(KERNEL))
        return "compiled" if compiled else "interpreted"

    def signature(self) -> str:
        return f"{self.name}:nodes={self.nodes}" if self.nodes else self.name

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        above, symmetric = progress.above, self.symmetry > 1
        if self.symmetry == 1 and is_symmetric(problem):
            easy = BranchAndBound(self.record_proof, EASY_NODES)
            first = easy.search(problem, progress, above=above)
            is_proved = first.bound is None or progress.goal >= first.bound
            if is_proved or progress.is_out_of_time(problem):
                return first
            symmetric = True
        return self.search(problem, progress, above=above, symmetric=symmetric)

    def search(
        self,
        problem: AlignmentProblem,
        progress: Progress,
        *,
        start: Alignment | None = None,
        above: int = 0,
        at_most: int | None = None,
        core: bool = True,
        shares: Sequence[int] | None = None,
        deep: bool = False,
        symmetric: bool = False,
        cuts: Relief | None = None,
    ) -> Proposal:
        """Search from known bounds.

        Args:
            start: an alignment to begin with; it is improved at once.
            above: a value that is reached elsewhere.  Only better alignments are looked
                for, so the bound is at least this; if none is better, any is returned.
            at_most: a bound that the caller can prove.  The search stops when an
                alignment reaches it, and returns no higher bound; the certificate does
                not cover it.
            core: whether to search the *core* as well: the candidates that many
                assignments chose, few enough to find a good alignment of them soon.
            shares: the split of weights to begin with, from an earlier deep search.
            deep: whether to make the bound of the root as low as possible, which pays
                for large trees.
            symmetric: whether to try only one of several nodes that are alike.
            cuts: what cuts take from the weights; then only the root is searched.
        """
        best, known, nodes, rounds = start, above, 0, 0
        record = bool(self.record_proof or progress.limits.record_proof)
        part = _Part(problem, None if shares is None else list(shares), cuts=cuts)

        def report(alignment: list[int] | None, bound: int, more_nodes: int) -> None:
            if alignment is not None:
                progress.offer(alignment)
            progress.prove(part.bound_of_whole(bound, known), proof_of(more_nodes, 2))
            progress.tell()

        while True:
            seconds = progress.seconds_left()
            ended = self._load(KERNEL).solve(
                part.problem,
                -1.0 if seconds is None else seconds,
                max(self.nodes - nodes, 1) if self.nodes else _UNLIMITED,
                best,
                part.shares,
                deep,
                symmetric,
                known,
                -1 if at_most is None else at_most,
                record,
                report,
                partial(_improved, part.problem, progress) if core else None,
                True,
                part.cuts,
            )
            alignment, bound, more_nodes, more_rounds, log, unit, *rest = ended
            still_open, split, leaders, has_shrunk = rest
            progress.offer(alignment)
            nodes, rounds = nodes + more_nodes - 1, rounds + more_rounds
            bound = part.bound_of_whole(bound, known)
            if best is None or problem.value(tuple(alignment)) >= problem.value(best):
                best = tuple(alignment)
            if not has_shrunk:
                break
            known = max(known, problem.value(best))
            part = part.without_dropped(still_open, split)
        if still_open is not None:
            still_open, split = part.of_whole(still_open, split)
        return Proposal(
            best,
            bound if at_most is None else min(bound, at_most),
            proof_of(nodes + 1, rounds),
            None if log is None else _certificate(log, unit, bound, leaders),
            still_open=still_open,
            shares=split,
        )


class _Part(NamedTuple):
    """The part that a search left of a large problem, searched as a problem of its own.

    Attributes:
        shares: the split of weights to begin with.
        dropped_from: the whole problem's candidates and pair terms that are left, and
            its split when the others were dropped; ``None`` if nothing was.
        cuts: what cuts take from the part's weights.
    """

    problem: AlignmentProblem
    shares: list[int] | None
    dropped_from: tuple[IntArray, IntArray, IntArray] | None = None
    cuts: Relief | None = None

    def bound_of_whole(self, bound: int, known: int) -> int:
        """Return a bound of the whole: what was dropped may be worth *known*."""
        return bound if self.dropped_from is None else max(bound, known)

    def without_dropped(self, still_open: list[int], shares: list[int]) -> _Part:
        """Return the part with some of its candidates, and their split of weights."""
        import numpy as np

        problem, split = self.problem, np.array(shares, dtype=np.int64)
        keep = np.zeros(problem.n_candidates, dtype=np.bool_)
        keep[still_open] = True
        candidates = np.flatnonzero(keep)
        terms = np.flatnonzero(keep[problem.first] & keep[problem.second])
        left_over = split[terms].tolist()
        cuts = None if self.cuts is None else self.cuts.of_part(candidates, terms)
        if self.dropped_from is not None:
            whole_candidates, whole_terms, whole_split = self.dropped_from
            whole_split[whole_terms] = split
            split = whole_split
            candidates, terms = whole_candidates[candidates], whole_terms[terms]
        dropped_from = candidates, terms, split
        return _Part(problem.restricted(keep), left_over, dropped_from, cuts)

    def of_whole(
        self, still_open: list[int], shares: list[int] | None
    ) -> tuple[list[int], list[int] | None]:
        """Return candidates of the part, and its split, as those of the whole."""
        if self.dropped_from is None:
            return still_open, shares
        candidates, terms, split = self.dropped_from
        if shares is not None:
            split[terms] = shares
        return (
            candidates[still_open].tolist(),
            None if shares is None else split.tolist(),
        )


def is_symmetric(problem: AlignmentProblem) -> bool:
    """Return whether kinds of candidates are large; nodes of a kind are alike."""
    import numpy as np

    classes = kernels.load(KERNEL).classes_of(problem)
    if classes is None:
        return False
    left, right = map(np.array, classes)
    kinds = np.unique(left[problem.left] * problem.n_right + right[problem.right])
    return MANY_ALIKE * len(kinds) <= problem.n_candidates


def climbed(problem: AlignmentProblem) -> Alignment:
    """Return an alignment from the first milliseconds of a search, as a start.

    The bound of that search is not returned: the other solver proves its own.
    """
    progress = Progress(problem, Limits(seconds=0.0))
    return BranchAndBound().search(problem, progress).alignment


def _improved(
    problem: AlignmentProblem, progress: Progress, known: list[int], core: list[int]
) -> list[int] | None:
    """Return an alignment of the core that is better than the known one, or ``None``.

    Source: Balas and Zemel (1980), "An algorithm for large zero-one knapsack problems",
    for the core; Danna, Rothberg and Le Pape (2005), "Exploring relaxation induced
    neighborhoods to improve MIP solutions", for finding it from a relaxation.
    """
    import numpy as np

    keep = np.zeros(problem.n_candidates, dtype=np.bool_)
    keep[core] = True
    part = problem.restricted(keep)
    start, value = tuple(known), problem.value(tuple(known))
    better = BranchAndBound(nodes=CORE_NODES).search(
        part, progress.of_part(part), start=start, above=value, core=False
    )
    is_better = problem.value(better.alignment) > value
    return list(better.alignment) if is_better else None


def proof_of(nodes: int, rounds: int) -> Proof:
    """Return the kind of proof of a bound, from the nodes and rounds that it took."""
    if nodes > 1:
        return "branch"
    return "dual" if rounds > 1 else "assignment"


def _certificate(
    log: list[int], unit: int, bound: int, leaders: tuple[list[int], ...] | None
) -> Certificate:
    from exactmatch.solvers.certificate import Certificate, ProofNode, Round, Symmetry

    nodes, rounds, numbers = [], [], iter(log)
    for kind in numbers:
        if kind == _ROUND:
            lists = (tuple(islice(numbers, next(numbers))) for _ in range(6))
            rounds.append(Round(unit, *lists))
        else:
            branch = next(numbers) if kind == _BRANCH else None
            nodes.append(ProofNode(tuple(rounds), branch))
            rounds = []
    if leaders is None:
        return Certificate(bound, tuple(nodes))
    sides = []
    for leader_of in leaders:  # the first node that each node is like
        classes: dict[int, list[int]] = {}
        for node, leader in enumerate(leader_of):
            classes.setdefault(leader, []).append(node)
        sides.append(tuple(tuple(each) for each in classes.values() if len(each) > 1))
    return Certificate(bound, tuple(nodes), symmetry=Symmetry(*sides))
