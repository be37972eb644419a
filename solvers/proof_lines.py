"""The lines of a proof, in the formats that checkers read.

VeriPB 0.3 reads format 1.2, VeriPB 2 and CakePB read 2.0, VeriPB 3 reads 3.0.  The
rules are the same; their names and the ends of lines differ.  Format 1.2 has no
conclusion: there the claim is compared with the constraints that prove it.

Source: the documentation of VeriPB 0.3 and of VeriPB 3.0.2, with its guide from 2.0.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from typing import TextIO

VERSIONS = ("1.2", "2.0", "3.0")
"""The formats, the oldest first."""


class ProofLines:
    """Writes a proof line by line.

    Attributes:
        last: the number of the last constraint.
        last_variable: the number of the last variable.
    """

    def __init__(
        self, stream: TextIO, version: str, n_constraints: int, n_variables: int
    ) -> None:
        """Write the head of a proof about so many constraints and variables."""
        self.last_variable = n_variables
        self._stream = stream
        self._is_old = version == "1.2"
        self._is_new = version == "3.0"
        self.last = n_constraints
        self._derived: list[int] = []
        stream.write(f"pseudo-Boolean proof version {version}\n")
        self._line(f"f {n_constraints}{' 0' * self._is_old}")

    def solution(self, literals: Iterable[str]) -> int:
        """Write an assignment; all that follows is about better ones."""
        return self._numbered(f"{'o' if self._is_old else 'soli'} {' '.join(literals)}")

    def sum(self, steps: Sequence[str]) -> int:
        """Write a constraint as a sum of others, in reverse Polish notation."""
        rule, end = ("p", " 0") if self._is_old else ("pol", "")
        return self._numbered(f"{rule} {' '.join(steps)}{end}")

    def strengthen(self, claim: str, witness: Iterable[tuple[str, str]]) -> int:
        """Write a constraint that need not follow, but costs nothing.

        Args:
            claim: the constraint.
            witness: variables, and what to put for them in assignments that break it.
        """
        arrows = " ".join(f"{variable} -> {other}" for variable, other in witness)
        return self._numbered(f"red {claim} {':' if self._is_new else ';'} {arrows}")

    def forget(self, begun: int, kept: int) -> None:
        """Delete what was derived after constraint *begun*, but for one constraint."""
        start = bisect(self._derived, begun)
        gone = [n for n in self._derived[start:] if n != kept]
        self._derived[start:] = [n for n in self._derived[start:] if n == kept]
        if gone:
            rule, end = ("d", " 0") if self._is_old else ("del id", "")
            self._line(f"{rule} {' '.join(map(str, gone))}{end}")

    def new_variable(self) -> int:
        """Return the number of a variable that does not occur yet."""
        self.last_variable += 1
        return self.last_variable

    def suppose(self, claim: str) -> int:
        """Begin a proof by contradiction; return the number of the claim's negation.

        The negation is there twice: once for the rule and once for its goal, which
        differ where there is a witness.
        """
        begin = ": : subproof" if self._is_new else "; ; begin"
        self._stream.write(f"red {claim} {begin}\nproofgoal #1\n")
        self.last += 2
        return self.last

    def contradiction(self, number: int) -> int:
        """End a proof by contradiction; return the number of what it has shown."""
        if self._is_old:
            self._stream.write(f"c {number} 0\nend\nend\n")
        elif self._is_new:
            self._stream.write(f"qed #1 : {number} ;\nqed red ;\n")
        else:
            self._stream.write(f"end {number}\nend\n")
        self.last += 1
        return self.last

    def equal(self, number: int, constraint: str) -> None:
        """Compare a constraint with what it is said to be, where no conclusion does."""
        if self._is_old:
            self._stream.write(f"e {number} {constraint} ;\n")

    def implied(self, number: int, constraint: str) -> None:
        """Say what a constraint implies, where no conclusion does."""
        if self._is_old:
            self._stream.write(f"i {number} {constraint} ;\n")

    def conclude(self, lower: int, upper: int, number: int) -> None:
        """Write what is proven of the least value, and by which constraint."""
        if self._is_old:
            if lower == upper:
                self._stream.write(f"c {number} 0\n")
            return
        hint = "" if lower == upper else f": {number} "
        self._line("output NONE")
        self._line(f"conclusion BOUNDS {lower} {hint}{upper}")
        self._line("end pseudo-Boolean proof")

    def _numbered(self, line: str) -> int:
        self._line(line)
        self.last += 1
        self._derived.append(self.last)
        return self.last

    def _line(self, line: str) -> None:
        self._stream.write(f"{line}{' ;' * self._is_new}\n")
