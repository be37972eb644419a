"""juːmæʧ, mapped and counted by hand."""

from __future__ import annotations

import re
from typing import Any

import pytest

from exactmatch.formats.formats import FORMATS
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.score import Score
from exactmatch.metrics.umr.umatch import Umatch, mapped_nodes

GOLD = """\
# :: snt1
Index: 1    2
Words: Dogs bark

# sentence level graph:
(s1b / bark-01
    :ARG0 (s1d / dog
        :refer-number plural
        :ARG1-of (s1h / have-mod-91
            :ARG2 (s1p / person)))
    :aspect habitual)

# alignment:
s1b: 2-2
s1d: 1-1
s1h: 0-0
s1p: 0-0

# document level annotation:
(s1s0 / sentence
    :modal ((root :modal author)
            (author :full-affirmative s1b)))
"""

PRED = """\
# :: snt1
Index: 1    2
Words: Dogs bark

# sentence level graph:
(s1x / bark-02
    :ARG0 (s1y / dog
        :refer-number singular)
    :aspect habitual
    :place (s1z / person))

# alignment:
s1x: 2-2
s1y: 1-1
s1z: 0-0

# document level annotation:
(s1s0 / sentence
    :modal ((root :modal author)
            (author :full-affirmative s1x)
            (s1x :full-affirmative s1x)))
"""


def graph_of(text: str) -> Graph:
    (block,) = FORMATS["umr"].blocks(text.splitlines(keepends=True), None)
    return FORMATS["umr"].read(block).graph


def score(pred: str = PRED, gold: str = GOLD, **options: Any) -> Score:
    metric = Umatch(PROFILES["umr"].with_options(**options))
    return metric.scores(metric.measure(graph_of(pred), graph_of(gold)).statistics)


def counts(found: Score) -> tuple[float | None, ...]:
    return found.matched, found.pred_total, found.gold_total


def test_nodes_are_mapped_by_words_or_else_by_concepts() -> None:
    metric = Umatch()
    gold, pred = map(metric.prepare, map(graph_of, (GOLD, PRED)))
    names = {
        gold.graph.variables[v]: pred.graph.variables[w]
        for v, w in mapped_nodes(gold, pred).items()
    }
    assert names == {"s1b": "s1x", "s1d": "s1y", "s1p": "s1z"}


def test_values_of_nodes_and_documents() -> None:
    """Equal: dog, person, ARG0, habitual, and two triples; a loop is a third."""
    found = score()
    assert counts(found) == (6, 3 + 2 + 2 + 3, 4 + 3 + 2 + 2)
    assert tuple(found.parts["mapped nodes"]) == (3, 3, 4)
    assert tuple(found.parts["aligned token sets"]) == (2, 2, 2)
    # ARG1-of is a value of the dog, ARG2 one of a node that is not mapped
    assert tuple(found.parts["mapped nodes' values"]) == (4, 7, 7)
    assert found.score == pytest.approx(2 * 6 / (10 + 11))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"beside": "nothing"}, (4, 7, 9)),
        ({"top": "constant"}, (7, 11, 12)),
        ({"leave_out": ("aspect",)}, (5, 9, 10)),
        ({"only": ("concept",)}, (2, 3, 4)),
        ({"only": ("modal",)}, (2, 3, 2)),
    ],
)
def test_what_counts_is_the_profiles_business(
    options: dict[str, Any], expected: tuple[int, ...]
) -> None:
    assert counts(score(**options)) == expected


def test_itself_and_nothing() -> None:
    assert score(GOLD, GOLD).score == 1
    metric = Umatch()
    found = metric.measure(metric.empty, graph_of(GOLD))
    assert counts(metric.scores(found.statistics)) == (0, 0, 11)
    assert metric.scores(metric.identity()).score == 0


NAMES = """\
# :: snt1
Index: 1   2
Words: Rio Ana

# sentence level graph:
(s1a / and
    :op1 (s1c / city
        :name (s1n / name :op1 "Rio"))
    :op2 (s1p / person
        :name (s1m / name :op1 "Ana")))

# alignment:
s1a: 0-0
s1c: 1-1
s1n: 0-0
s1p: 2-2
s1m: 0-0

# document level annotation:
(s1s0 / sentence)
"""


