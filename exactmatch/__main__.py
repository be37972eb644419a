"""Run the command line with ``python -m exactmatch``."""

import sys

from exactmatch.cli import main

sys.exit(main())
