// Runs exactmatch in Pyodide, away from the page, so that the page never waits.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const STARTING = 0.15; // share of the progress that is left for the start of Python

// Count what arrives of the large files, and report the share of it.
const countingFetch = (sizes) => {
  const plain = fetch.bind(self);
  const total = Object.entries(sizes)
    .filter(([name]) => /\.(wasm|zip|whl)$/.test(name))
    .reduce((sum, [, size]) => sum + size, 0);
  let loaded = 0;
  self.fetch = async (...options) => {
    const answer = await plain(...options);
    if (!answer.body || !/\.(wasm|zip|whl)$/.test(answer.url)) return answer;
    const counter = new TransformStream({
      transform(part, controller) {
        loaded += part.byteLength;
        postMessage({ loaded: Math.min(loaded / total, 1) * (1 - STARTING) });
        controller.enqueue(part);
      },
    });
    return new Response(answer.body.pipeThrough(counter), { headers: { "content-type": answer.headers.get("content-type") ?? "" } });
  };
};

const python = (async () => {
  const { wheel, sizes } = await (await fetch("./files.json")).json();
  countingFetch(sizes);
  const packed = [[wheel, "wheel"], ["penman.zip", "zip"]].map(
    async ([name, format]) => [await (await self.fetch(`./${name}`)).arrayBuffer(), format],
  );
  const source = fetch("./play.py").then((answer) => answer.text());
  const pyodide = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  for (const [data, format] of await Promise.all(packed)) pyodide.unpackArchive(data, format);
  pyodide.FS.writeFile("/home/pyodide/play.py", await source);
  return pyodide.pyimport("play");
})();

python.then(
  () => postMessage({ isReady: true }),
  (error) => postMessage({ failure: String(error) }),
);

onmessage = async ({ data }) => {
  const play = await python;
  try {
    const started = performance.now();
    const { pred, gold, metric, profile } = data.values;
    const answer = JSON.parse(play.compare(pred, gold, metric, profile));
    postMessage({ number: data.number, answer, took: performance.now() - started });
  } catch (error) {
    const lines = String(error).trim().split("\n");
    postMessage({ number: data.number, answer: { error: lines[lines.length - 1] }, took: 0 });
  }
};
