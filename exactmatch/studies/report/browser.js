// The state of the page stands in the address, so that every view is a link.

const DEFAULTS = {
  pair: "",
  search: "",
  scope: "all",
  regex: "",
  error: "",
  role: "",
  concept: "",
  reentrant: "",
  unproven: "",
  unseen: "",
  from: "",
  to: "",
  sort: "score",
  down: "",
  system: "0",
};
// Orders that begin with the largest number; the others begin with the smallest.
const LARGEST_FIRST = new Set(["missing", "extra", "size", "change"]);
const isDown = ({ sort, down }) => (down ? down === "1" : LARGEST_FIRST.has(sort));
const FILTERS = ["error", "role", "concept", "reentrant", "unproven", "unseen"];
const PHONE = matchMedia("(max-width: 60rem)");

const stateOf = (hash) => {
  const state = { ...DEFAULTS };
  for (const [key, value] of new URLSearchParams(hash.replace(/^#/, "")))
    if (key in DEFAULTS) state[key] = value;
  if (!(state.sort in SORTS)) state.sort = DEFAULTS.sort;
  return state;
};

const hashOf = (state) => {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(state))
    if (value !== DEFAULTS[key]) parameters.set(key, value);
  return `#${parameters}`;
};

class Browser {
  constructor(corpus) {
    this.corpus = corpus;
    this.tips = 0;
    this.parts = Object.fromEntries(
      [...document.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]),
    );
    this.marks = new Marks(corpus);
    this.list = new List(corpus, this.parts.rows, (k) => this.openPair(k), this.marks);
    this.view = new PairView(corpus, this.parts, this);
    this.overview = new Overview(corpus, this.parts, this);
    this.overview.answer((k) => this.openPair(k));
    if (corpus.hasSeveral) DEFAULTS.sort = "change";
    this.state = stateOf(location.hash);
    this.shown = {};
    this.prepare();
    addEventListener("hashchange", () => this.change(stateOf(location.hash), false));
    addEventListener("keydown", (event) => this.key(event));
    this.update();
  }

  // Fill the choices of the controls, and listen to them.
  prepare() {
    const { corpus, parts } = this;
    const option = (value, text) => make("option", { value }, text);
    if (corpus.hasSeveral) {
      corpus.systems.forEach(({ name }, k) => parts.system.append(option(String(k), name)));
      parts.sort.append(option("change", ""));
    } else parts.system.parentElement.hidden = true;
    parts.error.append(
      ...corpus.types
        .filter(([, detail]) => !detail)
        .map(([kind]) => option(kind, kind))
        .sort((a, b) => a.value.localeCompare(b.value)),
    );
    const roles = (place, sign) =>
      [...new Set(corpus.topics.map((topic) => topic.roles[place]).filter(Boolean))]
        .sort((a, b) => a.localeCompare(b, undefined, { numeric: true }))
        .map((role) => option(sign + role, `:${role}`));
    parts.lostRoles.append(...roles(0, "-"));
    parts.moreRoles.append(...roles(1, "+"));
    const concepts = new Set(corpus.topics.flatMap((topic) => topic.concepts));
    concepts.delete("");
    parts.concepts.append(...[...concepts].sort().map((name) => option(name, "")));
    for (const name of ["scope", "error", "role", "system"])
      parts[name].onchange = () => this.change({ [name]: parts[name].value });
    for (const name of ["regex", "reentrant", "unproven", "unseen"])
      parts[name].onchange = () => this.change({ [name]: parts[name].checked ? "1" : "" });
    parts.search.oninput = () => this.change({ search: parts.search.value });
    parts.sort.onchange = () => this.change({ sort: parts.sort.value, down: "" });
    parts.concept.onchange = () =>
      this.change({ concept: parts.concept.value.replace(/^(?=[^-+])/, "-") });
    parts.down.onclick = () => this.turn();
    parts.toPairs.onclick = () => parts.rows.parentElement.scrollIntoView();
    parts.keys.onclick = () => parts.help.showModal();
    parts.close.onclick = () => parts.help.close();
    for (const clear of [parts.clear, parts.clearAll])
      clear.onclick = () => this.change(this.kept());
    parts.csv.onclick = () => save(this.list.exported("csv"), "pairs.csv", "text/csv");
    parts.marks.onclick = () => save(this.marks.exported(), "marks.csv", "text/csv");
    parts.ids.onclick = () => save(this.list.exported("txt"), "pairs.txt", "text/plain");
    this.brush();
  }

  // Write each order in words, in the direction that choosing it would give.
  orders() {
    const { corpus, state, parts } = this;
    const better = corpus.systems[Number(state.system) || 1]?.name;
    const base = corpus.systems[0].name;
    const words = {
      score: ["lowest score first", "highest score first"],
      file: ["order of the file", "last of the file first"],
      missing: ["least missing first", "most missing first"],
      extra: ["least extra first", "most extra first"],
      size: ["smallest first", "largest first"],
      change: [`${base} better first`, `${better} gains most`],
    };
    for (const option of parts.sort.options) {
      const down = isDown({ sort: option.value, down: option.value === state.sort ? state.down : "" });
      option.textContent = words[option.value][Number(down)];
    }
  }

  // Let a click choose a bar of the histogram, and a drag or Shift several.
  brush() {
    const { histogram } = this.parts;
    let start = null;
    const bin = (event) => {
      const { left, width } = histogram.getBoundingClientRect();
      const share = (event.clientX - left) / width;
      return within(Math.floor(share * BINS), 0, BINS - 1);
    };
    const choose = (one, other) => {
      const from = String(Math.min(one, other));
      const to = String(Math.max(one, other) + 1);
      const isChosen = this.state.from === from && this.state.to === to;
      this.change(isChosen && one === other ? { from: "", to: "" } : { from, to });
    };
    histogram.addEventListener("pointerdown", (event) => (start = bin(event)));
    addEventListener("pointerup", (event) => {
      if (start === null) return;
      const begun = start;
      start = null;
      choose(begun, bin(event));
    });
    histogram.addEventListener("keydown", (event) => {
      const at = Number(event.target.dataset.bin);
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) {
        const next = within(at + step, 0, BINS - 1);
        if (event.shiftKey) choose(Number(this.state.from || at), next);
        histogram.querySelector(`[data-bin="${next}"]`).focus();
      } else if (event.key === "Enter" || event.key === " ") choose(at, at);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  turn() {
    this.change({ down: isDown(this.state) ? "0" : "1" });
  }

  // Sort by a column; a second time reverses the order.
  sortBy(sort, system = this.state.system) {
    if (this.state.sort === sort && this.state.system === system) this.turn();
    else this.change({ sort, system, down: "" });
  }

  // Draw the heads of the columns, which sort the list.
  heads() {
    const { corpus, state, parts } = this;
    const sign = isDown(state) ? "\u2193" : "\u2191";
    const head = (text, meaning, sort, system = state.system) => {
      const isOn = state.sort === sort && state.system === system;
      return button(isOn ? `${sign}\u2009${text}` : text, () => this.sortBy(sort, system), {
        class: sort,
        title: `sort by ${meaning}`,
        "aria-label": `${text}: sort by ${meaning}${isOn ? ", again to reverse" : ""}`,
        "aria-pressed": isOn,
      });
    };
    const hadFocus = [...parts.heads.children].indexOf(document.activeElement);
    parts.heads.replaceChildren(
      head("pair", "the order of the file", "file"),
      head("\u2212", "missing triples", "missing"),
      head("+", "extra triples", "extra"),
      ...corpus.systems.map(({ name }, k) =>
        corpus.hasSeveral
          ? head(name, `the score of ${name}`, "score", String(k))
          : head("F1", "score", "score", String(k)),
      ),
      corpus.hasSeveral ? head("gain", this.gain(), "change") : "",
    );
    parts.heads.children[hadFocus]?.focus();
  }

  // Draw a chip for each filter in use, which removes it.
  chips() {
    const { state, parts } = this;
    const range = state.from || state.to;
    const low = ((state.from || 0) / BINS).toFixed(2);
    const high = ((state.to || BINS) / BINS).toFixed(2);
    const labels = {
      search: state.search && `\u201c${state.search}\u201d`,
      error: state.error,
      role: state.role && `${state.role[0] === "-" ? "lost" : "extra"} :${state.role.slice(1)}`,
      concept: state.concept && `${state.concept[0] === "-" ? "lost" : "extra"} ${state.concept.slice(1)}`,
      reentrant: state.reentrant && "re-entrant",
      unproven: state.unproven && "unproven",
      unseen: state.unseen && "not seen",
      from: range && `${low} to ${high}`,
    };
    const chips = Object.entries(labels).filter(([, text]) => text);
    parts.chips.hidden = !chips.length;
    parts.chips.replaceChildren(
      ...chips.map(([key, text]) =>
        button(`${text} \u00d7`, () => this.change(key === "from" ? { from: "", to: "" } : { [key]: "" }), {
          "aria-label": `remove: ${text}`,
        }),
      ),
    );
  }

  // Describe the last column of the list.
  gain() {
    const { corpus, state } = this;
    const better = corpus.systems[Number(state.system) || 1].name;
    return `F1 of ${better} less F1 of ${corpus.systems[0].name}`;
  }

  // Return the state without filters, with the same pair and order.
  kept() {
    const { pair, sort, down, system } = this.state;
    return { ...DEFAULTS, pair, sort, down, system };
  }

  // Make a link to the pairs with an error, with its meaning as a tooltip.
  defined(name, kind, detail, text) {
    const href = hashOf({ ...this.kept(), error: errorName(kind, detail) });
    const meaning = this.corpus.meanings[kind];
    if (!meaning) return make(name, { href }, ...isolated(text));
    const id = `tip-${(this.tips += 1)}`;
    const link = make(name, { href, "aria-describedby": id }, ...isolated(text));
    return make("span.defined", link, make("span.tooltip", { role: "tooltip", id }, meaning));
  }

  where(k) {
    const place = this.list.places[k];
    return place === NOWHERE
      ? "not among those listed"
      : `${place + 1} of ${this.list.order.length}`;
  }

  // Change the state; the address and the page follow.
  change(changes, writes = true) {
    this.state = { ...this.state, ...changes };
    if (writes) history.replaceState(null, "", hashOf(this.state));
    this.update();
  }

  openPair(k) {
    if (!this.state.pair) history.pushState(null, "");
    this.change({ pair: this.corpus.nameOf(k) });
  }

  leave() {
    this.change({ pair: "" });
    this.parts.rows.focus();
  }

  step(by) {
    const k = this.list.beside(this.corpus.find(this.state.pair), by);
    if (k !== undefined) this.openPair(k);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target.matches("input, select, textarea");
    const inList = event.target === this.parts.rows;
    const step = { j: 1, k: -1, ...(inList && { ArrowDown: 1, ArrowUp: -1 }) }[event.key];
    if (event.key === "Escape") {
      if (this.parts.help.open) return;
      if (inField) event.target.blur();
      else if (this.state.pair) this.leave();
    } else if (inField) return;
    else if (step) this.step(step);
    else if (inList && event.key === "Enter") this.parts.title.focus();
    else if (event.key === "/") this.parts.search.focus();
    else if (event.key === "?") this.parts.help.showModal();
    else if (event.key === "o") this.leave();
    else return;
    if (event.key !== "Escape") event.preventDefault();
  }

  // Show the state; only what has changed is drawn again.
  update() {
    const { state, corpus, parts, shown } = this;
    const needsText = state.search && ["all", "concept"].includes(state.scope);
    if (needsText && !this.isRead) {
      parts.count.textContent = "reading the graphs\u2026";
      this.prefetch().then(() => this.update());
      return;
    }
    const listed = Object.keys(DEFAULTS).filter((key) => key !== "pair");
    const isOld = listed.every((key) => shown[key] === state[key]);
    try {
      if (!isOld) this.updateList();
      parts.search.removeAttribute("aria-invalid");
      parts.search.title = "";
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      parts.search.setAttribute("aria-invalid", "true");
      parts.search.title = error.message;
    }
    const k = state.pair ? corpus.find(state.pair) : NOWHERE;
    parts.unknown.hidden = !state.pair || k !== NOWHERE;
    parts.unknown.textContent = `This page has no pair called ${state.pair}.`;
    document.body.classList.toggle("with-pair", k !== NOWHERE);
    parts.overview.hidden = k !== NOWHERE;
    if (k === NOWHERE) parts.pair.hidden = true;
    const isNew = k !== NOWHERE && (shown.k !== k || !isOld);
    if (k === NOWHERE) this.list.mark(NOWHERE);
    this.shown = { ...state, k };
    if (isNew) this.showPair(k);
    else this.noteAddress();
  }

  // Note the address that the page shows, for tests that wait for it.
  noteAddress() {
    document.body.dataset.shows = location.hash;
  }

  updateList() {
    const { state, corpus, parts } = this;
    const bins = this.list.show(state);
    const number = this.list.order.length;
    const all = several(corpus.size, "pair");
    parts.count.textContent = number === corpus.size ? all : `${number} of ${all}`;
    parts.none.hidden = number > 0 || !corpus.size;
    this.overview.histogram(bins, state);
    this.overview.count(this.list.order);
    this.overview.lead(this.list.order, state);
    this.overview.errors(state);
    this.chips();
    const isFiltered = FILTERS.filter((key) => state[key]).length;
    parts.filters.textContent = isFiltered ? `Filters (${isFiltered})` : "Filters";
    parts.clear.hidden = !(isFiltered || state.from || state.search);
    for (const key of ["search", "scope", "role", "concept", "sort", "system"])
      if (parts[key].value !== state[key] && document.activeElement !== parts[key])
        parts[key].value = state[key];
    const known = [...parts.error.options].some(({ value }) => value === state.error);
    if (!known) parts.error.append(make("option", { value: state.error }, state.error));
    parts.error.value = state.error;
    for (const key of ["regex", "reentrant", "unproven", "unseen"]) parts[key].checked = state[key];
    this.orders();
    const [sign, label] = isDown(state)
      ? ["\u2193", "descending; sort ascending"]
      : ["\u2191", "ascending; sort descending"];
    parts.down.textContent = sign;
    parts.down.setAttribute("aria-label", label);
    this.heads();
  }

  async showPair(k) {
    const pair = await this.corpus.pair(k);
    if (this.corpus.find(this.state.pair) !== k) return;
    this.view.show(pair);
    this.parts.pair.hidden = false;
    this.list.mark(k);
    this.list.reveal(k);
    if (PHONE.matches) scrollTo(0, 0);
    else this.parts.pair.parentElement.scrollTop = 0;
    this.noteAddress();
  }

  prefetch() {
    this.reading ??= this.corpus.readTexts().then(() => (this.isRead = true));
    return this.reading;
  }
}

const begin = async () => {
  const head = await unpacked(document.getElementById("head"));
  const all = (kind) => [...document.querySelectorAll(`script.${kind}`)];
  const corpus = new Corpus(head, all("block"), all("proofs"));
  const browser = new Browser(corpus);
  const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 200));
  idle(() => browser.prefetch().then(() => (document.body.dataset.read = "all")));
};

begin();
