// List of pairs: searched, filtered and sorted at once; only visible rows are drawn.

const [ROW_HEIGHT, LOW_ROW] = [38, 28];
const BINS = 20;

const table = (kind, heads, rows, hasNumbers = () => false) => {
  const cells = heads.map((text, n) =>
    make(hasNumbers(n) ? "th.n" : "th", { scope: "col" }, text),
  );
  return make(kind, make("thead", make("tr", ...cells)), make("tbody", ...rows));
};

const scrolled = (content) => make("div.scroll", { tabindex: "0" }, content);

const SCORE_DIGITS = Number(document.body.dataset.digits);
const shownScore = (score) => (score === null ? "\u2013" : shown(score, SCORE_DIGITS));
const shownBounds = (low, high) => {
  const [one, other] = [shownScore(low), shownScore(high)];
  return low === high ? one : `${one}..${other}`;
};
const shownChange = (change) =>
  change === null
    ? "\u2013"
    : `${change < 0 ? "\u2212" : "+"}${shown(Math.abs(change), SCORE_DIGITS)}`;
const binOf = (score) => within(Math.floor(score * BINS + 1e-9), 0, BINS - 1);
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// Return tests of pairs by the filters of a state, without and with the range of scores.
const testsOf = (corpus, state, marks) => {
  const system = Number(state.system);
  const { types } = corpus.systems[system];
  const scores = corpus.scores[system];
  const holding = (isChosen) => {
    const chosen = new Set([...corpus.types.keys()].filter(isChosen));
    return (k) => types[k]?.some((type) => chosen.has(type));
  };
  const tests = [];
  const search = searched(corpus, state);
  if (search) tests.push(search);
  if (state.error) {
    const names = corpus.types.map(([kind, detail]) => [kind, errorName(kind, detail)]);
    tests.push(holding((type) => names[type].includes(state.error)));
  }
  for (const key of ["role", "concept"])
    if (state[key]) {
      const place = state[key][0] === "-" ? 0 : 1;
      const name = state[key].slice(1);
      tests.push(holding((type) => corpus.topics[type][`${key}s`][place] === name));
    }
  if (state.reentrant) tests.push((k) => corpus.reentrant[k]);
  if (state.unseen) tests.push((k) => !marks.of(k).seen);
  if (state.unproven) tests.push((k) => corpus.isOpen(k, system));
  const range = (k) => {
    const bin = scores[k] === null ? NOWHERE : binOf(scores[k]);
    return bin >= Number(state.from) && bin < Number(state.to || BINS);
  };
  const apart = (k) => tests.every((test) => test(k));
  return { apart, whole: state.from || state.to ? (k) => apart(k) && range(k) : apart };
};

// Return the pattern of a search: a regular expression, or words with stars.
const patternOf = ({ search, regex }) => {
  if (regex) return search;
  const words = escaped(search.trim()).replaceAll("\\*", "[\\p{L}\\p{N}]*");
  const isWord = (sign) => /[\p{L}\p{N}*]/u.test(sign);
  const begin = isWord(search.trim()[0]) ? "(?<![\\p{L}\\p{N}])" : "";
  const end = isWord(search.trim().at(-1)) ? "(?![\\p{L}\\p{N}])" : "";
  return begin + words + end;
};

const searched = (corpus, state) => {
  const { search, scope } = state;
  if (!search.trim()) return null;
  const pattern = patternOf(state);
  const expression = new RegExp(
    scope === "concept" ? ` / [^\\n]*(?:${pattern})` : pattern,
    "iu",
  );
  const tests = {
    id: (k) => corpus.ids[k] !== null && expression.test(corpus.ids[k]),
    sentence: (k) => expression.test(corpus.sentences[k]),
    concept: (k) => expression.test(corpus.texts[k]),
  };
  return tests[scope] ?? ((k) => Object.values(tests).some((test) => test(k)));
};

const SORTS = {
  file: (k) => k,
  score: (k, corpus, system) => corpus.scores[system][k] ?? Infinity,
  missing: (k, corpus, system) => corpus.systems[system].missing[k] ?? -1,
  extra: (k, corpus, system) => corpus.systems[system].extra[k] ?? -1,
  size: (k, corpus, system) => corpus.systems[system].goldTotals[k] ?? -1,
  change: (k, corpus, system) => corpus.change(k, system) ?? -Infinity,
};

