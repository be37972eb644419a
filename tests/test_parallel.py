"""Several processes give what one gives; a worker that dies is never silent."""

import json
import os

import pytest

from exactmatch.cli import main
from exactmatch.corpus import Pairer, PairOfBlocks
from exactmatch.evaluation import Evaluation
from exactmatch.metrics.smatch import Smatch
from exactmatch.parallel import WorkerError, results_in_order
from exactmatch.reading.blocks import blocks_of_text


class Deadly:
    """Ends the process that unpickles it."""

    def __reduce__(self):
        return os._exit, (3,)


def corpus(tmp_path, n):
    path = tmp_path / "graphs.amr"
    graphs = [f"# ::id g{k}\n(a / x :quant {k} :ARG0 (b / y{k % 3}))" for k in range(n)]
    path.write_text("\n\n".join(graphs))
    return str(path)


def records(capsys, *arguments):
    assert main([*arguments, "--per-pair", "--format", "jsonl"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for record in found:
        del record["seconds"]
    return found


def test_two_processes_give_the_same_results_in_order(capsys, tmp_path):
    path = corpus(tmp_path, 70)
    assert records(capsys, path, path, "-j", "2") == records(capsys, path, path)


def test_errors_and_warnings_come_back_from_workers(capsys, tmp_path):
    path = tmp_path / "bad.amr"
    path.write_text("(a / b\n :c (d / e)\n\n(a / b))\n")
    assert main([str(path), str(path), "-j", "2"]) == 2
    assert "bad.amr:4: the graph has a ')' without" in capsys.readouterr().err
    arguments = [str(path), str(path), "-j", "2", "--on-error", "skip"]
    assert main([*arguments, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["warnings"] == {"lenient": 2}
    assert len(found["omitted"]) == 1


def test_a_pair_that_kills_its_worker_is_named():
    """The pairs before it are scored, and there is no hang."""
    blocks = list(blocks_of_text("(a / b)\n\n(c / d)\n\n(e / f)"))
    pairs = list(Pairer().pairs(blocks, (blocks,)))
    pairs[1] = PairOfBlocks(1, "bad one", Deadly(), (blocks[1],))
    evaluation = Evaluation([Smatch(solver="brute")])
    with pytest.raises(WorkerError, match=r"pair 1 \('bad one'\) ended the process"):
        list(results_in_order(evaluation, pairs, 2))
