// What the page holds: packed blocks of lists, unpacked when they are asked for.
// exactmatch/studies/report/browser_data.py says what the lists mean.

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

// What is made of some content is handed over as a file.
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

// The roles that a type of error says are missing and extra, and the concepts.
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
    this.unique = new Map();
    this.ids.forEach((id, k) => this.unique.set(id, this.unique.has(id) ? NOWHERE : k));
    this.topics = this.types.map((type) => topicsOf(...type));
  }

  // What a pair is called in links: its id where no other has it, else its number.
  nameOf(k) {
    const id = this.ids[k];
    return id !== null && this.unique.get(id) === k ? id : `#${this.numbers[k]}`;
  }

  find(name) {
    const k = this.unique.get(name);
    if (k !== undefined && k !== NOWHERE) return k;
    return name.startsWith("#") ? this.numbers.indexOf(Number(name.slice(1))) : NOWHERE;
  }

  // How much better a system is than the first one, or the second than the first.
  change(k, system) {
    const better = this.scores[system || 1]?.[k] ?? null;
    const base = this.scores[0][k];
    return better === null || base === null ? null : better - base;
  }

  isOpen(k, system) {
    const { matched, bounds } = this.systems[system];
    return matched[k] !== null && matched[k] !== bounds[k];
  }

  // The pairs of a block, kept once they have been unpacked.
  block(number) {
    if (!this.loaded.has(number)) this.loaded.set(number, unpacked(this.blocks[number]));
    return this.loaded.get(number);
  }

  async pair(k) {
    const number = Math.floor(k / this.perBlock);
    const block = await this.block(number);
    const pair = new Pair(this, k, block[k % this.perBlock]);
    if (!this.proofBlocks.length) return pair;
    // Of certificates only the last block is kept.
    if (this.certified?.number !== number)
      this.certified = { number, found: unpacked(this.proofBlocks[number]) };
    pair.proofs = (await this.certified.found)[k % this.perBlock];
    return pair;
  }

  // The text of every pair, for searches; other work comes first.
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

// One pair: its graphs' lines with what is special about them, and their drawing.
class Pair {
  constructor(corpus, number, [geometry, graphs, edits, optima, sentences]) {
    this.corpus = corpus;
    this.number = number;
    this.plan = new Plan(geometry);
    this.edits = edits;
    this.optima = optima;
    this.sentences = [corpus.sentences[number], ...sentences].filter(Boolean);
    this.graphs = graphs.map((graph, g) => graph && this.graph(g, graph));
    // The places that more than one graph takes.
    const places = this.graphs.flatMap((graph) => graph?.nodes.map(({ place }) => place) ?? []);
    this.plan.shared = new Set(places.filter((place, k) => places.indexOf(place) < k));
    this.places = [...new Set(places)].sort((a, b) => a - b);
  }

  // What is extra or changed in a system's graph, or missing or changed in the
  // reference, by any system.
  marks(g) {
    const found = new Map();
    const edits = g ? this.edits[g - 1] : this.edits.flatMap((own) => own ?? []);
    for (const [, gold, pred] of edits) {
      const [part, other, alone] = g ? [pred, gold, "extra"] : [gold, pred, "missing"];
      const mark = other === NOWHERE ? alone : "changed";
      if (part !== NOWHERE) found.set(part, (found.get(part) ?? mark) === mark ? mark : alone);
    }
    return found;
  }

  graph(g, [depths, roles, names, words, places, ways, top, uncounted, notes]) {
    const marks = this.marks(g);
    // The places whose pairs need not be in every optimal alignment.
    const uncertain = new Set(g ? this.optima[g - 1].slice(2).flat() : []);
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
          title: word || name,
          rows: [],
          mark: wordMark,
          note: notes[2 * k + 1],
          isTop: place === top,
          isUncertain: uncertain.has(place),
        });
      const isTurned = way >= 0 ? way & 2 : (NOWHERE - 1 - way) & 2;
      const bare = untagged(role);
      const said = {
        role: isTurned ? bare.replace(/-of$/, "") : bare,
        mark: roleMark,
        note: notes[2 * k],
      };
      if (way >= 0) edges.push({ ...said, route: way >> 2, onwards: way & 1 });
      else if (way < NOWHERE)
        nodes.get(parent).rows.push({
          ...said,
          line: (NOWHERE - 1 - way) >> 2,
          value: place === parent && place !== NOWHERE ? ITSELF : word || name,
        });
      const closed = Math.max(depth + defines - (depths[k + 1] >> 1), 0);
      return { depth, defines, role, name, word, place, parent, closed, roleMark, wordMark };
    });
    const root = nodes.has(top) ? `, rooted in ${nodes.get(top).title}` : "";
    return {
      lines,
      edges,
      nodes: [...nodes.values()],
      topMark: markOf(ROOT),
      told: `graph of ${several(nodes.size, "variable")}${root}`,
    };
  }
}
