"""What a notebook shows at the end of a cell: one line, or a small table."""

from __future__ import annotations

import copy
import pickle
import re
from html.parser import HTMLParser
from typing import Any

import pytest

import exactmatch
from exactmatch import Graph, InputError, Report, Scorer, evaluate
from exactmatch.graphs.drawing.svg import DRAWN
from exactmatch.metrics.score import FScore

GOLD = "# ::id lpp.1\n(w / want-01 :ARG0 (b / boy) :polarity -)"
PRED = "(w / want-01 :ARG0 (g / girl))"
BROKEN = "(a / b / c)"
HOSTILE = '(x / "<script>alert(1)</script>")'


@pytest.fixture(scope="module")
def report() -> Report:
    """Three pairs under two metrics, the second of them unreadable."""
    golds = [GOLD, GOLD.replace("lpp.1", "lpp.2"), GOLD.replace("lpp.1", "lpp.3")]
    preds = [PRED, BROKEN, GOLD]
    return evaluate(preds, golds, ["smatch", "sembleu"], on_error="skip")


class Balanced(HTMLParser):
    """Checks that every element is closed, and collects what there is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.seen: list[str] = []
        self.feed(text)
        assert not self.opened

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        del attrs
        self.seen.append(tag)
        if tag not in ("wbr", "input"):
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


def chain(length: int) -> Graph:
    triples = [(f"v{k}", "instance", "c") for k in range(length)]
    triples += [(f"v{k}", "ARG0", f"v{k + 1}") for k in range(length - 1)]
    return Graph.from_triples(triples)


# One line


def test_a_score_is_one_line() -> None:
    assert repr(exactmatch.smatch(PRED, GOLD)) == (
        "smatch 0.6667 (P 0.7500 R 0.6000), proven"
    )
    assert repr(exactmatch.score(GOLD, GOLD, metric="sembleu")) == "sembleu 1.0000"


def test_an_unproven_score_says_what_it_is_at_most() -> None:
    found = FScore("smatch", 0.5, 0.5, 0.5, 0.5, 2, 4, 4, bound=3, proven=False)
    assert repr(found) == "smatch 0.5000 (P 0.5000 R 0.5000), at most 0.7500"
    assert "at most 0.7500" in found._repr_html_()


def test_a_report_is_one_line_for_each_number(report: Report) -> None:
    assert repr(report) == (
        "smatch 0.8421 (P 0.8889 R 0.8000), 2 pairs, all proven; "
        f"sembleu {report['sembleu'].score.score:.4f}, 2 pairs; 1 skipped; "
        "1 prediction not well-formed"
    )


def test_what_counts_as_an_empty_graph_is_not_called_skipped() -> None:
    for broken, said in ((1, "an empty graph"), (2, "empty graphs")):
        found = evaluate([BROKEN] * broken, [GOLD] * broken, on_error="empty")
        assert f"; {broken} counted as {said}; {broken} prediction" in repr(found)
        assert "skipped" not in repr(found)


def test_thousands_are_set_apart_and_one_pair_is_no_pairs() -> None:
    many = evaluate([PRED] * 1727, [GOLD] * 1727, keep_pairs=False)
    assert repr(many) == ("smatch 0.6667 (P 0.7500 R 0.6000), 1,727 pairs, all proven")
    assert repr(evaluate([GOLD], [GOLD])).endswith(", 1 pair, all proven")
    assert repr(Scorer().compute()) == "smatch -, 0 pairs"


def test_an_explanation_and_a_graph_are_one_line() -> None:
    assert repr(exactmatch.align(PRED, GOLD)) == (
        "2 of 2 variables aligned; 3 triples matched, 2 missing, 1 extra"
    )
    assert repr(exactmatch.read(GOLD)) == (
        "<Graph lpp.1: 2 variables, 4 triples, top w / want-01>"
    )
    assert repr(Graph((), (), (), (), ())) == (
        "<Graph: 0 variables, 0 triples, no top>"
    )


def test_no_line_ends_within_a_pair(report: Report) -> None:
    assert [*map(repr, report)] == [
        "pair 1 (lpp.1): smatch 0.6667 (P 0.7500 R 0.6000), proven",
        "pair 3 (lpp.3): smatch 1.0000 (P 1.0000 R 1.0000), proven",
    ]


# Tables and drawings


def test_all_four_are_well_formed_html(report: Report) -> None:
    for shown in (
        report,
        exactmatch.smatch(PRED, GOLD),
        exactmatch.align(PRED, GOLD),
        exactmatch.read(GOLD),
    ):
        found = Balanced(shown._repr_html_())
        assert {"table", "svg"} & set(found.seen)


def test_what_graphs_say_is_never_run() -> None:
    report = evaluate([HOSTILE], [f"# ::id <script>\n{HOSTILE}"])
    explained = exactmatch.align(HOSTILE, PRED)
    for shown in (report, explained, exactmatch.read(HOSTILE)):
        assert "script" not in Balanced(shown._repr_html_()).seen


@pytest.mark.slow
def test_a_long_report_has_a_small_table() -> None:
    report = evaluate([PRED] * 3000, [GOLD] * 3000)
    assert len(report._repr_html_()) < 10_000
    broken = evaluate([PRED] + [BROKEN] * 3000, [GOLD] * 3001, on_error="skip")
    assert len(broken._repr_html_()) < 10_000
    assert "3000 skipped in all" in broken._repr_html_()


def test_a_report_shows_the_lowest_pairs_first() -> None:
    report = evaluate([GOLD] * 9 + [PRED], [GOLD] * 10)
    shown = report._repr_html_()
    numbers = re.findall(r'<th scope="row" class="n">(\d+)</th>', shown)
    assert numbers == ["10", "1", "2", "3", "4"]
    assert "5 pairs with the lowest scores" in shown


def test_a_report_without_pairs_has_its_scores() -> None:
    shown = evaluate([GOLD], [GOLD], keep_pairs=False)._repr_html_()
    assert Balanced(shown).seen.count("table") == 1


def test_large_graphs_are_named_and_not_drawn() -> None:
    assert "<svg" in chain(DRAWN)._repr_html_()
    large = chain(DRAWN + 1)
    assert "<svg" not in large._repr_html_()
    assert f"{DRAWN + 1} variables" in large._repr_html_()
    wordy = Graph.from_triples([("a", "instance", "x" * 10**6)])
    assert len(wordy._repr_html_()) < 10_000


def test_an_explanation_of_large_graphs_stays_small() -> None:
    shown = exactmatch.align(chain(400), chain(400).relabelled(("z", "y")))
    assert len(shown._repr_html_()) < 10_000


def test_an_explanation_draws_what_differs() -> None:
    shown = exactmatch.align(PRED, GOLD)._repr_html_()
    for mark in ("≠ boy", "≠ girl", "Reference", "Prediction"):
        assert mark in shown


def test_an_explanation_marks_another_root() -> None:
    turned = "(b / bark-01 :ARG0 (d / dog))", "(d / dog :ARG0-of (b / bark-01))"
    shown = exactmatch.align(*turned)._repr_html_()
    assert shown.count('class="top changed"') == 2  # one in each graph


# Indexing


def test_a_report_is_as_long_as_it_has_pairs(report: Report) -> None:
    assert len(report) == len([*report]) == 2
    assert [pair.metric for pair in report] == ["smatch", "smatch"]


def test_an_empty_report_is_true() -> None:
    report = evaluate([BROKEN, GOLD], [GOLD, GOLD], on_error="skip")
    assert report
    assert len(report) == 1


def test_pairs_are_found_by_number_id_and_metric(report: Report) -> None:
    assert report[0] is report["lpp.1"] is report.pairs[0]
    assert report[2].index == 2
    assert report["sembleu", 2].metric == report["sembleu", "lpp.3"].metric == "sembleu"
    assert report["sembleu"] is report.scores[1]


def test_numbers_of_other_packages_are_numbers(report: Report) -> None:
    numpy = pytest.importorskip("numpy")
    assert report[numpy.int64(2)] is report[2]


@pytest.mark.parametrize(
    ("key", "said"),
    [
        (1, "smatch has no result for 1: skipped: pair 2, prediction: line 1:8: "),
        (7, "no pair has the number 7 (known: from 0 to 2)"),
        (-1, "no pair has the number -1 (known: from 0 to 2)"),
        ("smtach", "did you mean 'smatch'? (metrics: smatch, sembleu; 2 ids of pairs)"),
        ("lpp.11", "did you mean 'lpp.1'?"),
        (("bleu", 0), "no metric is called 'bleu' (known: smatch, sembleu)"),
    ],
)
def test_an_unknown_key_says_what_is_known(report: Report, key: Any, said: str) -> None:
    with pytest.raises(KeyError) as found:
        report[key]
    assert said in str(found.value)
    assert isinstance(found.value, InputError)


def test_pairs_that_were_not_kept_are_not_looked_for() -> None:
    report = evaluate([GOLD], [GOLD], keep_pairs=False)
    for look in (lambda: report[0], lambda: [*report], lambda: report["lpp.1"]):
        with pytest.raises(InputError, match="keep_pairs=True"):
            look()
    assert report["smatch"].score.f1 == 1


def test_reports_pickle_and_compare_whether_or_not_they_were_indexed(
    report: Report,
) -> None:
    fresh = copy.deepcopy(report)
    assert report[2].index == 2
    again = pickle.loads(pickle.dumps(report))
    assert again.scores == fresh.scores
    assert again[2].score == fresh[2].score
