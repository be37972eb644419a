"""Real evaluators and optimisers call what we give them, where they are installed."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import exactmatch

pytestmark = [
    pytest.mark.slow,
    # these packages warn of themselves and of what they import
    pytest.mark.filterwarnings("ignore"),
]

GOLD = json.dumps([["Alan Bean", "birth place", "Wheeler"]])
PRED = json.dumps([["Bean", "birth place", "Wheeler"]])
OPTIONS: dict[str, Any] = {"metric": "graph", "node_similarity": "lcs"}
WANTED = exactmatch.score(
    json.loads(PRED), json.loads(GOLD), metric="graph", node_similarity="lcs"
)


def test_dspy_evaluates_and_gepa_reads_the_feedback() -> None:
    dspy: Any = pytest.importorskip("dspy")
    from exactmatch.adapters.dspy import graph_metric

    metric = graph_metric(**OPTIONS, answer="triples", gold="triples")

    class Fixed(dspy.Module):
        def forward(self, sentence: str) -> Any:
            del sentence
            return dspy.Prediction(triples=PRED)

    example = dspy.Example(sentence="…", triples=GOLD).with_inputs("sentence")
    found = metric(example, dspy.Prediction(triples=PRED))
    assert found.score == WANTED.f1
    assert "says 'Bean', reference 'Alan Bean'" in found.feedback
    evaluate = dspy.Evaluate(devset=[example], metric=metric, num_threads=1)
    assert evaluate(Fixed()).score == pytest.approx(100 * WANTED.f1, abs=0.01)
    lm = dspy.utils.DummyLM([{"triples": PRED}] * 50)
    program = dspy.Predict("sentence -> triples")
    reflects = dspy.utils.DummyLM([{"new_instruction": "Write whole names."}] * 50)
    with dspy.context(lm=lm):
        optimiser = dspy.GEPA(
            metric=metric, max_metric_calls=4, reflection_lm=reflects, num_threads=1
        )
        optimiser.compile(program, trainset=[example], valset=[example])


def test_lm_eval_runs_a_task(tmp_path: Path) -> None:
    lm_eval: Any = pytest.importorskip("lm_eval")
    models: Any = pytest.importorskip("lm_eval.api.model")
    registry: Any = pytest.importorskip("lm_eval.api.registry")
    tasks: Any = pytest.importorskip("lm_eval.tasks")
    from exactmatch.adapters.lm_eval import register

    register(**OPTIONS, name="exact_graph_of_test")
    assert registry.get_metric("exact_graph_of_test")
    folder = Path(__file__).parents[2] / "examples" / "lm_eval"
    text = (folder / "exact_triples.yaml").read_text()
    moved = text.replace("examples/lm_eval/triples", f"{folder}/triples")
    (tmp_path / "exact_triples.yaml").write_text(moved)
    (tmp_path / "graph_task.py").write_text((folder / "graph_task.py").read_text())
    manager = tasks.TaskManager(include_path=str(tmp_path), include_defaults=False)

    class Fixed(models.LM):
        def generate_until(self, requests: Any) -> list[str]:
            return [request.doc and _answer(request.doc) for request in requests]

        def loglikelihood(self, requests: Any) -> Any:
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    def _answer(doc: Any) -> str:
        return json.dumps(doc["triples"]) if "Bean" in doc["sentence"] else "I cannot."

    found = lm_eval.simple_evaluate(
        model=Fixed(),
        tasks=["exact_triples"],
        task_manager=manager,
        bootstrap_iters=0,
    )
    score = found["results"]["exact_triples"]["exact_triples,none"]
    assert score == pytest.approx(2 / 3)


def test_lighteval_computes_samples_and_their_mean() -> None:
    pytest.importorskip("lighteval")
    pytest.importorskip("lighteval.metrics.utils.metric_utils")
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    from exactmatch.adapters.lighteval import graph_metric

    metric = graph_metric(**OPTIONS)
    doc = Doc(query="…", choices=[GOLD], gold_index=0)
    sample = metric.compute_sample(
        doc=doc, model_response=ModelResponse(text=[PRED, "none"])
    )
    assert sample == {"graph_f1": WANTED.f1}
    aggregate = metric.get_corpus_aggregations()["graph_f1"]
    assert aggregate([sample["graph_f1"], 0.0]) == WANTED.f1 / 2


def test_inspect_scores_an_evaluation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inspect_ai: Any = pytest.importorskip("inspect_ai")
    dataset: Any = pytest.importorskip("inspect_ai.dataset")
    model: Any = pytest.importorskip("inspect_ai.model")
    from exactmatch.adapters.inspect import graph_scorer

    async def one(*_: Any) -> int:
        return 1

    # which would fetch a table of tokens
    monkeypatch.setattr(model.ModelAPI, "count_text_tokens", one)
    task = inspect_ai.Task(
        dataset=[dataset.Sample(input="…", target=GOLD)],
        scorer=graph_scorer(**OPTIONS),
    )
    answer = model.ModelOutput.from_content("mockllm/model", PRED)
    chosen = model.get_model("mockllm/model", custom_outputs=[answer])
    (log,) = inspect_ai.eval(task, model=chosen, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    (score,) = log.results.scores
    assert score.metrics["mean"].value == pytest.approx(WANTED.f1)
    (sample,) = log.samples
    (found,) = sample.scores.values()
    assert "says 'Bean', reference 'Alan Bean'" in found.explanation


def test_torchmetrics_sums_over_batches_and_processes() -> None:
    pytest.importorskip("torchmetrics")
    torch: Any = pytest.importorskip("torch")
    from exactmatch.adapters.torchmetrics import graph_metric

    metric = graph_metric(**OPTIONS)
    metric.update([PRED], [GOLD])
    metric.update([GOLD, "none"], [GOLD, GOLD])
    report = exactmatch.evaluate(
        [json.loads(PRED), json.loads(GOLD), {"nodes": []}],
        [json.loads(GOLD)] * 3,
        exactmatch.make_metric("graph", node_similarity="lcs"),
    )
    assert metric.compute().item() == pytest.approx(report["graph"].f1)
    again = pickle.loads(pickle.dumps(metric))
    assert again.compute() == metric.compute()
    other = graph_metric(**OPTIONS)
    other.update([PRED], [GOLD])
    both = torch.stack([metric.sums, other.sums])
    metric.sums = metric._reductions["sums"](both)  # as it does among processes
    metric._computed = None
    again.update([PRED], [GOLD])
    assert metric.compute().item() == pytest.approx(again.compute().item())
    metric.reset()
    assert metric.sums.sum() == 0
    with pytest.raises(exactmatch.InputError, match="1 predictions but 0"):
        metric.update([PRED], [])


def test_verl_rewards_a_batch() -> None:
    reward: Any = pytest.importorskip("verl.workers.reward_manager.naive")
    from exactmatch.adapters.verl import compute_score

    torch: Any = pytest.importorskip("torch")
    protocol: Any = pytest.importorskip("verl.protocol")
    words = [PRED, GOLD]
    tokenizer = SimpleNamespace(
        decode=lambda ids, **_: words[int(ids[0]) - 1], eos_token="<eos>"
    )

    def score(**known: Any) -> Any:
        return compute_score(**known, **OPTIONS)

    data = protocol.DataProto.from_dict(
        tensors={
            "prompts": torch.ones((2, 1), dtype=torch.long),
            "responses": torch.tensor([[1], [2]]),
            "attention_mask": torch.ones((2, 2), dtype=torch.long),
        },
        non_tensors={
            "reward_model": [{"ground_truth": GOLD}] * 2,
            "data_source": ["kg"] * 2,
        },
    )
    manager = reward.NaiveRewardManager(tokenizer, 0, score)
    found = manager(data)
    assert found[:, 0].tolist() == pytest.approx([WANTED.f1, 1.0])
