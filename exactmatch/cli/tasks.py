"""Tasks of users, and the one command for each.

``help tasks`` lists these rows, ``help WORD`` searches them, and a word for a task in
the place of a command gets the row as a hint.
"""

from typing import NamedTuple


class Task(NamedTuple):
    """Task, and what to type for it."""

    line: str  # without "exactmatch" in front; or Python code
    title: str
    words: str  # further words for it, between blanks
    is_first: bool = False  # whether the first screen shows it


TASKS = tuple(
    Task(*row)
    for row in (
        # score
        ("PRED GOLD", "score two files", "evaluate eval smatch f1 run parser"),
        ("PRED GOLD --metric NAME", "another metric", "metric"),
        ("PRED GOLD --by-id", "pair by '# ::id'", "order shuffled unordered"),
        ("PRED GOLD --ids A,B", "some ids only", "ids id subset"),
        ("PRED GOLD GOLD2", "several references", "references multi-reference"),
        (
            "ANSWERS.jsonl GOLD",
            "answers of a model",
            "models llm answers responses output fences fenced markdown prompt gpt",
            True,
        ),
        (
            "PRED GOLD --metric s2match --vectors FILE",
            "word vectors",
            "vectors embeddings synonyms glove word2vec fasttext",
            True,
        ),
        (
            "PRED GOLD --no-sense --no-wiki --except-roles mod",
            "ignore senses, wiki, roles",
            "wikification",
            True,
        ),
        (
            "finegrained PRED GOLD",
            "unlabelled, senses …",
            "fine-grained damonte unlabelled unlabeled no-roles no-labels",
            True,
        ),
        ("PRED GOLD --profile umr", "UMR documents", "umr", True),
        ("PRED GOLD --profile doc-amr", "AMR documents", "documents docsmatch docamr"),
        ("PRED GOLD --metric counter", "clauses of DRSs", "clauses clf counter pmb"),
        ("PRED GOLD --profile drs", "DRSs in SBN", "drs sbn boxes"),
        (
            "PRED GOLD --metric mrp --by-id",
            "MRP graphs",
            "mrp eds dm psd frameworks mtool ptg",
        ),
        (
            "PRED GOLD --metric graph --count edges",
            "triples, knowledge graphs",
            "triples kg json networkx tsv wikidata knowledge",
            True,
        ),
        (
            "PRED GOLD --metric graph",
            "workflows, Mermaid",
            "workflow flowchart n8n",
        ),
        ("yisi HYP REF", "sentences", "text"),
        # explain
        ("align PRED GOLD", "alignments, differences", "diff explain show match"),
        ("PRED GOLD --worst 10", "the worst pairs", "worst lowest ten"),
        ("errors PRED GOLD", "types of errors", "mistakes confusions"),
        (
            "report PRED GOLD -o PAGE.html",
            "a page to browse",
            "view visualise visualize",
        ),
        (
            "report PRED GOLD --serve",
            "a live page",
            "serve live watch browser localhost",
            True,
        ),
        ("draw PRED GOLD --number 2 -o PICTURE.svg", "a picture", "plot svg png"),
        ("explain-profile PRED GOLD", "what each choice moves", "profile"),
        # trust
        ("compare GOLD A B", "compare systems", "significance test rank versus vs"),
        ("compare GOLD A B --format latex", "a paper's table", "table tables latex"),
        (
            "PRED GOLD --confidence",
            "confidence intervals",
            "bootstrap halves interval",
        ),
        ("audit PRED GOLD --published 0.79", "a published score", "reproduce", True),
        ("audit PRED GOLD", "hill-climbing's error", "hillclimb restarts"),
        ("thresholds PRED GOLD --metric s2match", "every cutoff", "cutoff threshold"),
        (
            "correlate GOLD A B --human RATED.csv --metric smatch,sembleu,wlk",
            "metrics against people",
            "correlation human meta spearman pearson kendall judgement ratings",
            True,
        ),
        (
            "agreement ANN BOB",
            "agreement of annotators",
            "iaa kappa alpha annotator krippendorff",
        ),
        ("PRED GOLD --certificates PROOFS", "keep certificates", "certify", True),
        ("verify PROOFS PRED GOLD", "check certificates", "certificate proof"),
        # select
        (
            "nearest QUERIES BANK",
            "similar graphs",
            "search find knn neighbours neighbors retrieve",
        ),
        (
            "ensemble A B C --graphs BEST.amr",
            "consensus of parsers",
            "consensus mbr vote choose",
            True,
        ),
        ("cluster FILE", "clusters", "clusters clustering group groups"),
        ("duplicates FILE", "duplicates", "dedup deduplicate dups"),
        # graphs of any kind
        ("ged A B", "edit distance of files", "distance edit edit-distance"),
        (
            "ged MOLECULES OTHERS --labels symbol --edge-costs 2,1,1",
            "labels and edit costs",
            "labels label cost molecule molecules chemistry",
            True,
        ),
        (
            "exactmatch.ged(a, b)",
            "edit distance in Python",
            "networkx graph_edit_distance",
            True,
        ),
        (
            "networkx.graph_edit_distance(a, b, backend='exactmatch')",
            "backend of networkx",
            "backend dispatch",
        ),
        (
            "exactmatch.maximum_common_edge_subgraph(a, b, labels='symbol')",
            "common subgraph (edges)",
            "mcs mces fmcs isomorphism subgraph rdkit",
            True,
        ),
        (
            "exactmatch.maximum_common_induced_subgraph(a, b, labels='symbol')",
            "common subgraph (nodes)",
            "mcs mcis induced",
            True,
        ),
        # prepare
        ("convert FILE --to triples", "another format", "format translate export"),
        ("lint FILE", "check files", "check validate fix wellformed"),
        ("plugins", "plug-ins", "plug-in extension"),
        # Python
        ("exactmatch.score(pred, gold, metric=NAME)", "a metric by name", "pair", True),
        ("exactmatch.evaluate(preds, golds, metric=NAME)", "lists", "lists many", True),
        (
            "exactmatch.evaluate(Path(PRED), Path(GOLD)).to_frame()",
            "a data frame",
            "frame pandas dataframe polars to_frame notebook",
            True,
        ),
        (
            "exactmatch.feedback(exactmatch.score(pred, gold, metric='smatch'))",
            "what to change",
            "feedback gepa critique",
        ),
        (
            "exactmatch.adapters.trl.smatch_reward(gold='COLUMN')",
            "a reward for TRL",
            "reward training rl grpo trl",
            True,
        ),
        (
            "exactmatch.adapters.dspy.graph_metric(gold='FIELD')",
            "a metric for DSPy",
            "dspy optimizer",
            True,
        ),
        # look up
        ("help metrics", "all metrics", "metrics"),
        ("help profiles", "what counts", "profiles"),
        ("help formats", "files that can be read", "formats"),
        ("help columns", "columns of answers", "columns column fields keys"),
        ("help signature", "what fixes a number", "signature"),
        ("--version", "version, compiled or not", "version"),
        ("--cite", "what to cite", "cite citation bibtex"),
    )
)
"""All tasks."""