def test_unaligned_names_are_mapped_if_they_are_the_same() -> None:
    """The other name is lost with its concept, its part and its relation."""
    assert counts(score(NAMES, NAMES))[0] == 5 + 4 + 2
    assert counts(score(NAMES.replace('"Ana"', '"Anna"'), NAMES))[0] == 4 + 3 + 1
    metric = Umatch()
    gold, pred = map(metric.prepare, map(graph_of, (NAMES, NAMES)))
    assert len(mapped_nodes(gold, pred)) == 5


LEFT = """\
# :: snt1
Index: 1     2    3
Words: value same dollar

# sentence level graph:
(s1v / value
    :mod (s1s / same
        :comparison (s1h / have-mod-91
            :ARG1 (s1d / dollar))
        :degree (s1r / roughly))
    :ARG2-of s1h)

# alignment:
s1v: 1-1
s1s: 2-2
s1h: 0-0
s1d: 3-3
s1r: 0-0

# document level annotation:
(s1s0 / sentence)
"""


def test_a_relation_is_a_value_of_the_node_that_it_is_written_under() -> None:
    """Between two nodes that were named before: under the one not yet left."""
    graph = Umatch().prepare(graph_of(LEFT))
    written = {
        (graph.graph.variables[v], role, graph.graph.variables[end])
        for v, values in enumerate(graph.values)
        for role, end in values
        if isinstance(end, int)
    }
    assert written == {
        ("s1v", "mod", "s1s"),
        ("s1s", "comparison", "s1h"),
        ("s1h", "ARG1", "s1d"),
        ("s1s", "degree", "s1r"),
        ("s1v", "ARG2-of", "s1h"),
    }
    direct = LEFT.replace(":ARG1 (s1d", ":ARG2 s1v :ARG1 (s1d")
    direct = direct.replace("    :ARG2-of s1h)", "    :quant 1)")
    graph = Umatch().prepare(graph_of(direct))
    h = graph.graph.variables.index("s1h")
    assert {role for role, _ in graph.values[h]} == {"ARG1", "ARG2"}


HEAD = """\
# :: snt1
Index: 1         2     3
Words: centrální banka udělat

# sentence level graph:
(s1u / udělat-006
    :ARG0 (s1o / organization
        :name (s1n / name :op1 "centrální" :op2 "banka")))

# alignment:
s1u: 3-3
s1o: 1-2
s1n: 0-0

# document level annotation:
(s1s0 / sentence)
"""

MODIFIED = """\
# :: snt1
Index: 1         2     3
Words: centrální banka udělat

# sentence level graph:
(s1u / udělat-006
    :ARG0 (s1b / banka
        :mod (s1c / centrální)))

# alignment:
s1u: 3-3
s1b: 2-2
s1c: 1-1

# document level annotation:
(s1s0 / sentence)
"""


def test_the_example_of_the_documentation() -> None:
    """No value and no role is equal: the longer word's node is mapped."""
    metric = Umatch()
    gold, pred = map(metric.prepare, map(graph_of, (HEAD, MODIFIED)))
    names = {
        gold.graph.variables[v]: pred.graph.variables[w]
        for v, w in mapped_nodes(gold, pred).items()
    }
    assert names == {"s1u": "s1u", "s1o": "s1c"}
    assert counts(score(MODIFIED, HEAD))[0] == 1


def mapped_to(system: str, alignment: str) -> str:
    """What ``s1o`` of the example is mapped to in another system's sentence."""
    head, _, tail = MODIFIED.partition("(s1u")
    _, _, tail = tail.partition("\n\n# alignment:")
    text = f"{head}{system}\n\n# alignment:\n{alignment}{tail[tail.index('# doc') :]}"
    metric = Umatch()
    gold, pred = map(metric.prepare, map(graph_of, (HEAD, text)))
    found = mapped_nodes(gold, pred)[gold.graph.variables.index("s1o")]
    return str(pred.graph.variables[found])


