// Overview of all pairs: the histogram of scores, and the types of errors.

const MANY = 12;
const LOW = 0.5; // scores below it are bad

const listed = (words) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

const [SIDE, EDGE] = [220, 48];

// Draw the scores of two systems against each other, on equal axes from 0 to 1.
const scatter = (names, other, both, corpus, open) => {
  const [one, two] = [corpus.scores[0], corpus.scores[other]];
  const x = (score) => EDGE + SIDE * Math.min(score, 1);
  const y = (score) => SIDE + 8 - SIDE * Math.min(score, 1);
  const text = (at, content) => svgElement("text", at, content);
  const points = both.map((k) => {
    const about = `${corpus.nameOf(k)}: ${names[0]} ${corpus.scoreOf(k, 0)}, ${names[1]} ${corpus.scoreOf(k, other)}`;
    const at = { cx: x(one[k]), cy: y(two[k]), r: 3, onclick: () => open(k) };
    return svgElement("circle", at, svgElement("title", about));
  });
  const ticks = [0, 0.5, 1].flatMap((tick) => [
    text({ x: x(tick), y: SIDE + 22, "text-anchor": "middle" }, String(tick)),
    text({ x: EDGE - 6, y: y(tick) + 4, "text-anchor": "end" }, String(tick)),
  ]);
  const [width, height] = [SIDE + EDGE + 12, SIDE + 42];
  return svgElement(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `F1 of ${names[0]} and ${names[1]}, a point for each pair` },
    svgElement("rect", { x: EDGE, y: 8, width: SIDE, height: SIDE }),
    svgElement("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
    ...ticks,
    text({ x: EDGE + SIDE / 2, y: SIDE + 37, "text-anchor": "middle" }, `F1 of ${names[0]}`),
    text({ transform: `translate(10 ${8 + SIDE / 2}) rotate(-90)`, "text-anchor": "middle" }, `F1 of ${names[1]}`),
    ...points,
  );
};

class Overview {
  constructor(corpus, elements, browser) {
    this.corpus = corpus;
    this.elements = elements;
    this.browser = browser;
    this.opened = new Set();
    this.ranges = corpus.systems.map(
      ({ counts }) => new Map(counts.map(([type, , least, most]) => [type, [least, most]])),
    );
  }

  // Count the errors of the pairs that are listed.
  count(pairs) {
    const { corpus } = this;
    this.isAll = pairs.length === corpus.size;
    this.counted = corpus.systems.map((_, system) => corpus.counted(pairs, system));
    const costs = this.counted.map((counts) =>
      [...counts].filter(([type]) => !corpus.types[type][1]).map(([, { triples }]) => triples),
    );
    this.differing = costs.map((triples) => triples.reduce((sum, n) => sum + n, 0));
    this.largest = costs.map(
      (triples, k) => Math.max(...triples, 1) / Math.max(this.differing[k], 1),
    );
  }

  // Write the answer in one sentence: the score, what is lost, and the number of bad pairs.
  lead(pairs, state) {
    const { corpus } = this;
    const system = Number(state.system);
    const { name } = corpus.systems[system];
    const ends = this.isAll && corpus.ends[system];
    const half = ends && shownScore((ends[1] - ends[0]) / 2);
    const range = ends ? ` \u00b1 ${half} (${corpus.level} % interval)` : "";
    const whose = corpus.hasSeveral ? `${name}: ` : "";
    const which = this.isAll ? "" : ` on ${several(pairs.length, "pair")} listed`;
    const sentences = [`${whose}${corpus.metric} ${corpus.scoreOfAll(pairs, system)}${range}${which}`];
    const costs = [...this.counted[system]]
      .filter(([type]) => !corpus.types[type][1])
      .sort(([, a], [, b]) => b.triples - a.triples);
    const worst = [];
    let lost = 0;
    for (const [type, { triples }] of costs) {
      if (2 * lost >= this.differing[system] || worst.length === 3) break;
      lost += triples;
      worst.push(corpus.types[type][0]);
    }
    const share = (100 * lost) / Math.max(this.differing[system], 1);
    if (worst.length) sentences.push(`${shown(share, 0)} % of what is lost is ${listed(worst)}`);
    const low = pairs.filter((k) => corpus.scores[system][k] !== null && corpus.scores[system][k] < LOW);
    const bad = low.length ? several(low.length, "pair") : "no pair";
    const link = make("a", { href: hashOf({ ...state, pair: "", from: "0", to: String(LOW * BINS) }) }, `${bad} below ${LOW}`);
    this.elements.lead.replaceChildren(`${sentences.join("; ")}; `, low.length ? link : `${bad} below ${LOW}`, ".");
  }

  // Compare systems with the first one: how often each is better, and a point for each pair.
  answer(open) {
    const { corpus } = this;
    const { answer } = this.elements;
    answer.hidden = !corpus.hasSeveral;
    const [one, ...others] = corpus.scores;
    others.forEach((two, k) => {
      const names = [corpus.systems[0].name, corpus.systems[k + 1].name];
      const both = one.flatMap((score, k) => (score === null || two[k] === null ? [] : [k]));
      const ahead = (least) => both.filter((k) => Math.sign(two[k] - one[k]) === least).length;
      const sentence = `Pair by pair, ${names[1]} is better on ${ahead(1)}, ${names[0]} on ${ahead(-1)}, and ${ahead(0)} are equal.`;
      const drawing = scatter(names, k + 1, both, corpus, open);
      answer.append(make("figure.scatter", make("figcaption", sentence), drawing));
    });
  }

