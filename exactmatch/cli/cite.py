"""``exactmatch --cite``: how to cite the program and the papers of its metrics.

``CITATION.cff`` says the same; a test compares the two.
"""

from collections.abc import Iterator
from typing import NamedTuple

from exactmatch.base.version import __version__

TITLE = "exactmatch: exact, proven, fast scores for graphs of meaning"
AUTHORS = "exactmatch contributors"


class Paper(NamedTuple):
    """Paper that defines a metric; authors have their family names first.

    Only a journal has a volume; a paper without a DOI has a url.
    """

    key: str
    metric: str
    authors: tuple[tuple[str, str], ...]
    title: str
    venue: str
    year: int
    pages: tuple[int, int]
    volume: str = ""
    doi: str = ""
    url: str = ""


PAPERS = (
    Paper(
        "cai-knight-2013-smatch",
        "Smatch",
        (("Cai", "Shu"), ("Knight", "Kevin")),
        "Smatch: an Evaluation Metric for Semantic Feature Structures",
        "Proceedings of the 51st Annual Meeting of the Association for Computational "
        "Linguistics (Volume 2: Short Papers)",
        2013,
        (748, 752),
        url="https://aclanthology.org/P13-2131/",
    ),
    Paper(
        "opitz-etal-2020-amr",
        "S²Match",
        (("Opitz", "Juri"), ("Parcalabescu", "Letitia"), ("Frank", "Anette")),
        "AMR Similarity Metrics from Principles",
        "Transactions of the Association for Computational Linguistics",
        2020,
        (522, 538),
        volume="8",
        doi="10.1162/tacl_a_00329",
    ),
    Paper(
        "song-gildea-2019-sembleu",
        "SemBleu",
        (("Song", "Linfeng"), ("Gildea", "Daniel")),
        "SemBleu: A Robust Metric for AMR Parsing Evaluation",
        "Proceedings of the 57th Annual Meeting of the Association for Computational "
        "Linguistics",
        2019,
        (4547, 4552),
        doi="10.18653/v1/P19-1446",
    ),
    Paper(
        "lo-2019-yisi",
        "YiSi",
        (("Lo", "Chi-kiu"),),
        "YiSi: a Unified Semantic MT Quality Evaluation and Estimation Metric for "
        "Languages with Different Levels of Available Resources",
        "Proceedings of the Fourth Conference on Machine Translation (Volume 2: Shared "
        "Task Papers, Day 1)",
        2019,
        (507, 513),
        doi="10.18653/v1/W19-5358",
    ),
)
"""Papers to cite beside the program, by the metric that is used."""


def citation() -> str:
    """Return all citations as plain text, then as BibTeX."""
    return "\n".join((*_plain(), "", *_bibtex())) + "\n"


def _plain() -> Iterator[str]:
    yield f"{AUTHORS}. {TITLE}. Version {__version__}."
    yield ""
    yield "With it the metric whose number you print:"
    for paper in PAPERS:
        names = ", ".join(
            f"{first_name} {family}" for family, first_name in paper.authors
        )
        volume = f" {paper.volume}" if paper.volume else ""
        first, last = paper.pages
        yield ""
        yield (
            f"{paper.metric}: {names}. {paper.year}. {paper.title}. {paper.venue}"
            f"{volume}, pages {first}-{last}. "
            + (f"https://doi.org/{paper.doi}" if paper.doi else paper.url)
        )


def _bibtex() -> Iterator[str]:
    program = {
        "author": f"{{{AUTHORS}}}",
        "title": f"{{{TITLE}}}",
        "version": __version__,
    }
    yield from _entry("software", "exactmatch", program)
    for paper in PAPERS:
        place = "journal" if paper.volume else "booktitle"
        fields = {
            "author": " and ".join(", ".join(name) for name in paper.authors),
            "title": f"{{{paper.title}}}",
            place: paper.venue,
            "volume": paper.volume,
            "year": str(paper.year),
            "pages": "--".join(map(str, paper.pages)),
            "doi": paper.doi,
            "url": paper.url,
        }
        kind = "article" if paper.volume else "inproceedings"
        yield ""
        yield from _entry(kind, paper.key, fields)


def _entry(kind: str, key: str, fields: dict[str, str]) -> Iterator[str]:
    yield f"@{kind}{{{key},"
    for name, value in fields.items():
        if value:
            yield f"  {name} = {{{value}}},"
    yield "}"
