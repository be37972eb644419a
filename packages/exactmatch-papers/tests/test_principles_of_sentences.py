"""``exactmatch principles`` of metrics on sentences, against sacreBLEU itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from support.command import Cli

from exactmatch_papers.principles.probes import same_words, varied_sentences

HYPOTHESES = (
    "the cat sat on the mat near the door .",
    "a man plays a guitar",
    "yes",
    "he said that he would come tomorrow , perhaps",
    "there is no such thing",
)
REFERENCES = (
    "on the mat the cat sat , near an open door .",
    "a man is playing the guitar in a small room",
    "yes indeed",
    "he said that he would come tomorrow , perhaps",
    "there is such a thing",
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    paths = tmp_path / "hyp.txt", tmp_path / "ref.txt"
    for path, lines in zip(paths, (HYPOTHESES, REFERENCES), strict=True):
        path.write_text("\n".join(lines) + "\n")
    return str(paths[0]), str(paths[1])


def measured(cli: Cli, *arguments: str) -> dict[str, dict[str, Any]]:
    code, out, err = cli("principles", *arguments, "--format", "json")
    assert code == 0, err
    return {o["principle"]: o for o in json.loads(out)["outcomes"]}


def by_sacrebleu(metric: str, first: str, second: str) -> float:
    if metric == "chrf":
        return sacrebleu.sentence_chrf(first, [second]).score / 100
    effective = metric == "sentence-bleu"
    engine = sacrebleu.BLEU(effective_order=effective)
    return engine.corpus_score([first], [[second]]).score / 100


@pytest.mark.parametrize("metric", ["sentence-bleu", "bleu", "chrf"])
def test_the_symmetry_violation_is_that_of_sacrebleu(
    cli: Cli, files: tuple[str, str], metric: str
) -> None:
    """Opitz et al. (2020), equations 4 and 5, each sentence scored in both orders."""
    outcome = measured(cli, *files, "--metric", metric)["III"]
    gaps = [
        abs(by_sacrebleu(metric, a, b) - by_sacrebleu(metric, b, a))
        for a, b in zip(HYPOTHESES, REFERENCES, strict=True)
    ]
    assert np.mean(gaps) > 0
    assert outcome["violation_ratio"] == np.mean([gap > 1e-4 for gap in gaps])
    assert outcome["mean_violation"] == pytest.approx(np.mean(gaps), abs=1e-12)
    assert outcome["largest_violation"] == pytest.approx(max(gaps), abs=1e-12)


def test_what_a_sentence_does_not_have_is_not_measured(
    cli: Cli, files: tuple[str, str]
) -> None:
    judged = measured(cli, *files, "--metric", "sentence-bleu")
    ticks = {principle: outcome["tick"] for principle, outcome in judged.items()}
    assert [p for p, tick in ticks.items() if tick == "not measured"] == ["V", "VI"]
    assert "no root" in judged["V"]["measured"]
    assert "no triples" in judged["VI"]["measured"]
    assert (ticks["I"], ticks["II"], ticks["IV"]) == ("yes", "yes", "yes")
    _, out, _ = cli("principles", *files, "--metric", "sentence-bleu")
    table = out.partition("\n\n")[0].splitlines()
    rows = {line.split(".")[0].strip(): line.split() for line in table}
    assert rows["V"][-1] == rows["VI"][-1] == "-"
    assert "- not measured of metrics on sentences: V. a sentence has no root" in out
    assert "in units of one wrong leaf" not in out


def test_a_short_sentence_is_not_worth_1_to_corpus_bleu(
    cli: Cli, tmp_path: Path
) -> None:
    """A sentence of three words has no 4-gram, so BLEU of a corpus of it is 0."""
    path = tmp_path / "short.txt"
    path.write_text("all is well\n")
    outcome = measured(cli, str(path), str(path), "--metric", "bleu")["II"]
    assert by_sacrebleu("bleu", "all is well", "all is well") == 0
    assert (outcome["copies"], outcome["copies_short"]) == (1, 1)
    assert outcome["copies_mean_deficit"] == 1
    smoothed = measured(cli, str(path), str(path), "--metric", "sentence-bleu")["II"]
    assert smoothed["copies_short"] == 0


def test_different_sentences_that_score_1_are_shown(cli: Cli, tmp_path: Path) -> None:
    """SacreBLEU's tokens are equal, but the words between the spaces are not."""
    paths = tmp_path / "a.txt", tmp_path / "b.txt"
    paths[0].write_text("well , come here now\n")
    paths[1].write_text("well, come here now\n")
    files = tuple(map(str, paths))
    outcome = measured(cli, *files, "--metric", "sentence-bleu")["II"]
    assert outcome["mistaken"] == 1
    assert outcome["tick"] == "no"
    _, out, _ = cli("principles", *files, "--metric", "sentence-bleu")
    assert "sentence BLEU gives different sentences 1.0000:" in out
    assert "    well , come here now\n    well, come here now\n" in out
    code, page, _ = cli(
        "principles", *files, "--metric", "sentence-bleu", "--format", "html"
    )
    assert code == 0
    assert "well, come here now" in page


def test_graphs_with_sentences_are_measured_by_metrics_of_both_kinds(
    cli: Cli, tmp_path: Path
) -> None:
    paths = tmp_path / "a.amr", tmp_path / "b.amr"
    for path, lines in zip(paths, (HYPOTHESES, REFERENCES), strict=True):
        blocks = (f"# ::snt {line}\n(x / say-01 :ARG0 (y / he))" for line in lines)
        path.write_text("\n\n".join(blocks) + "\n")
    shared = (*map(str, paths), "--graphs", "3", "--runs", "2")
    both = json.loads(
        cli("principles", *shared, "--metric", "sembleu,chrf", "--format", "json")[1]
    )
    alone = measured(cli, *shared, "--metric", "chrf")
    graphs = measured(cli, *shared, "--metric", "sembleu")
    named = {(o["metric"], o["principle"]): o for o in both["outcomes"]}
    assert {p: named["chrF", p] for p in alone} == alone
    assert {p: named["SemBleu", p] for p in graphs} == graphs


def test_the_sentence_that_was_parsed_says_nothing(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.amr"
    path.write_text("# ::snt he spoke\n(x / speak-01 :ARG0 (y / he))\n")
    code, _, err = cli("principles", str(path), str(path), "--metric", "chrf")
    assert code == 0
    assert "are what was parsed, and metrics on text say nothing" in err


@pytest.mark.slow
def test_processes_change_nothing(cli: Cli, files: tuple[str, str]) -> None:
    arguments = (*files, "--metric", "chrf,yisi-text", "--seed", "3")
    assert cli("principles", *arguments) == cli("principles", *arguments, "-j", "2")


def test_what_is_made_of_a_sentence_is_another() -> None:
    probes = list(varied_sentences(("one", "", "a a", *REFERENCES), 10, 0))
    assert [probe.original for probe in probes] == ["one", "a a", *REFERENCES]
    assert [len(probe.different) for probe in probes] == [1, 2, 3, 3, 3, 3, 3]
    for probe in probes:
        assert not any(same_words(o, probe.original) for o in probe.different)
    assert probes == list(varied_sentences(("one", "", "a a", *REFERENCES), 10, 0))
    assert len(list(varied_sentences(REFERENCES, 2, 0))) == 2
