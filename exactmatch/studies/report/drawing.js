// One graph of a drawing as SVG, as exactmatch/graphs/drawing/svg.py writes it.

const SIGNS = { extra: "+", missing: "\u2212", changed: "\u2260" };
const UNCERTAIN = ": not in every optimal alignment";
const ITSELF = "\u21ba";
const HUES = 8;
const MARGIN = 12;
const BEND = 22;
const TIP = 17;
const BOX = 24;
const ROW = 15;
const PADDING = 9;
const SVG = "http://www.w3.org/2000/svg";

const svgElement = (name, ...content) =>
  filled(document.createElementNS(SVG, name), content);

const LONGEST = 32;
const shortened = (text) => {
  const letters = [...text];
  return letters.length <= LONGEST
    ? text
    : `${letters.slice(0, LONGEST - 1).join("")}\u2026`;
};

// Break a long concept of several words into lines, as drawing.py does.
const HEAD = 14;
const [LINE, LINES] = [26, 3];
const headingLines = (text) => {
  if ([...text].length <= LONGEST || !text.includes(" ")) return [shortened(text)];
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    const longer = last ? `${last} ${word}` : word;
    if ([...longer].length <= LINE || !last) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length > LINES)
    lines.splice(LINES - 1, Infinity, `${[...lines[LINES - 1]].slice(0, LINE - 1).join("")}\u2026`);
  return lines.map(shortened);
};

const signed = (text, { mark, note = "" }) =>
  SIGNS[mark] ? `${SIGNS[mark]}${note} ${text}` : text;
const classes = (...names) => names.filter(Boolean).join(" ");

// Ways to read a drawing, beside that from the left.
const WORKFLOW = 1;
const FROM_ABOVE = 2;

// Geometry of a drawing: boxes and routes with their corners.
class Plan {
  constructor(geometry) {
    const [layers, tops, widths, heights, starts, routes, width, height, ...rare] = geometry;
    const [frames = [], extra = [], way = 0] = rare;
    this.extra = extra; // lines of each place's concept, beside the first
    this.isWorkflow = way === WORKFLOW;
    this.isDownwards = way > 0; // then layers lie beneath each other
    this.width = width;
    this.height = height;
    this.starts = starts;
    this.frames = frames;
    this.ends = starts.slice();
    this.boxes = layers.map((layer, place) => {
      const [start, level] = [starts[layer], tops[place]];
      const [width, height] = [widths[place], heights[place]];
      const end = start + (this.isDownwards ? height : width);
      this.ends[layer] = Math.max(this.ends[layer], end);
      const [x, y] = this.isDownwards ? [level - Math.floor(width / 2), start + BOX / 2] : [start, level];
      return { layer, x, y, width, height, end, level };
    });
    this.routes = routes.map(([from, to, ...steps]) => {
      const [left, right] = [this.boxes[from], this.boxes[to]];
      let { level } = left;
      const heights = steps.map((step) => (level += step));
      return { right, heights, points: this.points(left, right, heights) };
    });
  }

  points(left, right, heights) {
    let { layer } = left;
    const corners = [
      [left.end, left.level],
      [this.ends[layer], left.level],
    ];
    heights.forEach((height, k) => {
      if (k % 2) {
        corners.push([this.starts[layer], height], [this.ends[layer], height]);
      } else {
        corners.push([this.ends[layer] + BEND, height]);
        layer += 1;
        corners.push([this.starts[layer] - TIP, height]);
      }
    });
    corners.push([this.starts[layer], right.level]);
    return this.isDownwards ? corners.map(([along, across]) => [across, along]) : corners;
  }
}

// Join points by lines, straight if they are level and else bent by two more points.
const along = ({ isDownwards }, points, straight, bent) =>
  points
    .slice(1)
    .map(([x, y], k) => {
      const [x0, y0] = points[k];
      if (isDownwards ? x === x0 : y === y0) return straight(x, y);
      const [a, b] = [(x0 + x) / 2, (y0 + y) / 2];
      return isDownwards ? bent([x0, b], [x, b], [x, y]) : bent([a, y0], [a, y], [x, y]);
    })
    .join("");

