"""Run the command line: ``exactmatch``, or ``python -m exactmatch``."""

import sys


def main() -> int:
    """Run the command line as a process of its own and return its exit code."""
    try:
        from exactmatch.cli.process import run

        return run()
    except KeyboardInterrupt:  # before its handlers are set, or while it says so
        print("exactmatch: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
