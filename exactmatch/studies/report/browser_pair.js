// Pair beside the list: its scores, graphs, texts, edits and alignment.

const INDENT = "   ";
const DEEPEST = 16;
const TAGS = { extra: "del", missing: "ins", changed: "mark", uncounted: "span" };

const marked = (text, mark) =>
  mark ? make(TAGS[mark], { class: mark, title: mark }, text) : make("bdi", text);

const count = (number) => (Number.isInteger(number) ? String(number) : shown(number, 3));

class PairView {
  constructor(corpus, parts, browser) {
    this.corpus = corpus;
    this.parts = parts;
    this.browser = browser;
    this.isFolded = false; // whether only differing parts are shown, with their ancestors
    this.names = ["Reference", ...corpus.systems.map(({ name }) => name)];
    parts.back.onclick = () => browser.leave();
    parts.previous.onclick = () => browser.step(-1);
    parts.next.onclick = () => browser.step(1);
    parts.turn.append(this.copier("Copy link", () => location.href));
    if (corpus.commands.length)
      parts.turn.append(this.copier("Copy command", () => this.command()));
    const { marks, list } = browser;
    parts.seen.onchange = () => {
      marks.set(this.pair.number, { seen: parts.seen.checked });
      list.renew(this.pair.number);
    };
    parts.note.oninput = () => {
      marks.set(this.pair.number, { note: parts.note.value });
      list.renew(this.pair.number);
    };
    parts.tools.prepend(zoomer(parts.drawings));
    parts.fold.onclick = () => {
      this.isFolded = !this.isFolded;
      this.show(this.pair);
    };
    NARROW.addEventListener("change", () => this.pair && this.show(this.pair));
    parts.right.hidden = parts.whose.hidden = !corpus.hasSeveral;
    const element = parts.pair;
    const together = ({ target }) => {
      if (target.className !== "canvas") return;
      for (const other of element.querySelectorAll(".canvas"))
        if (other !== target) other.scrollTo(target.scrollLeft, target.scrollTop);
    };
    element.addEventListener("scroll", together, { capture: true, passive: true });
  }

  show(pair) {
    const isNew = pair.number !== this.pair?.number;
    this.pair = pair;
    pair.turn(NARROW.matches);
    const { corpus, browser, parts } = this;
    const { number: k } = pair;
    parts.pair.classList.toggle("folded", this.isFolded);
    parts.where.textContent = browser.where(k);
    const mark = browser.marks.of(k);
    parts.seen.checked = mark.seen;
    if (parts.note.value !== mark.note) parts.note.value = mark.note;
    parts.title.textContent = corpus.ids[k] ?? `Pair ${corpus.numbers[k]}`;
    const marked = (sentence) => browser.list.marked(sentence, "sentence");
    const sentences = pair.sentences.map((sentence) => make("p.sentence", { dir: "auto" }, ...marked(sentence)));
    parts.sentences.replaceChildren(...sentences);
    parts.facts.replaceChildren(...this.scores(pair));
    const isMarked = (line) => [line.roleMark, line.wordMark].includes("uncounted");
    parts.uncounted.hidden = !pair.graphs.some((graph) => graph?.lines.some(isMarked));
    parts.unsure.hidden = !pair.optima.some((optima) => optima?.slice(2, 4).flat().length);
    parts.fold.setAttribute("aria-pressed", this.isFolded);
    parts.drawings.replaceChildren(...this.drawings(pair));
    if (isNew) {
      parts.drawings.classList.remove("zoomed");
      requestAnimationFrame(() => this.revealDifference());
    }
    parts.drawings.style.setProperty("--own", `${pair.plan.width + 2 * MARGIN}px`);
    parts.texts.replaceChildren(...this.texts(pair));
    parts.edits.replaceChildren(...this.edits(pair));
    if (corpus.hasSeveral) parts.verdicts.replaceChildren(this.verdicts(pair));
    parts.alignment.replaceChildren(this.alignment(pair));
  }

  // Scroll the drawings to their first difference, if it is out of sight.
  revealDifference() {
    for (const canvas of this.parts.drawings.querySelectorAll(".canvas")) {
      const first = canvas.querySelector(".node:is(.extra, .missing), .edge:is(.extra, .missing, .changed), .node:has(.changed)");
      if (!first) continue;
      const [box, view] = [first, canvas].map((each) => each.getBoundingClientRect());
      if (box.right > view.right || box.left < view.left)
        canvas.scrollLeft += box.left + box.width / 2 - view.left - view.width / 2;
      if (box.bottom > view.bottom || box.top < view.top)
        canvas.scrollTop += box.top + box.height / 2 - view.top - view.height / 2;
      return; // the other canvases follow
    }
  }

