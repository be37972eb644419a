"""The lines of a proof, in the formats that checkers read.

VeriPB 0.3 reads format 1.2, VeriPB 2 and CakePB read 2.0, VeriPB 3 reads 3.0.  The
rules are the same; their names and the ends of lines differ.  Format 1.2 has no
conclusion: there the claim is compared with the constraints that prove it.

Source: the documentation of VeriPB 0.3 and of VeriPB 3.0.2, with its guide from 2.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

VERSIONS = ("1.2", "2.0", "3.0")
"""The formats, the oldest first."""


class ProofLines:
    """Writes a proof line by line; *last* is the number of the last constraint."""

    def __init__(
        self, stream: TextIO, version: str, n_constraints: int, n_variables: int
    ) -> None:
        """Write the head of a proof, with the numbers of constraints and variables."""
        self.last, self._last_variable = n_constraints, n_variables
        self._stream = stream
        self._is_old, self._is_new = version == "1.2", version == "3.0"
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

        The *witness* maps variables to their images for assignments that break it.
        """
        arrows = " ".join(f"{variable} -> {image}" for variable, image in witness)
        return self._numbered(f"red {claim} {':' if self._is_new else ';'} {arrows}")

    def forget(self, after: int, kept: int) -> None:
        """Delete the constraints derived after number *after*, except number *kept*."""
        from bisect import bisect

        start = bisect(self._derived, after)
        later = self._derived[start:]
        self._derived[start:] = [n for n in later if n == kept]
        if gone := [str(n) for n in later if n != kept]:
            rule, end = ("d", " 0") if self._is_old else ("del id", "")
            self._line(f"{rule} {' '.join(gone)}{end}")

    def new_variable(self) -> int:
        """Return the number of a variable that does not occur yet."""
        self._last_variable += 1
        return self._last_variable

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
        """End a proof by contradiction; return the number of the proven constraint."""
        if self._is_old:
            self._stream.write(f"c {number} 0\nend\nend\n")
        elif self._is_new:
            self._stream.write(f"qed #1 : {number} ;\nqed red ;\n")
        else:
            self._stream.write(f"end {number}\nend\n")
        self.last += 1
        return self.last

    def compare(self, rule: str, number: int, constraint: str) -> None:
        """State that a constraint equals (``e``) or implies (``i``) another one."""
        if self._is_old:
            self._stream.write(f"{rule} {number} {constraint} ;\n")

    def conclude(self, lower: int, upper: int, number: int) -> None:
        """Write the bounds of the least value, and the constraint that proves them."""
        if not self._is_old:
            hint = "" if lower == upper else f": {number} "
            self._line("output NONE")
            self._line(f"conclusion BOUNDS {lower} {hint}{upper}")
            self._line("end pseudo-Boolean proof")
        elif lower == upper:
            self._stream.write(f"c {number} 0\n")

    def _numbered(self, line: str) -> int:
        self._line(line)
        self.last += 1
        self._derived.append(self.last)
        return self.last

    def _line(self, line: str) -> None:
        self._stream.write(f"{line}{' ;' * self._is_new}\n")
