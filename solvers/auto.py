"""The default solver: cheap proofs first, costlier ones until the optimum is proven.

1. ``bnb``, our compiled kernel, for a hundred nodes: enough for every pair of
   sentences and for most documents (``proof: assignment``, ``dual`` or ``branch``).
   If many nodes are interchangeable, only ``bnb`` runs, and tries one candidate of
   each group of equals.
2. ``bnb`` again, with *deep* steps at its root: many more steps, whose bound comes near
   that of the linear relaxation.  From the split of weights that they end with, it then
   searches the *window*, the values between the bound and one triple less, which is a
   much smaller problem.  If no alignment is worth that much, the bound falls to the
   window's lower end, and the next window is searched.  A gap of many triples, as in
   quadratic assignment, is searched in one piece.  A stubborn problem that falls apart
   (:mod:`exactmatch.solvers.components`) is solved part by part.
3. A stubborn window of a large problem is relaxed with cuts, which often close it, and
   may lower the bound by several windows (:mod:`exactmatch.solvers.linear.tightened`;
   ``proof: lp``, ``dual`` or ``milp``).  Any other goes to a linear relaxation, which
   drops candidates, and a tree search of the rest
   (:mod:`exactmatch.solvers.linear.branch`; ``proof: lp`` or ``branch``); CP-SAT
   searches what the tree leaves (``proof: milp``).  Where very many candidates are
   left, CP-SAT comes before the tree; where there are too many even for a relaxation,
   the window is split first (:mod:`exactmatch.solvers.linear.splits`).

With ``rings=1``, before all this: if a cycle of one graph has no counterpart in the
other, cuts for such cycles are added to the relaxation, and HiGHS searches the rest
(:mod:`exactmatch.solvers.linear.rings`; ``proof: milp``).  Such cuts say little where
the smaller graph is a forest: there the partners of one node at a time are tried first
(:mod:`exactmatch.solvers.node_tree`; ``proof: branch``).

If all weights but one have a common divisor, and few nodes are alike, that weight is
changed first (:mod:`exactmatch.solvers.shifts`), so that bounds round down further.  If
many nodes of the changed problem are leaves, the part that ``bnb`` leaves open goes to
the relaxation, and then to HiGHS.

Relaxations and rings need SciPy; CP-SAT, and HiGHS on changed problems, also need
OR-Tools.  Both are imported when a problem needs them, so never for sentences.  If a
package of stage 3 is not installed, ``bnb`` goes on in its place, as exact but slower,
with a warning.  All stages share one deadline; when it is reached, the
answer is the best alignment and bound so far.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from exactmatch.base.records import replace
from exactmatch.solvers.base import AT_ONCE, Solver
from exactmatch.solvers.bnb import BranchAndBound, is_symmetric
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal, weakest

if TYPE_CHECKING:  # importing these imports NumPy, which is slow
    from exactmatch.solvers.problem import AlignmentProblem, BoolArray, IntArray
    from exactmatch.solvers.shifts import Case, Shift

FIRST_NODES = 100
"""If ``bnb`` needs more nodes than this, windows are tried."""

TREE_NODES, QUICK_TREE, LONG_TREE = 100, 250, 1200
"""Limits on the relaxations in the tree of a shifted problem: before HiGHS; the same
with at most :data:`QUICK_CANDIDATES`; after HiGHS, or for a certificate."""

QUICK_CANDIDATES = 8_000
"""Up to this many candidates, the tree finds good alignments quickly."""

LARGE = 20_000
"""Above this many candidates, ``bnb`` tries proportionally fewer nodes."""

HUGE = 200_000
"""Above this many candidates the search begins with deep steps: others drop none."""

FIRST_WORK = 20_000_000
"""Limit on nodes times candidates of the first search, if a relaxation follows."""

RING_NODES, RING_TREE = 500, 5_000
"""Limits on nodes of ``bnb``, before rings are looked for and before cuts are made.
Cuts take seconds, and most problems with rings are proven sooner."""

RING_TERMS = 20_000
"""With more pair terms, the relaxation with cuts of rings takes too long."""

CERTIFY_WHOLE = 5_000
"""Above this many candidates, a problem in several components is certified component by
component: a certificate of the whole would be too large."""

WINDOW_NODES = 100
"""If a window needs more nodes than this, a relaxation is tried."""

MAX_WINDOWS = 8
"""A gap of more windows than this is searched in one piece."""

STAGE_PACKAGES = ("scipy", "ortools")
"""The packages of the later stages."""


class MissingStageWarning(UserWarning):
    """A stage's package is not installed; the message names the command."""


