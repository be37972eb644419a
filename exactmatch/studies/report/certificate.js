// Checker of the proof that no alignment is worth more than a bound.  It trusts only the
// problem; solvers/certificate.py defines certificates, and why they are proofs.
// All numbers are exact in doubles: lists with larger sums are refused.

const MOST = 2 ** 50;

class Refusal extends Error {}

const refuse = (reason) => {
  throw new Refusal(reason);
};

const isCount = (number) => Number.isSafeInteger(number) && number >= 0;

const isList = (value) => (Array.isArray(value) ? value : refuse("a list is missing"));

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

const divisor = (a, b) => (b ? divisor(b, a % b) : a);

const counts = (name, numbers, length) => {
  if (isList(numbers).length !== length)
    refuse(`${name} has ${numbers.length} numbers, not ${length}`);
  if (!numbers.every(isCount)) refuse(`${name} holds what is not a count`);
  if (sum(numbers) >= MOST) refuse(`${name} adds up to 2**50 or more`);
  return numbers;
};

// Return which of the numbers below a length an increasing list has.
const members = (name, numbers, length) => {
  const isTaken = new Array(length).fill(false);
  let last = -1;
  for (const number of isList(numbers)) {
    if (!isCount(number) || number <= last || number >= length)
      refuse(`${name} cannot hold ${number}`);
    isTaken[number] = true;
    last = number;
  }
  return isTaken;
};

// Return the different numbers in order, and the place of each number among them.
const numbered = (keys) => {
  const different = [...new Set(keys)].sort((a, b) => a - b);
  const number = new Map(different.map((key, k) => [key, k]));
  return [different, keys.map((key) => number.get(key))];
};

// Return the candidates to keep, and the pair terms between them.
const restricted = (part, keep) => {
  if (keep.every(Boolean)) return part;
  let next = 0;
  const number = keep.map((kept) => (kept ? next++ : -1));
  const both = part.first.map((c, p) => keep[c] && keep[part.second[p]]);
  const candidates = (list) => list.filter((_, c) => keep[c]);
  const terms = (list) => list.filter((_, p) => both[p]);
  return {
    ...part,
    left: candidates(part.left),
    right: candidates(part.right),
    unary: candidates(part.unary),
    first: terms(part.first).map((c) => number[c]),
    second: terms(part.second).map((c) => number[c]),
    weight: terms(part.weight),
  };
};

// Return a part: some candidates, the pair terms between them, and their nodes.
const cutOut = (whole, candidates) => {
  const chosen = new Set(candidates);
  const part = restricted(whole, whole.left.map((_, c) => chosen.has(c)));
  const [lefts, left] = numbered(part.left);
  const [rights, right] = numbered(part.right);
  return { ...part, left, right, nLeft: lefts.length, nRight: rights.length };
};

// Return whether the candidates of other nodes are the same, with the same weights.
const isKept = (part, leftImage, rightImage) => {
  const at = (i, j) => i * part.nRight + j;
  const number = new Map(part.left.map((i, c) => [at(i, part.right[c]), c]));
  const moved = part.left.map((i, c) => number.get(at(leftImage[i], rightImage[part.right[c]])));
  if (moved.some((d, c) => d === undefined || part.unary[d] !== part.unary[c])) return false;
  const term = (c, d) => Math.min(c, d) * moved.length + Math.max(c, d);
  const weight = new Map(part.first.map((c, p) => [term(c, part.second[p]), part.weight[p]]));
  return part.first.every(
    (c, p) => weight.get(term(moved[c], moved[part.second[p]])) === part.weight[p],
  );
};

// Return the part with classes of nodes; exchanging two nodes of a class must change no weight.
const withSymmetry = (part, symmetry) => {
  const same = [part.nLeft, part.nRight].map((count) => Array.from({ length: count }, (_, i) => i));
  const classes = same.map((own) => [...own]);
  [symmetry.left, symmetry.right].forEach((groups, side) => {
    const own = classes[side];
    for (const alike of isList(groups)) {
      members("symmetry", alike, own.length);
      if (alike.length < 2 || alike.some((node) => own[node] !== node))
        refuse(`${alike} is not a class of its own`);
      const [a, b, ...rest] = alike;
      for (const image of [
        [b, a, ...rest],
        [b, ...rest, a],
      ]) {
        const images = same.map((nodes) => [...nodes]);
        alike.forEach((node, k) => (images[side][node] = image[k]));
        if (!isKept(part, ...images)) refuse(`nodes ${alike} are not alike`);
      }
      for (const node of alike) own[node] = a;
    }
  });
  return { ...part, classes };
};

