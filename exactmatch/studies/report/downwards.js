// A drawing that is read from the left, read from above instead, for narrow windows: the
// same layers and orders, with other places, as layered.py finds them.

const NARROW = matchMedia("(max-width: 40rem)");
const GAP = 9;
const PASSAGE = 4;
const LABEL = 6;
const LABEL_HEIGHT = 12;
const STIFF = 8;
const SWEEPS = 16;

const roleWidth = (() => {
  let context;
  return (text) => {
    context ??= make("canvas").getContext("2d");
    context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    return Math.ceil(context.measureText(text).width);
  };
})();

// Return the values nearest to those wanted that are so far apart: an isotonic regression.
const spread = (wanted, weights, gaps) => {
  let offset = 0;
  const offsets = wanted.map((_, k) => (offset += k && gaps[k - 1]));
  const pools = [];
  wanted.forEach((value, k) => {
    let pool = { mean: value - offsets[k], weight: weights[k], size: 1 };
    while (pools.length && pools.at(-1).mean >= pool.mean) {
      const { mean, weight, size } = pools.pop();
      const sum = weight + pool.weight;
      pool = { mean: (mean * weight + pool.mean * pool.weight) / sum, weight: sum, size: size + pool.size };
    }
    pools.push(pool);
  });
  return pools.flatMap(({ mean, size }) => Array(size).fill(mean)).map((mean, k) => mean + offsets[k]);
};

// Return the geometry of a plan, read from above, for graphs with these edges.
const downwards = (geometry, edges) => {
  const [layers, tops, widths, heights, , routes, , , , extra = []] = geometry;
  const labels = routes.map(() => 0);
  for (const edge of edges)
    labels[edge.route] = Math.max(labels[edge.route], roleWidth(signed(edge.role, edge)));
  const slots = layers.map((layer, k) => ({ row: 2 * layer, level: tops[k], reach: widths[k] / 2 + GAP / 2, near: [] }));
  const paths = routes.map(([left, right, ...steps], k) => {
    let level = tops[left];
    const path = steps.map((step, n) => {
      const reach = n === steps.length - 1 ? Math.max(labels[k] / 2 + 1, LABEL) : PASSAGE;
      return { row: 2 * layers[left] + 1 + n, level: (level += step), reach, near: [] };
    });
    const way = [slots[left], ...path, slots[right]];
    way.slice(1).forEach((slot, n) => {
      const pull = n === 0 ? 1 : n === path.length ? STIFF / 2 : STIFF;
      way[n].near.push([slot, pull]);
      slot.near.push([way[n], pull]);
    });
    return path;
  });
  const rows = Map.groupBy([...slots, ...paths.flat()], ({ row }) => row);
  const order = [...rows.keys()].sort((a, b) => a - b).map((key) => rows.get(key).sort((a, b) => a.level - b.level));
  for (const row of order) {
    let end = 0;
    for (const slot of row) [slot.across, end] = [end + slot.reach, end + 2 * slot.reach];
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1)
    for (const row of sweep % 2 ? order.toReversed() : order) {
      const weights = row.map(({ near }) => near.reduce((sum, [, pull]) => sum + pull, 0) || 1e-3);
      const wanted = row.map((slot, k) =>
        slot.near.length ? slot.near.reduce((sum, [{ across }, pull]) => sum + pull * across, 0) / weights[k] : slot.across,
      );
      const gaps = row.slice(1).map((slot, k) => row[k].reach + slot.reach);
      spread(wanted, weights, gaps).forEach((across, k) => (row[k].across = across));
    }
  const all = order.flat();
  const least = Math.min(...all.map(({ across, reach }) => across - reach));
  const at = ({ across }) => Math.round(across - least);
  const starts = [];
  let end = 0;
  for (let layer = 0; layer <= Math.max(...layers); layer += 1) {
    const labelled = routes.some(([, right], k) => layers[right] === layer && labels[k]);
    starts.push(layer ? end + BEND + LABEL_HEIGHT * labelled + TIP : 0);
    end = starts.at(-1) + Math.max(...heights.filter((_, k) => layers[k] === layer));
  }
  const steps = ([left, right], k) => {
    const levels = [slots[left], ...paths[k]].map(at);
    return [left, right, ...levels.slice(1).map((level, n) => level - levels[n])];
  };
  const width = Math.max(...all.map((slot) => at(slot) + Math.ceil(slot.reach)));
  return [layers, slots.map(at), widths, heights, starts, routes.map(steps), width, end, [], extra, FROM_ABOVE];
};