class Auto(Solver):
    """Prove the optimum by the cheapest means.

    Args:
        record_proof: 1 to record a certificate always, whatever the limits say.
        nodes: how many nodes of its tree ``bnb`` may try first; fewer where there are
            many candidates.
        rings: 1 to search first with cuts for cycles that have no counterpart; useful
            if graphs have few cycles.
    """

    name: ClassVar[str] = "auto"
    exact: ClassVar[bool] = True
    records_proofs: ClassVar[bool] = True
    summary: ClassVar[str] = "bnb; for stubborn problems relaxations, then CP-SAT"

    @classmethod
    def version(cls) -> str:
        version = BranchAndBound.version()
        missing = [name for name in STAGE_PACKAGES if not _is_installed(name)]
        if missing:
            version += f", without {' and '.join(missing)}"
        return version

    def __init__(
        self, record_proof: int = 0, nodes: int = FIRST_NODES, rings: int = 0
    ) -> None:
        self.record_proof = record_proof
        self.nodes = nodes
        self.rings = rings

    @property
    def kernel_nodes(self) -> int | None:
        return None if self.record_proof else max(self.nodes, 1)

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        from exactmatch.solvers.shifts import shift_of

        shift = shift_of(problem)
        if shift is None or is_symmetric(problem):
            by_rings = self._by_rings(problem, progress) if self.rings else None
            if by_rings is not None and _is_done(progress, by_rings):
                return by_rings._replace(alignment=progress.alignment)
            by_search = self._solve_unshifted(problem, progress)
            return by_search if by_rings is None else _better(by_search, by_rings)
        return self._solve_shifted(problem, progress, shift)

    def _is_recording(self, progress: Progress) -> bool:
        return bool(self.record_proof or progress.limits.record_proof)

    def _solve_shifted(
        self, problem: AlignmentProblem, progress: Progress, shift: Shift
    ) -> Proposal:
        """Prove a bound with the shifted weight lowered, or else by two cases.

        An alignment holds either fewer than the largest possible number of shifted
        candidates, or exactly that number.  If both cases leave a gap, the original
        problem is searched.
        """
        amounts_and_counts = (
            (-shift.lowered_by, shift.max_held - 1),
            (shift.raised_by, shift.max_held),
        )
        first_case = self._case(
            problem, progress, shift, -shift.remainder, shift.max_held, True
        )
        proposal = shift.combine(progress.alignment, first_case)
        if not _is_done(progress, proposal):
            cases = (
                self._case(problem, progress, shift, *each)
                for each in amounts_and_counts
            )
            of_both = shift.combine(progress.alignment, *cases)
            proposal = _better(of_both, proposal)._replace(alignment=progress.alignment)
        progress.prove(proposal.bound, proposal.proof)
        if _is_done(progress, proposal):
            return proposal
        unshifted = self._solve_unshifted(problem, progress)
        return _better(unshifted, proposal)._replace(alignment=progress.alignment)

    def _case(
        self,
        problem: AlignmentProblem,
        progress: Progress,
        shift: Shift,
        amount: int,
        count: int,
        begin: bool = False,
    ) -> Case:
        """Search a shifted problem for better alignments.

        They hold at most *count* shifted candidates; at least *count* if the weight is
        raised.
        """
        shifted = shift.of(problem, amount)
        inner = progress.of_shifted(shifted, -amount * count, begin)
        if not begin and _is_installed("scipy") and _has_leaves(problem):
            proposal = self._by_relaxation(shifted, inner)
        else:
            proposal = self._solve_unshifted(shifted, inner, begin)
        return amount, count, proposal

    def _by_relaxation(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        """Search by linear relaxation, which treats equal leaves together."""
        from exactmatch.solvers.linear.branch import TreeSearch
        from exactmatch.solvers.linear.relaxation import Rest

        record = self._is_recording(progress)
        finish = Rest() if Rest.is_available() else None
        if finish is None and not record:
            _warn("ortools", "relaxations go on instead of HiGHS")
        tree = QUICK_TREE if problem.n_candidates <= QUICK_CANDIDATES else TREE_NODES
        stages = ((LONG_TREE, None), (0 if record else tree, finish))
        best = progress.proposal()
        for nodes, finish in stages if record else reversed(stages):
            search = TreeSearch(progress, record, WINDOW_NODES, nodes, finish)
            best = search.run(problem, None, progress.above) or best
            if _is_done(progress, best):
                break
        return best

    def _solve_unshifted(
        self, problem: AlignmentProblem, progress: Progress, begin: bool = False
    ) -> Proposal:
        """Search a problem as it is; with *begin*, stop after the first search."""
        from exactmatch.solvers.components import components

        record = self._is_recording(progress)
        if record and problem.n_candidates > CERTIFY_WHOLE:
            component_of = components(problem)
            if component_of.any():
                quick = progress.of_part(problem)
                quick.limits = replace(progress.limits, record_proof=False)
                first = BranchAndBound(nodes=1).search(problem, quick)
                uncertified = first._replace(certificate=None)
                return self._solve_components(
                    problem, progress, uncertified, component_of
                )
        nodes, ends_quickly = self.nodes, begin and _has_leaves(problem)
        if ends_quickly or problem.n_candidates > LARGE:
            budget = FIRST_WORK if ends_quickly else self.nodes * LARGE
            nodes = min(budget // max(problem.n_candidates, 1), self.nodes)
        solver = BranchAndBound(self.record_proof, max(nodes, 1))
        deep = problem.n_candidates > HUGE and not begin
        first = solver.search(problem, progress, above=progress.above, deep=deep)
        if begin or first.bound is None or progress.goal >= first.bound:
            return first
        progress.prove(first.bound, first.proof)
        if problem.n_terms > AT_ONCE and progress.is_out_of_time(problem):
            return first._replace(alignment=progress.alignment)
        if not record:
            component_of = components(problem)
            if component_of.any():
                return self._solve_components(problem, progress, first, component_of)
        if progress.is_out_of_time():
            return first._replace(alignment=progress.alignment)
        from exactmatch.solvers.orbits import one_of_each_orbit

        part = None if record else one_of_each_orbit(problem)
        if part is None:
            return self._solve_stubborn(problem, progress, first)
        inner = progress.of_part(part, progress.goal)
        later = self._solve_stubborn(part, inner, first._replace(shares=None))
        if later.bound is not None:
            later = later._replace(bound=max(later.bound, progress.goal))
        return _better(first, later)._replace(alignment=progress.alignment)

    def _solve_stubborn(
        self, problem: AlignmentProblem, progress: Progress, first: Proposal
    ) -> Proposal:
        """Search what the first search of ``bnb`` leaves open."""
        symmetric = is_symmetric(problem)
        if progress.is_out_of_time(problem):
            return first._replace(alignment=progress.alignment)
        if first.shares is not None and not symmetric:
            return self._lower_by_windows(problem, progress, first, first.shares)
        later = BranchAndBound(self.record_proof, 0 if symmetric else 1).search(
            problem,
            progress,
            start=progress.alignment,
            above=progress.goal,
            at_most=first.bound,
            deep=not symmetric,
            symmetric=symmetric,
        )
        best = _better(first, later)._replace(alignment=progress.alignment)
        if symmetric:
            return best
        progress.prove(best.bound, best.proof)
        return self._lower_by_windows(problem, progress, best, later.shares)

    def _by_rings(
        self, problem: AlignmentProblem, progress: Progress
    ) -> Proposal | None:
        """Search briefly; if a gap is left and there are rings, search with their cuts.

        If the smaller graph is a forest, it is searched node by node before.
        Certificates cannot express either, so nothing is searched if one is wanted.
        """
        if self._is_recording(progress) or problem.n_terms > RING_TERMS:
            return None
        part, proposal, start = problem, progress.proposal(), None
        for nodes in (RING_NODES, RING_TREE):
            solver = BranchAndBound(nodes=min(nodes, max(self.nodes, 1)))
            proposal = solver.search(
                problem, progress, start=start, above=progress.above
            )
            if proposal.bound is None or progress.goal >= proposal.bound:
                return proposal
            progress.prove(proposal.bound, proposal.proof)
            if not _is_installed("scipy"):
                return proposal
            from exactmatch.solvers.linear.rings import Rings, has_rings
            from exactmatch.solvers.node_tree import NodeTree, forest_side

            if proposal.still_open is not None:
                part = problem.restricted(_flags(problem, proposal.still_open))
            if not has_rings(part):
                return proposal
            side = forest_side(part) if start is None else None
            if side is not None:
                by_nodes = NodeTree(progress, side).search(part, proposal.bound)
                progress.prove(by_nodes.bound, by_nodes.proof)
                if _is_done(progress, by_nodes):
                    return by_nodes
            start = progress.alignment
        later = Rings().propose(part, progress.of_part(part, progress.goal))
        if later.bound is not None:
            later = later._replace(bound=max(later.bound, progress.goal))
            progress.prove(later.bound, later.proof)
        return _better(proposal, later)

    def _solve_components(
        self,
        problem: AlignmentProblem,
        progress: Progress,
        whole_proposal: Proposal,
        component_of: IntArray,
    ) -> Proposal:
        """Search each component; return the better of the sum and *whole_proposal*."""
        from exactmatch.solvers.certificate import Certificate, ComponentProof
        from exactmatch.solvers.components import apart

        bound, proofs, parts = 0, [], []
        for component in apart(problem, component_of):
            inner = progress.of_component(component)
            part_proposal = self._solve_unshifted(component.problem, inner)
            inner.prove(part_proposal.bound, part_proposal.proof)
            if inner.bound is None:
                return whole_proposal._replace(alignment=progress.alignment)
            bound += max(inner.bound, inner.value)
            proofs.append(inner.proof)
            if part_proposal.certificate is not None:
                chosen = tuple(component.candidates.tolist())
                parts.append(ComponentProof(chosen, part_proposal.certificate))
        if len(parts) == len(proofs):
            bound = sum(part.certificate.bound for part in parts)
            certificate = Certificate(bound, (), tuple(parts))
            return Proposal(progress.alignment, bound, weakest(proofs), certificate)
        combined = Proposal(progress.alignment, bound, weakest(proofs))
        return _better(whole_proposal, combined)._replace(alignment=progress.alignment)

    def _lower_by_windows(
        self,
        problem: AlignmentProblem,
        progress: Progress,
        best: Proposal,
        shares: Sequence[int] | None,
    ) -> Proposal:
        """Lower a bound window by window, until one is stubborn.

        If the gap is many windows wide, it is searched once instead.
        """
        if best.bound is not None:
            gap, has_few = best.bound - progress.goal, problem.n_candidates <= HUGE
            is_wide = gap > MAX_WINDOWS * problem.step()
            if has_few and is_wide and not progress.is_out_of_time(problem):
                later = BranchAndBound(self.record_proof).search(
                    problem,
                    progress,
                    start=progress.alignment,
                    above=progress.goal,
                    at_most=best.bound,
                )
                return _better(later, best)._replace(alignment=progress.alignment)
        window = BranchAndBound(self.record_proof, WINDOW_NODES)
        while best.bound is not None and not _is_done(progress, best, problem):
            bound = best.bound
            window_floor = max(progress.goal, bound - problem.step())
            is_searched = window_floor == progress.goal and best.still_open is not None
            if is_searched and problem.n_candidates > HUGE:
                later = best  # the first search took deep steps here already
            else:
                later = window.search(
                    problem,
                    progress,
                    start=progress.alignment,
                    above=window_floor,
                    at_most=bound,
                    shares=shares,
                    deep=True,
                )
            lowest = max(window_floor, progress.value)
            is_open = later.bound is not None and later.bound > lowest
            if is_open and not progress.is_out_of_time():
                later = self._solve_by_relaxation(
                    problem, progress, later, window_floor
                )
            if later.bound is None or later.bound >= bound:
                break  # the bound did not fall
            best = later
            progress.prove(later.bound, later.proof)
            if later.bound > max(window_floor, progress.value):
                break
        return best._replace(alignment=progress.alignment)

    def _solve_by_relaxation(
        self,
        problem: AlignmentProblem,
        progress: Progress,
        window: Proposal,
        floor: int,
    ) -> Proposal:
        """Search what ``bnb`` left of a window, from its linear relaxation."""
        fallback = BranchAndBound(self.record_proof)
        if not _is_installed("scipy"):
            _warn("scipy", "bnb goes on alone")
            return fallback.search(problem, progress, start=progress.alignment)

        from exactmatch.solvers.cpsat import CpSat
        from exactmatch.solvers.linear.branch import TreeSearch

        finish: Solver = CpSat()
        if not finish.is_available():
            _warn("ortools", "bnb goes on instead of CP-SAT")
            finish = fallback
        record = self._is_recording(progress)
        if problem.n_candidates > LARGE and not record:
            from exactmatch.solvers.linear.tightened import tightened

            by_cuts = tightened(problem, progress, window, floor)
            assert by_cuts.bound is not None
            if _is_done(progress, by_cuts) or by_cuts.bound <= floor:
                return by_cuts
            window = window._replace(bound=by_cuts.bound)
        if isinstance(finish, CpSat) and not record:
            by_splits = _by_splits(problem, progress, window, floor, finish)
            if _is_done(progress, by_splits) or by_splits.bound == floor:
                return by_splits
        search = TreeSearch(progress, record, finish=finish)
        return search.run(problem, window, floor) or window


def _by_splits(
    problem: AlignmentProblem,
    progress: Progress,
    window: Proposal,
    floor: int,
    finish: Solver,
) -> Proposal:
    """Close a window of which very much is left; return it as it is if that fails."""
    import numpy as np

    from exactmatch.solvers.linear.branch import TreeSearch
    from exactmatch.solvers.linear.relaxation import relaxation
    from exactmatch.solvers.linear.splits import FEW_TERMS, Part, is_closed

    if window.still_open is None or window.shares is None:
        return window
    whole = Part(problem, np.array(window.shares, dtype=np.int64))
    part = whole.kept(_flags(problem, window.still_open))
    if part.problem.n_terms <= FEW_TERMS:
        return window

    def is_part_closed(rest: AlignmentProblem) -> bool:
        inner = progress.of_part(rest, floor)
        relaxed = relaxation(rest, inner, floor)
        if relaxed is None or relaxed[1].bound <= floor:
            return relaxed is not None
        rest = rest.restricted(relaxed[1].open_candidates(floor))
        search = TreeSearch(inner.of_part(rest, floor), window_nodes=0, finish=finish)
        proposal = search.run(rest, None, floor)
        return (
            proposal is not None
            and proposal.bound is not None
            and proposal.bound <= floor
        )

    if not is_closed(part, progress, floor, is_part_closed):
        return window._replace(alignment=progress.alignment)
    return Proposal(progress.alignment, floor, "milp")


def _is_done(
    progress: Progress, proposal: Proposal, before: AlignmentProblem | None = None
) -> bool:
    """Return whether the optimum is proven or the time is over.

    Args:
        before: the problem of the search that would come next.
    """
    bound = proposal.bound
    is_proved = bound is not None and progress.goal >= bound
    return is_proved or progress.is_out_of_time(before)


def _better(first: Proposal, second: Proposal) -> Proposal:
    """Return the proposal with the lower bound; the first if both are equal."""
    if first.bound is None or (second.bound is not None and second.bound < first.bound):
        return second
    return first


def _has_leaves(problem: AlignmentProblem) -> bool:
    """Return whether a problem is in one piece, with leaves that relaxations join."""
    from exactmatch.solvers.components import components
    from exactmatch.solvers.linear.leaves import quotient

    has_leaves = bool((quotient(problem).block >= 0).any())
    return has_leaves and not components(problem).any()


def _flags(problem: AlignmentProblem, candidates: Sequence[int]) -> BoolArray:
    """Return a flag for each candidate of the problem: whether it is listed."""
    import numpy as np

    flags: BoolArray = np.zeros(problem.n_candidates, dtype=np.bool_)
    flags[list(candidates)] = True
    return flags


def _is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def _warn(package: str, consequence: str) -> None:
    warnings.warn(
        f"solver 'auto' has a stage for large problems that needs {package}, which is "
        f"not installed: {consequence}, which may take long; pip install {package}",
        MissingStageWarning,
        stacklevel=2,
    )
