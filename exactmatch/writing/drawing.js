// One graph of a drawing as SVG, as exactmatch/graphs/svg.py writes it.

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

const svgElement = (name, attributes, ...content) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null) element.setAttribute(key, value);
  element.append(...content);
  return element;
};

const LONGEST = 32;
const shortened = (text) => {
  const letters = [...text];
  return letters.length <= LONGEST ? text : `${letters.slice(0, LONGEST - 1).join("")}\u2026`;
};

const signed = (text, { mark, note = "" }) =>
  SIGNS[mark] ? `${SIGNS[mark]}${note} ${text}` : text;
const classes = (...names) => names.filter(Boolean).join(" ");

// What is drawn of a plan: boxes with their corners, and ways with their corners.
class Plan {
  constructor(geometry) {
    const [layers, tops, widths, rows, starts, routes, width, height] = geometry;
    this.width = width;
    this.height = height;
    this.starts = starts;
    this.ends = starts.slice();
    this.boxes = layers.map((layer, place) => {
      const lines = rows[place];
      const box = {
        layer,
        x: starts[layer],
        y: tops[place],
        width: widths[place],
        height: BOX + ROW * lines + (lines ? 4 : 0),
      };
      this.ends[layer] = Math.max(this.ends[layer], box.x + box.width);
      return box;
    });
    this.routes = routes.map(([left, right, ...steps]) => {
      let { y } = this.boxes[left];
      const heights = steps.map((step) => (y += step));
      return {
        left: this.boxes[left],
        right: this.boxes[right],
        heights,
        points: this.points(this.boxes[left], this.boxes[right], heights),
      };
    });
  }

  points(left, right, heights) {
    let { layer } = left;
    const found = [
      [left.x + left.width, left.y],
      [this.ends[layer], left.y],
    ];
    heights.forEach((height, k) => {
      if (k % 2) {
        found.push([this.starts[layer], height], [this.ends[layer], height]);
      } else {
        found.push([this.ends[layer] + BEND, height]);
        layer += 1;
        found.push([this.starts[layer] - TIP, height]);
      }
    });
    found.push([this.starts[layer], right.y]);
    return found;
  }
}

const pathOf = (points) => {
  let path = `M${points[0][0]} ${points[0][1]}`;
  for (let k = 1; k < points.length; k += 1) {
    const [x0, y0] = points[k - 1];
    const [x1, y1] = points[k];
    const middle = (x0 + x1) / 2;
    path += y0 === y1 ? `H${x1}` : `C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}`;
  }
  return path;
};

const boxElement = (box, name) =>
  svgElement("rect", {
    x: box.x,
    y: box.y - BOX / 2,
    width: box.width,
    height: box.height,
    rx: 6,
    class: name,
  });

const nodeElement = (plan, graph, node) => {
  const box = plan.boxes[node.place];
  const { x, y } = box;
  const paired = node.mark !== "extra" && node.mark !== "missing";
  const group = svgElement(
    "g",
    {
      class: classes(
        "node",
        paired ? `h${node.place % HUES}` : node.mark,
        node.isUncertain && "uncertain",
      ),
      "data-place": node.place,
    },
    svgElement(
      "title",
      {},
      `${node.name} / ${node.title}${node.isUncertain ? UNCERTAIN : ""}`,
    ),
    boxElement(box, ""),
  );
  if (node.isTop)
    group.append(
      svgElement("path", {
        d: `M${x - 9} ${y - 5}l6 5l-6 5z`,
        class: classes("top", graph.topMark),
      }),
    );
  group.append(
    svgElement(
      "text",
      { x: x + PADDING, y: y + 4, class: classes("concept", node.mark) },
      signed(shortened(node.title), node),
    ),
  );
  for (const row of node.rows)
    group.append(
      svgElement(
        "text",
        {
          x: x + PADDING,
          y: y + BOX / 2 + ROW * row.line + 10,
          class: classes("constant", row.mark),
        },
        svgElement("tspan", { class: "role" }, signed(row.role, row)),
        ` ${shortened(row.value)}`,
      ),
    );
  return group;
};

const edgeElement = (plan, edge) => {
  const { points, heights, right } = plan.routes[edge.route];
  const [x0, y0] = points[0];
  const [x1, y1] = points[points.length - 1];
  return svgElement(
    "g",
    { class: classes("edge", edge.mark) },
    svgElement("path", { d: pathOf(points), class: "line" }),
    svgElement("path", {
      d: edge.onwards ? `M${x1} ${y1}l-7 -3.5v7z` : `M${x0} ${y0}l7 -3.5v7z`,
      class: "tip",
    }),
    svgElement(
      "text",
      {
        x: plan.starts[right.layer] - TIP,
        y: heights[heights.length - 1] + 3.5,
        "text-anchor": "end",
        class: "role",
      },
      signed(edge.role, edge),
    ),
  );
};

