// Data of the page: packed blocks of lists, unpacked when they are needed.
// exactmatch/studies/report/browser_data.py defines the lists.

const NOWHERE = -1;
const ROOT = -2;
const [ROLES, CONCEPTS, BOTH_ROLES, VALUES] = [1, 2, 3, 4];

const unpacked = async (element) => {
  const signs = atob(element.textContent);
  const bytes = new Uint8Array(signs.length);
  for (let k = 0; k < signs.length; k += 1) bytes[k] = signs.charCodeAt(k);
  const stream = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
};

// Save content as a file.
const save = (content, download, type) => {
  const href = URL.createObjectURL(new Blob([content], { type }));
  make("a", { download, href }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
};

const several = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

const errorName = (kind, detail) => (detail ? `${kind}: ${detail}` : kind);

const untagged = (text) => text.replace(/~[\w.,]+$/, "");

const fScore = (matched, pred, gold, nothing) => {
  if (!pred && !gold) return [nothing, nothing, nothing];
  if (!pred || !gold) return [0, 0, 0];
  const precision = matched / pred;
  const recall = matched / gold;
  const sum = precision + recall;
  return [precision, recall, sum ? (2 * precision * recall) / sum : 0];
};

// The same if the sides have different matches: *both* has the matches of each.
const sidesScore = (matched, pred, gold, nothing, both) => {
  const ratios = fScore(matched, pred, gold, nothing);
  if (both && pred && gold)
    [ratios[0], ratios[1]] = [both[0] / pred, both[1] / gold].map((share) => Math.min(share, 1));
  return ratios;
};

// Return the roles of a type of error, missing and extra, and the concepts.
const topicsOf = (kind, detail, topic) => {
  const [lost, extra] = detail.split("\u2192");
  const isExtra = kind.startsWith("extra ");
  const both =
    extra === undefined ? (isExtra ? ["", lost] : [lost, ""]) : [lost, extra];
  const [role] = detail.split(" ");
  const roles = {
    [ROLES]: both.map((name) => name.replace(/-of$/, "")),
    [BOTH_ROLES]: [detail, detail],
    [VALUES]: [role, role],
  };
  return { roles: roles[topic] ?? [], concepts: topic === CONCEPTS ? both : [] };
};

class Corpus {
  constructor(head, blocks, proofs) {
    Object.assign(this, head);
    this.blocks = blocks;
    this.proofBlocks = proofs;
    this.loaded = new Map();
    this.size = this.ids.length;
    this.hasSeveral = this.systems.length > 1;
    this.texts = [];
    this.scores = this.systems.map((system) =>
      system.matched.map((matched, k) =>
        matched === null
          ? null
          : fScore(matched, system.predTotals[k], system.goldTotals[k], this.nothing)[2],
      ),
    );
    this.tops = this.systems.map((system, s) =>
      system.bounds.map((bound, k) =>
        this.isOpen(k, s)
          ? fScore(bound, system.predTotals[k], system.goldTotals[k], this.nothing)[2]
          : this.scores[s][k],
      ),
    );
    // The type of each edit; a root's mark that repeats an error does not count again.
    this.edits = this.systems.map((system) => system.types);
    for (const system of this.systems)
      system.types = system.types.map(
        (types) => types && [...new Set(types.map((type) => (type < 0 ? NOWHERE - type : type)))],
      );
    this.unique = new Map();
    this.ids.forEach((id, k) => this.unique.set(id, this.unique.has(id) ? NOWHERE : k));
    this.topics = this.types.map((type) => topicsOf(...type));
    this.kinds = new Map(this.types.map(([kind, detail], k) => [detail ? "" : kind, k]));
    // A missing or extra error is one triple, any other is two.
    this.triples = this.types.map(([kind]) => (/^(missing|extra) /.test(kind) ? 1 : 2));
    this.mains = this.edits.map((all) => all.map((edits) => this.mainOf(edits)));
  }

  // Return the kind of errors that costs a pair most.
  mainOf(edits) {
    const costs = new Map();
    for (const { kind, triples } of this.described(edits))
      costs.set(kind, (costs.get(kind) ?? 0) + triples);
    return [...costs].reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0])[0];
  }

  // Describe each edit: its type and kind, its triples, and whether it counts as an error.
  described(edits) {
    return (edits ?? []).map((sign) => {
      const type = sign < 0 ? NOWHERE - sign : sign;
      return { type, kind: this.types[type][0], triples: this.triples[type], counts: sign >= 0 };
    });
  }

  // Count each type and kind of errors in some pairs, and their triples.
  counted(pairs, system) {
    const totals = new Map();
    for (const k of pairs)
      for (const { type, kind, triples, counts } of this.described(this.edits[system][k]))
        for (const each of [type, this.kinds.get(kind)]) {
          if (!totals.has(each)) totals.set(each, { count: 0, triples: 0, pairs: 0, last: NOWHERE });
          const sums = totals.get(each);
          sums.count += Number(counts);
          sums.triples += triples;
          if (counts && sums.last !== k) sums.pairs += 1;
          if (counts) sums.last = k;
        }
    return totals;
  }

  // Write the score of some pairs together, or the ends of its interval.
  scoreOfAll(pairs, system) {
    const { matched, bounds, predTotals, goldTotals } = this.systems[system];
    const known = pairs.filter((k) => matched[k] !== null);
    if (!known.length) return shownScore(null);
    const sum = (column) => known.reduce((total, k) => total + column[k], 0);
    const ends = this.macro
      ? [this.scores, this.tops].map((each) => sum(each[system]) / known.length)
      : [matched, bounds].map(
          (each) => fScore(sum(each), sum(predTotals), sum(goldTotals), this.nothing)[2],
        );
    return shownBounds(...ends);
  }

  // Name a pair in links: by its id if that is unique, else by its number.
  nameOf(k) {
    const id = this.ids[k];
    return id !== null && this.unique.get(id) === k ? id : `#${this.numbers[k]}`;
  }

  find(name) {
    const k = this.unique.get(name);
    if (k !== undefined && k !== NOWHERE) return k;
    return name.startsWith("#") ? this.numbers.indexOf(Number(name.slice(1))) : NOWHERE;
  }

  // Name the reference, of several, that a pair is compared with.
  referenceOf(k) {
    const { references, best } = this;
    const name = references[best[k]];
    return name ? make("span.quiet", `with ${name}, the best of ${references.length} references`) : "";
  }

  // Write the score of a pair, or the ends of its interval.
  scoreOf(k, system) {
    return shownBounds(this.scores[system][k], this.tops[system][k]);
  }

  // Return the gain of a system over the first one; by default, of the second.
  change(k, system) {
    const better = this.scores[system || 1]?.[k] ?? null;
    const base = this.scores[0][k];
    return better === null || base === null ? null : better - base;
  }

  // Write the gain, or the ends of its interval.
  changeOf(k, system) {
    const other = system || 1;
    if (this.change(k, system) === null) return shownChange(null);
    const least = this.scores[other][k] - this.tops[0][k];
    const most = this.tops[other][k] - this.scores[0][k];
    return least === most ? shownChange(least) : `${shownChange(least)}..${shownChange(most)}`;
  }

  isOpen(k, system) {
    const { matched, bounds } = this.systems[system];
    return matched[k] !== null && matched[k] !== bounds[k];
  }

  // Return the pairs of a block, and keep them.
  block(number) {
    if (!this.loaded.has(number)) this.loaded.set(number, unpacked(this.blocks[number]));
    return this.loaded.get(number);
  }

  async pair(k) {
    const number = Math.floor(k / this.perBlock);
    const block = await this.block(number);
    const pair = new Pair(this, k, block[k % this.perBlock]);
    if (!this.proofBlocks.length) return pair;
    // Only the last block of certificates is kept.
    if (this.certified?.number !== number)
      this.certified = { number, pairs: unpacked(this.proofBlocks[number]) };
    pair.proofs = (await this.certified.pairs)[k % this.perBlock];
    return pair;
  }

  // Read the text of every pair for searches, block by block, so that other work goes on.
  async readTexts() {
    for (let number = 0; number < this.blocks.length; number += 1) {
      const kept = this.loaded.has(number);
      const block = await this.block(number);
      if (!kept) this.loaded.delete(number);
      block.forEach(([, graphs], k) => {
        const lines = graphs.filter(Boolean).flatMap(([, roles, names, words]) =>
          roles.map((role, line) => {
            const word = words[line];
            const end = names[line] ? `${names[line]}${word && ` / ${word}`}` : word;
            return role ? `:${role} ${end}` : end;
          }),
        );
        this.texts[number * this.perBlock + k] = lines.join("\n");
      });
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
}

// A pair: the lines of its graphs with their marks, and their drawing.
class Pair {
  constructor(corpus, number, [geometry, graphs, edits, optima, sentences]) {
    this.corpus = corpus;
    this.number = number;
    this.geometry = geometry;
    this.plan = new Plan(geometry);
    this.edits = edits;
    this.optima = optima;
    this.sentences = [corpus.sentences[number], ...sentences].filter(Boolean);
    this.graphs = graphs.map((graph, g) => graph && this.graph(g, graph));
    // The places that several graphs have.
    const places = this.graphs.flatMap((graph) => graph?.nodes.map(({ place }) => place) ?? []);
    this.plan.shared = new Set(places.filter((place, k) => places.indexOf(place) < k));
    this.places = [...new Set(places)].sort((a, b) => a - b);
  }

  // Place the drawing to be read from above, or as the report has it.  Frames stay.
  turn(isNarrow) {
    const { plan, geometry } = this;
    const isOwn = !isNarrow || new Plan(geometry).isDownwards || plan.frames.length || !plan.boxes.length;
    const edges = this.graphs.flatMap((graph) => graph?.edges ?? []);
    this.plan = new Plan(isOwn ? geometry : downwards(geometry, edges));
    this.plan.shared = plan.shared;
  }

  // Return the marks of extra and changed parts of a system's graph, or of parts of the
  // reference that any system lacks or changes.
  marks(g) {
    const marks = new Map();
    const edits = g ? this.edits[g - 1] : this.edits.flatMap((own) => own ?? []);
    for (const [, gold, pred] of edits) {
      const [part, other, alone] = g ? [pred, gold, "extra"] : [gold, pred, "missing"];
      const mark = other === NOWHERE ? alone : "changed";
      if (part !== NOWHERE) marks.set(part, (marks.get(part) ?? mark) === mark ? mark : alone);
    }
    return marks;
  }

  graph(g, [depths, roles, names, words, places, ways, top, uncounted, notes, spoken, own]) {
    const marks = this.marks(g);
    // The places that are aligned differently in other optimal alignments.
    const uncertain = new Set(g ? this.optima[g - 1].slice(2, 4).flat() : []);
    // The places of nodes that together stand for one node of the other graph.
    const all = g ? this.optima[g - 1][4] : this.optima.flatMap((own) => own?.[4] ?? []);
    const groups = all.map((both) => both[Math.min(g, 1)]).filter((own) => own.length > 1);
    const quiet = new Set(uncounted);
    const markOf = (reference) =>
      marks.get(reference) ?? (quiet.has(reference) ? "uncounted" : null);
    const path = [];
    const nodes = new Map();
    const edges = [];
    const lines = depths.map((packed, k) => {
      const [depth, defines] = [packed >> 1, packed & 1];
      const [role, name, word] = [roles[k], names[k], words[k]];
      const [place, way] = [places[k], ways[k]];
      const [roleMark, wordMark] = [markOf(2 * k), markOf(2 * k + 1)];
      const parent = path[depth - 1];
      if (defines) path[depth] = place;
      if (defines && place !== NOWHERE)
        nodes.set(place, {
          place,
          name,
          title: word || spoken[k] || name,
          rows: [],
          mark: wordMark,
          note: notes[2 * k + 1],
          isTop: place === top,
          isUncertain: uncertain.has(place),
        });
      const isTurned = way >= 0 ? way & 2 : (NOWHERE - 1 - way) & 2;
      const bare = untagged(role);
      const relation = {
        role: isTurned ? bare.replace(/-of$/, "") : bare,
        mark: roleMark,
        note: notes[2 * k],
      };
      if (way >= 0) edges.push({ ...relation, route: way >> 2, onwards: way & 1 });
      else if (way < NOWHERE) {
        const isMember = place !== NOWHERE && place !== parent;
        const [box, member] = isMember && /-of$/.test(bare) ? [place, parent] : [parent, place];
        nodes.get(box)?.rows.push({
          ...relation,
          line: (NOWHERE - 1 - way) >> 2,
          value: place === parent && place !== NOWHERE ? ITSELF : word || name,
          member: isMember ? member : NOWHERE,
        });
      }
      const closed = Math.max(depth + defines - (depths[k + 1] >> 1), 0);
      return { depth, defines, role, name, word, place, parent, closed, roleMark, wordMark };
    });
    // A member of a box may be defined after it.
    for (const row of [...nodes.values()].flatMap(({ rows }) => rows))
      row.value = nodes.get(row.member)?.title ?? row.value;
    const root = nodes.has(top) ? `, rooted in ${nodes.get(top).title}` : "";
    return {
      lines,
      edges,
      groups,
      nodes: [...nodes.values()],
      topMark: markOf(ROOT),
      own: own && {
        text: own[0],
        marks: own[1].map(([begin, end, part]) => ({ begin, end, mark: markOf(part) })),
        names: own[2].map(([begin, end, place]) => ({ begin, end, place })),
      },
      label: `graph of ${several(nodes.size, "variable")}${root}`,
    };
  }
}