  // Draw bars for all listed pairs, whatever range of scores is chosen.
  histogram(bins, state) {
    const most = Math.max(...bins.map(({ all }) => all), 1);
    const from = Number(state.from);
    const to = Number(state.to || BINS);
    const bars = bins.map(({ all: number, open }, bin) => {
      const low = (bin / BINS).toFixed(2);
      const end = bin + 1 < BINS ? `to ${((bin + 1) / BINS).toFixed(2)}` : "and more";
      const bar = make("span.bar");
      bar.style.height = `${(100 * number) / most}%`;
      const unsure = open ? `, ${open} not proven, at the lower end` : "";
      const label = `${low} ${end}: ${several(number, "pair")}${unsure}`;
      if (open) {
        const part = make("span.open");
        part.style.height = `${(100 * open) / number}%`;
        bar.append(part);
      }
      const chosen = (state.from || state.to) && bin >= from && bin < to;
      return button(bar, null, {
        title: label,
        "aria-label": `scores ${label}`,
        "aria-pressed": Boolean(chosen),
        "data-bin": bin,
        tabindex: bin ? "-1" : "0",
      });
    });
    this.elements.histogram.replaceChildren(...bars);
  }

  errors(state = this.state) {
    this.state = state;
    const { corpus, opened, counted, ranges, isAll } = this;
    const system = Number(state.system);
    const all = new Set([ranges[system], ...ranges].flatMap((each) => [...each.keys()]));
    const cost = (type) => counted[system].get(type)?.triples ?? 0;
    const order = [...all].filter((type) => isAll || counted.some((each) => each.has(type)));
    if (!isAll) order.sort((a, b) => cost(b) - cost(a));
    const rows = [];
    for (const kind of order.filter((type) => !corpus.types[type][1])) {
      const [name] = corpus.types[kind];
      const details = order.filter(
        (type) => corpus.types[type][0] === name && corpus.types[type][1],
      );
      const plain = details.length === 1 && name.endsWith(corpus.types[details[0]][1]);
      rows.push(this.error(kind, plain ? [] : details));
      if (opened.has(name) && !plain) {
        const shown = opened.has(`${name}*`) ? details : details.slice(0, MANY);
        rows.push(...shown.map((type) => this.error(type)));
        if (shown.length < details.length) {
          const more = button(`${details.length - shown.length} more`, () => {
            opened.add(`${name}*`);
            this.errors();
          });
          const cell = make("td", { colspan: 5 + corpus.systems.length }, more);
          rows.push(make("tr.detail", cell));
        }
      }
    }
    const of = (text) => (corpus.hasSeveral ? `${text}: ${corpus.systems[system].name}` : text);
    const counts = corpus.hasSeveral ? corpus.systems.map(({ name }) => name) : ["count"];
    const heads = ["error", of("share of lost F1"), ...counts, of("range"), of("pairs")];
    const hasNumbers = (n) => n > 1;
    this.elements.errors.replaceChildren(table("table.errors", heads, rows, hasNumbers));
  }

  error(type, details = []) {
    const { corpus, opened, counted, state } = this;
    const system = Number(state.system);
    const [kind, detail] = corpus.types[type];
    const name = errorName(kind, detail);
    const { triples = 0, pairs = 0 } = counted[system].get(type) ?? {};
    const [least, greatest] = (this.isAll && this.ranges[system].get(type)) || [0, 0];
    const share = triples / Math.max(this.differing[system], 1);
    const isOpen = opened.has(kind);
    const turn = () => {
      if (!opened.delete(kind)) opened.add(kind);
      this.errors();
      this.elements.errors.querySelector(`[data-kind="${CSS.escape(kind)}"]`)?.focus();
    };
    const fold = details.length
      ? button(isOpen ? "\u25be" : "\u25b8", turn, {
          class: "fold",
          "aria-expanded": isOpen,
          "aria-label": `types of ${kind}`,
          "data-kind": kind,
        })
      : make("span.fold");
    const link = this.browser.defined("a", kind, detail, detail || kind);
    const often = (each) => counted[system].get(each)?.count ?? 0;
    const [most] = [...details].sort((a, b) => often(b) - often(a));
    const example = most !== undefined && !isOpen ? make("span.example", corpus.types[most][1]) : "";
    const bar = make("span.bar");
    bar.style.width = `${Math.max((100 * share) / this.largest[system], share ? 1 : 0)}%`;
    return make(
      "tr",
      { class: detail ? "detail" : "", "aria-selected": state.error === name },
      make("th", { scope: "row" }, fold, link, example),
      make("td.share", make("span.track", bar), ` ${shown(100 * share, 1)} %`),
      ...(corpus.hasSeveral ? counted : [counted[system]]).map((each) =>
        make("td.n", String(each.get(type)?.count ?? 0)),
      ),
      make("td.n.quiet", least === greatest ? "" : `${least}\u2013${greatest}`),
      make("td.n", String(pairs)),
    );
  }
}
