"""Zero is a value: no command takes an option of 0 for one that was not given.

The commands are asked for their options that take numbers, so that a new one is tested
before its author writes a test.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command import Cli, Ran
from support.files import Files
from support.parts import part

from exactmatch.base import values
from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.main import main
from exactmatch.cli.parsers import make_parser
from exactmatch.metrics import ALIGNING, METRICS, metric_class

PRED = """\
# ::id one
# ::snt the boy wants to go
(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))

# ::id two
# ::snt a team and a team
(a / and :op1 (t / team :mod (c / big)) :op2 (u / team :mod (d / kitten)))
"""
FILES = {
    "compare": ["gold.amr", "pred.amr", "other.amr"],
    "correlate": ["pred.amr", "gold.amr", "human.txt"],
    "audit": ["pred.amr", "gold.amr", "--restarts", "1", "--seeds", "2"],
    "ged": ["one.tsv", "two.tsv"],
    "merge": ["part"],
    "solve": ["problem.dd"],
    "plugins": [],
    "solvers": [],
    "verify": ["proofs.jsonl", "pred.amr", "gold.amr"],
    "yisi": ["pred.txt", "gold.txt", "--srl-hyp", "h.conll", "--srl-ref", "r.conll"],
}
"""What a command is called with; otherwise with two files."""

CONLL = "\t".join(["1", "cat", "cat", "cat", *["_"] * 4, "0", "0", "ROOT", "ROOT"])
CONLL += "\tY\tcat.01\n"

WANTED = {
    "--alpha": "alpha:0|",
    "--at-least": "at-least:0|",
    "--beta": "beta:0|",
    "--cutoff": "cutoff:0|",
    "--diffsense": "diffsense:0|",
    "--edge-weight": "edge:0|",
    "--edge-match": "edge-match:0|",
    "--edge-share": "edge-share:0|",
    "--edge-costs": "edge-costs:0,0,0|",
    "--edge-cutoff": "edges:normalised≥0|",
    "--except": "except:0|",
    "--iterations": "iterations:0|",
    "--ngram": "ngram:0|",
    "--node-costs": "node-costs:0,0,0|",
    "--node-cutoff": "nodes:normalised≥0|",
    "--node-match": "node-match:0|",
    "--only": "only:0|",
    "--part-cutoff": "joined:words≥0|",
    "--price": "price:0|",
    "--restarts": "hillclimb:restarts=0",
    "--seed": "seed:0",
    "--upper-bound": "upper-bound:0|",
}
"""How a signature says that an option is 0."""

CHOICES = ("--at", "--below", "--labels", "--where")
"""Options that choose what is shown or compared: another choice is another answer."""

NAMING = ("--ids", "--ref2")
"""Options that name pairs or files."""

DEMANDING = ("--fail-under",)
"""Options whose 0 demands nothing."""

BY_DEFAULT = ("--item-cutoff", "--tolerance")
"""Options of documents that are 0 without the option."""

SHOWN = {
    ("agreement", "--show"): "",
    ("align", "--below"): '<div class="pairs">\n</div>',
    ("audit", "--published"): "published 0",
    ("audit", "--restarts"): "0 ",
    ("compare", "--show"): "",
    ("errors", "--show"): "",
}
"""Options of which no signature speaks, and where 0 shows instead."""


def options_with_numbers() -> Iterator[tuple[str, str]]:
    for command, module in COMMANDS.items():
        if command in ("draw", "ground-truth"):  # a picture, no end, a folder
            continue
        parser = make_parser(module, command, ["--help-all"])
        for action in parser._actions:
            if (
                callable(action.type)
                and action.type
                not in (
                    str,
                    values.path,
                    values.text,
                )
                and action.option_strings[-1] not in (*NAMING, *DEMANDING)
            ):
                yield command, action.option_strings[-1]


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    gold = PRED.replace("go", "leave").replace("kitten", "cat")
    files.one("pred.amr", PRED)
    files.one("gold.amr", gold)
    files.one("other.amr", PRED.replace("big", "large"))
    files.one("human.txt", "0.3\n0.7\n")
    files.one("one.tsv", "_:a\tto\t_:b\n")
    files.one("two.tsv", "_:a\tto\t_:b\n_:b\tto\t_:c\n")
    files.one("problem.dd", "p 1 1 1 0\na 0 0 0 -1\n")
    files.one("part", part("pred.amr", "gold.amr"))
    files.one("pred.txt", "cats\n")
    files.one("gold.txt", "cat\n")
    for name in ("h.conll", "r.conll"):
        files.one(name, CONLL)


def called(cli: Cli, command: str, *more: str) -> Ran:
    files = FILES.get(command, ["pred.amr", "gold.amr"])
    return cli(command, *files, *more)


SECONDS = re.compile(r"\d+\.\d{3}$", re.MULTILINE)
"""The last column of ``solve``."""

WHOLE = ("finegrained", "score", "yisi")
"""Commands whose text has no numbers but scores."""

KNOWN = {
    **dict.fromkeys(("agreement", "align", "audit"), ALIGNING),
    "finegrained": ("graph",),
    "verify": ("smatch", "s2match"),  # its file has certificates of these
}
"""The metrics that a command takes, where not all will do."""


def owners(command: str, flag: str) -> list[str]:
    """The metrics that have the option."""
    name = flag.removeprefix("--").replace("-", "_")
    return [
        metric
        for metric in KNOWN.get(command, tuple(METRICS))
        if name in metric_class(metric).options_class.DECLARED
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "flag"), list(options_with_numbers()))
def test_zero_is_heard(command: str, flag: str, cli: Cli) -> None:
    if flag in BY_DEFAULT:
        for name in ("d.json", "e.json"):
            Path(name).write_text(json.dumps({"a": [{"x": 1}, {"x": name}]}))
        pair = ("score", "d.json", "e.json", "--metric", "json", "--quiet")
        plain, zero, one = (
            cli.record(*pair[1:], *more) for more in ((), (flag, "0"), (flag, "0.9"))
        )
        assert plain == zero
        assert one["signature"] != zero["signature"]
        return
    for metric in owners(command, flag) or [""]:
        if command == "verify":
            proofs = ["--certificates", "proofs.jsonl", "--metric", "s2match", "-q"]
            main(["pred.amr", "gold.amr", *proofs])
        has_metric = metric and command != "yisi"
        named = "--style" if command == "finegrained" else "--metric"
        arguments = [named, metric] if has_metric else []
        if command == "yisi" and flag == "--seed":
            arguments += ["--confidence", "95"]
        elif flag in ("--seed", "--restarts") and command != "audit":
            arguments += ["--solver", "hillclimb"]
        if command == "align":
            arguments += ["--format", "html"]
        code, out, err = called(cli, command, *arguments, flag, "0")
        if code:
            assert (code, out) == (2, ""), err
            assert flag in err or "0" in err
            assert err.count("\n") == 1
        elif (command, flag) in SHOWN:
            assert SHOWN[command, flag] in out
            assert called(cli, command, *arguments)[1] != out
        elif flag in CHOICES:
            each = ["--per-pair"] * (
                command in ("compare", "finegrained", "score", "yisi")
            )
            shown = called(cli, command, *arguments, *each, flag, "0").out
            assert called(cli, command, *arguments, *each).out != shown
        elif (command, flag) == ("audit", "--show"):
            assert called(cli, command, *arguments, flag, "1")[0] == 0
        elif flag in ("--significant", "--decimals"):
            plain = called(cli, command, *arguments).out
            if "--significant has no effect" in err:
                assert SECONDS.sub("", out) == SECONDS.sub("", plain)
            elif command in WHOLE:
                assert "." not in out.partition("signature")[0].replace("..", "")
            else:
                assert out != plain
        elif command == "explain-profile":
            spec = "hillclimb:restarts=0" if flag == "--restarts" else "hillclimb"
            assert called(cli, command, "--solver", spec)[1] == out
        else:
            assert WANTED[flag] in out + "|"
