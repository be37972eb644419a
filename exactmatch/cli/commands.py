"""Every command: its name, the module that it is, and what it does.

A module is imported when its command is called, so that help costs next to nothing.
"""

from __future__ import annotations

GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "score": {
        "score": ("exactmatch.cli.score", "score predictions against references"),
        "finegrained": ("exactmatch.cli.finegrained", "score single aspects"),
        "yisi": ("exactmatch.cli.yisi", "score sentences with YiSi"),
        "ged": ("exactmatch.cli.ged", "edit distances of graphs of any kind"),
        "solve": ("exactmatch.cli.solve", "solve graph matching problems"),
    },
    "explain": {
        "align": ("exactmatch.cli.align", "show alignments and differing triples"),
        "report": ("exactmatch.cli.report", "write a page to browse every pair"),
        "serve": ("exactmatch.cli.serve", "show the report of files that change"),
        "errors": ("exactmatch.cli.errors", "count types of errors"),
        "draw": ("exactmatch.cli.draw", "draw a graph, or a pair of graphs"),
        "explain-profile": (
            "exactmatch.cli.explain_profile",
            "how much each choice of what counts moves the score",
        ),
        "kgrams": ("exactmatch.cli.kgrams", "list the k-grams that SemBleu compares"),
    },
    "trust": {
        "compare": ("exactmatch.cli.compare", "test systems against each other"),
        "audit": ("exactmatch.cli.audit", "how wrong hill-climbing is"),
        "correlate": ("exactmatch.cli.correlate", "hold metrics against people"),
        "agreement": ("exactmatch.cli.agreement", "compare several annotators"),
        "principles": ("exactmatch.cli.principles", "measure what metrics promise"),
        "verify": ("exactmatch.cli.verify", "check certificates of optimality"),
    },
    "select": {
        "matrix": ("exactmatch.cli.matrix", "score every graph with every graph"),
        "nearest": (
            "exactmatch.cli.nearest",
            "find the most similar graphs of a bank",
        ),
        "duplicates": (
            "exactmatch.cli.duplicates",
            "find graphs that say nearly the same",
        ),
        "ensemble": ("exactmatch.cli.ensemble", "choose among several parses"),
        "cluster": ("exactmatch.cli.cluster", "put similar graphs together"),
    },
    "prepare": {
        "convert": ("exactmatch.cli.convert", "write graphs in another format"),
        "lint": ("exactmatch.cli.lint", "say what is wrong with files of graphs"),
        "data": ("exactmatch.cli.data", "get public test sets by name"),
        "completion": ("exactmatch.cli.completion", "complete commands in the shell"),
        "solvers": ("exactmatch.cli.solvers", "list the solvers and their versions"),
    },
}
"""The commands by what they are for: of each the module and what it does."""

COMMANDS = {name: found for group in GROUPS.values() for name, found in group.items()}
"""Every command by name."""
