"""The reproductions: one line each."""

from __future__ import annotations

from exactmatch_papers.tables.spec import Reproduction

_SEMBLEU = "Song and Gildea (2019), SemBleu"
_OPITZ = "Opitz, Parcalabescu and Frank (2020), AMR Similarity Metrics from Principles"
_DRS = (
    "graphs of Yang, Groschwitz, Koller and Bos (2024), Scope-enhanced Compositional "
    "Semantic Parsing for DRT"
)
_BAMBOO = "Opitz, Daza and Frank (2021), Weisfeiler-Leman in the Bamboo"
_PRINCE = (
    "200 sentences of the Little Prince by two newer parsers instead of 1,368 of "
    "LDC2017T10 dev by CAMR, JAMR and GPLA"
)

PAPERS: dict[str, Reproduction] = {
    paper.name: paper
    for paper in (
        Reproduction(
            "sembleu-figure-2",
            f"{_SEMBLEU}, figure 2",
            "search error of hill-climbed Smatch over restarts",
            "100 runs on the 400 pairs of the Little Prince and 10 on the 1,727 of "
            "PARA instead of 100 runs on 100 sentences of LDC2015E86; the paper has a "
            "picture and no numbers, and no optimum to measure from",
            "exactmatch_papers.tables.search:figure_2",
        ),
        Reproduction(
            "sembleu-table-1",
            f"{_SEMBLEU}, table 1",
            "the n-grams of two small graphs",
            "nothing: they are the paper's graphs",
            "exactmatch_papers.tables.kgrams:table_1",
        ),
        Reproduction(
            "sembleu-figure-3",
            f"{_SEMBLEU}, figure 3",
            "growth of the number of k-grams with the size of graphs",
            "graphs of the Little Prince and of BAMBOO, each once, instead of the "
            "1,368 of LDC2015E86 dev",
            "exactmatch_papers.tables.kgrams:figure_3",
        ),
        Reproduction(
            "sembleu-table-2",
            f"{_SEMBLEU}, table 2",
            "agreement of metrics with people about whole corpora",
            "two parsers and 200 sentences, with one judgement each, instead of four "
            "parsers and 100 sentences of LDC2015E86",
            "exactmatch_papers.tables.parsers:sembleu_table_2",
        ),
        Reproduction(
            "sembleu-table-3",
            f"{_SEMBLEU}, table 3",
            "agreement of metrics with people about single sentences",
            "200 comparisons of two parsers on the Little Prince instead of 200 of "
            "four parsers on LDC2015E86",
            "exactmatch_papers.tables.people:sembleu_table_3",
        ),
        Reproduction(
            "sembleu-table-4",
            f"{_SEMBLEU}, table 4",
            "parsers ranked by SemBleu and Smatch",
            "two parsers on 200 sentences of the Little Prince instead of five on "
            "LDC2015E86",
            "exactmatch_papers.tables.parsers:sembleu_table_4",
        ),
        Reproduction(
            "opitz-table-1",
            f"{_OPITZ}, table 1",
            "symmetry violation of Smatch and SemBleu",
            f"{_PRINCE}; exact Smatch and exact S²Match are added",
            "exactmatch_papers.tables.search:table_1",
        ),
        Reproduction(
            "opitz-table-2",
            f"{_OPITZ}, table 2",
            "symmetry violation of BLEU",
            "sentences of BAMBOO's pairs and their paraphrases instead of translations "
            "and their references, which are measured where the folder has them",
            "exactmatch_papers.tables.translations:table_2",
        ),
        Reproduction(
            "opitz-table-3",
            f"{_OPITZ}, table 3",
            "determinacy error of hill-climbed Smatch",
            "400 pairs of the Little Prince and 1,727 pairs of PARA instead of "
            "LDC2017T10 dev parsed by GPLA; standard deviations with n − 1",
            "exactmatch_papers.tables.search:table_3",
        ),
        Reproduction(
            "opitz-figure-4",
            f"{_OPITZ}, figure 4",
            "scores of (A, B) against scores of (B, A)",
            f"{_PRINCE}; Smatch is exact; without BLEU, which the paper measured on "
            "translations",
            "exactmatch_papers.tables.examples:figure_4",
        ),
        Reproduction(
            "opitz-table-4",
            f"{_OPITZ}, table 4",
            "what an error costs, by where it stands",
            "counted on complete trees instead of derived, and measured on real graphs "
            "too",
            "exactmatch_papers.tables.bias:table_4",
        ),
        Reproduction(
            "opitz-table-5",
            f"{_OPITZ}, table 5",
            "symmetry violation and determinacy error of Smatch and S²Match",
            f"{_PRINCE}, STS and PARA; other word vectors (100 dimensions) than "
            "GloVe's",
            "exactmatch_papers.tables.search:table_5",
        ),
        Reproduction(
            "opitz-figure-6",
            f"{_OPITZ}, figure 6",
            "how many k-grams a node stands in",
            "all graphs of the Little Prince instead of one drawn tree",
            "exactmatch_papers.tables.kgrams:figure_6",
        ),
        Reproduction(
            "opitz-table-7",
            f"{_OPITZ}, table 7 and figure 9",
            "error and correlation of metrics with human similarity",
            "STS as BAMBOO parsed it instead of by GPLA, dev and test; other word "
            "vectors than GloVe's; SICK with the pairs that contradict each other, and "
            "only its test part",
            "exactmatch_papers.tables.people:opitz_table_7",
        ),
        Reproduction(
            "opitz-figure-8",
            f"{_OPITZ}, figure 8",
            "parses that graded concepts raise most",
            f"{_PRINCE}; the paper shows one sentence of a corpus that is not public",
            "exactmatch_papers.tables.examples:figure_8",
        ),
        Reproduction(
            "opitz-figure-10",
            f"{_OPITZ}, figure 10",
            "three metrics on one pair of sentences, beside people",
            "the graphs are the paper's; other word vectors than GloVe's",
            "exactmatch_papers.tables.examples:figure_10",
        ),
        Reproduction(
            "opitz-table-8",
            f"{_OPITZ}, table 8",
            "disagreement of metrics about single sentences",
            f"{_PRINCE}; Smatch and S²Match are exact",
            "exactmatch_papers.tables.parsers:opitz_table_8",
        ),
        Reproduction(
            "opitz-figure-11",
            f"{_OPITZ}, figure 11",
            "sentences of which Smatch and S²Match prefer different parses",
            f"{_PRINCE}; the paper shows two sentences of a corpus that is not public",
            "exactmatch_papers.tables.examples:figure_11",
        ),
        Reproduction(
            "opitz-table-9",
            f"{_OPITZ}, table 9",
            "parsers ranked by four metrics, and structural error",
            "two parsers on 200 sentences of the Little Prince instead of three on "
            "LDC2017T10 test",
            "exactmatch_papers.tables.parsers:opitz_table_9",
        ),
        Reproduction(
            "opitz-table-10",
            f"{_OPITZ}, table 10",
            "the seven principles",
            "every tick is measured, on the Little Prince and on varied and generated "
            "graphs; the climbed Smatch of the paper stands beside the exact one",
            "exactmatch_papers.tables.bias:table_10",
        ),
        Reproduction(
            "bamboo",
            f"{_BAMBOO}, as its repository reports it",
            "correlation with human similarity, and robustness",
            "the parts that are at hand (of PARA's test part with the first pair, a "
            "table header); the published figures are of test parts and stand beside "
            "the dev part where no test part is at hand; exact Smatch and S²Match; "
            "other word vectors than GloVe's",
            "exactmatch_papers.tables.people:bamboo_table",
        ),
        Reproduction(
            "coli",
            "AMR of a parser and gold among the samples of mtool",
            "search error and symmetry violation on 1,368 pairs",
            "as many pairs as the papers' development sets have; no figures are "
            "published for them",
            "exactmatch_papers.tables.coli:coli_table",
        ),
        Reproduction(
            "drs",
            _DRS,
            "search error of hill-climbed Smatch on discourse structures",
            "the structures that the authors' repository holds, as it holds them; the "
            "published figures are of other scorers, so none stands beside ours",
            "exactmatch_papers.tables.discourse:drs_table",
        ),
        Reproduction(
            "edit-distances",
            "Bai and others (2019), SimGNN, and D'Ascenzo and others (2025), FORI",
            "how much of the sets of graph edit distance is proven, by time",
            "the sets as their papers have them, IMDB by a sample; 30 pairs of each "
            "class of FORI's",
            "exactmatch_papers.tables.distances:proven_table",
        ),
        Reproduction(
            "mces",
            "Kretschmer and others (2025), Coverage bias in small molecule machine "
            "learning, by the test pairs of myopic-mces",
            "how many published distances of molecules are bounds, and how low",
            "nothing at threshold 10; threshold 15 and exact distances stand beside it",
            "exactmatch_papers.tables.molecules:mces_table",
        ),
        Reproduction(
            "umr-task",
            "evaluations of UMR by juːmæʧ (repository ufal/UMR d3e4694), and Štěpánek "
            "and others (2026), First Shared Task on UMR Parsing, tables 2 to 14",
            "published evaluations of UMR documents",
            "nothing but that Smatch is exact; the tables of the shared task need the "
            "outputs of its systems, which no repository has",
            "exactmatch_papers.tables.shared_task:umr_table",
        ),
        Reproduction(
            "public-umr",
            "UMR 3.0 (umr4nlp/umr-data 2aaf4b6) and ufal/UMR d3e4694",
            "all public UMR files, scored against copies of themselves",
            "no figures are published for them",
            "exactmatch_papers.tables.uniform:public_table",
        ),
    )
}
"""Every reproduction by name, in the order of the page."""