const drawn = (plan, graph) => {
  const taken = new Set(graph.nodes.map((node) => node.place));
  const width = plan.width + 2 * MARGIN;
  const height = plan.height + 2 * MARGIN;
  return svgElement(
    "svg",
    {
      viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`,
      width,
      height,
      class: "graph",
      role: "img",
      "aria-label": graph.told,
    },
    ...plan.boxes.filter((_, k) => !taken.has(k)).map((box) => boxElement(box, "ghost")),
    ...graph.edges.map((edge) => edgeElement(plan, edge)),
    ...graph.nodes.map((node) => nodeElement(plan, graph, node)),
  );
};

// Copies of a drawing for elsewhere.

const svgText = (picture) => {
  const copy = picture.cloneNode(true);
  copy.setAttribute("xmlns", SVG);
  const style = document.getElementById("drawing-style").textContent;
  copy.prepend(svgElement("style", {}, style));
  return new XMLSerializer().serializeToString(copy);
};

const pngBlob = (picture) =>
  new Promise((resolve, reject) => {
    const url = URL.createObjectURL(
      new Blob([svgText(picture)], { type: "image/svg+xml" }),
    );
    const image = new Image();
    image.onerror = () => reject(new Error("the drawing cannot be made a picture"));
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = 2 * image.width;
      canvas.height = 2 * image.height;
      const context = canvas.getContext("2d");
      context.fillStyle = getComputedStyle(document.body).backgroundColor;
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
  "\u2212": "$-$",
  "\u2260": "$\\neq$",
  [ITSELF]: "$\\circlearrowleft$",
};
const latex = (text) =>
  text.replace(/[\\~^\u2212\u2260\u21ba&%$#_{}]/g, (sign) => LATEX[sign] ?? `\\${sign}`);

const tikz = (plan, graph) => {
  const line = [
    "\\begin{tikzpicture}[x=.75pt, y=-.75pt, font=\\sffamily\\footnotesize,",
    "  box/.style={draw=none, fill=black!6, rounded corners=2pt, anchor=north west,",
    "    align=left, inner sep=3pt}, role/.style={font=\\sffamily\\scriptsize,",
    "    fill=white, inner sep=1pt, anchor=east}, line/.style={->, >=latex, black!55},",
    "  extra/.style={draw, dashed, orange!70!black, text=orange!70!black},",
    "  missing/.style={draw, dashed, blue!70!black, text=blue!70!black},",
    "  changed/.style={magenta!70!black, text=magenta!70!black},",
    "  uncertain/.style={draw=black!55, dotted}]",
  ];
  for (const edge of graph.edges) {
    const { points, heights, right } = plan.routes[edge.route];
    const way = edge.onwards ? points : points.slice().reverse();
    let path = `(${way[0].join(",")})`;
    for (let k = 1; k < way.length; k += 1) {
      const middle = (way[k - 1][0] + way[k][0]) / 2;
      path +=
        way[k - 1][1] === way[k][1]
          ? ` -- (${way[k].join(",")})`
          : ` .. controls (${middle},${way[k - 1][1]}) and (${middle},${way[k][1]})` +
            ` .. (${way[k].join(",")})`;
    }
    const mark = edge.mark ? `, ${edge.mark}` : "";
    const at = `${plan.starts[right.layer] - TIP},${heights[heights.length - 1]}`;
    line.push(`  \\draw[line${mark}] ${path};`);
    line.push(`  \\node[role${mark}] at (${at}) {${latex(signed(edge.role, edge))}};`);
  }
  for (const node of graph.nodes) {
    const box = plan.boxes[node.place];
    const text = [
      `\\textbf{${latex(signed(shortened(node.title), node))}}`,
      ...node.rows.map((row) => latex(`${signed(row.role, row)} ${shortened(row.value)}`)),
    ];
    const mark = node.mark && node.mark !== "uncounted" ? `, ${node.mark}` : "";
    const unsure = node.isUncertain ? ", uncertain" : "";
    line.push(
      `  \\node[box${mark}${unsure}] at (${box.x},${box.y - BOX / 2}) {${text.join("\\\\ ")}};`,
    );
  }
  line.push("\\end{tikzpicture}");
  return `${line.join("\n")}\n`;
};
