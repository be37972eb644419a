"""Run the command line with ``python -m exactmatch``."""

import sys

from exactmatch.cli.main import main

sys.exit(main())
