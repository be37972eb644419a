// What pages and reports share: elements, the theme, partners, and drawings that zoom.

const filled = (element, content) => {
  const attributes = content[0]?.constructor === Object ? content.shift() : {};
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.onclick = value;
    else if (value !== null && value !== false) element.setAttribute(key, value);
  }
  element.append(...content.filter((part) => part !== null && part !== ""));
  return element;
};

// An element: "span.id" has a class, an object holds attributes, and nothing is left out.
const make = (kind, ...content) => {
  const [name, ...classes] = kind.split(".");
  const element = document.createElement(name);
  element.classList.add(...classes);
  return filled(element, content);
};

const button = (text, onclick, attributes = {}) =>
  make("button", { type: "button", ...attributes, onclick }, text);

// The parts of a text, of which those written from right to left stay on their side of an
// arrow, a slash or a colon.
const RIGHT_TO_LEFT =
  "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const RUN = new RegExp(`([${RIGHT_TO_LEFT}](?:[^\u2192\u2194/:|<>]*[${RIGHT_TO_LEFT}])?)`, "u");
const isolated = (text) =>
  text.split(RUN).map((part, k) => (k % 2 ? make("bdi", part) : part));

// A number with so many decimals: its shortest decimal, as JSON has it, rounded half away
// from zero, as everywhere else.
const shown = (number, digits) => {
  const [, mantissa, power] = /^([\d.]+)(?:e([-+]\d+))?$/.exec(String(Math.abs(number)));
  const [whole, part = ""] = mantissa.split(".");
  const point = whole.length + Number(power ?? 0);
  const all = "0".repeat(Math.max(0, 1 - point)) + whole + part;
  const at = Math.max(point, 1);
  const kept = (all + "0".repeat(Math.max(0, at + digits + 1 - all.length))).slice(0, at + digits + 1);
  const rounded = (BigInt(kept) + 5n) / 10n;
  const text = String(rounded).padStart(digits + 1, "0");
  const cut = text.length - digits;
  const sign = number < 0 && rounded > 0n ? "-" : "";
  return digits ? `${sign}${text.slice(0, cut)}.${text.slice(cut)}` : `${sign}${text}`;
};

const within = (number, low, high) => Math.min(Math.max(number, low), high);

// The theme: as the system has it, light or dark; remembered where that is allowed.

{
  const KEY = "exactmatch-theme";
  const themes = ["auto", "light", "dark"];
  let theme = "auto";
  try {
    theme = localStorage.getItem(KEY) ?? theme;
  } catch {}
  const turn = () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    try {
      localStorage.setItem(KEY, theme);
    } catch {}
    use();
  };
  const turner = button("", turn, { class: "theme" });
  const use = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    turner.textContent = `Theme: ${theme}`;
  };
  use();
  (document.querySelector(".masthead") ?? document.body).prepend(turner);
}

// Alignments: a variable under the pointer or the focus lights up with its partners.

const light = (on) => (event) => {
  const variable = event.target.closest?.("[data-place]");
  if (!variable) return;
  const pair = variable.closest("[data-part=pair]") ?? variable.closest(".sides, .drawings");
  const partners = `[data-place="${CSS.escape(variable.dataset.place)}"]`;
  for (const each of pair.querySelectorAll(partners)) each.classList.toggle("on", on);
};
for (const name of ["pointerover", "focusin"]) addEventListener(name, light(true));
for (const name of ["pointerout", "focusout"]) addEventListener(name, light(false));

// Drawings: zoomed by buttons, by two fingers and by the wheel with Ctrl; moved by
// dragging.  All of a pair have one scale.

const zoom = (row, by) => {
  const picture = row.querySelector("svg");
  if (!picture) return; // where all graphs are empty
  const now = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
  scale(row, within(now * by, Math.min(now, 0.2), 4));
};

const scale = (row, factor) => {
  row.classList.add("zoomed");
  row.style.setProperty("--zoom", factor);
};

// As large as all of it can be seen, and no larger than it is.
const fit = (row) => {
  const canvas = row.querySelector(".canvas");
  if (!canvas) return;
  const { width, height } = canvas.querySelector("svg").viewBox.baseVal;
  const { maxHeight, paddingLeft, paddingTop } = getComputedStyle(canvas);
  const highest = parseFloat(maxHeight) || 0.85 * innerHeight;
  const across = canvas.clientWidth - 2 * parseFloat(paddingLeft);
  const down = highest - 2 * parseFloat(paddingTop) - 2;
  scale(row, Math.min(across / width, down / height, 1));
};

const zoomer = (row) => {
  const to = (sign, name, change) => button(sign, change, { "aria-label": name });
  return make(
    "span.zoom",
    to("\u2212", "Zoom out", () => zoom(row, 1 / 1.25)),
    to("+", "Zoom in", () => zoom(row, 1.25)),
    to("Fit", "Fit drawings", () => fit(row)),
    to("1:1", "Drawings in their own size, 1:1", () => scale(row, 1)),
  );
};

let apart = 0;
addEventListener(
  "touchmove",
  (event) => {
    const row = event.target.closest?.(".drawings");
    const [one, two] = event.touches;
    if (!row || !two) return;
    event.preventDefault();
    const distance = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
    if (apart) zoom(row, distance / apart);
    apart = distance;
  },
  { passive: false },
);
addEventListener("touchend", () => (apart = 0));
addEventListener(
  "wheel",
  (event) => {
    const row = event.ctrlKey && event.target.closest?.(".drawings");
    if (!row) return;
    event.preventDefault();
    zoom(row, event.deltaY < 0 ? 1.1 : 1 / 1.1);
  },
  { passive: false },
);
addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse" || event.buttons !== 1) return;
  event.target.closest?.(".canvas")?.scrollBy(-event.movementX, -event.movementY);
});
