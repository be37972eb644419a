"""The questions, one folder each, and a function for each command, of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactmatch.base.fronts import front

if TYPE_CHECKING:
    from exactmatch.many.clusters import cluster as cluster
    from exactmatch.many.ensemble import ensemble as ensemble
    from exactmatch.many.search import duplicates as duplicates
    from exactmatch.scoring.exchange import ExchangeTest as ExchangeTest
    from exactmatch.scoring.exchange import exchange_test as exchange_test
    from exactmatch.scoring.exchange import halves_interval as halves_interval
    from exactmatch.studies.agreement.results import Agreement as Agreement
    from exactmatch.studies.agreement.study import agreement as agreement
    from exactmatch.studies.align.study import Alignments as Alignments
    from exactmatch.studies.align.study import align as align
    from exactmatch.studies.audit.results import Audit as Audit
    from exactmatch.studies.audit.study import audit as audit
    from exactmatch.studies.compare.results import Comparison as Comparison
    from exactmatch.studies.compare.study import compare as compare
    from exactmatch.studies.convert.study import convert as convert
    from exactmatch.studies.correlate.results import Correlation as Correlation
    from exactmatch.studies.correlate.results import (
        MetricCorrelation as MetricCorrelation,
    )
    from exactmatch.studies.correlate.results import (
        PreferenceCorrelation as PreferenceCorrelation,
    )
    from exactmatch.studies.correlate.results import (
        SystemCorrelation as SystemCorrelation,
    )
    from exactmatch.studies.correlate.study import correlate as correlate
    from exactmatch.studies.correlate.study import correlate_foils as correlate_foils
    from exactmatch.studies.correlate.study import (
        correlate_preferences as correlate_preferences,
    )
    from exactmatch.studies.correlate.study import (
        correlate_systems as correlate_systems,
    )
    from exactmatch.studies.draw.study import draw as draw
    from exactmatch.studies.errors.study import errors as errors
    from exactmatch.studies.errors.view import Errors as Errors
    from exactmatch.studies.explain_profile.results import (
        ProfileScores as ProfileScores,
    )
    from exactmatch.studies.explain_profile.study import (
        explain_profile as explain_profile,
    )
    from exactmatch.studies.finegrained.study import finegrained as finegrained
    from exactmatch.studies.ged.study import EditDistances as EditDistances
    from exactmatch.studies.ged.study import ged as ged
    from exactmatch.studies.ground_truth.results import GroundTruth as GroundTruth
    from exactmatch.studies.ground_truth.study import ground_truth as ground_truth
    from exactmatch.studies.lint.study import lint as lint
    from exactmatch.studies.matrix.study import matrix as matrix
    from exactmatch.studies.merge.study import merge as merge
    from exactmatch.studies.nearest.study import nearest as nearest
    from exactmatch.studies.report.study import report as report
    from exactmatch.studies.report.view import ReportPage as ReportPage
    from exactmatch.studies.solve.study import solve as solve
    from exactmatch.studies.thresholds.study import Thresholds as Thresholds
    from exactmatch.studies.thresholds.study import thresholds as thresholds
    from exactmatch.studies.verify.results import Verification as Verification
    from exactmatch.studies.verify.study import verify as verify
    from exactmatch.studies.yisi.study import yisi as yisi

__getattr__, __dir__ = front(
    __name__,
    {
        "exactmatch.many.clusters": "cluster",
        "exactmatch.many.ensemble": "ensemble",
        "exactmatch.many.search": "duplicates",
        "exactmatch.studies.agreement.study": "agreement",
        "exactmatch.studies.audit.study": "audit",
        "exactmatch.studies.compare.study": "compare",
        "exactmatch.studies.draw.study": "draw",
        "exactmatch.studies.finegrained.study": "finegrained",
        "exactmatch.studies.lint.study": "lint",
        "exactmatch.studies.matrix.study": "matrix",
        "exactmatch.studies.merge.study": "merge",
        "exactmatch.studies.nearest.study": "nearest",
        "exactmatch.studies.solve.study": "solve",
        "exactmatch.scoring.exchange": "ExchangeTest exchange_test halves_interval",
        "exactmatch.studies.agreement.results": "Agreement",
        "exactmatch.studies.align.study": "Alignments align",
        "exactmatch.studies.audit.results": "Audit",
        "exactmatch.studies.compare.results": "Comparison",
        "exactmatch.studies.convert.study": "convert",
        "exactmatch.studies.correlate.results": (
            "Correlation MetricCorrelation PreferenceCorrelation SystemCorrelation"
        ),
        "exactmatch.studies.correlate.study": (
            "correlate correlate_foils correlate_preferences correlate_systems"
        ),
        "exactmatch.studies.errors.study": "errors",
        "exactmatch.studies.errors.view": "Errors",
        "exactmatch.studies.explain_profile.results": "ProfileScores",
        "exactmatch.studies.explain_profile.study": "explain_profile",
        "exactmatch.studies.ged.study": "EditDistances ged",
        "exactmatch.studies.ground_truth.results": "GroundTruth",
        "exactmatch.studies.ground_truth.study": "ground_truth",
        "exactmatch.studies.report.study": "report",
        "exactmatch.studies.report.view": "ReportPage",
        "exactmatch.studies.thresholds.study": "Thresholds thresholds",
        "exactmatch.studies.verify.results": "Verification",
        "exactmatch.studies.verify.study": "verify",
        "exactmatch.studies.yisi.study": "yisi",
    },
)
