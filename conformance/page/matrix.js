// The table of clauses: a row for each clause, a column for each run, grouped by operator.

// Makes the words of a result, with its sign.
function resultWords(result) {
  return [sign(states[result.state].sign), " ", make("b", {}, result.state), result.words ? make("small", {}, ` ${result.words}`) : null];
}

// Makes the same for the table, with the number alone.
function shortWords(result) {
  return resultWords({ state: result.state, words: result.count?.toLocaleString("en") ?? result.words });
}

function runTitle(run) {
  return [run.name, " ", run.version, run.isEarlier ? make("em", {}, " earlier") : null];
}

// Returns the clauses that the filters leave, by page.
function filteredPages(book, chosen) {
  const pages = new Map();
  const matching = chosen.q ? clausesWithCase(book, chosen.q) : null;
  for (const [page, clauses] of clausesByPage(book, book.runs)) {
    if (chosen.operator && page !== chosen.operator) continue;
    const left = clauses.filter((clause) => {
      if (chosen.state && !book.runs.some((run) => resultOf(book, run, clause.id).state === chosen.state)) return false;
      if (!chosen.q) return true;
      const words = `${clause.id} ${clause.name} ${clause.kind} ${clause.text}`.toLowerCase();
      return words.includes(chosen.q.toLowerCase()) || matching.has(clause.id);
    });
    if (left.length > 0) pages.set(page, left);
  }
  return pages;
}

// Returns the clauses that a failure of a case with this text in its literal is charged to.
function clausesWithCase(book, text) {
  const found = new Set();
  for (const run of book.runs)
    for (const [row, charge] of run.charges)
      if (book.literalAt(run, row).includes(text)) found.add(charge.clause);
  return found;
}

function resultCell(book, run, clause, chosen) {
  const result = resultOf(book, run, clause.id);
  const isChosen = chosen.clause === clause.id && Number(chosen.run ?? 0) === book.runs.indexOf(run);
  return make("td", { class: `result ${classOf(result.state)}` }, make("a", {
    href: addressOf(book, run, clause.id), "aria-current": isChosen ? "true" : null, title: states[result.state].meaning,
    "aria-label": `${clause.id} ${clause.name}, ${run.name}: ${result.state} ${result.words}`,
  }, shortWords(result)));
}

function clauseTable(book, clauses, chosen, page) {
  const rows = clauses.map((clause) => make("tr", {},
    make("th", { scope: "row" }, make("code", {}, clause.id), " ", clause.name,
      ["ours", "exclusion"].includes(clause.kind) ? make("small", {}, ` (${clause.kind})`) : null),
    book.runs.map((run) => resultCell(book, run, clause, chosen))));
  const name = `Clauses of ${page}`;
  return scrollable(name, table("clauses", make("caption", { class: "spoken" }, name), ["Clause", ...book.runs.map(runTitle)], rows));
}

// Makes the table of the clauses that cases can test, and below it, opened on demand, that of the others.
function clauseTables(book, clauses, chosen, page) {
  const [testable, others] = [true, false].map((is) => clauses.filter((clause) => clause.testable === is));
  if (testable.length === 0) return clauseTable(book, others, chosen, page);
  return make("div", {}, clauseTable(book, testable, chosen, page), others.length > 0 &&
    lazyDetails(`${counted(others.length, "clause")} that no case can test`, false, () => clauseTable(book, others, chosen, page)));
}

// Returns "2 violated, 19 conformant" over the runs that are not earlier ones.
function pageCounts(book, clauses) {
  const counts = new Map();
  for (const run of book.runs.filter((each) => !each.isEarlier))
    for (const clause of clauses) {
      const { state } = resultOf(book, run, clause.id);
      counts.set(state, (counts.get(state) ?? 0) + 1);
    }
  return Object.keys(states).filter((state) => counts.has(state)).map((state) =>
    make("span", { class: `count ${classOf(state)}` }, sign(states[state].sign), ` ${counts.get(state).toLocaleString("en")} ${state}`));
}

// Fills the section. Groups that the reader opened or closed stay so, unless a filter says what to show.
function showMatrix(book, chosen, section, openGroups) {
  const pages = filteredPages(book, chosen);
  const isFiltered = Boolean(chosen.q || chosen.state || chosen.operator);
  const groups = [...pages].map(([page, clauses]) => {
    const isGraveIn = (run, clause) => !run.isEarlier && grave.includes(resultOf(book, run, clause.id).state);
    const isGrave = clauses.some((clause) => book.runs.some((run) => isGraveIn(run, clause)));
    const hasChosen = clauses.some((clause) => clause.id === chosen.clause);
    const isOpen = isFiltered || hasChosen || (openGroups.get(page) ?? (isGrave || pages.size === 1));
    const details = lazyDetails(make("span", {}, make("strong", {}, page), " ", pageCounts(book, clauses)), isOpen,
      () => clauseTables(book, clauses, chosen, page));
    details.addEventListener("toggle", () => openGroups.set(page, details.open));
    return details;
  });
  section.replaceChildren(...groups);
  const shownClauses = [...pages.values()].reduce((sum, clauses) => sum + clauses.length, 0);
  document.getElementById("shown-count").textContent = isFiltered ? `${counted(shownClauses, "clause")} shown` : "";
  const why = book.runs.length === 0 ? "No run: open or drop a file of records." : "No clause matches the filters.";
  if (groups.length === 0) section.append(make("p", {}, why));
}
