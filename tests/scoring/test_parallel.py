"""Several processes give what one gives; a worker that dies is never silent."""

import json
import multiprocessing
from collections.abc import Iterator

import pytest
from support.for_processes import Deadly, doubled, one_over, refused

from exactmatch.cli.main import main
from exactmatch.metrics.smatch import Smatch
from exactmatch.reading.blocks import blocks_of_text
from exactmatch.reading.pairs import Pairer, PairOfBlocks
from exactmatch.scoring.evaluation import Evaluation
from exactmatch.scoring.parallel import WorkerError, mapped, results_in_order


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


def taken_from(numbers: list[int]) -> Iterator[int]:
    """Count on, keeping what was taken."""
    for number in range(1000):
        numbers.append(number)
        yield number


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_function_is_applied_in_order(jobs):
    assert list(mapped(doubled, range(20), jobs)) == list(range(0, 40, 2))
    assert list(mapped(doubled, [], jobs)) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_function_raises_is_raised_here(jobs):
    given = mapped(one_over, [1, 2, 0, 4], jobs)
    assert [next(given), next(given)] == [1, 0.5]
    with pytest.raises(ZeroDivisionError) as caught:
        next(given)
    if jobs > 1:
        assert "in one_over" in str(caught.value.__cause__)
    assert multiprocessing.active_children() == []


def test_an_error_that_cannot_be_sent_keeps_its_words():
    with pytest.raises(WorkerError, match="UnpackableError: 7: no"):
        list(mapped(refused, [7], 2))


def test_a_process_that_dies_is_an_error():
    with pytest.raises(WorkerError, match="is there memory enough"):
        list(mapped(doubled, [1, Deadly(), 3], 2))
    assert multiprocessing.active_children() == []


def test_whoever_stops_early_leaves_no_process_and_takes_little():
    """Items may be larger than what a pipe holds."""
    numbers = []
    given = mapped(doubled, (["x" * 100_000] * n for n in taken_from(numbers)), 2)
    assert next(given) == []
    given.close()
    assert multiprocessing.active_children() == []
    assert len(numbers) <= 6
