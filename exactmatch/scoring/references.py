"""Several references of one prediction, for metrics that compare it with one.

Each reference is compared by itself, to the optimum; then one row of statistics stands
for the pair:

* ``max``: that of the reference with the highest score, the first of equals;
* ``pooled``: the sums over the references, still one pair where pairs are averaged;
* ``mean``: that of the mean F1.  With *p* triples of the prediction and *g* of a
  reference on average, ``F (p + g) / 2`` triples match, so that the F1 of the pair is
  the mean, and the F1 of a corpus is the mean of its pairs' weighted by their size, as
  it is of one reference.

Source: Papineni et al. (2002), "BLEU", section 2, and Lin (2004), "ROUGE", section 2.1,
for several references, of which the best counts.
"""

import math
from collections.abc import Sequence
from functools import reduce

from exactmatch.metrics.base import Metric, Pair, add
from exactmatch.scoring.options import Refs

_ROUNDING = 1e-12


def combined(metric: Metric, pairs: Sequence[Pair], refs: Refs) -> tuple[Pair, int]:
    """Return one pair for all references, and the place of the one that is shown.

    The pair has its alignment where one reference stands for all.
    """
    rows, stored = [pair.statistics for pair in pairs], all(p.stored for p in pairs)
    scores = [metric.scores(row) for row in rows]
    values = [s.score if s.is_defined else -1.0 for s in scores]
    place = max(range(len(pairs)), key=lambda k: (values[k], -k))
    if refs == "pooled":
        return Pair(reduce(add, rows), stored=stored), place
    uppers = [
        value if score.proven in (True, None) else score.f1_upper or value
        for score, value in zip(scores, values, strict=True)
    ]
    if refs == "max":
        best, top = pairs[place]._replace(stored=stored), max(uppers)
        if top <= values[place] + _ROUNDING or not metric.aligns:
            return best, place
        # an unproven reference may be better: raise the bound to its upper one
        matched, bound, pred, gold, count, _, *more = rows[place]
        bound = max(bound, top * (pred + gold) / 2)
        row = (matched, bound, pred, gold, count, 0.0, *more)
        return best._replace(statistics=row), place
    mean = [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]
    size = mean[2] + mean[3]
    sums = (max(math.fsum(column), 0.0) for column in (values, uppers))
    matched, bound = (each / len(rows) * size / 2 for each in sums)
    proven = float(all(row[5] for row in rows))
    row = (matched, bound, *mean[2:5], proven, *mean[6:])
    return Pair(row, stored=stored), place