const branches = (part, c) => {
  if (!isCount(c) || c >= part.left.length) refuse(`there is no candidate ${c} to branch on`);
  const taken = part.left.map(
    (i, d) => d === c || (i !== part.left[c] && part.right[d] !== part.right[c]),
  );
  if (!part.classes)
    return [restricted(part, taken), restricted(part, part.left.map((_, d) => d !== c))];
  const ends = [part.left, part.right];
  const isAlike = (d) => ends.every((of, k) => part.classes[k][of[d]] === part.classes[k][of[c]]);
  const leftOut = part.left.map((_, d) => !isAlike(d));
  const classes = part.classes.map((own, k) =>
    own.map((name, node) => (node === ends[k][c] ? own.length + node : name)),
  );
  return [{ ...restricted(part, taken), classes }, restricted(part, leftOut)];
};

// Return the least value above the bound that an alignment of the part may have.
const nextValue = (part, bound) => {
  const common = [...part.unary, ...part.weight].map(Math.abs).reduce(divisor, 0) || 1;
  return (Math.floor(bound / common) + 1) * common;
};

// Return the bound of a round, in parts, and the part that the round leaves.
const checkRound = (part, round, goal) => {
  const { unit } = round;
  const total = sum(part.unary.map(Math.abs)) + sum(part.weight);
  if (!isCount(unit) || unit < 1 || Math.max(total, goal, 1) * unit >= MOST)
    refuse(`${unit} parts of a unit are none or too many`);
  const own = counts("shares", round.shares, part.weight.length);
  const rest = own.map((share, p) => part.weight[p] * unit - share);
  if (rest.some((share) => share < 0)) refuse("a share is more than the weight that is split");
  const shares = [...own, ...rest];
  const owner = [...part.first, ...part.second];
  const partner = [...part.second, ...part.first];
  const worth = part.unary.map((weight) => weight * unit);
  const cover = new Array(shares.length).fill(0);
  for (const [name, nodes, width] of [
    ["inner_left", part.left, part.nLeft],
    ["inner_right", part.right, part.nRight],
  ]) {
    const [keys, key] = numbered(owner.map((c, s) => c * width + nodes[partner[s]]));
    const numbers = counts(name, round[name], keys.length);
    key.forEach((k, s) => (cover[s] += numbers[k]));
    keys.forEach((k, n) => (worth[Math.floor(k / Math.max(width, 1))] += numbers[n]));
  }
  if (shares.some((share, s) => cover[s] < share))
    refuse("the inner numbers do not cover a share");
  const u = counts("left", round.left, part.nLeft);
  const v = counts("right", round.right, part.nRight);
  const slack = worth.map((value, c) => u[part.left[c]] + v[part.right[c]] - value);
  if (slack.some((spare) => spare < 0))
    refuse("the outer numbers do not cover a candidate's worth");
  const bound = sum(u) + sum(v);
  const keep = new Array(worth.length).fill(true);
  for (const c of isList(round.dropped)) {
    if (!isCount(c) || c >= keep.length || !keep[c]) refuse(`there is no candidate ${c} to drop`);
    if (bound - slack[c] >= goal * unit) refuse(`candidate ${c} is dropped without proof`);
    keep[c] = false;
  }
  return [bound, restricted(part, keep)];
};

const checkTree = (whole, { bound, nodes, symmetry }) => {
  const open = [[symmetry ? withSymmetry(whole, symmetry) : whole, false]];
  isList(nodes).forEach((node, number) => {
    if (!open.length) refuse(`node ${number} belongs to no branch`);
    let [part, closed] = open.pop();
    for (const round of isList(node.rounds)) {
      const goal = nextValue(part, bound);
      const [roundBound, left] = checkRound(part, round, goal);
      closed ||= roundBound < goal * round.unit;
      part = left;
    }
    if (node.branch !== null) {
      const [taken, leftOut] = branches(part, node.branch);
      open.push([leftOut, closed], [taken, closed]);
    } else if (!closed) refuse(`node ${number} does not prove the bound ${bound}`);
  });
  if (open.length) refuse(`branches that are missing: ${open.length}`);
};

