// The part of the address after #: what is chosen and filtered, so that a link shows what its sender saw.

const addressKeys = ["q", "state", "operator", "run", "clause", "case", "slice", "bits"];
const nothingChosen = { run: null, clause: null, case: null, slice: null };

let read = { hash: null, chosen: {} };

// Returns what the address chooses. Unknown words are left out.
function addressed() {
  if (read.hash === location.hash) return read.chosen;
  const words = new URLSearchParams(location.hash.slice(1));
  const chosen = {};
  for (const key of addressKeys) if (words.get(key)) chosen[key] = words.get(key);
  read = { hash: location.hash, chosen };
  return chosen;
}

// Returns the address that keeps the filters, and chooses what `changes` has; null removes a word.
function addressWith(changes) {
  const chosen = { ...addressed(), ...changes };
  return `#${addressKeys.filter((key) => chosen[key]).map((key) => `${key}=${encodeURIComponent(chosen[key])}`).join("&")}`;
}

// Returns the address of a clause, of its case, in a run.
function addressOf(book, run, clause, literal) {
  return addressWith({ run: String(book.runs.indexOf(run)), clause, case: literal ?? null, slice: null });
}
