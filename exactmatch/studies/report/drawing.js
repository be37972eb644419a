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

const svgElement = (name, ...content) => {
  const element = document.createElementNS(SVG, name);
  const attributes = content[0]?.constructor === Object ? content.shift() : {};
  for (const [key, value] of Object.entries(attributes))
    if (value !== null) element.setAttribute(key, value);
  element.append(...content);
  return element;
};

const LONGEST = 32;
const shortened = (text) => {
  const letters = [...text];
  return letters.length <= LONGEST
    ? text
    : `${letters.slice(0, LONGEST - 1).join("")}\u2026`;
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
    svgElement("title", `${node.name} / ${node.title}${node.isUncertain ? UNCERTAIN : ""}`),
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

const numberElement = ({ x, y, width }, place) =>
  svgElement(
    "text",
    { x: x + width, y: y - BOX / 2 - 2, "text-anchor": "end", class: "number" },
    String(place + 1),
  );

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
    ...graph.nodes
      .filter(({ place }) => plan.shared.has(place))
      .map(({ place }) => numberElement(plan.boxes[place], place)),
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
    const url = URL.createObjectURL(
      new Blob([svgText(picture, getComputedStyle(document.body).colorScheme)], { type: "image/svg+xml" }),
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
  "  line/.style={->, >=latex, draw=black!55}, behind/.style={dash pattern=on 3pt off 2pt},",
];
const COLOURS = { extra: "b34100", missing: "0a5ea8", changed: "9c2f7c" };
const TINTS = "dcebf9 e3f0d9 fbeacb e9e1f7 d5f0ee fbdfe4 e8e9c8 e4e6ea".split(" ");

const xcolor = (hex) => {
  const [red, green, blue] = [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16));
  return `{rgb,255:red,${red};green,${green};blue,${blue}}`;
};

const options = (...names) => `[${names.filter(Boolean).join(", ")}]`;

const tikz = (plan, graph) => {
  const drawn = (mark) => COLOURS[mark] && `draw=${xcolor(COLOURS[mark])}`;
  const written = (mark) => COLOURS[mark] && `text=${xcolor(COLOURS[mark])}`;
  const line = [...TIKZ.slice(0, -1), `${TIKZ.at(-1).slice(0, -1)}]`];
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
    const { mark } = edge;
    const at = `${plan.starts[right.layer] - TIP},${heights[heights.length - 1] + 3.5}`;
    const behind = mark === "missing" && "behind";
    line.push(`  \\draw${options("line", drawn(mark), behind)} ${path};`);
    line.push(
      `  \\node${options("role", written(mark))} at (${at}) {${latex(signed(edge.role, edge))}};`,
    );
  }
  for (const node of graph.nodes) {
    const { x, y, width, height } = plan.boxes[node.place];
    const { mark } = node;
    const isAlone = mark === "extra" || mark === "missing";
    const look = isAlone
      ? ["alone", drawn(mark)]
      : [`fill=${xcolor(TINTS[node.place % HUES])}`, node.isUncertain && "uncertain"];
    const corners = `(${x},${y - BOX / 2}) rectangle (${x + width},${y - BOX / 2 + height})`;
    line.push(`  \\path${options("box", ...look)} ${corners};`);
    if (node.isTop) {
      const colour = COLOURS[graph.topMark];
      const tip = `(${x - 9},${y - 5}) -- (${x - 3},${y}) -- (${x - 9},${y + 5}) -- cycle`;
      line.push(`  \\fill${options(colour && `fill=${xcolor(colour)}`)} ${tip};`);
    }
    const title = latex(signed(shortened(node.title), node));
    const left = x + PADDING;
    line.push(
      `  \\node${options("concept", written(mark))} at (${left},${y + 4}) {${title}};`,
    );
    for (const row of node.rows) {
      const at = `${left},${y + BOX / 2 + ROW * row.line + 10}`;
      const text = latex(`${signed(row.role, row)} ${shortened(row.value)}`);
      line.push(`  \\node${options("word", written(row.mark))} at (${at}) {${text}};`);
    }
  }
  line.push("\\end{tikzpicture}");
  return `${line.join("\n")}\n`;
};
