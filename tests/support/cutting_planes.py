"""A checker of OPB problems and of the rules of VeriPB proofs that we use.

It shares no code with what writes them.  A constraint is a dictionary of literals, each
with a coefficient above 0, and a degree: at least that much of them is true.  A proof
is read line by line, and a line is added up in place, so that proofs of hundreds of
megabytes are checked.

Of the rule ``red`` the checker knows proof by contradiction, which needs no witness::

    red -2 x1 -3 x2 >= -3 ; ; begin
    proofgoal #1
    pol …
    end 17
    end

The negation of the constraint gets two numbers, one for the rule and one for its goal.
``end 17`` says that constraint 17 is a contradiction; with the last line, everything
between is forgotten, and the constraint gets the next number.

With a witness, a constraint need not follow::

    red +1 x1 -1 x3 >= 0 ; x1 -> x3 x3 -> x1

Where it is broken, the witness is put in place: the objective stays the same, and the
constraint and all that are known hold then, as is seen at once or without thinking: it
is known as well, or what the broken constraint forces makes it true.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

Constraint = tuple[dict[str, int], int]
Known = list[Constraint | None]

END = ("output NONE", "end pseudo-Boolean proof")
"""The lines around the conclusion."""


class ProofError(Exception):
    """Proof that does not hold."""


def negated(literal: str) -> str:
    return literal[1:] if literal.startswith("~") else f"~{literal}"


def normal(terms: list[tuple[int, str]], degree: int) -> Constraint:
    """Make every coefficient positive, and each variable occur once."""
    coefficients: dict[str, int] = {}
    for coefficient, literal in terms:
        if coefficient < 0:
            literal, coefficient, degree = (
                negated(literal),
                -coefficient,
                (degree - coefficient),
            )
        coefficients[literal] = coefficients.get(literal, 0) + coefficient
    for literal in [x for x in coefficients if not x.startswith("~")]:
        common = min(coefficients[literal], coefficients.get(f"~{literal}", 0))
        if common:
            degree -= common
            coefficients[literal] -= common
            coefficients[f"~{literal}"] -= common
    return {x: k for x, k in coefficients.items() if k}, degree


def parsed_terms(words: list[str]) -> list[tuple[int, str]]:
    return [(int(k), x) for k, x in zip(words[::2], words[1::2], strict=True)]


class Opb:
    """Problem: minimise ``objective`` under ``constraints``."""

    def __init__(self, text: str) -> None:
        lines = [x for x in text.splitlines() if not x.startswith("*")]
        head, *rest = lines
        assert (head[:4], head[-1]) == ("min:", ";")
        self.objective = parsed_terms(head[4:-1].split())
        self.constraints = []
        for line in rest:
            words = line.split()
            assert (words[-1], words[-3]) == (";", ">=")
            self.constraints.append(normal(parsed_terms(words[:-3]), int(words[-2])))

    def variables(self) -> list[str]:
        names = {x for _, x in self.objective}
        names |= {x.lstrip("~") for terms, _ in self.constraints for x in terms}
        return sorted(names)

    def cost(self, true: set[str]) -> int:
        return sum(k for k, x in self.objective if x in true)

    def holds(self, constraint: Constraint, true: set[str]) -> bool:
        terms, degree = constraint
        return degree <= sum(
            k for x, k in terms.items() if (x.lstrip("~") in true) != (x[0] == "~")
        )

    def minimum(self) -> int:
        """By trying every assignment."""
        names = self.variables()
        return min(
            self.cost(true)
            for bits in itertools.product((0, 1), repeat=len(names))
            for true in [{x for x, b in zip(names, bits, strict=True) if b}]
            if all(self.holds(c, true) for c in self.constraints)
        )


class Sum:
    """Constraint under construction, which belongs to one place of the stack."""

    def __init__(self, constraint: Constraint) -> None:
        self.terms, self.degree = dict(constraint[0]), constraint[1]

    def add(self, constraint: Constraint, times: int = 1) -> None:
        """Add a constraint so many times; a literal and its negation make 1."""
        terms, degree = constraint
        self.degree += times * degree
        own = self.terms
        for literal, coefficient in terms.items():
            size = times * coefficient
            other = negated(literal)
            against = own.get(other, 0)
            if against:
                common = min(against, size)
                self.degree -= common
                size -= common
                if against == common:
                    del own[other]
                else:
                    own[other] = against - common
            if size:
                own[literal] = own.get(literal, 0) + size

    def times(self, factor: int) -> None:
        if factor < 0:
            raise ProofError("a factor is negative")
        self.terms = {x: factor * k for x, k in self.terms.items() if factor}
        self.degree *= factor

    def divided(self, divisor: int) -> None:
        if divisor < 1:
            raise ProofError("a divisor is below 1")
        self.terms = {x: -(-k // divisor) for x, k in self.terms.items()}
        self.degree = -(-self.degree // divisor)

    def saturated(self) -> None:
        self.terms = {x: min(k, max(self.degree, 0)) for x, k in self.terms.items()}

    def weakened(self, variable: str) -> None:
        for literal in (variable, negated(variable)):
            self.degree -= self.terms.pop(literal, 0)

    def done(self) -> Constraint:
        return self.terms, self.degree


def computed(words: list[str], known: Sequence[Constraint | None]) -> Constraint:
    """Evaluate a line in reverse Polish notation.

    ``constraint number * +``, of which nearly all lines are made, copies nothing.
    """
    stack: list[Any] = []
    for n, word in enumerate(words):
        if word == "+":
            b, a = stack.pop(), stack.pop()
            total = _sum(a, known)
            times, added = b if isinstance(b, tuple) else (1, b)
            total.add(_constraint(added, known), times)
            stack.append(total)
        elif word == "*":
            factor, a = stack.pop(), stack.pop()
            if (
                isinstance(a, (int, str))
                and factor >= 0
                and words[n + 1 : n + 2] == ["+"]
            ):
                stack.append((factor, a))
            else:
                total = _sum(a, known)
                total.times(factor)
                stack.append(total)
        elif word == "d":
            divisor, total = stack.pop(), _sum(stack.pop(), known)
            total.divided(divisor)
            stack.append(total)
        elif word == "s":
            total = _sum(stack.pop(), known)
            total.saturated()
            stack.append(total)
        elif word == "w":
            variable, total = stack.pop(), _sum(stack.pop(), known)
            if not isinstance(variable, str) or variable.startswith("~"):
                raise ProofError("only a variable is weakened away")
            total.weakened(variable)
            stack.append(total)
        elif word.lstrip("~").startswith("x"):
            stack.append(word)
        else:
            stack.append(int(word))
    (result,) = stack
    return _constraint(result, known)


def _sum(item: Any, known: Sequence[Constraint | None]) -> Sum:
    return item if isinstance(item, Sum) else Sum(_constraint(item, known))


def _constraint(item: Any, known: Sequence[Constraint | None]) -> Constraint:
    if isinstance(item, Sum):
        return item.done()
    if isinstance(item, str):
        return {item: 1}, 0
    if not 1 <= item <= len(known):
        raise ProofError(f"there is no constraint {item}")
    constraint = known[item - 1]
    if constraint is None:
        raise ProofError(f"constraint {item} was forgotten")
    return constraint


def _is_contradiction(constraint: Constraint) -> bool:
    return sum(constraint[0].values()) < constraint[1]


def _name(constraint: Constraint) -> tuple[frozenset[tuple[str, int]], int]:
    return frozenset(constraint[0].items()), constraint[1]


def _replaced(constraint: Constraint, witness: dict[str, str]) -> Constraint:
    """Return a constraint with other literals, 0 or 1, in place of some variables."""
    terms, degree = [], constraint[1]
    for literal, k in constraint[0].items():
        new = witness.get(literal.lstrip("~"), literal.lstrip("~"))
        if new in ("0", "1"):
            degree -= k * ((new == "1") != literal.startswith("~"))
        else:
            terms.append((k, negated(new) if literal.startswith("~") else new))
    return normal(terms, degree)


def strengthened(
    words: list[str], known: Known, objective: list[tuple[int, str]]
) -> Constraint:
    """Return the constraint of a line with a witness, if it costs nothing."""
    end = words.index(";")
    arrows = words[end + 1 :]
    if words[end - 2] != ">=" or set(arrows[1::3]) != {"->"} or len(arrows) % 3:
        raise ProofError("a witness is written as x1 -> x2")
    witness = dict(zip(arrows[::3], arrows[2::3], strict=True))
    terms, degree = parsed_terms(words[: end - 2]), int(words[end - 1])
    broken = normal([(-k, x) for k, x in terms], 1 - degree)
    total = sum(broken[0].values())
    forced = {x for x, k in broken[0].items() if total - k < broken[1]}
    before = normal(objective, 0)
    if _name(_replaced(before, witness)) != _name(before):
        raise ProofError("the witness changes the objective")
    claim = normal(terms, degree)
    touched = [claim]
    touched += [c for c in known if c and any(x.lstrip("~") in witness for x in c[0])]
    names = {_name(c) for c in known if c}
    for goal in (_replaced(c, witness) for c in touched):
        weaker = {x: k for x, k in broken[0].items() if x in goal[0]}
        lost = total - sum(weaker.values())
        if not (
            goal[1] <= sum(k for x, k in goal[0].items() if x in forced)
            or _name(goal) in names
            or _name((weaker, broken[1] - lost)) == _name(goal)
        ):
            raise ProofError("the witness breaks what is known")
    return claim


class Subproof:
    """Proof by contradiction that was begun after so many constraints."""

    def __init__(self, words: list[str], before: int) -> None:
        if words[-3:] != [";", ";", "begin"] or words[-5:-4] != [">="]:
            raise ProofError("only proofs by contradiction are known of 'red'")
        self.before = before
        self.terms = parsed_terms(words[:-5])
        self.degree = int(words[-4])
        self.goal = "given"

    def negation(self) -> Constraint:
        """Return a sum of integers that is below the degree is below it by 1."""
        return normal([(-k, x) for k, x in self.terms], 1 - self.degree)

    def step(self, rule: str, words: list[str], known: Known) -> bool:
        """Take a line that is not a constraint; say whether it was the last."""
        if (rule, words, self.goal) == ("proofgoal", ["#1"], "given"):
            self.goal = "begun"
            known.append(self.negation())
        elif rule == "end" and words and self.goal == "begun":
            if not _is_contradiction(_constraint(int(words[0]), known)):
                raise ProofError("a subproof ends without a contradiction")
            self.goal = "reached"
        elif (rule, words, self.goal) == ("end", [], "reached"):
            known[self.before :] = [None] * (len(known) - self.before)
            known.append(normal(self.terms, self.degree))
            return True
        else:
            raise ProofError(f"{rule} stands in the wrong place of a subproof")
        return False


def check(opb: str, proof: str) -> int:
    """Return the minimum that the proof proves.

    Raises:
        ProofError: if it does not.
    """
    return check_lines(Opb(opb), proof.splitlines())


def check_lines(problem: Opb, lines: Iterable[str]) -> int:
    """Return the same, of a proof that is read line by line."""
    lines = iter(lines)
    if next(lines).rstrip() != "pseudo-Boolean proof version 2.0":
        raise ProofError("no head")
    known: Known = []
    subproof: Subproof | None = None
    best: int | None = None
    ended: deque[str] = deque(maxlen=3)
    refuted = False
    names = set(problem.variables())
    for line in map(str.rstrip, lines):
        rule, *words = line.split()
        if subproof is not None and rule != "pol":
            if subproof.step(rule, words, known):
                subproof = None
        elif rule == "f":
            if int(words[0]) != len(problem.constraints):
                raise ProofError("the problem has another number of constraints")
            known = list(problem.constraints)
        elif rule == "soli":
            true = {x for x in words if not x.startswith("~")}
            if {x.lstrip("~") for x in words} < names:
                raise ProofError("a variable has no value")
            if not all(problem.holds(c, true) for c in problem.constraints):
                raise ProofError("the solution breaks a constraint")
            best = problem.cost(true)
            known.append(normal([(-k, x) for k, x in problem.objective], 1 - best))
        elif rule == "pol":
            constraint = computed(words, known)
            known.append(constraint)
            refuted |= subproof is None and _is_contradiction(constraint)
        elif rule == "red" and words[-1] != "begin":
            known.append(strengthened(words, known, problem.objective))
        elif rule == "del" and words[0] == "id":
            for number in map(int, words[1:]):
                if number <= len(problem.constraints) or known[number - 1] is None:
                    raise ProofError(f"constraint {number} cannot be deleted")
                known[number - 1] = None
        elif rule == "red":
            subproof = Subproof(words, len(known))
            known.append(subproof.negation())
        elif rule == "conclusion":
            if words[0] != "BOUNDS" or words[-1] != str(best):
                raise ProofError("the conclusion is about another value")
            if len(words) == 5:  # an interval, and the constraint that proves it
                proven = known[int(words[3]) - 1]
                if proven != normal(list(problem.objective), int(words[1])):
                    raise ProofError("the bound is not what a constraint says")
            elif words[1] != words[2]:
                raise ProofError("the conclusion is about another value")
            elif not refuted:
                raise ProofError("there is no contradiction")
        elif line not in END:
            raise ProofError(f"unknown rule {rule}")
        ended.append(rule)
    if tuple(ended) != ("output", "conclusion", "end") or best is None:
        raise ProofError("the proof has no end")
    return best
