"""Answers within what services return: the text of the model, and the row's id."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

_PATHS = (
    "body.choices.0.message.content",
    "response.body.choices.0.message.content",
    "choices.0.message.content",
    "body.choices.0.message.tool_calls.0.function.arguments",
    "response.body.choices.0.message.tool_calls.0.function.arguments",
    "choices.0.message.tool_calls.0.function.arguments",
    "choices.0.message.function_call.arguments",
    "choices.0.text",
    "body.output",
    "result.message.content",
    "message.content",
    "candidates.0.content.parts",
    "response.candidates.0.content.parts",
    "content.parts",
    "output.message.content",
    "modelOutput.content",
    "generation.content",
    "results.0.outputText",
    "outputs.0.text",
    "prediction",
    "response",
    "output",
    "content",
    "parts",
    "output_text",
    "generated_text",
    "text",
)
"""Where the text stands: chats, batches, completions and arguments of tools of OpenAI
and all that are compatible; messages of Anthropic, Google, Amazon, Cohere, Ollama and
Hugging Face."""

_PLAIN = ("content", "parts", "text", "output_text", "generated_text")
"""Names that others use, too: they hold the answer where no unknown field is beside."""

_BESIDE = {
    *("role", "type", "index", "finish_reason", "stop_reason", "stop_sequence"),
    *("annotations", "citations", "refusal", "tool_calls", "function_call", "name"),
    *("reasoning_content", "thinking", "signature", "id", "logprobs", "audio"),
    *("status", "model", "usage", "object", "created", "created_at", "tokens", "seed"),
}
_TEXTS = ("text", "output_text", "message")
_DEEPEST = 6
_MISSING = object()


def text_in(value: Any, depth: int = 0) -> str | None:
    """Return the text of an answer in one of the known shapes, if it is in one.

    >>> text_in({"choices": [{"message": {"role": "assistant", "content": "r(a, b)"}}]})
    'r(a, b)'
    """
    if isinstance(value, str):
        return value
    if depth > _DEEPEST:
        return None
    if isinstance(value, Mapping):
        for path in _PATHS:
            if path in _PLAIN and not {*value} - {path} <= _BESIDE:
                continue
            inner = _at(value, path)
            if inner is not _MISSING and inner is not None:
                inner_text = text_in(inner, depth + 1)
                if inner_text is not None:
                    return inner_text
        return None
    if isinstance(value, list) and value and all(isinstance(v, Mapping) for v in value):
        return _of_list(value, depth)
    return None


def fields_of_replies(names: Collection[str]) -> list[str]:
    """Return those of a row's fields in which :func:`text_in` looks for a text."""
    first = {path.partition(".")[0] for path in _PATHS}
    return [name for name in names if name in first]


def _of_list(items: list[Any], depth: int) -> str | None:
    """Return the text of a message's parts, or of the last message of a chat."""
    if any("role" in item for item in items):
        messages = [
            item for item in items if item.get("role") in ("assistant", "model", None)
        ]
        items = messages[-1:] if messages else []
    elif all("type" in item for item in items):
        items = [item for item in items if item["type"] in _TEXTS]
    parts = [text_in(item, depth + 1) for item in items]
    texts = [text for text in parts if text is not None]
    return "".join(texts) if texts else None


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, list) and name == "0" and value:
            value = value[0]
        else:
            return _MISSING
    return value


def fields_in(value: Any, limit: int = 8) -> list[str]:
    """Return the fields of a value that hold texts, as ``--field`` names them.

    >>> fields_in({"body": {"content": "a", "id": 3}})
    ['body.content', 'body.id']
    """
    names: list[str] = []
    for name in _fields(value, ""):
        if len(names) == limit:
            return [*names, "…"]
        names.append(name)
    return names


def _fields(value: Any, before: str) -> Iterator[str]:
    if isinstance(value, list) and value and not before:
        value = value[0]
    if isinstance(value, Mapping) and value and before.count(".") < _DEEPEST:
        for name, inner in value.items():
            yield from _fields(inner, f"{before}.{name}" if before else str(name))
    else:
        yield before
