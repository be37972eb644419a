/* Runs exactmatch in Pyodide, away from the page, so that the page never waits. */
import { loadPyodide } from "./pyodide/pyodide.mjs";

const ready = (async () => {
  const files = await (await fetch("./files.json")).json();
  const packed = [[files.wheel, "wheel"], ["penman.zip", "zip"]].map(
    async ([name, format]) => [await (await fetch(`./${name}`)).arrayBuffer(), format],
  );
  const source = fetch("./play.py").then((answer) => answer.text());
  const python = await loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href });
  for (const [data, format] of await Promise.all(packed)) python.unpackArchive(data, format);
  python.FS.writeFile("/home/pyodide/play.py", await source);
  return python.pyimport("play");
})();

ready.then(
  (play) => postMessage({ about: JSON.parse(play.about()) }),
  (error) => postMessage({ failure: String(error) }),
);

onmessage = async ({ data }) => {
  const play = await ready;
  try {
    const started = performance.now();
    const { pred, gold, metric, profile } = data.asked;
    const answer = JSON.parse(play.compare(pred, gold, metric, profile));
    postMessage({ number: data.number, answer, took: performance.now() - started });
  } catch (error) {
    const lines = String(error).trim().split("\n");
    postMessage({ number: data.number, answer: { error: lines[lines.length - 1] } });
  }
};
