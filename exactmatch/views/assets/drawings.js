// Drawings: zoomed by buttons, by two fingers and by the wheel with Ctrl; moved by
// dragging.  All of a pair have one scale.

const zoom = (row, by) => {
  const picture = row.querySelector("svg");
  const now = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
  row.classList.toggle("zoomed", by > 0);
  row.style.setProperty("--zoom", Math.min(Math.max(now * by, 0.2), 4));
};

const zoomer = (row) => {
  const group = document.createElement("span");
  group.className = "zoom";
  for (const [sign, name, by] of [
    ["\u2212", "Zoom out", 1 / 1.25],
    ["+", "Zoom in", 1.25],
    ["Fit", "Fit drawings", 0],
  ]) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: sign, ariaLabel: name });
    button.onclick = () => zoom(row, by);
    group.append(button);
  }
  return group;
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
