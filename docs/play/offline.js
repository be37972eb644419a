// Keeps the page's files, so that it works without a network after one visit.

const PREFIX = "exactmatch-play-";

const keep = async () => {
  const { sizes, version } = await (await fetch("./files.json", { cache: "no-cache" })).json();
  const cache = await caches.open(PREFIX + version);
  await cache.addAll(["./", "./files.json", ...Object.keys(sizes).map((name) => `./${name}`)]);
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== PREFIX + version) await caches.delete(name);
};

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keep());
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// Ask the network for the list of files first, to notice new versions; keep the rest.
addEventListener("fetch", (event) => {
  const kept = () => caches.match(event.request, { ignoreSearch: true });
  const isListing = event.request.url.endsWith("/files.json");
  const fresh = async () => {
    try {
      const answer = await fetch(event.request);
      const { version } = await answer.clone().json();
      if (!(await caches.has(PREFIX + version))) keep().catch(() => {});
      return answer;
    } catch {
      return kept();
    }
  };
  event.respondWith(isListing ? fresh() : kept().then((answer) => answer ?? fetch(event.request)));
});
