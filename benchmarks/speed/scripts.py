"""Run one of the scripts in ``workers/`` and read the lines it writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed.measuring import Run, run
from benchmarks.speed.programs import passes_python_path
from benchmarks.speed.spec import Setting

_FOLDER = Path(__file__).parent / "workers"


def run_ours(
    setting: Setting,
    script: str,
    arguments: Sequence[object],
    timeout: float | None = None,
) -> tuple[Run, list[dict[str, Any]]]:
    """Run a script in our environment.

    Returns:
        What it cost, and the lines it wrote, those before a failure included.
    """
    command = [setting.our_python, str(_FOLDER / script), *map(str, arguments)]
    finished = run(
        command,
        setting.work,
        python_path=passes_python_path(setting),
        timeout=timeout,
    )
    return finished, _lines(finished)


def run_peer(
    setting: Setting, script: str, arguments: Sequence[object], timeout: float
) -> tuple[Run, list[dict[str, Any]]]:
    """Run a script in the peers' environment, within its memory."""
    command = [setting.peer_python, str(_FOLDER / script), *map(str, arguments)]
    finished = run(
        command,
        setting.work,
        python_path=False,
        timeout=timeout,
        memory=setting.memory,
    )
    return finished, _lines(finished)


def _lines(finished: Run) -> list[dict[str, Any]]:
    lines = []
    for line in finished.output.splitlines(keepends=True):
        if line.startswith("{") and line.endswith("\n"):
            lines.append(json.loads(line))
    return lines
