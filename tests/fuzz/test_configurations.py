"""Files of defaults made at random: applied and told, or refused in a sentence.

Whatever such a file says, a run writes no file, hides nothing, and its score is one
that the same options give on the command line.  ``make fuzz N=100000`` makes a campaign
of it.
"""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.mutations import STRANGE

from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.parsers import make_parser

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "2000")) // 20

PRED = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))\n"
GOLD = "(w / want-01 :ARG0 (b / boy) :polarity -)\n"


def every_option() -> tuple[dict[str, Any], set[str]]:
    """Each option of each command by its name, and those that a file may set."""
    found: dict[str, Any] = {}
    settable: set[str] = set()
    for name, module in COMMANDS.items():
        parser = make_parser(module, name, ["--help-all"])
        own = parser.long_options()
        found |= own
        settable |= {option for option in own if parser.is_settable(own[option])}
    return found, settable


def value_for(rng: random.Random, action: Any) -> Any:
    """A value that an option may or may not take."""
    if rng.random() < 0.2:
        return rng.choice([v for v in STRANGE if isinstance(v, str | int | list)])
    if action.choices and rng.random() < 0.9:
        return rng.choice(list(action.choices))
    if action.nargs == 0 or rng.random() < 0.3:
        return rng.random() < 0.8
    return rng.choice(
        ("new", "kept", "smatch", "sembleu,wlk", 1, 2, 0.5, "0.5", "ARG0")
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_file_of_defaults_is_told_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    monkeypatch.chdir(tmp_path)
    options, settable = every_option()
    Path("p.amr").write_text(PRED)
    Path("g.amr").write_text(GOLD)
    there = {"p.amr", "g.amr", "exactmatch.toml"}
    ends = [0, 0]
    for seed in range(CASES):
        rng = random.Random(seed)
        names = rng.sample(sorted(options), rng.choice((1, 1, 2, 3)))
        if rng.random() < 0.7:
            names = [name for name in names if name in settable]
        chosen = {name: value_for(rng, options[name]) for name in names}
        table = rng.choice(("", "", "[score]\n", "[compare]\n"))
        lines = [f"{name} = {json.dumps(value)}" for name, value in chosen.items()]
        Path("exactmatch.toml").write_text(table + "\n".join(lines))
        ran = cli("score", "p.amr", "g.amr", "-q")
        assert {path.name for path in tmp_path.iterdir()} == there, seed
        assert ran.code in (0, 1, 2), seed
        assert "Traceback" not in ran.err, seed
        ends[ran.code == 2] += 1
        if table == "[compare]\n" or not chosen:
            continue
        if not chosen.keys() <= settable:
            assert ran.code == 2, seed
        elif ran.code != 2:
            plain = cli("score", "p.amr", "g.amr", "-q", "--no-config")
            assert ran.out == plain.out or "defaults from" in ran.err, seed
    assert min(ends) > CASES / 10, ends