  // Return the command that shows this pair at a terminal.
  command() {
    const { corpus } = this;
    const k = this.pair.number;
    const name = corpus.ids[k] ?? String(corpus.numbers[k]);
    const quoted = /^[\w.:-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
    return `${corpus.commands[Number(this.browser.state.system)]} --ids ${quoted}`;
  }

  // Write the score of each system, and its proof.
  scores(pair) {
    const { corpus } = this;
    const { number: k } = pair;
    return corpus.systems.map((system, s) => {
      const name = corpus.hasSeveral ? make("b", system.name) : "";
      const matched = system.matched[k];
      if (matched === null) return make("p", name, make("span", "no graph"));
      const totals = [system.predTotals[k], system.goldTotals[k], corpus.nothing];
      const proven = matched === system.bounds[k];
      const sides = system.sides[k];
      const most = sides?.map((own) => own + 2 * (system.bounds[k] - matched));
      const low = sidesScore(matched, ...totals, sides);
      const high = sidesScore(system.bounds[k], ...totals, most);
      const ratio = (label, n) => {
        const score = shownBounds(low[n], proven ? low[n] : high[n]);
        return make("span", make("i", `${label} `), make("b", score));
      };
      const own = sides ?? [matched, matched];
      const predicted = `${count(own[0])} of ${count(totals[0])} predicted`;
      const there = sides ? `${count(own[1])} of ${count(totals[1])}` : count(totals[1]);
      const lost = make("span.missing", `\u2212${system.missing[k]} missing`);
      const more = make("span.extra", `+${system.extra[k]} extra`);
      const main = corpus.mains[s][k];
      const [optima, complete] = pair.optima[s];
      const others = `${complete ? "" : "more than "}${optima} optimal alignments`;
      const only = optima === 1 && complete ? "one optimal alignment" : others;
      return make(
        "p",
        name,
        ratio("F1", 2),
        ratio("P", 0),
        ratio("R", 1),
        make("span", make("i", "matched "), predicted, `, ${there} in the reference`),
        make("span", lost, " ", more, main && make("span.quiet", `, mostly ${main}`)),
        corpus.referenceOf(k),
        proven
          ? make("span.quiet", `proven optimal (${corpus.proofs[system.proofs[k]]}), ${only}`)
          : make("span.open", `not proven: at most ${count(system.bounds[k])} match`),
        ...this.checked(pair.proofs?.[s]),
      );
    });
  }

  // Check a certificate now, and write the result.
  checked(proof) {
    if (!proof) return [];
    const reason = refusal(proof);
    if (reason) return [make("span.open", `the proof is refused, in your browser: ${reason}`)];
    const units = (number) => count(number / proof.scale);
    const { value, certificate } = proof;
    const interval = `${units(value)} \u2264 optimum \u2264 ${units(certificate.bound)}`;
    return [make("span.checked", `checked here, in your browser: ${interval}`)];
  }

  // Draw the graphs beside each other, or beneath each other without room.
  drawings(pair) {
    return pair.graphs.map((graph, g) => {
      if (!graph) return make("p.drawing.note", `${this.names[g]}: no graph`);
      if (!graph.nodes.length)
        return make("p.drawing.note", `${this.names[g]}: empty graph`);
      if (!pair.plan.boxes.length)
        return make("p.drawing.note", `${this.names[g]}: not drawn in the time limit; the text is below`);
      const picture = drawn(pair.plan, graph);
      const copiers = [
        this.copier("SVG", () => svgText(picture)),
        this.copier("PNG", () => pngBlob(picture), "png"),
        this.copier("LaTeX", () => tikz(pair.plan, graph)),
      ];
      const group = { class: "copies", role: "group", "aria-label": `Copy ${this.names[g]}` };
      const copies = make("span", group, ...copiers);
      const caption = make("figcaption", make("span", this.names[g]), copies);
      return make("figure.drawing", caption, make("div.canvas", { tabindex: "0" }, picture));
    });
  }

  // Make a button that copies content, or saves it where copying is forbidden.
  copier(name, content, kind = "txt") {
    const say = (text) => {
      self.textContent = text;
      setTimeout(() => (self.textContent = name), 1200);
    };
    const copy = async () => {
      const result = await content();
      try {
        if (typeof result === "string") await navigator.clipboard.writeText(result);
        else await navigator.clipboard.write([new ClipboardItem({ [result.type]: result })]);
        say("Copied");
      } catch {
        save(result, `graph.${kind}`, result.type);
        say("Saved");
      }
    };
    const self = button(name, copy, { class: "copy" });
    return self;
  }

  texts(pair) {
    return pair.graphs.map((graph, g) => {
      const copier = graph ? this.copier("Copy", () => graph.own?.text ?? plainText(graph)) : "";
      const write = graph?.own ? this.ownText : this.text;
      const text = graph ? write.call(this, graph, pair.plan.shared) : ["no graph"];
      const caption = make("figcaption", make("span", this.names[g]), copier);
      const kind = graph?.own ? "pre.own" : "pre";
      return make("figure", caption, make(kind, { tabindex: "0" }, ...text));
    });
  }

  text({ lines, topMark }, shared) {
    const kept = this.isFolded ? differing(lines) : lines.map(() => true);
    let [open, dropped] = [0, 0];
    return lines.flatMap((line, k) => {
      const parts = [k ? "\n" : "", INDENT.repeat(Math.min(line.depth, DEEPEST))];
      if (!kept[k]) {
        if (k && kept[k - 1]) [open, dropped] = [0, 0];
        open += line.defines - line.closed;
        dropped += 1;
        if (k + 1 < lines.length && !kept[k + 1]) return [];
        const end = `\u2026 ${dropped} that match`;
        return [parts[0], INDENT, make("span.quiet", end), ")".repeat(Math.max(-open, 0))];
      }
      parts.push(...partsOf(line, marked, () => this.variable(line, shared)));
      if (!k && topMark) parts.push(" ", marked("root", topMark));
      parts.push(")".repeat(line.closed));
      return parts;
    });
  }

  // Write a text in another format than PENMAN, with its differences and names marked.
  ownText({ own: { text, marks, names } }, shared) {
    const signs = [...text];
    const stretches = marks.filter(({ mark }) => mark);
    const ends = [...stretches, ...names].flatMap(({ begin, end }) => [begin, end]);
    const cuts = [...new Set([0, ...ends, signs.length])].sort((a, b) => a - b);
    const around = (some, begin) =>
      some
        .filter((each) => each.begin <= begin && begin < each.end)
        .reduce((least, each) => (least && least.end - least.begin <= each.end - each.begin ? least : each), null);
    const runs = [];
    cuts.slice(0, -1).forEach((begin, k) => {
      const words = signs.slice(begin, cuts[k + 1]).join("");
      const named = around(names, begin);
      const stretch = around(stretches, begin);
      const part = named ? this.variable({ name: words, place: named.place }, shared) : words;
      if (stretch && runs.at(-1)?.stretch === stretch) runs.at(-1).parts.push(part);
      else runs.push({ stretch, parts: [part] });
    });
    return runs.flatMap(({ stretch, parts }) =>
      stretch ? [make(TAGS[stretch.mark], { class: stretch.mark, title: stretch.mark }, ...parts)] : parts,
    );
  }

  variable({ name, place }, shared) {
    if (place === NOWHERE) return name;
    const [hue, number] = shared.has(place)
      ? [`h${place % HUES}`, String(place + 1)]
      : ["", "\u2205"];
    return make("b", { "data-place": place, class: hue }, name, make("sub", number));
  }

  edits(pair) {
    const { corpus } = this;
    return pair.edits.map((edits, s) => {
      if (!edits) return "";
      const items = edits.map(([type, gold, pred]) => {
        const [kind, detail] = corpus.types[type];
        const written = (kind, graph, part) =>
          part === NOWHERE ? "" : make(kind, ...triple(pair.graphs[graph], part));
        const lost = written("code.missing", 0, gold);
        const more = written("code.extra", s + 1, pred);
        const link = this.browser.defined("a.kind", kind, detail, kind);
        return make("li", link, make("span", lost, lost && more ? " \u2192 " : "", more));
      });
      const name = corpus.hasSeveral ? make("h4", corpus.systems[s].name) : "";
      const sides = [pair.graphs[0], pair.graphs[s + 1]];
      const none = make(
        "p.note",
        sides.some((graph) => graph?.groups.length)
          ? "Nothing is missing or extra; nodes above a bracket stand for one."
          : "Nothing: the graphs are equal.",
      );
      return make("section", name, items.length ? make("ul.edits", ...items) : none);
    });
  }

  // List the reference's triples on which systems disagree.
  verdicts(pair) {
    const wrong = pair.edits.map((edits) => edits && new Set(edits.map(([, gold]) => gold)));
    const answers = wrong.filter(Boolean);
    const parts = new Set(answers.flatMap((wrongParts) => [...wrongParts]));
    const cell = (wrongParts, part) => {
      if (!wrongParts) return make("td", "\u2013");
      return wrongParts.has(part) ? make("td.missing", "\u2212 missing") : make("td", "\u2713 right");
    };
    const rows = [...parts]
      .filter((part) => part !== NOWHERE && new Set(answers.map((w) => w.has(part))).size > 1)
      .sort((a, b) => a - b)
      .map((part) => {
        const head = make("th", { scope: "row" }, make("code", ...triple(pair.graphs[0], part)));
        return make("tr", head, ...wrong.map((wrongParts) => cell(wrongParts, part)));
      });
    if (!rows.length)
      return make("p.note", "They match the same of the reference's triples.");
    const heads = ["reference", ...this.corpus.systems.map(({ name }) => name)];
    return scrolled(table("table", heads, rows));
  }

  alignment(pair) {
    const hint = (s, place) => {
      const [, , varying, unknown] = pair.optima[s];
      if (unknown.includes(place)) return "";
      return varying.includes(place) ? "in some optima" : "in every optimum";
    };
    const several = pair.optima.some((optima) => optima && (optima[0] > 1 || !optima[1]));
    const body = pair.places.map((place) => {
      const isHere = (node) => node.place === place;
      const nodes = pair.graphs.map((graph) => graph?.nodes.find(isHere));
      const cells = nodes.map((node, g) => {
        if (!node) return make("td.quiet", "\u2205");
        const name = make("code", ...isolated(`${node.name} / ${node.title}`));
        const isUnsure = several && g && nodes[0];
        const group = pair.graphs[g].groups.find((own) => own.includes(place));
        const others = pair.graphs[g].nodes.filter(
          (other) => other !== node && group?.includes(other.place),
        );
        const names = others.map(({ name }) => name).join(", ");
        const together = names ? make("small", `together with ${names}`) : "";
        return make("td", name, together, isUnsure ? make("small", hint(g - 1, place)) : "");
      });
      const number = make("th", { scope: "row", class: "n" }, String(place + 1));
      return make("tr", { "data-place": place }, number, ...cells);
    });
    return scrolled(table("table.alignment", ["no.", ...this.names], body));
  }
}

// Return which lines differ or lead to lines that differ.
const differing = (lines) => {
  const leads = [];
  const kept = [];
  for (let k = lines.length - 1; k >= 0; k -= 1) {
    const { depth, roleMark, wordMark } = lines[k];
    const isMarked = [roleMark, wordMark].some((mark) => mark && mark !== "uncounted");
    kept[k] = k === 0 || isMarked || Boolean(leads[depth + 1]);
    leads[depth + 1] = false;
    leads[depth] ||= kept[k];
  }
  return kept;
};

// Write a part of a graph as a triple, with concepts in place of variables.
const triple = ({ lines, nodes }, reference) => {
  if (reference === ROOT) {
    const root = nodes.find((node) => node.isTop);
    return ["root ", ...isolated(root ? root.title : "")];
  }
  const line = lines[reference >> 1];
  if (reference & 1) return isolated(`${line.name} / ${line.word}`);
  const titles = new Map(nodes.map((node) => [node.place, node.title]));
  const end = titles.get(line.place) ?? (line.word || line.name);
  const parts = [titles.get(line.parent) ?? "", line.role, end].map((part) => make("bdi", part));
  return [parts[0], " :", parts[1], " ", parts[2]];
};

// Write a line: *say* writes words with their marks, *variable* its variable.
const partsOf = (line, say, variable) => [
  line.role ? say(`:${line.role}`, line.roleMark) : "",
  line.role ? " " : "",
  line.defines ? "(" : "",
  line.name ? variable() : "",
  line.defines && line.word ? " / " : "",
  line.word ? say(line.word, line.defines ? line.wordMark : line.roleMark) : "",
];

const plainText = ({ lines }) =>
  lines
    .map((line) => {
      const parts = partsOf(line, (words) => words, () => line.name);
      return `${INDENT.repeat(line.depth)}${parts.join("")}${")".repeat(line.closed)}\n`;
    })
    .join("");
