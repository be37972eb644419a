"""Texts that name files and addresses, broken at random: nothing is opened or fetched.

Bytes that are not UTF-8 are put into files, too: they are refused in a sentence.
``make fuzz N=100000`` makes a campaign of it.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest
from support.command import Cli
from support.mutations import mutated_text
from support.opening import CANARY, hostile_texts, opened

from exactmatch.base.errors import ExactmatchError
from exactmatch.formats.blocks import graphs_of_text
from exactmatch.formats.networks import READERS
from exactmatch.formats.readings import read_block
from exactmatch.graphs.profile import PROFILES

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "2000")) // 10
FIRST = int(os.environ.get("EXACTMATCH_FUZZ_FIRST", "0"))
GXL = '<gxl><graph id="g"><node id="a"/><node id="b"/></graph></gxl>'
WORDS = (
    *('"@context"', '"@import"', "[", "]", "{", "}", "null", f'"{CANARY}.gxl"'),
    *(f"file='{CANARY}.gxl'", "<GraphCollection>", "</GraphCollection>", "&e;"),
    *("<!DOCTYPE x SYSTEM 'canary-6f2a.gxl'>", "@base <x> .", "\ud83d", "\udcff"),
)


def test_no_broken_text_opens_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{CANARY}.gxl").write_text(GXL, "utf-8")
    names = (f"{CANARY}.gxl", f"./{CANARY}.gxl", f"http://127.0.0.1:9/{CANARY}")
    ends: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + CASES):
        rng = random.Random(seed)
        texts = hostile_texts(rng.choice(names))
        text = mutated_text(rng, texts[rng.choice([*texts])], WORDS)
        reader = READERS[rng.choice([*READERS])]
        with opened() as found:
            try:
                for block in graphs_of_text(text):
                    read_block(block, PROFILES["clean"])
                ends["read"] += 1
            except ExactmatchError:
                ends["refused"] += 1
            try:
                for _ in reader(text, "a text", None):
                    pass
            except ExactmatchError:
                ends["refused by a reader"] += 1
        assert found == [], seed
    assert min(ends.values()) > CASES / 20, ends


def test_bytes_that_are_not_utf_8_end_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.gxl").write_text(GXL, "utf-8")
    for seed in range(FIRST, FIRST + CASES // 4):
        rng = random.Random(seed)
        texts = hostile_texts("x")
        content = bytearray(texts[rng.choice([*texts])].encode())
        for _ in range(rng.choice((1, 1, 3))):
            place = rng.randrange(len(content) + 1)
            content[place:place] = bytes([rng.randrange(0x80, 0x100)])
        (tmp_path / "pred").write_bytes(bytes(content))
        command = rng.choice(((), ("ged",), ("convert",), ("report",), ("lint",)))
        more = ("gold.gxl",) if command not in (("convert",), ("lint",)) else ()
        more = (*more, "--to", "json") if command == ("convert",) else more
        ran = cli(*command, "pred", *more)
        assert ran.code in (0, 1, 2), seed
        assert "Traceback" not in ran.err, seed
        assert (ran.code == 2) == bool("error:" in ran.err), (seed, ran.err)