const csvOf = (rows) => {
  const quoted = (value) => {
    const text = String(value ?? "");
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
};

// Pairs that were seen, and notes on them, which the browser keeps.
class Marks {
  constructor(corpus) {
    this.corpus = corpus;
    this.key = `exactmatch-marks:${document.title}:${corpus.size}`;
    this.entries = {};
    try {
      this.entries = JSON.parse(localStorage.getItem(this.key)) ?? {};
    } catch {}
  }

  of(k) {
    return this.entries[this.corpus.nameOf(k)] ?? { seen: false, note: "" };
  }

  set(k, mark) {
    this.entries[this.corpus.nameOf(k)] = { ...this.of(k), ...mark };
    try {
      localStorage.setItem(this.key, JSON.stringify(this.entries));
    } catch {}
  }

  exported() {
    const rows = Object.entries(this.entries)
      .filter(([, { seen, note }]) => seen || note)
      .map(([name, { seen, note }]) => [name, seen, note]);
    return csvOf([["id", "seen", "note"], ...rows]);
  }
}

class List {
  constructor(corpus, element, open, marks) {
    this.corpus = corpus;
    this.marks = marks;
    this.element = element;
    this.order = [];
    this.places = new Int32Array(corpus.size);
    this.rows = new Map();
    const hasTwoLines = corpus.hasSeveral || corpus.sentences.some(Boolean);
    this.rowHeight = hasTwoLines ? ROW_HEIGHT : LOW_ROW;
    element.style.setProperty("--row", `${this.rowHeight}px`);
    this.height = make("div.height", { role: "presentation" });
    element.append(this.height);
    element.addEventListener("scroll", () => this.draw(), { passive: true });
    element.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) open(Number(row.dataset.pair));
    });
    new ResizeObserver(() => this.draw()).observe(element);
  }

  // Filter and sort the pairs; return their number in each bin of scores.
  show(state) {
    const system = Number(state.system);
    const { apart, whole } = testsOf(this.corpus, state, this.marks);
    const scores = this.corpus.scores[system];
    const bins = Array.from({ length: BINS }, () => ({ all: 0, open: 0 }));
    const pairs = [];
    for (let k = 0; k < this.corpus.size; k += 1) {
      if (apart(k) && scores[k] !== null) {
        const bin = bins[binOf(scores[k])];
        bin.all += 1;
        if (this.corpus.isOpen(k, system)) bin.open += 1;
      }
      if (whole(k)) pairs.push(k);
    }
    const key = SORTS[state.sort];
    const keys = new Map(pairs.map((k) => [k, key(k, this.corpus, system)]));
    const sign = isDown(state) ? -1 : 1;
    pairs.sort((a, b) => sign * (keys.get(a) - keys.get(b)) || a - b);
    this.order = pairs;
    this.places.fill(NOWHERE);
    pairs.forEach((k, place) => (this.places[k] = place));
    this.system = system;
    this.state = state;
    this.height.style.height = `${pairs.length * this.rowHeight}px`;
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.element.scrollTop = 0;
    this.draw();
    return bins;
  }

  // Draw the visible rows, and a few more.
  draw() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(Math.floor(scrollTop / this.rowHeight) - 4, 0);
    const last = Math.min(
      Math.ceil((scrollTop + clientHeight) / this.rowHeight) + 4,
      this.order.length,
    );
    for (const [place, row] of this.rows)
      if (place < first || place >= last) {
        row.remove();
        this.rows.delete(place);
      }
    for (let place = first; place < last; place += 1)
      if (!this.rows.has(place)) {
        const row = this.row(place);
        this.rows.set(place, row);
        this.height.append(row);
      }
    this.mark();
  }

  row(place) {
    const k = this.order[place];
    const { corpus, system } = this;
    const { matched, missing, extra } = corpus.systems[system];
    const scores = corpus.systems.map((_, number) =>
      make(number === system ? "b.own" : "b", corpus.scoreOf(k, number)),
    );
    if (corpus.hasSeveral) scores.push(make("i", corpus.changeOf(k, system)));
    const lost = make("span.missing", { title: "missing triples" }, `\u2212${missing[k]}`);
    const more = make("span.extra", { title: "extra triples" }, `+${extra[k]}`);
    const differing = missing[k] + extra[k] ? make("span", lost, " ", more) : "=";
    const open = corpus.isOpen(k, system) ? make("em", { title: "not proven optimal" }, "open") : "";
    const id = this.marked(corpus.ids[k] ?? `#${corpus.numbers[k]}`, "id");
    const sentence = this.marked(corpus.sentences[k] || "\u00a0", "sentence");
    const isLow = this.rowHeight === LOW_ROW;
    const about = [
      make("span.main", { title: "what costs this pair most" }, corpus.mains[system][k]),
      make("span.counts", open, matched[k] === null ? "no graph" : differing),
    ];
    const { seen, note } = this.marks.of(k);
    const sign = seen || note ? make("span.seen", { title: note || "seen" }, note ? "\u270e " : "\u2713 ") : "";
    const row = make(
      "div.row",
      {
        role: "option",
        id: `row-${k}`,
        "aria-posinset": place + 1,
        "aria-setsize": this.order.length,
        "data-pair": k,
      },
      make("div.line", make("span.id", sign, ...id), ...(corpus.hasSeveral ? [] : about), make("span.scores", ...scores)),
      isLow ? "" : make("div.line", make("span.sentence", { dir: "auto" }, ...sentence), ...(corpus.hasSeveral ? about : [])),
    );
    row.style.top = `${place * this.rowHeight}px`;
    return row;
  }

  // Mark the matches of the search in a text.
  marked(text, scope) {
    const { state } = this;
    if (!state?.search.trim() || !["all", scope].includes(state.scope)) return [text];
    const parts = [];
    let last = 0;
    for (const match of text.matchAll(new RegExp(patternOf(state), "giu"))) {
      if (!match[0]) continue;
      parts.push(text.slice(last, match.index), make("mark.match", match[0]));
      last = match.index + match[0].length;
    }
    return [...parts, text.slice(last)];
  }

  // Return the listed pairs in order: their ids, or a table in CSV.
  exported(kind) {
    const { corpus } = this;
    const name = (k) => corpus.ids[k] ?? String(corpus.numbers[k]);
    if (kind === "txt") return this.order.map((k) => `${name(k)}\n`).join("");
    const columns = corpus.systems.flatMap((system, s) => {
      const suffix = corpus.hasSeveral ? ` ${system.name}` : "";
      return [
        [`f1${suffix}`, (k) => corpus.scores[s][k]],
        [`f1_upper${suffix}`, (k) => corpus.tops[s][k]],
        ...["matched", "missing", "extra"].map((n) => [n + suffix, (k) => system[n][k]]),
      ];
    });
    columns.push(["main_error", (k) => corpus.mains[this.system][k]]);
    columns.unshift(["id", name], ["sentence", (k) => corpus.sentences[k]]);
    const rows = this.order.map((k) => columns.map(([, value]) => value(k)));
    return csvOf([columns.map(([head]) => head), ...rows]);
  }

  // Redraw a row.
  renew(pair) {
    const place = this.places[pair];
    this.rows.get(place)?.remove();
    this.rows.delete(place);
    this.draw();
  }

  // Mark the row of the pair that is open.
  mark(pair = this.pair) {
    this.pair = pair;
    const place = this.places[pair] ?? NOWHERE;
    for (const [number, row] of this.rows)
      row.setAttribute("aria-selected", number === place);
    if (this.rows.has(place))
      this.element.setAttribute("aria-activedescendant", `row-${pair}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  // Scroll to the row of a pair.
  reveal(pair) {
    const place = this.places[pair];
    if (place === NOWHERE) return;
    const { scrollTop, clientHeight } = this.element;
    const top = place * this.rowHeight;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.rowHeight > scrollTop + clientHeight)
      this.element.scrollTop = top + this.rowHeight - clientHeight;
    this.draw();
  }

  // Return the pair some steps further in the list.
  beside(pair, step) {
    const place = this.places[pair] ?? NOWHERE;
    const last = this.order.length - 1;
    const next = place === NOWHERE ? (step > 0 ? 0 : last) : place + step;
    return this.order[within(next, 0, last)];
  }
}
