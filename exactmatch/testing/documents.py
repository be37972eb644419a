"""Assertions about JSON documents, for tests of models and programs."""

from __future__ import annotations

from typing import Any


def assert_json(pred: Any, gold: Any, at_least: float = 1.0, **options: Any) -> None:
    """Check that a document scores at least so much.

    Args:
        pred: the document, a value or a JSON text.
        gold: the reference, likewise.
        at_least: the least F1, from 0 to 1.
        **options: those of metric ``json``.

    Raises:
        AssertionError: if it does not; its message lists the differences.

    >>> from exactmatch.testing import assert_json
    >>> assert_json({"tags": ["b", "a"]}, '{"tags": ["a", "b"]}')
    >>> assert_json({"total": 41}, {"total": 40})
    Traceback (most recent call last):
    AssertionError: the document scores 0.0000, less than 1
    total: 41 should be 40 (+1.00)
    """
    from exactmatch.base.errors import InputError
    from exactmatch.base.numbers import fixed
    from exactmatch.studies.feedback.study import feedback
    from exactmatch.studies.score.pair import score

    if not 0 <= at_least <= 1:
        raise InputError(f"at_least is {at_least!r}; it is a number from 0 to 1")
    result = score(pred, gold, metric="json", **options)
    if result.score < at_least:
        lines = feedback(result).words(20).split("\n")[1:]
        head = f"the document scores {fixed(result.score, 4)}, less than {at_least:g}"
        raise AssertionError("\n".join((head, *lines)))
