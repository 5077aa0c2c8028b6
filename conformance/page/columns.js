// The runs that are in the page, as conformance/page/page_run.hpp writes them.

const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const digitOf = new Uint8Array(128);
for (let digit = 0; digit < base64.length; ++digit) digitOf[base64.charCodeAt(digit)] = digit;

// Reads a column of numbers: five bits a character, the lowest first; the sixth bit says that more follow.
function numbersIn(text) {
  const numbers = new Int32Array(text.length);
  let count = 0, value = 0, shift = 0;
  for (let at = 0; at < text.length; ++at) {
    const digit = digitOf[text.charCodeAt(at)];
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit < 32) {
      numbers[count++] = value;
      value = shift = 0;
    }
  }
  return numbers.subarray(0, count);
}

// Reads lists of numbers, each after its length, and passes the words with these numbers to `makeEntry`.
function listsIn(text, words, makeEntry) {
  const numbers = numbersIn(text), lists = [];
  for (let at = 0; at < numbers.length;) {
    const end = at + 1 + numbers[at];
    const list = [];
    for (++at; at < end; ++at) list.push(words[numbers[at]]);
    lists.push(makeEntry(list));
  }
  return lists;
}

// What all runs of the page share: clauses, literals, and lists of clauses. Further files add to them.
class Book {
  constructor(data) {
    this.version = data.certile;
    this.clauses = new Map(data.clauses.map((clause) => [clause.id, clause]));
    this.faults = data.faults;
    this.verdicts = data.verdicts;
    this.cases = listsIn(data.tables.cases, data.tables.words, (words) => words.join(" "));
    this.lists = listsIn(data.tables.lists, data.tables.ids, (ids) => ids);
    this.pictures = new Map(Object.entries(data.pictures));
    this.benchmarks = data.benchmarks;
    this.runs = data.runs.map((run) => this.embedded(run));
  }

  embedded(source) {
    const run = this.emptyRun(source.header, source.count);
    run.footer = source.footer;
    run.isEarlier = source.earlier;
    let before = -1;
    numbersIn(source.cases).forEach((number, row) => {
      before += 1 + ((number & 1) ? -((number + 1) >> 1) : number >> 1);
      run.cases[row] = before;
    });
    const charges = numbersIn(source.charges);
    let charge = 0;
    numbersIn(source.verdicts).forEach((number, row) => {
      const verdict = this.verdicts[number >> 1];
      run.verdicts[row] = number >> 1;
      run.vacuous[row] = number & 1;
      if (verdict !== "fail" && verdict !== "waived") return;
      run.charges.set(row, { fault: this.faults[charges[charge]], clause: this.lists[charges[charge + 1]][0] });
      charge += 2;
    });
    run.lists = numbersIn(source.lists);
    for (const { row, record } of source.records) run.records.set(row, record);
    return run;
  }

  emptyRun(header, count) {
    return {
      header, footer: {}, isEarlier: false, count, name: header.claim.name, version: header.claim.version,
      cases: new Int32Array(count), verdicts: new Uint8Array(count), vacuous: new Uint8Array(count),
      lists: new Int32Array(count), charges: new Map(), records: new Map(),
    };
  }

  // Returns the number of a literal, which is added if no run had it.
  numberOfCase(literal) {
    this.numbers ??= new Map(this.cases.map((each, number) => [each, number]));
    let number = this.numbers.get(literal);
    if (number === undefined) {
      number = this.cases.push(literal) - 1;
      this.numbers.set(literal, number);
    }
    return number;
  }

  numberOfList(ids) {
    this.listNumbers ??= new Map(this.lists.map((list, number) => [list.join(" "), number]));
    const key = ids.join(" ");
    let number = this.listNumbers.get(key);
    if (number === undefined) {
      number = this.lists.push(ids) - 1;
      this.listNumbers.set(key, number);
    }
    return number;
  }

  // Returns the number of a literal that a run has, or undefined.
  knownCase(literal) {
    if (!this.numbers && this.cases.length > 0) this.numberOfCase(this.cases[0]);
    return this.numbers?.get(literal);
  }

  verdictAt(run, row) { return this.verdicts[run.verdicts[row]]; }
  literalAt(run, row) { return this.cases[run.cases[row]]; }

  // Returns the row of each literal in a run; -1 if it has none.
  rowsOf(run) {
    if (run.rows?.length >= this.cases.length) return run.rows;
    run.rows = new Int32Array(this.cases.length).fill(-1);
    for (let row = run.count - 1; row >= 0; --row) run.rows[run.cases[row]] = row;
    return run.rows;
  }
}

// Returns the finding of a record that holds: the last one.
function findingOf(record) {
  const last = record.amended?.at(-1);
  if (!last) return { by: "judge", verdict: record.verdict, fault: record.fault, clause: record.violated, words: record.explanation };
  return last;
}
