"""Real trainers of TRL and of transformers call what we give them.

They run where ``trl`` and PyTorch are installed: a model of one layer that knows
nothing, built here, writes nonsense, and everything else is as in a real training.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from exactmatch.adapters.transformers import compute_metrics
from exactmatch.adapters.trl import smatch_reward

pytestmark = [
    pytest.mark.slow,
    # trainers warn of what will go from themselves in later versions
    pytest.mark.filterwarnings("ignore"),
]

GOLD = "(b / bark-01 :ARG0 (d / dog))"
COMMON = {
    "max_steps": 2,
    "report_to": [],
    "use_cpu": True,
    "logging_steps": 1,
    "save_strategy": "no",
    "disable_tqdm": True,
}


@pytest.fixture
def tokenizer() -> Any:
    """Pieces of bytes, learned from one graph."""
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    pytest.importorskip("accelerate")
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
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", eos_token="<eos>"
    )


def test_a_trainer_of_trl_takes_the_reward(tokenizer: Any, tmp_path: Path) -> None:
    trl = pytest.importorskip("trl")
    datasets = pytest.importorskip("datasets")
    transformers = pytest.importorskip("transformers")
    model = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=64,
            n_embd=16,
            n_layer=1,
            n_head=1,
            bos_token_id=1,
            eos_token_id=1,
            pad_token_id=0,
        )
    )
    reward = smatch_reward(gold="amr")
    seen: list[float] = []

    def length(completions: list[str], **_: Any) -> list[float]:
        seen.extend(map(len, completions))
        return [0.0] * len(completions)

    trainer = trl.GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[reward, length],
        args=trl.GRPOConfig(
            output_dir=str(tmp_path),
            per_device_train_batch_size=4,
            num_generations=2,
            max_completion_length=8,
            **COMMON,
        ),
        train_dataset=datasets.Dataset.from_dict(
            {"prompt": ["a dog barks", "it rains"], "amr": [GOLD, "(r / rain-01"]}
        ),
    )
    trainer.train()
    logged = [each for each in trainer.state.log_history if "reward" in each]
    assert len(logged) == 2
    assert all(0 <= each["rewards/smatch_reward/mean"] <= 1 for each in logged)
    assert len(seen) == 8
    report = reward.report()
    assert report.scores[0].pairs == 4  # the other four have no readable reference
    assert report.predictions.count == 4


def test_a_trainer_of_transformers_logs_the_scores(
    tokenizer: Any, tmp_path: Path
) -> None:
    datasets = pytest.importorskip("datasets")
    transformers = pytest.importorskip("transformers")
    ids = {"decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 1}
    model = transformers.T5ForConditionalGeneration(
        transformers.T5Config(
            vocab_size=len(tokenizer),
            d_model=16,
            d_kv=8,
            d_ff=16,
            num_layers=1,
            num_heads=2,
            **ids,
        )
    )
    rows = [
        {
            "input_ids": tokenizer(text)["input_ids"],
            "labels": tokenizer(amr)["input_ids"],
        }
        for text, amr in (("a dog barks", GOLD), ("it rains", "(r / rain-01)"))
    ]
    data = datasets.Dataset.from_list(rows)
    trainer = transformers.Seq2SeqTrainer(
        model=model,
        args=transformers.Seq2SeqTrainingArguments(
            output_dir=str(tmp_path),
            predict_with_generate=True,
            generation_max_length=8,
            eval_strategy="steps",
            eval_steps=1,
            **COMMON,
        ),
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, model=model),
        train_dataset=data,
        eval_dataset=data,
        compute_metrics=compute_metrics(tokenizer),
    )
    trainer.train()
    logged = [each for each in trainer.state.log_history if "eval_smatch" in each]
    assert len(logged) == 2
    for each in logged:
        assert 0 <= each["eval_smatch"] < 1
        assert 0 <= each["eval_well_formed"] <= 1
