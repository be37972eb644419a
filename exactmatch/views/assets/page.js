// Sorts tables, and opens the pair that a link leads to.
// Every page works without it.

const all = (selector, part = document) => part.querySelectorAll(selector);

// Tables: a click on a heading sorts the rows, numbers by value, gaps at the end.

const collator = new Intl.Collator(undefined, { numeric: true });

const sortKey = (cell) => {
  const text = cell.title || cell.textContent;
  if (text === "" || text === "-") return -Infinity;
  return isNaN(text) ? text : Number(text);
};

const compare = (a, b) => {
  if (typeof a !== typeof b) return typeof a === "string" ? 1 : -1;
  if (typeof a === "string") return collator.compare(a, b);
  return a < b ? -1 : Number(a > b);
};

const sortBy = (heading) => {
  const body = heading.closest("table").tBodies[0];
  const up = heading.getAttribute("aria-sort") !== "ascending";
  for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", up ? "ascending" : "descending");
  const rows = [...body.rows].map((row) => [sortKey(row.cells[heading.cellIndex]), row]);
  rows.sort(([a], [b]) => (up ? compare(a, b) : compare(b, a)));
  body.append(...rows.map(([, row]) => row));
};

for (const heading of all(".sortable thead th")) {
  const sorter = make("button", { onclick: () => sortBy(heading) }, ...heading.childNodes);
  if (!sorter.textContent) sorter.ariaLabel = "order of the file";
  heading.append(sorter);
}

for (const row of all(".drawings")) row.before(zoomer(row));

// Pairs: shut until a link leads to them, all open on paper.

const reveal = (hash) => {
  const target = document.getElementById(hash.slice(1));
  if (target?.tagName === "DETAILS") target.open = true;
};

addEventListener("click", (event) => {
  const link = event.target.closest("nav a, tbody a");
  if (link) reveal(link.hash);
  else event.target.closest("tbody tr")?.querySelector("th > a")?.click();
});
addEventListener("beforeprint", () => {
  for (const pair of all("details")) pair.open = true;
});
reveal(location.hash);