const checkParts = (whole, { bound, nodes, parts }) => {
  if (isList(nodes).length) refuse("it has both nodes and parts");
  const of = new Array(whole.left.length).fill(-1);
  parts.forEach(({ candidates }, k) => {
    members(`part ${k}`, candidates, of.length);
    for (const c of candidates) {
      if (of[c] !== -1) refuse(`part ${k} cannot hold candidate ${c}`);
      of[c] = k;
    }
  });
  if (of.includes(-1)) refuse(`candidate ${of.indexOf(-1)} is in no part`);
  for (const ends of [whole.left, whole.right]) {
    const seen = new Map();
    ends.forEach((node, c) => {
      if ((seen.get(node) ?? of[c]) !== of[c]) refuse("two parts share a node");
      seen.set(node, of[c]);
    });
  }
  if (whole.first.some((c, p) => of[c] !== of[whole.second[p]]))
    refuse("a pair term joins two parts");
  const bounds = parts.map(({ certificate }) => certificate.bound);
  if (!bounds.every(isCount) || sum(bounds) > bound)
    refuse(`the parts do not prove the bound ${bound}`);
  for (const { candidates, certificate } of parts) {
    if (certificate.parts?.length) refuse("a part has parts of its own");
    checkTree(cutOut(whole, candidates), certificate);
  }
};

const checkUnshifted = (whole, certificate) =>
  certificate.parts?.length ? checkParts(whole, certificate) : checkTree(whole, certificate);

const checkShifts = (whole, { bound, nodes, parts, shifts }) => {
  if (isList(nodes).length || parts?.length) refuse("it has shifts and something else");
  const chosen = members("shifts", shifts.candidates, whole.left.length);
  const lefts = members("cover", shifts.left, whole.nLeft);
  const rights = members("cover", shifts.right, whole.nRight);
  if (chosen.some((is, c) => is && !lefts[whole.left[c]] && !rights[whole.right[c]]))
    refuse("a shifted candidate is not covered");
  if (!isList(shifts.proofs).length) refuse("nothing is shifted");
  for (const { amount, certificate } of shifts.proofs) {
    const most = Math.abs(amount) * (whole.left.length + 1);
    if (!Number.isSafeInteger(amount) || most >= MOST) refuse(`a shift is by ${amount}`);
    if (certificate.shifts !== undefined || !isCount(certificate.bound))
      refuse("a shift has shifts of its own, or no bound");
    const unary = whole.unary.map((weight, c) => weight + (chosen[c] ? amount : 0));
    checkUnshifted({ ...whole, unary }, certificate);
  }
  const least = (a) =>
    Math.min(...shifts.proofs.map((proof) => proof.certificate.bound - proof.amount * a));
  for (let a = 0; a <= shifts.left.length + shifts.right.length; a += 1)
    if (least(a) > bound) refuse(`the shifts do not prove ${bound}`);
};

// Return the value of an alignment; refuse what is not one.
const valueOf = (problem, alignment) => {
  if (isList(alignment).length !== problem.nLeft) refuse("the alignment has another length");
  const taken = new Set();
  alignment.forEach((j) => {
    if (j === -1) return;
    if (!isCount(j) || j >= problem.nRight) refuse(`there is no right node ${j}`);
    if (taken.has(j)) refuse(`right node ${j} is aligned twice`);
    taken.add(j);
  });
  const chosen = problem.left.map((i, c) => alignment[i] === problem.right[c]);
  const pairs = problem.weight.filter(
    (_, p) => chosen[problem.first[p]] && chosen[problem.second[p]],
  );
  return sum(problem.unary.filter((_, c) => chosen[c])) + sum(pairs);
};

// Return why a certificate is refused; empty if it proves the bound.
const refusal = ({ problem, alignment, value, certificate }) => {
  try {
    const counted = valueOf(problem, alignment);
    if (counted !== value) refuse(`the alignment is worth ${counted}, not ${value}`);
    if (!certificate) refuse("there is no evidence for the bound");
    const { bound } = certificate;
    if (!isCount(bound) || bound < value || bound >= MOST)
      refuse(`the bound ${bound} is below the value ${value}, or no bound`);
    if (certificate.shifts !== undefined) checkShifts(problem, certificate);
    else checkUnshifted(problem, certificate);
    return "";
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    if (error instanceof TypeError) return `not a certificate: ${error.message}`;
    throw error;
  }
};
