"""The files that a test is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest


class Files:
    """Writes files into a folder of the test's own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch

    def enter(self, folder: str = ".") -> None:
        """Make a folder, under the present one, that of all files and the current one.

        From then on files go by their names alone.
        """
        self.folder /= folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self._monkeypatch.chdir(self.folder)

    def __call__(self, contents: Mapping[str, str | bytes]) -> list[str]:
        """Write a file for each name, in UTF-8 and as it is; return the paths."""
        return [self.one(name, content) for name, content in contents.items()]

    def one(self, name: str, content: str | bytes) -> str:
        """Write a file; return its path."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    def lines(self, name: str, lines: Iterable[object]) -> str:
        """Write a file of lines; return its path."""
        return self.one(name, "".join(f"{line}\n" for line in lines))

    def graphs(
        self, name: str, graphs: Iterable[str], ids: str | None = "{}", first: int = 0
    ) -> str:
        """Write a file of graphs in PENMAN notation; return its path.

        Args:
            name: the file's.
            graphs: one text each.
            ids: a graph's id, with ``{}`` for its number; no graph has one if ``None``.
            first: the number of the first graph.
        """
        blocks = (
            graph if ids is None else f"# ::id {ids.format(number)}\n{graph}"
            for number, graph in enumerate(graphs, first)
        )
        return self.one(name, "\n\n".join(blocks) + "\n")

    def pair(self, pred: str, gold: str, suffix: str = ".amr") -> list[str]:
        """Write a file of predictions and one of references; return their paths."""
        return self({f"pred{suffix}": pred, f"gold{suffix}": gold})
