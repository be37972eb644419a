"""Decode every graph of some files with penman, and do nothing else.

usage: decode.py FILE...
"""

from __future__ import annotations

import logging
import sys

import penman

if __name__ == "__main__":
    logging.getLogger("penman").setLevel(logging.ERROR)
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for graph in penman.iterdecode(file):
                del graph
