"""The claim of a proof: what a checker that accepts it has proven.

A checker reads a proof of any content and says that it holds; what it holds for stands
in the file.  Here the claim is read from the file, of proofs that have no rules but
ours: others, such as VeriPB's assumptions, would let a proof claim anything.
"""

from __future__ import annotations

from collections.abc import Iterable

from exactmatch.solvers.certificate import CertificateError
from exactmatch.solvers.proof_lines import VERSIONS

_HEAD = ["pseudo-Boolean", "proof", "version"]
_RULES = {"f", "p", "pol", "o", "soli", "e", "i", "c", "red", "proofgoal", "end", "qed"}
_RULES |= {"output", "conclusion", "d", "del"}


def claimed_interval(lines: Iterable[str], n_constraints: int) -> tuple[int, int]:
    """Return the least and the greatest value that the optimum may have, as claimed.

    Values are those of alignments, which the problem's objective is minus.

    Args:
        lines: the proof.
        n_constraints: how many constraints the problem has.

    Raises:
        CertificateError: if it is no proof as we write them.
    """
    given = (line.strip().removesuffix(";").split() for line in lines)
    words = next(given, [])
    version = words[-1] if words else ""
    if words[:-1] != _HEAD or version not in VERSIONS:
        raise CertificateError("the proof is of no known format")
    claims: dict[str, list[str]] = {}
    depth = 0
    for words in given:
        rule = words[0] if words else "*"
        if rule not in _RULES:
            raise CertificateError(
                f"the proof has a rule {rule!r:.40}, which none needs"
            )
        begins = rule == "proofgoal" or words[-1:] in (["begin"], ["subproof"])
        depth += begins - (rule in ("end", "qed"))
        if rule == "end" and words[1:] == ["pseudo-Boolean", "proof"]:
            break
        if rule in ("d", "del") and not _deletes_derived(words, n_constraints):
            raise CertificateError("the proof deletes what it is about")
        if depth == 0 and rule in ("f", "o", "soli", "e", "i", "c", "conclusion"):
            if rule in claims:
                raise CertificateError(f"the proof has two lines {rule!r}")
            claims[rule] = words
    try:
        if int(claims["f"][1]) != n_constraints:
            raise CertificateError("the proof is about another number of constraints")
        if version != "1.2":
            numbers = claims["conclusion"]
            if numbers[1] != "BOUNDS":
                raise CertificateError("the proof concludes no bounds")
            return -int(numbers[-1]), -int(numbers[2])
        value = int(claims["e"][-1]) - 1
        return value, value if "c" in claims else -int(claims["i"][-1])
    except CertificateError:
        raise
    except (KeyError, ValueError, IndexError):
        raise CertificateError("the proof states no claim") from None


def _deletes_derived(words: list[str], n_constraints: int) -> bool:
    """Whether a line deletes nothing of the problem itself."""
    numbers = words[1:] if words[0] == "d" else words[2:]
    if words[0] == "d" and numbers[-1:] == ["0"]:
        numbers = numbers[:-1]
    is_by_number = words[0] == "d" or words[1:2] == ["id"]
    return is_by_number and all(
        number.isdecimal() and int(number) > n_constraints for number in numbers
    )
