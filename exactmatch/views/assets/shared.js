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
  const pair = variable.closest(".sides, [data-part=pair]");
  const partners = `[data-place="${CSS.escape(variable.dataset.place)}"]`;
  for (const each of pair.querySelectorAll(partners)) each.classList.toggle("on", on);
};
for (const name of ["pointerover", "focusin"]) addEventListener(name, light(true));
for (const name of ["pointerout", "focusout"]) addEventListener(name, light(false));

// Drawings: zoomed by buttons, by two fingers and by the wheel with Ctrl; moved by
// dragging.  All of a pair have one scale.

const zoom = (row, by) => {
  const picture = row.querySelector("svg");
  const now = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
  row.classList.toggle("zoomed", by > 0);
  row.style.setProperty("--zoom", within(now * by, 0.2, 4));
};

const zoomer = (row) => {
  const by = (sign, name, factor) =>
    button(sign, () => zoom(row, factor), { "aria-label": name });
  return make(
    "span.zoom",
    by("\u2212", "Zoom out", 1 / 1.25),
    by("+", "Zoom in", 1.25),
    by("Fit", "Fit drawings", 0),
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
    const found = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
    if (apart) zoom(row, found / apart);
    apart = found;
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
