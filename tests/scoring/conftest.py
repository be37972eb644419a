"""What tests of scoring files share."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.files import Files

Write = Callable[..., str]


@pytest.fixture
def write(files: Files) -> Write:
    """Write graphs to a file, each with an id, and a sentence where one is given."""

    def written(name: str, *graphs: str, sentences: tuple[str, ...] = ()) -> str:
        blocks = list(graphs)
        for k, sentence in enumerate(sentences):
            blocks[k] = f"# ::snt {sentence}\n{blocks[k]}"
        return files.graphs(name, blocks)

    return written