OPTIONS_ELSEWHERE = tuple(
    (frozenset(words.split()), option)
    for words, option in (
        (
            "ignore-role ignore-roles exclude-role exclude-roles without-roles "
            "skip-roles leave-out",
            "--except-roles ROLE,…",
        ),
        ("only-roles role", "--roles ROLE,…"),
        ("senses ignore-senses without-senses nosense no-word-senses", "--no-sense"),
        ("wikis ignore-wiki without-wiki nowiki", "--no-wiki"),
        ("bootstrap ci confidence-interval confidence-intervals", "--confidence"),
        ("threads workers processes cores n-jobs num-workers", "-j N"),
        ("timeout limit time-out max-time", "--time-limit SECONDS"),
        ("csv", "--format csv"),
        ("latex tex", "--format latex"),
        ("json", "--format json"),
        ("jsonl", "--format jsonl"),
        ("html", "--format html"),
        ("digits precision round", "--decimals N"),
        ("umr", "--profile umr"),
        ("drs", "--profile drs"),
        ("id only-ids", "--ids ID"),
        ("pairs all-pairs every-pair", "--per-pair"),
        ("prove proof certify", "--certificates FILE"),
        ("fences fenced markdown extract-all", "--extract all"),
        ("k clusters n-clusters num-clusters number-of-clusters", "-k N"),
        ("threshold cutoff min-score minimum", "--at-least SCORE"),
        ("out-graphs write-graphs save", "--graphs FILE"),
        ("neighbours neighbors top-k n", "-k N"),
        ("node-labels label attributes attrs attribute", "--labels NAME,…"),
        ("edge-cost", "--edge-costs N,N,N"),
        ("node-cost", "--node-costs N,N,N"),
        ("ratings scores judgements judgments people", "--human FILE"),
        ("published-score reported expected score", "--published SCORE"),
        ("cutoff cutoffs threshold", "--at CUTOFF"),
        ("m measure metrics", "--metric NAME,…"),
    )
)
"""What options are called elsewhere, and what they are called here.

A row counts for the commands that have the option.
"""

OTHER_NAMES = {word: task for task in reversed(TASKS) for word in task.words.split()}
"""Task of each further word; the first one that has it."""


def typed(line: str) -> str:
    """Return the line of a task as it is typed."""
    is_python = "import" in line or "(" in line
    return f"in Python: {line}" if is_python else f"exactmatch {line}"