const pathOf = (plan, points) => {
  const straight = plan.isDownwards ? (_, y) => `V${y}` : (x) => `H${x}`;
  const bent = (...three) => `C${three.flat().join(" ")}`;
  return `M${points[0].join(" ")}${along(plan, points, straight, bent)}`;
};

const boxElement = ({ x, y, width, height }, name) =>
  svgElement("rect", { x, y: y - BOX / 2, width, height, rx: 6, class: name });

const nodeElement = (plan, graph, node) => {
  const { x, y } = plan.boxes[node.place];
  const isAlone = node.mark === "extra" || node.mark === "missing";
  const hue = isAlone ? node.mark : plan.shared.has(node.place) && `h${node.place % HUES}`;
  const top = { d: `M${x - 9} ${y - 5}l6 5l-6 5z`, class: classes("top", graph.topMark) };
  const line = (below, kind, mark, ...content) =>
    svgElement("text", { x: x + PADDING, y: y + below, class: classes(kind, mark) }, ...content);
  return svgElement(
    "g",
    { class: classes("node", hue, node.isUncertain && "uncertain"), "data-place": node.place },
    svgElement("title", `${node.name} / ${node.title}${node.isUncertain ? UNCERTAIN : ""}`),
    boxElement(plan.boxes[node.place], ""),
    node.isTop ? svgElement("path", top) : "",
    ...headingLines(node.title).map((text, k) =>
      line(4 + HEAD * k, "concept", node.mark, k ? text : signed(text, node)),
    ),
    ...node.rows.map((row) => {
      const role = svgElement("tspan", { class: "role" }, signed(row.role, row));
      const below = BOX / 2 + HEAD * (plan.extra[node.place] ?? 0) + ROW * row.line + 10;
      const value = svgElement("tspan", shortened(row.value));
      return line(below, "constant", row.mark, role, " ", value);
    }),
  );
};

// Return where the role of an edge ends, or has its middle, before the arrow's tip.
const roleAt = ({ starts, isDownwards }, { heights, right }) => {
  const [end, level] = [starts[right.layer] - TIP, heights.at(-1)];
  return isDownwards ? [level, end] : [end, level + 3.5];
};

// A role is written, unless it stands for no label in a workflow.
const GENERIC = "edge";
const written = (plan, { role }) => (plan.isWorkflow && role === GENERIC ? "" : role);

const edgeElement = (plan, edge) => {
  const route = plan.routes[edge.route];
  const [x, y] = route.points.at(edge.onwards ? -1 : 0);
  const [end, height] = roleAt(plan, route);
  const back = edge.onwards ? -7 : 7;
  const tip = plan.isDownwards ? `l-3.5 ${back}h7z` : `l${back} -3.5v7z`;
  return svgElement(
    "g",
    { class: classes("edge", edge.mark) },
    svgElement("path", { d: pathOf(plan, route.points), class: "line" }),
    svgElement("path", { d: `M${x} ${y}${tip}`, class: "tip" }),
    svgElement(
      "text",
      { x: end, y: height, "text-anchor": plan.isDownwards ? "middle" : "end", class: "role" },
      signed(written(plan, edge), edge),
    ),
  );
};

// Return the corners of a bracket beneath boxes, from the left box to the right one.
const bracketOf = (plan, places) => {
  const boxes = places.map((place) => plan.boxes[place]);
  const low = ({ y, height }) => y - BOX / 2 + height + 2;
  const lowest = Math.max(...boxes.map(low)) + 6;
  const middles = boxes.map((box) => [box.x + box.width / 2, low(box)]).sort(([a], [b]) => a - b);
  const [[left, from], [right, to]] = [middles[0], middles.at(-1)];
  if (boxes.some(({ layer }) => layer !== boxes[0].layer))
    return { points: [[left, from], [left, lowest], [right, lowest], [right, to]], middles, lowest };
  // One above the other: the bracket is beside them.
  const side = Math.min(...boxes.map(({ x }) => x)) - 6;
  const heights = boxes.map(({ y }) => y).sort((a, b) => a - b);
  const x = Math.min(...boxes.map((box) => box.x)) - 1;
  const points = [[x, heights[0]], [side, heights[0]], [side, heights.at(-1)], [x, heights.at(-1)]];
  return { points, middles: [], lowest };
};

