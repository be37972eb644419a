"""A solver's answer: an alignment, its value and a proven upper bound.

Optimality is a comparison of two integers, so there is no status flag that a
solver could set wrongly.  Running out of time is an answer too: the interval
between value and bound is then wider than a point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from exactmatch.base.deadline import seconds_left
from exactmatch.base.records import NamedTuple, dataclass, field, replace

if TYPE_CHECKING:
    from exactmatch.solvers.certificate import Certificate
    from exactmatch.solvers.problem import Alignment, AlignmentProblem

Proof: TypeAlias = Literal[
    "none", "assignment", "dual", "lp", "branch", "enumeration", "partition", "milp"
]
"""What the bound rests on; of several bounds, the last of these is what counts.

``assignment``: one linear assignment; ``dual``: rounds of dual ascent;
``branch``: those in a tree; ``lp``: a linear program's duals, re-checked in
integers; ``milp``: the word of a MILP or CP-SAT solver; ``enumeration``: every
alignment was tried; ``partition``: our own search by cells of nodes or edges that
may be common, which leaves no certificate; ``none``: only a bound that holds for any
alignment.
"""


def weakest(proofs: Iterable[Proof]) -> Proof:
    """Return the ground of a bound that follows from several."""
    return max(proofs, key=get_args(Proof).index)


class Watch:
    """Is told how searches go, and keeps an interruption until its owner asks.

    While a watched solver works, Ctrl-C (or whatever a signal's handler raises
    instead) ends the search as a time limit does.  Searches that begin afterwards
    with the same watch end as soon as they have an answer, until :meth:`proceed` is
    called::

        watch = Watch(lambda value, bound: print(f"bound {bound:g}, found {value:g}"))
        for problem in problems:
            solution = solver.solve(problem, Limits(watch=watch))  # at worst, bounds
            watch.proceed()  # raises the interruption, if there was one

    Attributes:
        interruption: what ended a search early and was not raised yet.
    """

    def __init__(self, tell: Callable[[float, float], None] | None = None) -> None:
        """Watch searches.

        Args:
            tell: called with the value and the bound of the search at hand, in
                units of score (matched triples, for Smatch), a few times a second.
        """
        self._tell = tell
        self.interruption: BaseException | None = None

    def tell(self, value: float, bound: float) -> None:
        """Pass on how the search at hand goes."""
        if self._tell is not None:
            self._tell(value, bound)

    def proceed(self) -> None:
        """Raise the interruption that ended a search, if there was one."""
        interruption, self.interruption = self.interruption, None
        if interruption is not None:
            raise interruption


_LEAST = 0.001  # seconds that a solver has at least, to find something


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the work of a solver.

    Attributes:
        seconds: wall-clock limit for one problem; ``None`` for no limit.
        threads: how many threads a solver may use.
        seed: seed of every random draw.
        watch: who hears how the search goes and decides what an interruption
            means; ``None``: nobody, and an interruption is raised at once.  It
            belongs to one process: a copy that is sent elsewhere has none.
        record_proof: whether a solver that can is to record a certificate of its
            bound, which costs time and memory.
        above: a value, in the problem's units, beyond which alone an alignment is of
            use: a solver that can stops when it proves that there is none.
        until: when all problems together must be done, on the clock of
            ``time.time()``; a search that would begin later is left out.

    >>> import exactmatch
    >>> metric = exactmatch.make_metric("smatch")
    >>> graph = metric.prepare(metric.read("(b / bark-01)").item)
    >>> limits = exactmatch.Limits(seconds=1.0)
    >>> metric.compare(graph, graph, limits=limits).solution.bound
    2
    """

    seconds: float | None = None
    threads: int = 1
    seed: int = 0
    watch: Watch | None = field(default=None, compare=False, repr=False)
    record_proof: bool = False
    above: int = 0
    until: float | None = None

    def remaining(self) -> Limits:
        """Return the limits with no more seconds than the thread's deadline leaves."""
        left = seconds_left()
        if left == math.inf or (self.seconds is not None and self.seconds <= left):
            return self
        return replace(self, seconds=max(left, _LEAST))

    def after(self, used: float) -> Limits:
        """Return the limits without the seconds that were used already.

        >>> Limits(seconds=5.0).after(2.0).seconds
        3.0
        """
        if self.seconds is None:
            return self
        return replace(self, seconds=max(self.seconds - used, _LEAST))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process without the watch."""
        rest = self.record_proof, self.above, self.until
        return Limits, (self.seconds, self.threads, self.seed, None, *rest)


class Proposal(NamedTuple):
    """A solver's alignment and bound, before they are checked.

    Attributes:
        alignment: the right node of every left node, ``-1`` for none.
        bound: a proven upper bound in the problem's integer units, or ``None``
            if nothing was proved.
        proof: what the bound rests on.
        certificate: replayable evidence for the bound, where the solver has it.
        solver: who found it, where a solver delegates to others.
        still_open: where the search was cut short, the candidates that may be in a
            better alignment, increasing; the rounds of the certificate's first node
            drop the others.  ``None`` if that is not known.
        shares: where ``bnb`` was cut short, how its best split divides each pair
            term's weight, in the parts that the kernel counts in.
    """

    alignment: Alignment
    bound: int | None
    proof: Proof = "none"
    certificate: Certificate | None = None
    solver: str | None = None
    still_open: Sequence[int] | None = None
    shares: Sequence[int] | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """An alignment, its value, and an upper bound on every alignment's value.

    Attributes:
        alignment: the right node of every left node, ``-1`` for none; pairs
            that add nothing to the value are left out.
        value: the alignment's value, recomputed from the problem, in units of
            ``1 / scale``.
        bound: no alignment is worth more, in the same units.
        solver: the name of the solver.
        proof: what the bound rests on.
        seconds: wall-clock time spent.
        certificate: replayable evidence for the bound, where there is one.

    >>> import exactmatch
    >>> report = exactmatch.evaluate(["(b / bark-01)"], ["(x / bark-01)"])
    >>> solution = report.pairs[0].solution
    >>> solution.alignment, solution.value, solution.bound
    ((0,), 2, 2)
    """

    alignment: Alignment
    value: int
    bound: int
    solver: str
    proof: Proof
    seconds: float
    certificate: Certificate | None = None

    @property
    def is_optimal(self) -> bool:
        """True if no alignment can be worth more."""
        return self.value == self.bound

    def refusal(self, problem: AlignmentProblem) -> str:
        """Return why the certificate must be refused; empty if it proves the bound."""
        from exactmatch.solvers.certificate import CertificateError

        try:
            check_solution(problem, self)
        except CertificateError as error:
            return str(error)
        return ""


def check_solution(problem: AlignmentProblem, solution: Solution) -> None:
    """Check everything that a solution claims, by its certificate.

    Raises:
        CertificateError: if it has none, or what is wrong with it.
    """
    from exactmatch.solvers.certificate import CertificateError
    from exactmatch.solvers.checker import check_certificate

    if solution.certificate is None:
        raise CertificateError("the solution has no certificate")
    if solution.certificate.bound != solution.bound:
        raise CertificateError(
            f"the certificate is about the bound {solution.certificate.bound}, "
            f"the solution claims {solution.bound}"
        )
    check_certificate(problem, solution.alignment, solution.value, solution.certificate)
