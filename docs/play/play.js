/* The page: what is asked stands in the address, and what is found on the page. */
const at = (id) => document.getElementById(id);
const KEYS = ["pred", "gold", "metric", "profile"];
const OTHERS = [
  ["Triples", "b\tinstance\tbark-01\nb\tARG0\td\nd\tinstance\tdog\n", "b\tinstance\tbark-01\nb\tARG0\td\nd\tinstance\tpuppy\n", "smatch", "smatch"],
];
const worker = new Worker("worker.js", { type: "module" });
let sample = [];
let metrics = {};
let asked = 0;
let waiting;
let pictures = [];

function text(id, value) {
  at(id).textContent = value;
}

function fill(select, names) {
  select.replaceChildren(...names.map((name, k) => new Option(name, select.id === "example" ? k : name)));
}

function profiles(chosen) {
  const names = metrics[at("metric").value];
  fill(at("profile"), names);
  at("profile").value = names.includes(chosen) ? chosen : names[0];
}

function fromAddress() {
  const state = new URLSearchParams(location.hash.slice(1));
  if (!state.has("pred")) return false;
  at("metric").value = state.get("metric") in metrics ? state.get("metric") : "smatch";
  profiles(state.get("profile"));
  for (const side of ["pred", "gold"]) at(side).value = state.get(side) ?? "";
  return true;
}

function toAddress() {
  const state = new URLSearchParams(KEYS.map((key) => [key, at(key).value]));
  history.replaceState(null, "", `#${state}`);
}

function ask() {
  toAddress();
  asked += 1;
  clearTimeout(waiting);
  document.body.removeAttribute("data-shows");
  const values = Object.fromEntries(KEYS.map((key) => [key, at(key).value]));
  worker.postMessage({ number: asked, asked: values });
}

function soon() {
  document.body.removeAttribute("data-shows");
  clearTimeout(waiting);
  waiting = setTimeout(ask, 120);
}

function example(number) {
  const [pred, gold, metric, profile] = number < sample.length
    ? [...sample[number], "smatch", "smatch"] : OTHERS[number - sample.length].slice(1);
  at("pred").value = pred;
  at("gold").value = gold;
  at("metric").value = metric;
  profiles(profile);
  ask();
}

function picture(id, source) {
  const url = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  pictures.push(url);
  at(id).src = url;
  at(id).alt = /aria-label="([^"]*)"/.exec(source)?.[1] ?? "graph";
}

function row(error) {
  const line = document.createElement("tr");
  for (const [k, value] of [error.type, error.reference, error.prediction].entries()) {
    const cell = line.insertCell();
    const inner = k ? cell.appendChild(document.createElement("code")) : cell;
    inner.textContent = value ?? "–";
  }
  return line;
}

function proof(found) {
  if (found.value === undefined) {
    return found.proven ? `Proven optimal: ${found.matched} triples match, and no alignment matches more.` : "This metric needs no search.";
  }
  const steps = found.aligned.map(([own, other]) => `${own} → ${other ?? "nothing"}`);
  return `${found.value} ≤ optimum ≤ ${found.upper}: ${found.proven ? "proven optimal" : "not proven"} (${found.proof}). Aligned: ${steps.join(", ") || "nothing"}.`;
}

function show({ answer, took }) {
  pictures.forEach((url) => URL.revokeObjectURL(url));
  pictures = [];
  const failed = answer.error !== undefined;
  at("error").hidden = !failed;
  at("found").hidden = at("told").hidden = failed;
  at("drawn").hidden = at("listed").hidden = failed || !answer.drawings;
  for (const [side, name] of [["pred", "prediction"], ["gold", "reference"]]) {
    at(side).setAttribute("aria-invalid", String(answer.side === name));
  }
  text("error", answer.error ?? "");
  text("state", failed ? "" : `Computed here, in ${took.toFixed(0)} ms.`);
  if (!failed) {
    text("score", answer.score);
    text("parts", answer.precision === null ? "" : `precision ${answer.precision}, recall ${answer.recall}: ${answer.matched} triples match, of ${answer.predicted} predicted and ${answer.reference} in the reference`);
    text("proof", proof(answer));
    at("remarks").replaceChildren(...answer.remarks.map((remark) => {
      const item = document.createElement("li");
      item.textContent = remark;
      return item;
    }));
    text("command", answer.command);
    text("signature", answer.signature);
    if (answer.drawings) {
      answer.drawings.forEach((source, k) => picture(`drawing-${k}`, source));
      at("errors").replaceChildren(...answer.errors.map(row));
      at("none").hidden = answer.errors.length > 0;
    }
  }
  document.body.dataset.shows = failed ? "error" : "score";
}

worker.onmessage = ({ data }) => {
  if (data.failure) {
    text("state", "");
    text("error", `Python did not load: ${data.failure}`);
    at("error").hidden = false;
  } else if (data.about) {
    ({ sample, metrics } = data.about);
    fill(at("metric"), Object.keys(metrics));
    fill(at("example"), [...sample.map((_, k) => `Sample pair ${k + 1}`), ...OTHERS.map(([name]) => name)]);
    profiles();
    if (fromAddress()) ask();
    else {
      at("example").value = 4;
      example(4);
    }
  } else if (data.number === asked) show(data);
};

for (const side of ["pred", "gold"]) {
  const area = at(side);
  area.addEventListener("input", soon);
  area.addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("over");
  });
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", async (event) => {
    area.classList.remove("over");
    const file = event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    area.value = await file.text();
    ask();
  });
}
at("example").addEventListener("change", () => example(Number(at("example").value)));
at("metric").addEventListener("change", () => { profiles(); ask(); });
at("profile").addEventListener("change", ask);
addEventListener("hashchange", () => { if (fromAddress()) ask(); });