@pytest.mark.parametrize(
    ("system", "alignment", "expected"),
    [
        # an equal concept before an equal role
        ("(s1x / organization :mod (s1y / z :name s1x))", "1-1|2-2", "s1x"),
        # an equal role before more words
        ("(s1x / a :name (s1y / z))", "1-1|1-2", "s1x"),
        # the longer word, of 9 characters and 5
        ("(s1x / a :mod (s1y / z))", "2-2|1-1", "s1y"),
        # words of a node together, and blanks between them
        ("(s1x / a :mod (s1y / z))", "1-1|2-2,3-3", "s1y"),
        # the node that is called as the other is
        ("(s1a / z :mod (s1o / a))", "1-1|1-1", "s1o"),
        # the first name in the order of characters
        ("(s1y / z :mod (s1x / a))", "1-1|1-1", "s1x"),
    ],
)
def test_which_of_several_nodes_is_mapped(
    system: str, alignment: str, expected: str
) -> None:
    first, second = alignment.split("|")
    names = re.findall(r"\((\w+) /", system)
    spans = f"{names[0]}: {first}\n{names[1]}: {second}\n\n"
    assert mapped_to(system, spans) == expected


def organs(system: str) -> tuple[float | None, ...]:
    """What a system has of an organ that controls, both aligned with words."""
    head, _, tail = HEAD.partition("(s1u")
    text = (
        f"{head}%s\n\n# alignment:\ns1o: 1-1\ns1k: 2-2\n\n{tail[tail.index('# doc') :]}"
    )
    gold = text % "(s1o / organ :ARG0-of (s1k / control-01))"
    return counts(score(text % system, gold))


def test_an_inverse_relation_to_a_variable_stays_where_it_is_written() -> None:
    """The published program finds 3 of 4 and 3."""
    assert organs("(s1o / organ :purpose (s1k / control-01) :ARG0-of s1k)") == (3, 4, 3)
    assert organs("(s1o / organ :purpose (s1k / control-01 :ARG0 s1o))") == (2, 4, 3)


def test_nodes_without_words_are_paired_by_equal_values() -> None:
    """Two of one concept in the other order: the published program finds 9 of 9."""
    office = ":ARG0-of (s1h / have-org-role-91 :ARG2 s1y)"
    party = ":ARG0-of (s1g / have-org-role-91 :ARG3 s1z)"
    text = HEAD[: HEAD.index("(s1u")] + (
        "(s1x / person :a (s1y / y) :b (s1z / z) %s %s)\n\n"
        "# alignment:\ns1x: 1-1\ns1y: 2-2\ns1z: 3-3\n"
    )
    other = (party.replace("s1g", "s1a"), office.replace("s1h", "s1b"))
    assert counts(score(text % other, text % (office, party))) == (11, 11, 11)
    renamed = (party.replace("s1g", "s1h"), office.replace("s1h", "s1g"))
    assert counts(score(text % renamed, text % (office, party))) == (11, 11, 11)


def test_roles_that_the_references_lack_are_not_charged() -> None:
    """Neither those of nodes nor those of document-level triples."""
    lacking = GOLD.replace(":aspect habitual", "").replace(":ARG0", ":ARG1-of")
    lacking = lacking.replace("(author :full-affirmative s1b)", "")
    full = score(PRED, lacking)
    ignored = score(PRED, lacking, ignore_unannotated=True)
    assert full.matched == ignored.matched
    # :ARG0, :aspect, :place and two triples :full-affirmative
    assert full.pred_total is not None
    assert ignored.pred_total == full.pred_total - 5
    assert ignored.gold_total == full.gold_total


def test_roles_of_all_references_count() -> None:
    """A role that another reference has is charged."""
    metric = Umatch(PROFILES["umr"].with_options(ignore_unannotated=True))
    lacking = GOLD.replace(":aspect habitual", "")
    pred, gold, other = map(metric.prepare, map(graph_of, (PRED, lacking, GOLD)))
    alone = metric.scores(metric.compare(pred, gold).statistics)
    fitted = metric.copy().fit([gold, other])
    both = fitted.scores(fitted.compare(pred, gold).statistics)
    assert counts(both)[1] == (counts(alone)[1] or 0) + 1
