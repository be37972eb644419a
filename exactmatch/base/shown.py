"""How notebooks show what lies below its own view.

A graph knows nothing of its drawings, which are made of graphs.  The package, which
knows both, says how an object is shown by the name of its class.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing takes a while
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

VIEWS: dict[str, Callable[[Any], str]] = {}
"""Functions from an object to HTML."""
