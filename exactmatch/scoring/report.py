"""The report of an evaluation: all that it found, and the ways to write it."""

from __future__ import annotations

import os
from typing import Any

from exactmatch.scoring.results import Findings


class Report(Findings):
    """The result of an evaluation.

    A report is as long as it has pairs, and going through it gives their results under
    the first metric.  ``report[3]`` is the result of the pair with that number, and
    ``report["lpp.12"]`` of the pair with that id; ``report["smatch"]`` is a metric's
    corpus score, and ``report["sembleu", 3]`` a pair's result under a metric.  The
    attributes are those of :class:`~exactmatch.scoring.results.Findings`.

    >>> import exactmatch
    >>> report = exactmatch.evaluate(["(b / bark-01)"], ["(b / bark-01)"])
    >>> [corpus.metric for corpus in report.scores], report.is_proven, report.omitted
    (['smatch'], True, ())
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        """The report as notebooks show it: scores, and the pairs with the lowest."""
        from exactmatch.scoring.export import notebook

        return notebook(self)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data.

        Returns:
            ``metrics``: a corpus score each; ``pairs``: a result each;
            ``predictions``: how many are well-formed, and the faults of the others;
            ``omitted``, ``warnings`` and ``partial``.  Numbers are shares of 1, in full
            precision.
        """
        from exactmatch.scoring.export import plain

        return plain(self)

    def to_json(self, indent: int | None = None) -> str:
        """The report as JSON, with the fields of :meth:`to_dict`.

        Args:
            indent: spaces for each level; default: everything in one line.
        """
        from io import StringIO

        from exactmatch.views.data import write_json

        stream = StringIO()
        write_json(stream, self.to_dict(), indent)
        return stream.getvalue().rstrip("\n")

    def to_html(self) -> str:
        """Tables of the corpus scores and of all pairs, to be put into a page."""
        from exactmatch.scoring.export import fragment

        return fragment(self)

    def to_latex(self) -> str:
        """A LaTeX table of the corpus scores, in percent."""
        from exactmatch.scoring.export import latex

        return latex(self)

    def to_frame(self, backend: str | None = None) -> Any:
        """A data frame with a row for every pair under every metric.

        Args:
            backend: ``pandas``, ``polars`` or ``pyarrow``; default: the first of these
                that is installed.

        Raises:
            InputError: if the evaluation did not keep its pairs.
            MissingExtraError: if narwhals or the backend is missing.
        """
        from exactmatch.scoring.frames import frame

        return frame(self, backend)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report to a file, whole or not at all.

        Args:
            path: the file; its suffix says the format: ``.json``; ``.jsonl``, ``.csv``
                or ``.parquet`` with a row for each pair; ``.tex``, ``.html``, ``.txt``.

        Raises:
            InputError: if the suffix is another, or the file cannot be written.
            MissingExtraError: if ``.parquet`` is asked for without pyarrow.
        """
        from exactmatch.scoring.export import save

        save(self, os.fspath(path))
