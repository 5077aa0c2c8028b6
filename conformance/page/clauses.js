// What the cases of a run say of each clause, as in conformance/records/clause_state.cpp.

// The results of a clause, the gravest first: a word and a sign for each.
const states = {
  violated: { sign: "✗", meaning: "a failure is charged to the clause" },
  "in doubt": { sign: "△", meaning: "cases that exercise it fail, and none passes" },
  waived: { sign: "◐", meaning: "a waiver accepts its failures" },
  unsupported: { sign: "□", meaning: "outside the claim" },
  "not exercised": { sign: "○", meaning: "no case that counts exercises it" },
  "proven so far": { sign: "○", meaning: "passing cases prove it, but others that exercise it were not run" },
  conformant: { sign: "✓", meaning: "proven by passing cases" },
  "not testable": { sign: "–", meaning: "no case can test it" },
};
const verdictSigns = {
  pass: "✓", fail: "✗", unsupported: "□", waived: "◐", "stale-waiver": "✗", inconclusive: "△", "not-run": "○",
};
const grave = ["violated", "in doubt", "waived"];

function tallyOf(tallies, id) {
  let tally = tallies.get(id);
  if (!tally) tallies.set(id, tally = { proven: 0, violated: 0, waived: 0, failed: 0, accepted: 0, unsupported: 0, notRun: 0 });
  return tally;
}

// Counts, for each list of clauses, the kinds of rows; then adds them up by clause, which is faster than by row.
function countRows(book, run) {
  const byList = new Map();
  for (let row = 0; row < run.count; ++row) {
    const verdict = book.verdictAt(run, row);
    const kind = run.vacuous[row] ? "vacuous" : verdict;
    const key = run.lists[row] * 16 + rowKinds.indexOf(kind);
    byList.set(key, (byList.get(key) ?? 0) + 1);
  }
  return byList;
}
const rowKinds = ["pass", "vacuous", "fail", "unsupported", "not-run", "waived", "stale-waiver", "inconclusive"];

// Returns the tally of each clause of a run.
function talliesOf(book, run) {
  if (run.tallies) return run.tallies;
  const tallies = new Map();
  for (const [key, count] of countRows(book, run)) {
    const kind = rowKinds[key % 16];
    for (const id of book.lists[Math.floor(key / 16)]) {
      const tally = tallyOf(tallies, id);
      const isOfShape = book.clauses.get(id)?.without_elements;
      if (kind === "pass" || (kind === "vacuous" && isOfShape)) tally.proven += count;
      if (kind === "fail") tally.failed += count;
      if (kind === "waived") tally.accepted += count;
      if (kind === "unsupported") tally.unsupported += count;
      if (kind === "not-run") tally.notRun += count;
    }
  }
  for (const [row, charge] of run.charges) {
    const tally = tallyOf(tallies, charge.clause), isExercised = book.lists[run.lists[row]].includes(charge.clause);
    if (book.verdictAt(run, row) === "fail") { ++tally.violated; tally.failed -= isExercised; }
    else { ++tally.waived; tally.accepted -= isExercised; }
  }
  return run.tallies = tallies;
}

function counts(state, count) {
  return { state, count, words: counted(count, "case") };
}

// Returns the result of a clause in a run: its state, and the number of cases, also in words.
function resultOf(book, run, id) {
  const clause = book.clauses.get(id);
  const tally = talliesOf(book, run).get(id) ?? tallyOf(new Map(), id);
  if (tally.violated > 0) return counts("violated", tally.violated);
  if (tally.waived > 0) return counts("waived", tally.waived);
  if (tally.proven > 0) return counts(tally.notRun > 0 || lacksRecords(book, run) ? "proven so far" : "conformant", tally.proven);
  if (!clause.testable) return { state: "not testable", words: clause.because ?? "" };
  if (tally.failed > 0) return counts("in doubt", tally.failed);
  if (tally.accepted > 0) return counts("waived", tally.accepted);
  if (tally.unsupported > 0) return counts("unsupported", tally.unsupported);
  if (!isAbout(run, clause)) return { state: "unsupported", words: "operator not claimed" };
  return { state: "not exercised", words: tally.notRun > 0 ? `${counted(tally.notRun, "case")} not run` : "" };
}

// Returns true if cases were not run, and nobody knows which clauses they exercise.
function lacksRecords(book, run) {
  if (run.lacksRecords !== undefined) return run.lacksRecords;
  let isUnknown = run.count - (run.footer.laws?.broken ?? 0) < (run.header.shard?.cases ?? run.header.planned);
  for (let row = 0; row < run.count && !isUnknown; ++row)
    isUnknown = book.verdictAt(run, row) === "not-run" && book.lists[run.lists[row]].length === 0;
  return run.lacksRecords = isUnknown;
}

// Returns true if the run's verdict is about the clause.
function isAbout(run, clause) {
  run.listed ??= new Set((run.header.clauses ?? []).map((each) => each.id));
  return run.listed.size === 0 || run.listed.has(clause.id);
}

// Returns the clauses of the runs by page, in the order of the pages.
function clausesByPage(book, runs) {
  const pages = new Map();
  for (const clause of book.clauses.values()) {
    if (!runs.some((run) => isAbout(run, clause) || talliesOf(book, run).get(clause.id)?.violated)) continue;
    if (!pages.has(clause.page)) pages.set(clause.page, []);
    pages.get(clause.page).push(clause);
  }
  return pages;
}

// Returns the rows of a run that exercise a clause or are charged to it, by what became of them.
function rowsOfClause(book, run, id) {
  const lists = new Set();
  book.lists.forEach((list, number) => { if (list.includes(id)) lists.add(number); });
  const groups = new Map();
  for (let row = 0; row < run.count; ++row) {
    const charge = run.charges.get(row);
    if (!lists.has(run.lists[row]) && charge?.clause !== id) continue;
    const verdict = book.verdictAt(run, row);
    const group = verdict === "fail" && charge.clause !== id ? "elsewhere" : verdict;
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(row);
  }
  return groups;
}

// Returns these rows of a run, the plainest case first, but those last that nobody knows how to show again.
function plainestRows(book, run, rows) {
  const byLiteral = new Map(rows.map((row) => [book.literalAt(run, row), row]));
  const ordered = plainestFirst([...byLiteral.keys()]).map((literal) => byLiteral.get(literal));
  const hasCommand = (row) => run.records.get(row)?.amended?.some((each) => each.reproduce) ?? false;
  return [...ordered.filter(hasCommand), ...ordered.filter((row) => !hasCommand(row))];
}