const bracketElement = (plan, places) => {
  const { points, middles, lowest } = bracketOf(plan, places);
  const between = middles.slice(1, -1).map(([x, y]) => `M${x} ${y}V${lowest}`);
  const d = `M${points.map((point) => point.join(" ")).join("L")}${between.join("")}`;
  const title = svgElement("title", `${several(places.length, "node")} that together stand for one`);
  return svgElement("g", { class: "bracket" }, title, svgElement("path", { d }));
};

const drawn = (plan, graph) => {
  const taken = new Set(graph.nodes.map(({ place }) => place));
  const [width, height] = [plan.width + 2 * MARGIN, plan.height + 2 * MARGIN];
  const numbers = [...taken].filter((place) => plan.shared.has(place)).map((place) => {
    const { x, y, width } = plan.boxes[place];
    const at = { x: x + width, y: y - BOX / 2 - 2, "text-anchor": "end", class: "number" };
    return svgElement("text", at, String(place + 1));
  });
  const viewBox = `${-MARGIN} ${-MARGIN} ${width} ${height}`;
  return svgElement(
    "svg",
    { viewBox, width, height, class: "graph", role: "img", "aria-label": graph.label },
    ...plan.frames
      .filter(([box]) => taken.has(box))
      .map(([, x, y, width, height]) => svgElement("rect", { x, y, width, height, rx: 8, class: "frame" })),
    ...plan.boxes.filter((_, k) => !taken.has(k)).map((box) => boxElement(box, "ghost")),
    ...graph.edges.map((edge) => edgeElement(plan, edge)),
    ...graph.nodes.map((node) => nodeElement(plan, graph, node)),
    ...numbers,
    ...graph.groups.map((places) => bracketElement(plan, places)),
  );
};

// Copies of a drawing for elsewhere.

const svgText = (picture, scheme = "light dark") => {
  const copy = picture.cloneNode(true);
  copy.setAttribute("xmlns", SVG);
  copy.removeAttribute("style");
  const style = document.getElementById("drawing-style").textContent;
  copy.prepend(svgElement("style", `${style}svg:root{color-scheme:${scheme}}`));
  return new XMLSerializer().serializeToString(copy);
};

const pngBlob = (picture) =>
  new Promise((resolve, reject) => {
    const { backgroundColor, colorScheme } = getComputedStyle(document.body);
    const content = svgText(picture, colorScheme);
    const url = URL.createObjectURL(new Blob([content], { type: "image/svg+xml" }));
    const image = new Image();
    image.onerror = () => reject(new Error("the drawing cannot be made a picture"));
    image.onload = () => {
      const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
      const context = canvas.getContext("2d");
      context.fillStyle = backgroundColor;
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(url);
      canvas.toBlob(resolve, "image/png");
    };
    image.src = url;
  });

const LATEX = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  "\u2212": "$-$",
  "\u2260": "$\\neq$",
  "\u2026": "\\dots{}",
  [ITSELF]: "$\\hookleftarrow$",
};
const SUBSCRIPT = 0x2080;
const latex = (text) =>
  text.replace(/[\\~^<>|\u2212\u2260\u2026\u21ba\u2080-\u2089&%$#_{}]/g, (sign) => {
    const digit = sign.codePointAt(0) - SUBSCRIPT;
    return LATEX[sign] ?? (digit >= 0 && digit < 10 ? `$_{${digit}}$` : `\\${sign}`);
  });

