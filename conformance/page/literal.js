// Literals and operands, as docs/literals.md has them.

// Splits the elements of an operand at the commas outside strings.
function elementsIn(text) {
  const elements = [];
  let start = 0, isString = false;
  for (let at = 0; at < text.length; ++at) {
    if (isString && text[at] === "\\") ++at;
    else if (text[at] === '"') isString = !isString;
    else if (text[at] === "," && !isString) {
      elements.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (text !== "") elements.push(text.slice(start));
  return elements;
}

// Reads f32[2,3]{1,2,3,4,5,6}. Without braces `elements` is null.
function operandFrom(text) {
  const match = /^([a-z0-9]+)(?:\[([\d,]*)\])?(?:\{(.*)\})?$/s.exec(text);
  if (!match) return null;
  const elements = match[3] === undefined ? null : elementsIn(match[3]);
  let shape = null;
  if (match[2] !== undefined) shape = match[2] === "" ? [] : match[2].split(",").map(Number);
  else if (elements) shape = [elements.length];
  return shape && { type: match[1], shape, elements };
}

function countOf(shape) {
  return shape.reduce((product, dimension) => product * dimension, 1);
}

// Splits a text at the spaces outside strings.
function wordsIn(text) {
  return text.match(/(?:"(?:[^"\\]|\\.)*"|[^" ])+|"/g) ?? [];
}

// Returns what a literal says of its call: operator, data without made elements, repeats, and whether it has a fill.
function questionFrom(literal) {
  const words = wordsIn(literal);
  return { operator: words[0], data: operandFrom(words[1] ?? ""), repeats: operandFrom(words[3] ?? ""), hasFill: / fill=/.test(literal) };
}

// Returns what conformance/judge/record.hpp orders failing cases by: the plainest is the least.
function plainnessOf(literal) {
  const { data, repeats, hasFill } = questionFrom(literal);
  if (!data) return [1, 0, 0, 0, 0, 0, literal.length, literal];
  const count = countOf(data.shape);
  const isRare = !["f32", "u8", "i64"].includes(data.type);
  const isEmpty = count === 0 || Boolean(repeats?.elements?.includes("0"));
  return [0, +hasFill, +isEmpty, data.shape.length, count, +isRare, literal.length, literal];
}

function compareLists(left, right) {
  for (let at = 0; at < left.length; ++at) {
    if (left[at] < right[at]) return -1;
    if (left[at] > right[at]) return 1;
  }
  return 0;
}

function plainestFirst(literals) {
  return literals.map((literal) => [plainnessOf(literal), literal]).sort((left, right) => compareLists(left[0], right[0]))
    .map((pair) => pair[1]);
}

// Quotes a word for a shell; characters that a terminal would act upon are spelled as their bytes.
function quotedForShell(text) {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (shown(text) === text && !text.includes("\n")) return `'${text.replaceAll("'", "'\\''")}'`;
  const byteText = (byte) => `\\x${byte.toString(16).padStart(2, "0")}`;
  const escaped = (character) => {
    if (/['\\]/.test(character)) return `\\${character}`;
    if (shown(character) === character && character !== "\n") return character;
    return [...new TextEncoder().encode(character)].map(byteText).join("");
  };
  return `$'${[...text].map(escaped).join("")}'`;
}
