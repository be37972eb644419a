"""The questions, one folder each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactmatch.base.fronts import front

if TYPE_CHECKING:
    from exactmatch.studies.agreement.results import Agreement as Agreement
    from exactmatch.studies.align.study import Alignments as Alignments
    from exactmatch.studies.align.study import alignments as alignments
    from exactmatch.studies.audit.results import Audit as Audit
    from exactmatch.studies.compare.results import Comparison as Comparison
    from exactmatch.studies.convert import convert_files as convert_files
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
    from exactmatch.studies.correlate.study import correlate_foils as correlate_foils
    from exactmatch.studies.correlate.study import (
        correlate_preferences as correlate_preferences,
    )
    from exactmatch.studies.correlate.study import (
        correlate_systems as correlate_systems,
    )
    from exactmatch.studies.errors.study import count_errors as count_errors
    from exactmatch.studies.errors.view import Errors as Errors
    from exactmatch.studies.explain_profile.study import ProfileScores as ProfileScores
    from exactmatch.studies.explain_profile.study import (
        compare_profiles as compare_profiles,
    )
    from exactmatch.studies.ged.study import EditDistances as EditDistances
    from exactmatch.studies.ged.study import edit_distances as edit_distances
    from exactmatch.studies.ground_truth.study import GroundTruth as GroundTruth
    from exactmatch.studies.report.study import write_report as write_report
    from exactmatch.studies.report.view import ReportPage as ReportPage
    from exactmatch.studies.thresholds.costs import edit_cost_pieces as edit_cost_pieces
    from exactmatch.studies.thresholds.study import Thresholds as Thresholds
    from exactmatch.studies.thresholds.study import (
        thresholds_of_systems as thresholds_of_systems,
    )
    from exactmatch.studies.verify.study import Verification as Verification
    from exactmatch.studies.verify.study import (
        verify_certificates as verify_certificates,
    )
    from exactmatch.studies.yisi.study import score_sentences as score_sentences

__getattr__, __dir__ = front(
    __name__,
    {
        "exactmatch.studies.agreement.results": "Agreement",
        "exactmatch.studies.align.study": "Alignments alignments",
        "exactmatch.studies.audit.results": "Audit",
        "exactmatch.studies.compare.results": "Comparison",
        "exactmatch.studies.convert": "convert_files",
        "exactmatch.studies.correlate.results": (
            "Correlation MetricCorrelation PreferenceCorrelation SystemCorrelation"
        ),
        "exactmatch.studies.correlate.study": (
            "correlate_foils correlate_preferences correlate_systems"
        ),
        "exactmatch.studies.errors.study": "count_errors",
        "exactmatch.studies.errors.view": "Errors",
        "exactmatch.studies.explain_profile.study": "ProfileScores compare_profiles",
        "exactmatch.studies.ged.study": "EditDistances edit_distances",
        "exactmatch.studies.ground_truth.study": "GroundTruth",
        "exactmatch.studies.report.study": "write_report",
        "exactmatch.studies.report.view": "ReportPage",
        "exactmatch.studies.thresholds.costs": "edit_cost_pieces",
        "exactmatch.studies.thresholds.study": "Thresholds thresholds_of_systems",
        "exactmatch.studies.verify.study": "Verification verify_certificates",
        "exactmatch.studies.yisi.study": "score_sentences",
    },
)
