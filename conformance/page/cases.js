// The chosen clause with its cases, and the chosen case with its picture and commands.

const firstShown = 50;

function caseLink(book, run, clause, row) {
  const literal = book.literalAt(run, row), charge = run.charges.get(row);
  const verdict = book.verdictAt(run, row);
  return make("a", { href: addressOf(book, run, clause, literal) }, sign(verdictSigns[verdict]), spoken(`${verdict}: `), " ",
    make("code", {}, literal), charge ? make("small", {}, ` ${charge.fault}`) : null,
    charge && charge.clause !== clause ? make("small", {}, ` (charged to ${charge.clause})`) : null);
}

const groupTitles = [
  ["fail", "Failures, the plainest first"], ["waived", "Waived failures"], ["stale-waiver", "Stale waivers"],
  ["elsewhere", "Failures that are charged to another clause"], ["inconclusive", "Inconclusive"], ["unsupported", "Unsupported"],
  ["not-run", "Not run"], ["pass", "Passes"],
];

function clausePanel(book, run, id, chosen) {
  const clause = book.clauses.get(id);
  if (!clause) return [make("p", {}, "This page has no clause ", make("code", {}, id), ".")];
  const groups = rowsOfClause(book, run, id);
  const failures = plainestRows(book, run, groups.get("fail") ?? groups.get("waived") ?? []);
  const literal = chosen.case ?? (failures.length > 0 ? book.literalAt(run, failures[0]) : null);
  return [
    make("h2", {}, make("code", {}, clause.id), " ", clause.name),
    make("p", { class: "kind" }, `${clause.kind} clause of ${clause.page}`),
    clause.text ? make("p", {}, sentence(clause.text)) : null,
    make("nav", { "aria-label": "Runs", class: "tabs" }, book.runs.map((each) => {
      const result = resultOf(book, each, id);
      const href = addressOf(book, each, id, chosen.case);
      return make("a", { href, "aria-current": each === run ? "true" : null, class: classOf(result.state) },
        make("span", {}, runTitle(each)), " ", resultWords(result));
    })),
    literal ? casePanel(book, run, literal, chosen) : null,
    groupTitles.filter(([group]) => groups.has(group)).map(([group, title]) => {
      const rows = groups.get(group);
      return lazyDetails(`${title} (${rows.length.toLocaleString("en")})`, group === "fail", () =>
        lazyList(group === "pass" ? rows : plainestRows(book, run, rows), firstShown, (row) => caseLink(book, run, id, row)));
    }),
    groups.size === 0 ? make("p", {}, "No case of this run exercises the clause.") : null,
  ];
}

// Makes the findings about a case: the judge's, and what came later.
function findings(record) {
  const judged = { by: "judge", verdict: record.verdict, fault: record.fault, clause: record.violated, words: record.explanation };
  const list = [judged, ...record.amended ?? []];
  return list.map((finding, place) => make("div", { class: "finding" },
    make("p", {}, make("b", {}, finding.by === "judge" ? "Judged" : `Then, by ${finding.by}`), ": ",
      sign(verdictSigns[finding.verdict]), " ", finding.verdict, finding.fault ? `, ${finding.fault}` : "",
      finding.clause ? [", charged to ", make("code", {}, finding.clause)] : null),
    finding.words && finding.words !== list[place - 1]?.words ? make("pre", { tabindex: "0" }, finding.words) : null));
}

function commands(run, literal, record) {
  const again = record?.amended?.findLast((each) => each.reproduce)?.reproduce;
  const quoted = (literals) => literals.map((each) => quotedForShell(each)).join(" ");
  const spelling = quotedForShell(run.header.spelling);
  const said = record?.amended?.find((each) => each.by === "diagnosis")?.words;
  if (said && !again && !said.endsWith("it was not asked again alone, because other failures of its clause were"))
    return make("p", {}, "No command is known that shows it again.");
  return make("div", {}, make("h4", {}, "See it again"), commandLine(`certile run ${spelling} ${quoted(again ?? [literal])}`),
    commandLine(`certile shrink ${spelling} ${quoted(again ?? [literal])}`), commandLine(`certile oracle ${quotedForShell(literal)}`));
}

// Makes a table of what the other runs say of the case.
function otherRuns(book, run, literal, number, chosen) {
  const others = book.runs.filter((each) => each !== run);
  if (others.length === 0) return null;
  return make("div", {}, make("h4", {}, "The same case in other runs"), make("ul", { class: "others" }, others.map((each) => {
    const row = book.rowsOf(each)[number];
    const verdict = row < 0 ? null : book.verdictAt(each, row), fault = each.charges.get(row)?.fault;
    return make("li", {}, make("a", { href: addressOf(book, each, chosen.clause, literal) }, runTitle(each)), ": ",
      verdict ? [sign(verdictSigns[verdict]), ` ${verdict}`, fault ? `, ${fault}` : ""] : "not asked");
  })));
}

function casePanel(book, run, literal, chosen) {
  const number = book.knownCase(literal);
  const row = number === undefined ? -1 : book.rowsOf(run)[number];
  if (row < 0) return make("article", { class: "case" }, make("p", {}, "This run has no case ", make("code", {}, literal), "."));
  const verdict = book.verdictAt(run, row), charge = run.charges.get(row), record = run.records.get(row);
  return make("article", { class: "case", "aria-labelledby": "case-heading" },
    make("h3", { id: "case-heading" }, make("code", {}, literal)),
    make("p", { class: `verdict ${verdict}` }, sign(verdictSigns[verdict]), " ", make("b", {}, verdict),
      run.vacuous[row] ? " (vacuous: the output has no elements)" : "",
      charge ? [`, ${charge.fault}, charged to `, make("a", { href: addressOf(book, run, charge.clause, literal) }, charge.clause)] : null),
    charge || record ? pictureOf(book, run, literal, record, chosen) : null,
    record ? findings(record) : null,
    charge && !record ? make("p", {}, "The judge's words are in the file of records; this page has those of plainer failures.") : null,
    commands(run, literal, record),
    otherRuns(book, run, literal, number, chosen),
    lazyDetails("Clauses that it exercises", false, () => make("p", { class: "ids" }, book.lists[run.lists[row]].map((id) =>
      [make("a", { href: addressOf(book, run, id, literal) }, id), " "]).flat())));
}

// Fills the section with what the address chooses.
function showDetail(book, chosen, section) {
  const run = book.runs[Number(chosen.run ?? 0)];
  const isAny = run && (chosen.clause || chosen.case);
  section.classList.toggle("empty", !isAny);
  if (!isAny) {
    section.replaceChildren(make("p", { class: "hint" }, "Choose a result to see its cases, or a case to see its picture."));
    return;
  }
  const parts = chosen.clause ? clausePanel(book, run, chosen.clause, chosen) : [casePanel(book, run, chosen.case, chosen)];
  const close = make("a", { href: addressWith(nothingChosen), class: "close", "aria-label": "Close the clause" }, "✕");
  section.replaceChildren(close, ...parts.flat(2).filter(Boolean));
}
