// A served page asks whether what it shows has changed, and then loads itself anew.

const ASK_EVERY = 1000;

const ask = async (known) => {
  let now = known;
  try {
    now = await (await fetch("/version", { cache: "no-store" })).text();
  } catch {
    // The server has gone; what is shown stays.
  }
  if (known !== null && now !== known) location.reload();
  else setTimeout(() => ask(now), ASK_EVERY);
};

ask(null);
