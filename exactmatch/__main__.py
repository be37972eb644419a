"""Run the command line: ``exactmatch``, or ``python -m exactmatch``."""

import sys


def main() -> int:
    """Run the command line as a process of its own and return its exit code."""
    try:
        from exactmatch.cli.process import run
    except KeyboardInterrupt:  # too early for the handlers that it sets
        print("exactmatch: interrupted", file=sys.stderr)
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