// Colours and sizes are those of drawing.css, in light; a pixel is .75 points.
const TIKZ = [
  "\\begin{tikzpicture}[x=.75pt, y=-.75pt,",
  "  box/.style={rounded corners=4pt, fill=black!6},",
  "  alone/.style={fill=white, dashed}, uncertain/.style={draw=black!55, dotted},",
  "  word/.style={inner sep=0pt, anchor=base west, font=\\sffamily\\fontsize{8}{9}\\selectfont},",
  "  concept/.style={word, font=\\sffamily\\bfseries\\fontsize{9}{10}\\selectfont},",
  "  role/.style={word, anchor=base east, fill=white, inner xsep=1pt},",
  "  line/.style={->, >=latex, draw=black!55}, behind/.style={dash pattern=on 3pt off 2pt}]",
];
const COLOURS = { extra: "b34100", missing: "0a5ea8", changed: "9c2f7c" };
const TINTS = "dcebf9 e3f0d9 fbeacb e9e1f7 d5f0ee fbdfe4 e8e9c8 e4e6ea".split(" ");

const xcolor = (hex) => {
  const [red, green, blue] = [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16));
  return `{rgb,255:red,${red};green,${green};blue,${blue}}`;
};

const options = (...names) => `[${names.filter(Boolean).join(", ")}]`;

const tikz = (plan, graph) => {
  const coloured = (what, mark) => COLOURS[mark] && `${what}=${xcolor(COLOURS[mark])}`;
  const line = [...TIKZ];
  const write = (kind, mark, at, text) =>
    line.push(`  \\node${options(kind, coloured("text", mark))} at (${at.join(",")}) {${latex(text)}};`);
  const taken = new Set(graph.nodes.map(({ place }) => place));
  for (const [box, x, y, width, height] of plan.frames)
    if (taken.has(box))
      line.push(`  \\draw[rounded corners=6pt, draw=black!40] (${x},${y}) rectangle (${x + width},${y + height});`);
  for (const edge of graph.edges) {
    const route = plan.routes[edge.route];
    const way = edge.onwards ? route.points : [...route.points].reverse();
    const straight = (x, y) => ` -- (${x},${y})`;
    const bent = (...three) => {
      const [from, to, end] = three.map((point) => `(${point.join(",")})`);
      return ` .. controls ${from} and ${to} .. ${end}`;
    };
    const look = options("line", coloured("draw", edge.mark), edge.mark === "missing" && "behind");
    line.push(`  \\draw${look} (${way[0].join(",")})${along(plan, way, straight, bent)};`);
    write(plan.isDownwards ? "role, anchor=base" : "role", edge.mark, roleAt(plan, route), signed(written(plan, edge), edge));
  }
  for (const node of graph.nodes) {
    const { x, y, width, height } = plan.boxes[node.place];
    const { mark } = node;
    const look =
      mark === "extra" || mark === "missing"
        ? ["alone", coloured("draw", mark)]
        : [`fill=${xcolor(TINTS[node.place % HUES])}`, node.isUncertain && "uncertain"];
    const corners = `(${x},${y - BOX / 2}) rectangle (${x + width},${y - BOX / 2 + height})`;
    line.push(`  \\path${options("box", ...look)} ${corners};`);
    if (node.isTop) {
      const tip = `(${x - 9},${y - 5}) -- (${x - 3},${y}) -- (${x - 9},${y + 5}) -- cycle`;
      line.push(`  \\fill${options(coloured("fill", graph.topMark))} ${tip};`);
    }
    const left = x + PADDING;
    headingLines(node.title).forEach((text, k) =>
      write("concept", mark, [left, y + 4 + HEAD * k], k ? text : signed(text, node)),
    );
    for (const row of node.rows) {
      const text = `${signed(row.role, row)} ${shortened(row.value)}`;
      const below = BOX / 2 + HEAD * (plan.extra[node.place] ?? 0) + ROW * row.line + 10;
      write("word", row.mark, [left, y + below], text);
    }
  }
  for (const places of graph.groups) {
    const corners = bracketOf(plan, places).points.map((point) => `(${point.join(",")})`);
    line.push(`  \\draw[thick] ${corners.join(" -- ")};`);
  }
  return `${[...line, "\\end{tikzpicture}"].join("\n")}\n`;
};
