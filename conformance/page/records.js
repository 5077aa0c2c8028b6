// Files of records that a reader opens or drops on the page.

class UnreadableFile extends Error {}

// Reads the runs of a file of records. Throws UnreadableFile with a sentence.
function readRecords(book, name, text) {
  const runs = [];
  let open = null, number = 0;
  for (let start = 0; start < text.length;) {
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    const line = text.slice(start, end);
    start = end + 1;
    ++number;
    if (line === "") continue;
    let json;
    try {
      json = JSON.parse(line);
      if (json.header) {
        if (open) finish(book, open, runs, "the file has no footer for this run");
        open = { header: json.header, records: [] };
      } else if (json.footer) {
        open.footer = json.footer;
        finish(book, open, runs, null);
        open = null;
      } else {
        open.records.push(checkedRecord(json));
      }
    } catch {
      throw new UnreadableFile(`${name}, line ${number}: this is no line of records`);
    }
  }
  if (open) finish(book, open, runs, "the file ends before the run's footer");
  return runs;
}

function isText(value) {
  return typeof value === "string";
}

function checkedRecord(record) {
  const isRight = isText(record.case) && isText(record.verdict) && Array.isArray(record.exercised) && record.exercised.every(isText);
  if (!isRight) throw new UnreadableFile("no record");
  return record;
}

// Adds the run of these lines to `runs`.
function finish(book, open, runs, why) {
  const run = book.emptyRun(open.header, open.records.length);
  run.footer = open.footer ?? { incomplete: why, conformance: `INCOMPLETE (${why})` };
  run.hasNoBits = true;
  addClauses(book, open.header.clauses ?? []);
  open.records.forEach((record, row) => addRow(book, run, row, record));
  runs.push(run);
}

function addRow(book, run, row, record) {
  const found = findingOf(record);
  const verdict = book.verdicts.indexOf(found.verdict);
  if (verdict < 0) throw new UnreadableFile("an unknown verdict");
  run.cases[row] = book.numberOfCase(record.case);
  run.verdicts[row] = verdict;
  run.vacuous[row] = record.vacuous && found.verdict === "pass" ? 1 : 0;
  run.lists[row] = book.numberOfList(record.exercised);
  if (found.verdict === "fail" || found.verdict === "waived") run.charges.set(row, { fault: found.fault, clause: found.clause ?? "" });
  if (found.verdict !== "pass" || record.law) run.records.set(row, record);
}

// Adds the clauses of a header that this page does not know, as those of another version.
function addClauses(book, clauses) {
  for (const clause of clauses)
    if (isText(clause.id) && !book.clauses.has(clause.id))
      book.clauses.set(clause.id, { ...clause, page: clause.id.replace(/-[^-]*$/, ""), text: "", without_elements: false });
}
