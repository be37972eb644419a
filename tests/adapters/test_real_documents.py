"""Real harnesses score JSON documents through our adapters, where installed."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import exactmatch
from exactmatch.adapters import documents

pytestmark = [
    pytest.mark.slow,
    # these packages warn of themselves and of what they import
    pytest.mark.filterwarnings("ignore"),
]

GOLD = json.dumps(
    {"total": 40, "items": [{"name": "red pen", "qty": 2}, {"name": "x"}]}
)
PRED = json.dumps(
    {"total": 40, "items": [{"name": "x"}, {"name": "red pens", "qty": 3}]}
)
EXPECTED = exactmatch.score(json.loads(PRED), json.loads(GOLD), metric="json")
CORRECTION = "items[1].qty: 3 should be 2"


def test_dspy() -> None:
    dspy: Any = pytest.importorskip("dspy")
    from exactmatch.adapters.dspy import graph_metric

    metric = graph_metric(metric="json", answer="record", gold="record")

    class Fixed(dspy.Module):
        def forward(self, text: str) -> Any:
            del text
            return dspy.Prediction(record=PRED)

    example = dspy.Example(text="…", record=GOLD).with_inputs("text")
    score = metric(example, dspy.Prediction(record=PRED))
    assert score.score == EXPECTED.f1
    assert CORRECTION in score.feedback
    evaluate = dspy.Evaluate(devset=[example], metric=metric, num_threads=1)
    assert evaluate(Fixed()).score == pytest.approx(100 * EXPECTED.f1, abs=0.01)


def test_lm_eval(tmp_path: Path) -> None:
    lm_eval: Any = pytest.importorskip("lm_eval")
    models: Any = pytest.importorskip("lm_eval.api.model")
    tasks: Any = pytest.importorskip("lm_eval.tasks")
    (tmp_path / "rows.jsonl").write_text(
        "\n".join(json.dumps({"text": text, "record": GOLD}) for text in "ab")
    )
    (tmp_path / "json_task.py").write_text(
        "from exactmatch.adapters.lm_eval import functions\n"
        "results, _, f1 = functions('json', gold='record', name='json_of_test')\n"
    )
    (tmp_path / "json_task.yaml").write_text(
        f"""
task: json_of_test
dataset_path: json
dataset_kwargs:
  data_files: {{test: {tmp_path}/rows.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{text}}}}"
doc_to_target: "{{{{record}}}}"
generation_kwargs: {{until: ["@@"]}}
process_results: !function json_task.results
metric_list:
  - metric: json_of_test
    aggregation: !function json_task.f1
    higher_is_better: true
