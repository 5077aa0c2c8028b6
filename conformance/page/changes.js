// What changed since an earlier run of the same backend.

// Returns the run that a run is compared with: an earlier one, or the one before it with the same name.
function earlierRun(book, run) {
  const others = book.runs.filter((each) => each !== run && each.name === run.name);
  const before = others.filter((each) => book.runs.indexOf(each) < book.runs.indexOf(run));
  return others.findLast((each) => each.isEarlier) ?? before.at(-1);
}

// The changes of a case, the worst first.
const changeTitles = {
  failing: "Newly failing", "not-run": "Newly not run", unsupported: "Newly unsupported", gone: "Not asked any more",
  passing: "Passing again",
};
const isBad = (verdict) => verdict === "fail" || verdict === "stale-waiver";

function changeOf(before, now) {
  if (before === now) return null;
  if (isBad(now)) return isBad(before) ? null : "failing";
  if (now === null) return "gone";
  if (before === null) return null;
  if (now === "not-run") return "not-run";
  if (now === "unsupported") return "unsupported";
  return now === "pass" && (isBad(before) || before === "waived") ? "passing" : null;
}

// Returns the numbers of the cases by their change.
function changedCases(book, old, run) {
  const rowsBefore = book.rowsOf(old), rowsNow = book.rowsOf(run), changed = new Map();
  for (let number = 0; number < book.cases.length; ++number) {
    const verdict = (each, rows) => (rows[number] < 0 ? null : book.verdictAt(each, rows[number]));
    const change = changeOf(verdict(old, rowsBefore), verdict(run, rowsNow));
    if (!change) continue;
    if (!changed.has(change)) changed.set(change, []);
    changed.get(change).push(number);
  }
  return changed;
}

const goodness = { violated: 0, "in doubt": 1, waived: 2, unsupported: 3, "not exercised": 3, "proven so far": 4, conformant: 5 };

// Returns the clauses whose result got worse, and those that got better.
function changedClauses(book, old, run) {
  const worse = [], better = [];
  for (const clause of book.clauses.values()) {
    const before = resultOf(book, old, clause.id), now = resultOf(book, run, clause.id);
    const step = goodness[now.state] - goodness[before.state];
    // What a run that was cut short did not ask is no better off.
    if (step > 0 && now.state === "proven so far") continue;
    if (step !== 0 && clause.testable) (step < 0 ? worse : better).push({ clause, before, now });
  }
  return { worse, better };
}

function clauseChanges(book, run, title, changes) {
  if (changes.length === 0) return null;
  const cell = (result) => make("td", { class: `result ${classOf(result.state)}` }, resultWords(result));
  const row = ({ clause, before, now }) => make("tr", {},
    make("th", { scope: "row" }, make("a", { href: addressOf(book, run, clause.id) }, make("code", {}, clause.id), " ", clause.name)),
    cell(before), cell(now));
  return scrollable(title, table("changes", make("caption", {}, title), ["Clause", "before", "now"], changes.map(row)));
}

const mostOrdered = 20000;  // more would take seconds

function caseChanges(book, run, change, numbers) {
  const inOrder = numbers.map((number) => book.cases[number]);
  const literals = inOrder.length > mostOrdered ? inOrder : plainestFirst(inOrder);
  const link = (literal) => {
    const row = book.rowsOf(run)[book.knownCase(literal)];
    const clause = run.charges.get(row)?.clause ?? null;
    return make("a", { href: addressOf(book, run, clause, literal) }, make("code", {}, literal),
      clause ? make("small", {}, ` ${clause}`) : null);
  };
  return lazyDetails(`${changeTitles[change]}: ${counted(numbers.length, "case")}`, change === "failing" && numbers.length <= 10,
    () => lazyList(literals, 10, link));
}

// Fills the section, or hides it if no run has an earlier one.
function showChanges(book, section) {
  const pairs = book.runs.filter((run) => !run.isEarlier).map((run) => [run, earlierRun(book, run)]).filter((pair) => pair[1]);
  section.hidden = pairs.length === 0;
  section.lastElementChild.replaceChildren(...pairs.map(([run, old]) => {
    const cases = changedCases(book, old, run), { worse, better } = changedClauses(book, old, run);
    const isWorse = worse.length > 0 || ["failing", "not-run", "unsupported", "gone"].some((change) => cases.has(change));
    const samePlan = old.header.plan_sha256 === run.header.plan_sha256;
    return make("div", { class: `change ${isWorse ? "worse" : "same"}` },
      make("h3", {}, runTitle(run), ": ", isWorse ? "✗ got worse" : cases.size + better.length > 0 ? "✓ got better" : "✓ as before"),
      samePlan ? null : make("p", {}, "The two runs had different plans."),
      clauseChanges(book, run, "Clauses that got worse", worse),
      Object.keys(changeTitles).filter((change) => cases.has(change)).map((change) => caseChanges(book, run, change, cases.get(change))),
      better.length > 0 && lazyDetails(`Better: ${counted(better.length, "clause")}`, false,
        () => clauseChanges(book, run, "Clauses that got better", better)));
  }));
}
