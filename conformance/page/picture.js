// The picture of a case: data, expected and actual output as grids. What the records do not have is drawn as not known.

// Returns the answer in a record: an operand, the elements that were not written, and bits if the page has them.
function answerOf(record, run) {
  const operand = record?.output && operandFrom(record.output);
  if (!operand?.elements) return null;
  return { ...operand, unwritten: new Set(record.unwritten ?? []), bits: record.output_bits ?? "" };
}

// Returns what the judge's words say of the first wrong element of an output of this shape.
function firstWrong(words, shape) {
  const match = /^element \[([\d,]*)\] (?:(was not written)|is (.*)), expected .*; \d+ of (\d+) differs?$/m.exec(words ?? "");
  if (!match || Number(match[4]) !== countOf(shape)) return null;
  const places = match[1] === "" ? [] : match[1].split(",").map(Number);
  const index = places.reduce((sum, place, axis) => sum * shape[axis] + place, 0);
  const value = /^0x[0-9a-f]+ \((.*)\)$/.exec(match[3] ?? "");
  return { index, isUnwritten: Boolean(match[2]), text: value ? value[1] : match[3] };
}

// Returns the elements of the actual output as far as the records have them: of each its text, or null, and its mark.
function actualElements(expected, record, run) {
  const answer = answerOf(record, run);
  if (answer) {
    const isComparable = answer.type === expected.type && String(answer.shape) === String(expected.shape);
    return { ...answer, cells: answer.elements.map((text, index) => {
      if (answer.unwritten.has(index)) return { text: "?", mark: "unwritten" };
      return { text, mark: isComparable && text !== expected.elements?.[index] ? "wrong" : "" };
    }) };
  }
  if (!record || record.fault !== "elements") return null;
  const first = firstWrong(record.explanation, expected.shape);
  return first && { ...expected, bits: "", cells: expected.elements.map((text, index) => {
    if (index < first.index) return { text, mark: "" };
    if (index > first.index) return { text: "·", mark: "unknown" };
    return first.isUnwritten ? { text: "?", mark: "unwritten" } : { text: first.text, mark: "wrong" };
  }) };
}

// Returns the bits of an element, from the hexadecimal digits of all.
function bitsAt(grid, index) {
  const digits = grid.bits ? grid.bits.length / countOf(grid.shape) : 0;
  return digits ? `0x${grid.bits.slice(index * digits, (index + 1) * digits)}` : "";
}

const markWords = { wrong: "wrong", unwritten: "not written", unknown: "not known" };
const markSigns = { wrong: "✗", unwritten: "✗", unknown: "" };

function gridCell(grid, index, row, column, options) {
  const { text, mark } = grid.cells[index];
  const [rows, columns] = grid.copy;
  const isBorder = (place, copy) => place > 0 && copy > 1 && place % copy === 0;
  const classes = [mark, isBorder(row, rows) ? "row-border" : "", isBorder(column, columns) ? "column-border" : ""];
  const expected = mark && grid.expected ? `, expected ${grid.expected[index]}` : "";
  const bits = options.bits && mark !== "unknown" && mark !== "unwritten" ? bitsAt(grid, index) : "";
  return make("td", { class: classes.filter(Boolean).join(" ") || null, title: mark ? markWords[mark] + expected : null },
    text, mark ? sign(markSigns[mark]) : null, mark ? spoken(` ${markWords[mark]}${expected}`) : null,
    bits ? make("small", { class: "bits" }, bits) : null);
}

// Makes the grid of the last two axes of a tensor; `slice` counts the places of the others.
function gridTable(title, grid, slice, options) {
  const shape = [1, 1, ...grid.shape].slice(-2), [rows, columns] = shape;
  const start = slice * rows * columns;
  const numbers = [...Array(columns).keys()];
  const body = [...Array(rows).keys()].map((row) => make("tr", {}, make("th", { scope: "row" }, String(row)),
    numbers.map((column) => gridCell(grid, start + row * columns + column, row, column, options))));
  const name = `${title}: ${grid.type}[${grid.shape.join(",")}]`;
  return make("figure", {}, make("figcaption", {}, make("b", {}, title), " ", make("code", {}, `${grid.type}[${grid.shape.join(",")}]`)),
    countOf(grid.shape) === 0 ? make("p", {}, "no elements") :
      scrollable(name, table("grid", make("caption", { class: "spoken" }, name), [spoken("row"), ...numbers], body)));
}

function slicesOf(shape) {
  return countOf(shape.slice(0, -2));
}

function placesOf(slice, shape) {
  const places = [];
  for (let axis = shape.length - 3; axis >= 0; --axis) {
    places.unshift(slice % shape[axis]);
    slice = Math.floor(slice / shape[axis]);
  }
  return places;
}

