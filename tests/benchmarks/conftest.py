"""The benchmarks are not part of an installation: they are found in the repository."""

from __future__ import annotations

import sys
from pathlib import Path

# At the end, so that what is installed is tested and not what lies beside it.
sys.path.append(str(Path(__file__).parents[2]))
