"""What a user writes, checked strictly: no cast, no ignored line."""

from __future__ import annotations

import exactmatch
from exactmatch.adapters.trl import smatch_reward

GOLD = "(w / want-01 :ARG0 (b / boy))"


def f1_of(pred: str) -> float:
    return exactmatch.smatch(pred, GOLD).f1


def corpus(preds: list[str], golds: list[str]) -> float:
    report = exactmatch.evaluate(preds, golds, on_error="skip")
    first: exactmatch.scoring.PairResult = report[0]
    for pair in report:
        if pair.faults:
            print(pair.id, pair.score.score - first.score.score)
    return report.score


def loop(preds: list[str], golds: list[str]) -> exactmatch.Report:
    scorer = exactmatch.Scorer("smatch", on_error="empty")
    references = scorer.prepare(golds)
    for pred, reference in zip(preds, references, strict=True):
        print(scorer.score(pred, reference).score)
    scorer.update(preds, references[: len(preds)])
    return scorer.compute()


def analyses(preds: list[str], golds: list[str]) -> list[float]:
    compared: exactmatch.studies.Comparison = exactmatch.compare(
        {"one": preds, "other": golds}, golds
    )
    audited: exactmatch.studies.Audit = exactmatch.audit(preds, golds, runs=1)
    people: list[float | None] = [1.0, None, 0.5]
    agreed: exactmatch.studies.Correlation = exactmatch.correlate(preds, golds, people)
    one: exactmatch.studies.MetricCorrelation = agreed["smatch"]
    judges: dict[str, list[float | None]] = {"anna": [1], "ben": [0.5]}
    wished: exactmatch.studies.PreferenceCorrelation = (
        exactmatch.studies.correlate_preferences(
            preds[:2], golds[:2], judges, ["smatch", "wlk"]
        )
    )
    foils = exactmatch.studies.correlate_foils(preds[:2], golds[:2])
    totals = {"one": 90.0, "other": 80}
    held: exactmatch.studies.SystemCorrelation = exactmatch.studies.correlate_systems(
        {"one": preds, "other": golds}, golds, totals
    )
    rows = [{"system": "one", "segment": 0, "score": 70}]
    held = exactmatch.studies.correlate_systems(
        {"one": preds, "other": golds}, golds, rows
    )
    _ = wished["wlk"].accuracy.value + foils["smatch"].right + held["smatch"].pairs
    parts: exactmatch.Report = exactmatch.finegrained(preds, golds)
    best = compared.standings[0].score.score
    return [best, audited.optimum, one.pearson.value, parts["concepts"].score.score]


def rewards(completions: list[str]) -> list[float]:
    return smatch_reward(gold="amr")(completions, amr=[GOLD] * len(completions))


def differing(pred: str) -> list[tuple[str, str, str]]:
    found = exactmatch.align(pred, GOLD)
    return [(triple.source, triple.role, triple.target) for triple in found.missing]


def there_and_back(text: str) -> exactmatch.Graph:
    network = exactmatch.formats.to_networkx(exactmatch.read(text))
    return exactmatch.formats.from_networkx(network)


def decided(preds: list[str], golds: list[str]) -> dict[str, float]:
    found = exactmatch.compare({"first": preds, "copy": golds}, golds)
    return max(found.per_pair(), key=lambda pair: max(pair.scores.values())).scores


def same(
    one: exactmatch.formats.GraphLike, other: exactmatch.formats.GraphLike
) -> bool:
    return exactmatch.smatch(one, other).f1 == 1


if __name__ == "__main__":
    print(analyses([GOLD] * 3, [GOLD] * 3)[:2])
    print(f1_of(GOLD) + corpus([GOLD], [GOLD]))
    print(loop([GOLD], [GOLD]), rewards([GOLD]), differing(GOLD))
