"""Topics of ``exactmatch help``, beside commands and names."""

TOPICS = {
    "tasks": "what to type for what",
    "metrics": "what can be measured",
    "profiles": "what counts as a triple, and as equal",
    "solvers": "who finds the optimum and proves it",
    "formats": "the files that can be read",
    "columns": "what the columns of an answer are called",
    "signature": "what determines a number",
    "proofs": "what proven means, and how to check it",
    "as-read": "what a line 'as read' says",
    "files": "what can be named as a file",
    "documents": "how documents of several sentences are scored",
    "exit-codes": "what a script is told",
    "defaults": "defaults from files",
}
"""Topics by name, each with its subject."""

SYNONYMS = {
    "columns": "csv json jsonl key keys field fields spreadsheet",
    "proofs": "certificate certify optimal optimality proven guarantee",
    "signature": "reproducible reproducibility publish",
    "as-read": "warning dropped lost quotes",
    "documents": "document multi-sentence docamr docsmatch discourse coreference",
    "files": "folder directory stdin gzip gz pipe",
    "exit-codes": "exit status code script",
    "defaults": "configuration config toml settings",
    "solvers": "ilp milp cpsat gurobi hillclimbing",
    "profiles": "standardisation normalisation counting",
}
"""Further words for a topic, beside those of its text."""

TEXTS = {
    "signature": """\
The signature stands below every score and names all that determines it: the metric, the
profile and its options, the solver, how many pairs are proven, and the version:

  metric:smatch|profile:smatch|read:smatch|case:smatch|top:constant|dup:product|
  solver:auto|proven:2/2|version:0.1.0

Publish it with the number: equal signatures and equal files give equal numbers.""",
    "columns": """\
--format csv, json and jsonl name what they hold; --where and --sort take these names,
too. With --per-pair, score has for every pair and metric

  index, id           place from 0, and the '# ::id' of the reference or its number
  metric              the metric
  matched             triples (or what the metric counts) that match
  pred_total          those of the prediction
  gold_total          those of the reference
  precision, recall   matched / pred_total, matched / gold_total
  f1, score           F1, and the number that the metric reports
  bound, f1_upper     no alignment reaches more than these
  proven              whether the alignment is optimal: matched = bound
  solver, seconds     what solved the pair, and how long it took
  proof               the kind of evidence for the bound
  problem             why the pair could not be read, if it could not
  certified           whether a proof was checked, with --certify

The totals of a corpus have the same names, and 'pairs'. For other commands, the first
line of their CSV is the list: exactmatch COMMAND … --format csv""",
    "proofs": """\
A solver returns an alignment and an upper bound. A pair is proven when the alignment's
value, counted anew, equals the bound; otherwise both are reported.

  --require-optimal     exit with 1 unless every pair is proven
  --certify             have each proof checked by a checker that shares no code
                        with the solvers
  --certificates FILE   write the proofs; exactmatch verify FILE PRED GOLD checks
                        them anywhere, at any time
  --time-limit SECONDS  for each pair; what is not proven in time is an interval""",
    "as-read": """\
A metric reads graphs as the program reads them that published it, faults
included, so that numbers compare with published ones. A line such as

  smatch: as read: 3 quoted values cut at their first space

says what that program does not see: smatch 1.0.4 reads :name "New York" as New.
Nothing is wrong with the score, and nothing is to be done. To count everything,
choose a reader that does: --profile clean. 'exactmatch lint --profile smatch FILE'
lists the places.""",
    "files": """\
A file holds graphs of one of the formats (exactmatch help formats), told from how it
begins. Gzipped files, folders (paired by the names of their files), pipes and - for
standard input will do. Predictions come first, then references:

  exactmatch PRED GOLD [GOLD …]""",
    "documents": """\
Sentences of one document can be scored one by one, together as one graph, or as
documents:

  AMR, one graph a document: (m / multi-sentence :snt1 … :snt2 …)
    exactmatch PRED GOLD --profile doc-amr    aligns variables within a sentence
  UMR, one file or several, each with sentences and document-level annotation
    exactmatch PRED.umr GOLD.umr              profile umr, by the format
    exactmatch finegrained PRED.umr GOLD.umr --style umr
                                              sentences, document level, coreference
  sentences whose ids share a document: DOC.1, DOC.2, or '# ::doc DOC'
    exactmatch PRED GOLD --confidence --unit document
                                              intervals that take no two sentences
                                              of a document as independent; so does
                                              compare""",
    "exit-codes": """\
  0    fine
  1    a demanded property does not hold: a proof is missing (--require-optimal) or
       was rejected, or the score is too low (--fail-under)
  2    bad input, bad usage or a missing package; one sentence says which
  130  Ctrl-C; 143 after SIGTERM, 129 after SIGHUP""",
    "defaults": """\
Options can have other defaults: in exactmatch.toml, or under [tool.exactmatch] in
pyproject.toml, in the current folder or the nearest one above it:

  metric = ["smatch", "sembleu"]
  profile = "clean"             # the long name of an option, without its hyphens
  by-id = true
  [compare]                     # [tool.exactmatch.compare]: this command alone
  test = "exchange"

The command line overrides them; --no-config ignores the files. Each run says which
defaults it took, and the signature names all that determines its number.""",
}
"""Explanations of topics that are not lists."""
