// Names, levels and focus that the theme leaves out, for those who hear the page or use
// its keys alone.

const set = (selector, attributes) => {
  for (const element of document.querySelectorAll(selector))
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
};

set("p.caption[role=heading]", { "aria-level": "2" });
set("aside.sidebar-drawer", { "aria-label": "Site" });
set("aside.toc-drawer", { "aria-label": "Page" });
set(".content-icon-container", { role: "navigation", "aria-label": "Tools" });

for (const box of document.querySelectorAll("article pre, article .table-wrapper"))
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;

// A heading over the names of rows is no heading where it says nothing.
for (const heading of document.querySelectorAll("th"))
  if (!heading.textContent.trim()) heading.replaceWith(document.createElement("td"));