// Returns the slice of the data that a slice of the output is a copy of.
function sliceOfData(slice, output, data) {
  const outer = data.slice(0, -2), places = placesOf(slice, output).slice(-outer.length || output.length);
  return outer.reduce((sum, dimension, axis) => sum * dimension + (places[axis] ?? 0) % dimension, 0);
}

function sliceLinks(slice, expected, cells) {
  const count = slicesOf(expected.shape);
  if (count <= 1) return null;
  const size = countOf(expected.shape) / count;
  const wrong = new Set();
  cells?.forEach((cell, index) => { if (cell.mark === "wrong" || cell.mark === "unwritten") wrong.add(Math.floor(index / size)); });
  const link = (to, words) => {
    const isThere = to >= 0 && to < count;
    return isThere ? make("a", { href: addressWith({ slice: String(to) }) }, words) : make("span", { class: "off" }, words);
  };
  const places = placesOf(slice, expected.shape).join(",");
  return make("p", { class: "slices" }, link(slice - 1, "◀ previous slice"), ` [${places},:,:] is slice ${slice + 1} of ${count}`,
    wrong.size ? `; wrong elements are in ${wrong.size}` : "", " ", link(slice + 1, "next slice ▶"));
}

// Returns the number of the chosen slice, or of the first that has a wrong element.
function chosenSlice(shape, cells, chosen) {
  const count = slicesOf(shape), size = countOf(shape) / count || 1;
  const firstBad = cells?.findIndex((cell) => cell.mark === "wrong" || cell.mark === "unwritten") ?? -1;
  const wanted = Number(chosen.slice ?? Math.floor(Math.max(0, firstBad) / size)) || 0;
  return Math.min(Math.max(0, Math.floor(wanted)), Math.max(0, count - 1));
}

const noBorders = [0, 0];

function actualFigure(expected, actual, copy, slice, options) {
  if (!actual)
    return make("figure", {}, make("figcaption", {}, make("b", {}, "Actual")),
      make("p", { class: "unknown-output" }, "not known: the records have no output of this call"));
  if (String(actual.shape) !== String(expected.shape)) return gridTable("Actual", { ...actual, copy: noBorders }, 0, options);
  return gridTable("Actual", { ...actual, copy, expected: expected.elements }, slice, options);
}

function legendOf(options, hasBits) {
  return make("p", { class: "legend" }, sign("✗"), " wrong   ", make("b", {}, "?"), " not written   ", make("b", {}, "·"), " not known   ",
    make("span", { class: "border-key", "aria-hidden": "true" }), " between copies of the data   ",
    hasBits && make("a", { href: addressWith({ bits: options.bits ? null : "1" }) }, options.bits ? "Hide bits" : "Show bits"));
}

// Returns an operand as a grid without marks.
function plainGrid(text, bits) {
  const operand = operandFrom(text);
  return { ...operand, bits, cells: operand.elements.map((each) => ({ text: each, mark: "" })) };
}

// Makes the picture of a case, or says why there is none.
function pictureOf(book, run, literal, record, chosen) {
  const drawn = book.pictures.get(literal);
  if (drawn?.refused) return make("p", {}, "Expected: the call is refused, by ", make("code", {}, drawn.refused), `: ${drawn.why}.`);
  if (drawn?.open) return make("p", {}, "Expected: the texts leave the answer open, by ", make("code", {}, drawn.open), ".");
  if (!drawn) return unknownPicture(record, run, chosen);
  const data = plainGrid(drawn.data, drawn.data_bits), expected = plainGrid(drawn.expected, drawn.expected_bits);
  const actual = actualElements(expected, record, run);
  const copy = [1, 1, ...data.shape].slice(-2), options = { bits: chosen.bits === "1" };
  const cells = actual && String(actual.shape) === String(expected.shape) ? actual.cells : null;
  const slice = chosenSlice(expected.shape, cells, chosen);
  return make("div", { class: "picture" }, sliceLinks(slice, expected, cells),
    make("div", { class: "grids" },
      gridTable("Data", { ...data, copy: noBorders }, sliceOfData(slice, expected.shape, data.shape), options),
      gridTable("Expected", { ...expected, copy }, slice, options), actualFigure(expected, actual, copy, slice, options)),
    legendOf(options, data.type !== "string"));
}

// Makes what can be drawn of a case that certile drew nothing for when it wrote the page.
function unknownPicture(record, run, chosen) {
  const answer = answerOf(record, run);
  const note = make("p", {}, "Not drawn here: ", run.hasNoBits ?
    "a page that certile writes from this file also has the data and the expected output." :
    "the output is too large, has no elements, or plainer failures of the clause are drawn.");
  if (!answer) return note;
  const cells = answer.elements.map((text, index) => (answer.unwritten.has(index) ? { text: "?", mark: "unwritten" } : { text, mark: "" }));
  return make("div", { class: "picture" },
    gridTable("Actual", { ...answer, copy: noBorders, cells }, chosenSlice(answer.shape, null, chosen), {}), note);
}
