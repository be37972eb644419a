"""Small files of every format, written for the tests."""

UMR = """\
################################################################################
# meta-info :: sent_id = s-1
# :: snt1
Index: 1    2    3    4
Words: Mary ran  away .
Morphemes: Mary run.PAST away .

# sentence level graph:
(s1r / run-02
    :ARG0 (s1p / person
        :name (s1n / name :op1 "Mary"))
    :time 0:00
    :aspect performance)

# alignment:
s1r: 2-3
s1p: 0-0
s1n: 1-1

# document level annotation:
(s1s0 / sentence
    :temporal ((document-creation-time :before s1r))
    :modal ((root :modal author)
            (author :full-affirmative s1r)))


################################################################################
# meta-info :: sent_id = s-2
# :: snt2
Index: 1   2
Words: She fell

# sentence level graph:
(s2f / #fall-01
    :ARG1 (s2p / person :ARG0-of (s2t / thing))
    :quant 1/2
    :cause s1r)

# alignment:
s2f: 2-2
s2p: 1-1,2-2

# document level annotation:
(s2s0 / sentence
    :temporal ((s1r :after s2f))
    :coref ((s1p :same-entity s2p)))
"""

MRP = (
    '{"id": "1", "flavor": 1, "framework": "eds", "version": 1.1, '
    '"time": "2026-11-21", "input": "Mary ran away.", "tops": [1], "nodes": '
    '[{"id": 0, "label": "named", "properties": ["carg"], "values": ["Mary"], '
    '"anchors": [{"from": 0, "to": 4}]}, {"id": 1, "label": "_run_v_away", '
    '"anchors": [{"from": 5, "to": 8}, {"from": 9, "to": 14}]}, {"id": 2}], "edges": '
    '[{"source": 1, "target": 0, "label": "ARG1"}, {"source": 1, "target": 2, '
    '"label": "ARG2", "attributes": ["remote"], "values": ["true"]}, '
    '{"source": 2, "target": 0, "label": "mod-of", "normal": "mod"}]}\n'
    '{"id": "2", "framework": "dm", "flavor": 0, "tops": [0, 1], "nodes": '
    '[{"id": 0, "label": "a"}, {"id": 1, "label": "b"}]}\n'
)

SBN = """\
%%% made up
person.n.01      EQU speaker                % I            [0-1]
                 NEGATION -1                % don't        [2-7]
believe.v.01     Experiencer -1 Theme >1    % believe      [8-15]
                 ATTRIBUTION <1             % that
time.n.08        EQU now                    %
band.n.01        Name "The Long Name"       % the band     [16-24, 26-30]
small.a.01       AttributeOf -1             % small        [31-36]

%%% another
dog.n.01 Sub +1
cat.n.01
"""

SBN_LINES = """\
person.n.01 EQU speaker run.v.02 Agent -1 Time +1 time.n.08 TPR now
dog.n.01 bark.v.01 Agent -1 NEGATION -1 cat.n.01
"""

CLAUSES = """\
%%% made up
b1 REF x1              % He [0...2]
b1 male "n.02" x1      % He [0...2]
b1 NOT b2              % doesn't [3...10]
b2 REF e1              % smile [11...16] [17...18]
b2 Agent e1 x1         % smile [11...16]
b2 smile "v.01" e1

b1 REF t1
b1 EQU t1 "now"
b1 time "n.08" t1
"""

TRIPLES = (
    "# ::id 1\n# ::snt He wants.\nw\tinstance\twant-01\nw\tARG0\tb\n"
    "b\tinstance\tboy\nw\tpolarity\t-\n\n"
    "# ::id 2\n# ::top b\na\tr\tb\nb\tinstance\tx y\n"
)

NODE_LINK = (
    '{"directed": true, "multigraph": true, "graph": {"top": "w", "id": "1"}, '
    '"nodes": [{"id": "w", "concept": "want-01", "attributes": [["polarity", "-"]]}, '
    '{"id": "b", "concept": "boy"}], '
    '"links": [{"source": "w", "target": "b", "role": "ARG0"}]}\n'
    '{"graph": {}, "nodes": [{"id": 1, "concept": "x"}], "edges": []}\n'
)

PENMAN = """\
# ::id 1
# ::snt The boy wants not to go.
(w / want-01 :polarity -
    :ARG0 (b / boy)
    :ARG1 (g / go-02 :ARG0 b
        :ARG1-of (c / cause-01)))

(a / "x y" :op1 "New York" :consist-of (d / #Forn))
"""

DOC_AMR = """\
(d / document
    :snt1 (s1.g / go-02
        :ARG0 (s1.p / person :mod (s1.y / young)))
    :snt2 (s2.c / cry-02
        :ARG0 s1.p
        :ARG1-of (s2.s / see-01 :ARG0 (s2.m / man :part (s2.h / hand)))))
"""

SAMPLES = {
    "penman": PENMAN,
    "umr": UMR,
    "mrp": MRP,
    "sbn": SBN,
    "clauses": CLAUSES,
    "triples": TRIPLES,
    "node-link": NODE_LINK,
}
"""A sample of every format that has a form of its own."""
