"""Documents that are joined count what their parts count.

The benchmarks are not part of an installation: the module is taken from its file.
"""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from exactmatch.formats.formats import FORMATS
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.smatch import Smatch

JOINING = Path(__file__).parents[2] / "benchmarks/speed/umr_joining.py"


def joining() -> Any:
    """The module that joins documents."""
    if not JOINING.exists():
        pytest.skip("no benchmarks beside the tests", allow_module_level=True)
    spec = spec_from_file_location("umr_joining", JOINING)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look for it there
    spec.loader.exec_module(module)
    return module


_module = joining()
sentences, document = _module.sentences, _module.document

PRED = """\
# meta-info :: sent_id = one
# :: snt1
Index: 1   2
Words: Ann s1p

# sentence level graph:
(s1s / sleep-01
    :ARG0 (s1p / person :name (s1n / name :op1 "s1p"))
    :aspect state)

# alignment:
s1s: 2-2
s1p: 1-1

# document level annotation:
(s1s0 / sentence
    :modal ((author :full-affirmative s1s)))

# meta-info :: sent_id = two
# :: snt2
Index: 1
Words: She

# sentence level graph:
(s2d / dream-01
    :ARG0 (s2p / person))

# alignment:
s2d: 0-0

# document level annotation:
(s2s0 / sentence
    :coref ((s1p :same-entity s2p)))
"""

GOLD = PRED.replace("sleep-01", "rest-01")


def counts(pred: str, gold: str) -> list[float | None]:
    """What the exact score counts: equal triples, and those of either side."""
    metric = Smatch(PROFILES["umr"])
    umr = FORMATS["umr"]
    graphs = []
    for text in (pred, gold):
        (block,) = umr.blocks(text.splitlines(keepends=True), None)
        graphs.append(umr.read(block).graph)
    found = metric.scores(metric.measure(*graphs).statistics)
    return [found.matched, found.pred_total, found.gold_total]


@pytest.mark.parametrize("times", [1, 3])
def test_a_document_joined_with_itself_counts_as_often(times: int) -> None:
    pairs = [(sentences(PRED), sentences(GOLD))]
    pred, gold, count = document(5 * times, pairs)
    assert count == 5 * times
    assert len(pred) == len(gold) == 2 * times
    once = counts(PRED, GOLD)
    assert once == [11, 12, 12]
    joined = counts("\n".join(pred), "\n".join(gold))
    assert joined == [11 * times, 12 * times, 12 * times]


def test_names_change_with_the_number_and_strings_do_not() -> None:
    pred, _, _ = document(10, [(sentences(PRED), sentences(GOLD))])
    third, fourth = pred[2:]
    assert third.startswith("# :: snt3\n")
    assert "Words: Ann s1p\n" in third
    assert '(s3p / person :name (s3n / name :op1 "s1p"))' in third
    assert "s3p: 1-1\n" in third
    assert "(s4s0 / sentence\n    :coref ((s3p :same-entity s4p)))" in fourth
    assert "meta-info" not in third


def test_a_sentence_that_one_side_lacks_is_missing_there() -> None:
    both, (first, _) = sentences(PRED), sentences(GOLD)
    pred, gold, count = document(6, [(both, [first])])
    assert count == 6
    assert [text.split("\n")[0] for text in gold] == ["# :: snt1", "# :: snt3"]
    assert len(pred) == 3


def test_a_misprint_in_a_heading_gives_way_to_the_variables() -> None:
    text = PRED.replace("# :: snt2", "# :: snt22")
    assert [part.number for part in sentences(text)] == [1, 2]
