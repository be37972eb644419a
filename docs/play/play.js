// The page: its state stands in the address, and its answers come from a worker.

const at = (id) => document.getElementById(id);
const KEYS = ["pred", "gold", "metric", "profile"];
const NOBODY = "your graphs";
const worker = new Worker("worker.js", { type: "module" });
let examples = [];
const BY_FORMAT = "by format";
let metrics = { [BY_FORMAT]: [BY_FORMAT] };
let isReady = false;
let request = 0;
let waiting;

const values = () => Object.fromEntries(KEYS.map((key) => [key, at(key).value]));

const fill = (select, names) =>
  select.replaceChildren(...names.map((name, k) => new Option(name, select.id === "example" ? k - 1 : name)));

const fillProfiles = (chosen) => {
  const names = metrics[at("metric").value] ?? [];
  fill(at("profile"), names);
  at("profile").disabled = !names.length;
  at("profile").value = names.includes(chosen) ? chosen : (names[0] ?? "");
};

const readAddress = () => {
  const state = new URLSearchParams(location.hash.slice(1));
  if (!state.has("pred")) return false;
  at("metric").value = state.get("metric") in metrics ? state.get("metric") : BY_FORMAT;
  fillProfiles(state.get("profile"));
  for (const side of ["pred", "gold"]) at(side).value = state.get(side) ?? "";
  nameExample();
  return true;
};

const writeAddress = () => history.replaceState(null, "", `#${new URLSearchParams(values())}`);

// Choose the example that the page has, if it is one; a link is not renamed to it.
const nameExample = () => {
  const now = values();
  at("example").value = String(examples.findIndex((each) => KEYS.every((key) => each[key] === now[key])));
};

// Show the answer that came with the page, or let Python compute it.
const compare = () => {
  writeAddress();
  nameExample();
  request += 1;
  clearTimeout(waiting);
  document.body.removeAttribute("data-shows");
  const { answer } = examples[Number(at("example").value)] ?? {};
  if (answer) show(answer, "Computed before, with the same program.");
  else {
    at("state").textContent = isReady ? "" : "Waiting for Python \u2026";
    if (isReady) worker.postMessage({ number: request, values: values() });
  }
};

const compareSoon = () => {
  document.body.removeAttribute("data-shows");
  clearTimeout(waiting);
  waiting = setTimeout(compare, 120);
};

const choose = (number) => {
  const example = examples[number];
  if (!example) return;
  at("metric").value = example.metric;
  fillProfiles(example.profile);
  at("pred").value = example.pred;
  at("gold").value = example.gold;
  compare();
};

// Prepare drawings for their zoom, and check the certificate, if there is one.
const prepare = (proof) => {
  for (const row of document.querySelectorAll("#answer .drawings")) {
    const { width } = row.querySelector("svg").viewBox.baseVal;
    row.style.setProperty("--own", `${width}px`);
    row.before(zoomer(row));
  }
  const checked = at("checked");
  if (!proof?.certificate || !checked) return;
  const reason = refusal(proof);
  checked.textContent = reason
    ? `The certificate is refused, in your browser: ${reason}`
    : `Its certificate was just checked in your browser, by a program that shares no code with the solver: no alignment is worth more than ${proof.certificate.bound / proof.scale}.`;
};

const show = (answer, state) => {
  const hasFailed = answer.error !== undefined;
  at("error").hidden = !hasFailed;
  at("answer").hidden = hasFailed;
  for (const [side, name] of [["pred", "prediction"], ["gold", "reference"]])
    at(side).setAttribute("aria-invalid", String(answer.side === name));
  at("error").textContent = answer.error ?? "";
  at("state").textContent = hasFailed ? "" : state;
  if (!hasFailed) {
    at("answer").innerHTML = answer.html;
    prepare(answer.proof);
  }
  document.body.dataset.shows = hasFailed ? "error" : "score";
};

worker.onmessage = ({ data }) => {
  if (data.failure) {
    at("loading").hidden = true;
    at("error").textContent = `Python did not load: ${data.failure}`;
    at("error").hidden = false;
  } else if (data.loaded !== undefined) at("progress").value = data.loaded;
  else if (data.isReady) {
    isReady = true;
    at("loading").hidden = true;
    document.body.dataset.python = "ready";
    if (examples.length && document.body.dataset.shows === undefined) compare();
  } else if (data.number === request)
    show(data.answer, `Computed here, in ${data.took.toFixed(0)} ms.`);
};

// Copy a text, and say so on the button.
const copier = (id, text) => {
  const self = at(id);
  const name = self.textContent;
  self.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      self.textContent = "Copied";
    } catch {
      self.textContent = "Not allowed";
    }
    setTimeout(() => (self.textContent = name), 1200);
  });
};

copier("copy-link", () => location.href);
copier("copy-command", () => at("command")?.textContent ?? "");
at("swap").addEventListener("click", () => {
  [at("pred").value, at("gold").value] = [at("gold").value, at("pred").value];
  compare();
});
at("clear").addEventListener("click", () => {
  at("pred").value = at("gold").value = "";
  at("answer").replaceChildren();
  at("error").hidden = true;
  at("state").textContent = "Paste or drop a graph on each side.";
  history.replaceState(null, "", location.pathname);
  at("example").value = "-1";
  at("pred").focus();
});

// One file goes where it is dropped; of two, a name that says so is the reference.
const dropped = async (event) => {
  const files = [...event.dataTransfer.files];
  if (!files.length) return;
  event.preventDefault();
  if (files.length === 1) {
    const side = event.target.closest?.("textarea")?.id ?? "pred";
    at(side).value = await files[0].text();
  } else {
    const isGold = ({ name }) => /gold|ref|true|truth/i.test(name);
    if (isGold(files[0]) && !isGold(files[1])) files.reverse();
    [at("pred").value, at("gold").value] = await Promise.all(files.slice(0, 2).map((file) => file.text()));
  }
  compare();
};
const mark = (isOver) => (event) => {
  if (isOver) event.preventDefault();
  for (const side of ["pred", "gold"]) at(side).classList.toggle("over", isOver && at(side) === event.target);
};
addEventListener("dragover", mark(true));
addEventListener("dragleave", mark(false));
addEventListener("drop", (event) => {
  mark(false)(event);
  dropped(event);
});

for (const side of ["pred", "gold"]) at(side).addEventListener("input", compareSoon);
at("example").addEventListener("change", () => choose(Number(at("example").value)));
at("metric").addEventListener("change", () => {
  fillProfiles();
  compare();
});
at("profile").addEventListener("change", compare);
addEventListener("hashchange", () => readAddress() && compare());

const begin = async () => {
  ({ examples, metrics } = await (await fetch("./examples.json")).json());
  fill(at("metric"), Object.keys(metrics));
  fillProfiles(examples[0].profile);
  fill(at("example"), [NOBODY, ...examples.map(({ name }) => name)]);
  if (readAddress()) compare();
  else {
    nameExample();
    at("state").textContent = "";
    prepare(examples[0].answer.proof);
    document.body.dataset.shows = "score";
  }
  navigator.serviceWorker?.register("./offline.js").catch(() => {});
};

begin();