"""
    )

    class Fixed(models.LM):
        def generate_until(self, requests: Any) -> list[str]:
            return [PRED if one.doc["text"] == "a" else GOLD for one in requests]

        def loglikelihood(self, requests: Any) -> Any:
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    manager = tasks.TaskManager(include_path=str(tmp_path), include_defaults=False)
    results = lm_eval.simple_evaluate(
        model=Fixed(), tasks=["json_of_test"], task_manager=manager, bootstrap_iters=0
    )
    score = results["results"]["json_of_test"]["json_of_test,none"]
    whole = exactmatch.evaluate(
        [PRED, GOLD], [GOLD] * 2, exactmatch.make_metric("json")
    )
    assert score == pytest.approx(whole["json"].f1)


def test_lighteval() -> None:
    pytest.importorskip("lighteval.metrics.utils.metric_utils")
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    from exactmatch.adapters.lighteval import graph_metric

    metric = graph_metric(metric="json")
    doc = Doc(query="…", choices=[GOLD], gold_index=0)
    sample = metric.compute_sample(doc=doc, model_response=ModelResponse(text=[PRED]))
    assert [*sample.values()] == [EXPECTED.f1]


def test_inspect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        scorer=graph_scorer(metric="json"),
    )
    answer = model.ModelOutput.from_content("mockllm/model", f"```json\n{PRED}\n```")
    chosen = model.get_model("mockllm/model", custom_outputs=[answer])
    (log,) = inspect_ai.eval(task, model=chosen, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    (score,) = log.results.scores
    assert score.metrics["mean"].value == pytest.approx(EXPECTED.f1)
    (sample,) = log.samples
    (explained,) = sample.scores.values()
    assert CORRECTION in explained.explanation


def test_torchmetrics() -> None:
    pytest.importorskip("torchmetrics")
    from exactmatch.adapters.torchmetrics import graph_metric

    metric = graph_metric(metric="json")
    metric.update([PRED], [GOLD])
    metric.update([GOLD, "none"], [GOLD, GOLD])
    whole = exactmatch.evaluate(
        [PRED, GOLD, "{}"], [GOLD] * 3, exactmatch.make_metric("json")
    )
    assert metric.compute().item() == pytest.approx(whole["json"].f1)


def test_verl() -> None:
    reward: Any = pytest.importorskip("verl.workers.reward_manager.naive")
    torch: Any = pytest.importorskip("torch")
    protocol: Any = pytest.importorskip("verl.protocol")
    from exactmatch.adapters.verl import compute_score

    texts = [PRED, GOLD]
    tokenizer = SimpleNamespace(
        decode=lambda ids, **_: texts[int(ids[0]) - 1], eos_token="<eos>"
    )

    def score(**known: Any) -> Any:
        return compute_score(**known, metric="json")

    data = protocol.DataProto.from_dict(
        tensors={
            "prompts": torch.ones((2, 1), dtype=torch.long),
            "responses": torch.tensor([[1], [2]]),
            "attention_mask": torch.ones((2, 2), dtype=torch.long),
        },
        non_tensors={
            "reward_model": [{"ground_truth": GOLD}] * 2,
            "data_source": ["records"] * 2,
        },
    )
    rewards = reward.NaiveRewardManager(tokenizer, 0, score)(data)
    assert rewards[:, 0].tolist() == pytest.approx([EXPECTED.f1, 1.0])


def test_trl(tmp_path: Path) -> None:
    trl: Any = pytest.importorskip("trl")
    datasets: Any = pytest.importorskip("datasets")
    transformers: Any = pytest.importorskip("transformers")
    tokenizers: Any = pytest.importorskip("tokenizers")
    from exactmatch.adapters.trl import smatch_reward

    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    made.train_from_iterator(
        [GOLD],
        tokenizers.trainers.BpeTrainer(
            vocab_size=280,
            special_tokens=["<pad>", "<eos>"],
            initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", eos_token="<eos>"
    )
    size = len(tokenizer)
    small = {"n_positions": 64, "n_embd": 16, "n_layer": 1, "n_head": 1}
    ends = {"bos_token_id": 1, "eos_token_id": 1, "pad_token_id": 0}
    config = transformers.GPT2Config(vocab_size=size, **small, **ends)
    reward = smatch_reward(gold="record", metric="json")
    trainer = trl.GRPOTrainer(
        model=transformers.GPT2LMHeadModel(config),
        processing_class=tokenizer,
        reward_funcs=[reward],
        args=trl.GRPOConfig(
            output_dir=str(tmp_path),
            per_device_train_batch_size=2,
            num_generations=2,
            max_completion_length=8,
            max_steps=1,
            report_to=[],
            use_cpu=True,
            save_strategy="no",
            disable_tqdm=True,
        ),
        train_dataset=datasets.Dataset.from_dict({"prompt": ["a"], "record": [GOLD]}),
    )
    trainer.train()
    assert reward.report().scores[0].pairs == 2
    assert reward(completions=[PRED], record=[GOLD]) == [EXPECTED.f1]


def test_verifiers() -> None:
    vf: Any = pytest.importorskip("verifiers.v1")
    from exactmatch.adapters.documents import verifiers

    class Record(vf.TaskData):
        record: str

    class Extract(vf.Task[Record]):
        json_match = verifiers("record", weight=2.0)

    task = Extract(Record(prompt="…", record=GOLD))
    trace = vf.Trace.model_construct(root_reply=PRED, rewards={}, metrics={})
    asyncio.run(task.score(trace))
    assert trace.rewards["json_match"].score == pytest.approx(EXPECTED.f1)
    assert trace.reward == pytest.approx(2 * EXPECTED.f1)


def test_mlflow_evaluates(tmp_path: Path) -> None:
    mlflow: Any = pytest.importorskip("mlflow")
    pytest.importorskip("mlflow.genai.scorers")

    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.db")
    row = {"inputs": {"text": "…"}, "outputs": PRED}
    row["expectations"] = {"expected_response": GOLD}
    result = mlflow.genai.evaluate(data=[row], scorers=[documents.mlflow()])
    assert result.metrics["json/mean"] == pytest.approx(EXPECTED.f1)


def test_openevals_runs_beside_ours() -> None:
    exact: Any = pytest.importorskip("openevals.exact")
    from exactmatch.adapters.documents import langsmith

    sides = {"outputs": json.loads(PRED), "reference_outputs": json.loads(GOLD)}
    theirs = exact.exact_match(**sides)
    ours = langsmith()(**sides)
    assert theirs.keys() >= {"key", "score"} <= ours.keys()
    assert ours["score"] == EXPECTED.f1
    assert CORRECTION in ours["comment"]


def test_autoevals() -> None:
    pytest.importorskip("autoevals")
    found = documents.autoevals()(output=PRED, expected=GOLD)
    assert (found.name, found.score) == ("json", EXPECTED.f1)
    assert found.metadata["fields"]["items[].qty"] == 0


def test_pydantic_evals() -> None:
    package: Any = pytest.importorskip("pydantic_evals")
    data = package.Dataset(
        name="d",
        cases=[package.Case(inputs=1, expected_output=GOLD)],
        evaluators=[documents.pydantic_evals()],
    )
    report = data.evaluate_sync(lambda _: PRED)
    assert report.cases[0].scores["json"].value == EXPECTED.f1


def test_langfuse() -> None:
    pytest.importorskip("langfuse")
    first, *others = documents.langfuse()(
        input=1, output=PRED, expected_output=GOLD, metadata=None
    )
    assert (first.name, first.value, len(others)) == ("json", EXPECTED.f1, 2)


def test_langsmith_package() -> None:
    package: Any = pytest.importorskip("langsmith.evaluation")
    evaluator = package.run_evaluator(documents.langsmith())
    assert evaluator is not None


def test_opik() -> None:
    pytest.importorskip("opik")
    found = documents.opik().score(output=PRED, reference=GOLD)
    assert found.value == EXPECTED.f1


def test_mlflow_calls() -> None:
    pytest.importorskip("mlflow.genai")
    found = documents.mlflow()(outputs=PRED, expectations={"expected_response": GOLD})
    assert found[0].value == EXPECTED.f1


def test_weave() -> None:
    pytest.importorskip("weave")
    judge = documents.weave()
    row = judge.score(output=PRED, expected=GOLD)
    assert judge.summarize([row])["f1"] == EXPECTED.f1


def test_deepeval() -> None:
    pytest.importorskip("deepeval")
    from deepeval.test_case import LLMTestCase

    case = LLMTestCase(input="x", actual_output=PRED, expected_output='{"a": 1}')
    metric = documents.deepeval(threshold=0.5)
    assert metric.measure(case) == 0
    assert asyncio.run(metric.a_measure(case)) == 0
    assert not metric.is_successful()


def test_phoenix() -> None:
    pytest.importorskip("phoenix.evals")
    found = documents.phoenix().evaluate({"output": PRED, "expected": GOLD})
    assert found[0].score == EXPECTED.f1


def test_ragas() -> None:
    pytest.importorskip("ragas")
    found = documents.ragas().score(response=PRED, reference=GOLD)
    assert found.value == EXPECTED.f1


def test_braintrust_evaluates() -> None:
    braintrust: Any = pytest.importorskip("braintrust")
    pytest.importorskip("autoevals")
    result = braintrust.Eval(
        "records",
        data=[{"input": "…", "expected": GOLD}],
        task=lambda _: PRED,
        scores=[documents.autoevals()],
        no_send_logs=True,
    )
    assert result.results[0].scores["json"] == EXPECTED.f1


def test_promptfoo(tmp_path: Path) -> None:
    program = shutil.which("promptfoo")
    if program is None:
        pytest.skip("promptfoo is not installed")
    (tmp_path / "check.py").write_text(
        "from exactmatch.adapters import documents\n"
        "get_assert = documents.promptfoo(at_least=0.9)\n"
    )
    answers = [f"```json\n{PRED}\n```", GOLD]
    config = {
        "prompts": ["{{answer}}"],
        "providers": ["echo"],  # which answers with the prompt
        "defaultTest": {"assert": [{"type": "python", "value": "file://check.py"}]},
        "tests": [{"vars": {"answer": one, "expected": GOLD}} for one in answers],
    }
    (tmp_path / "promptfooconfig.json").write_text(json.dumps(config))
    off = ("TELEMETRY", "UPDATE", "SHARING", "REMOTE_GENERATION")
    environment = {
        **os.environ,
        **{f"PROMPTFOO_DISABLE_{name}": "1" for name in off},
        "PROMPTFOO_CONFIG_DIR": str(tmp_path / "state"),
        "PROMPTFOO_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    words = ("eval", "-c", "promptfooconfig.json", "-o", "out.json", "--no-cache")
    subprocess.run([program, *words], cwd=tmp_path, env=environment, check=False)
    rows = json.loads((tmp_path / "out.json").read_text())["results"]["results"]
    rows.sort(key=lambda row: row["testIdx"])
    assert [row["success"] for row in rows] == [False, True]
    assert [row["score"] for row in rows] == [pytest.approx(EXPECTED.f1), 1]
    assert rows[0]["namedScores"]["items[].qty"] == 0
    assert CORRECTION in rows[0]["gradingResult"]["reason"]
