// The worker that certile asks: the claim, the rules and the refusals of onnx-tile-13, around the kernel in tile.mjs.  Its messages
// are those of certile's page about the worker protocol.
import { readSync, writeSync } from "node:fs";
import { tile } from "./tile.mjs";

console.log = console.info = console.debug = console.error; // standard output belongs to the protocol

const types = "boolean i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128";
const claim = { name: "mine", version: "1", operators: "onnx-tile-13", types, repeats_types: "i64", infer: "yes", batch: "512" };
const most = 2n ** 63n - 1n;

// Thrown where the operator refuses a call.
class Rejected extends Error {}

// Returns `size` bytes of standard input, or null at its end.
function read(size) {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size;) {
    const count = readSync(0, bytes, at, size - at);
    if (count === 0) return null;
    at += count;
  }
  return bytes;
}

function write(bytes) {
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}

// Returns the repeats and the output's shape, as BigInt, because a shape may be larger than any number that is exact.
function understood(words, tensors, key) {
  const sizes = (name) => words[key + name].split(",").filter(Boolean).map(BigInt);
  const shape = sizes("data.shape");
  const [length, ...more] = sizes("repeats.shape");
  if (length !== BigInt(shape.length) || more.length > 0) throw new Rejected("repeats must be a vector, one number for each axis");
  const content = tensors[key + "repeats"];
  const repeats = shape.map((_, axis) => content.readBigInt64LE(8 * axis));
  if (repeats.some((count) => count < 0n)) throw new Rejected("a repeat is negative");
  const out = shape.map((size, axis) => size * repeats[axis]);
  const count = out.includes(0n) ? 0n : out.reduce((product, size) => product * size, 1n);
  if (count > most || out.some((size) => size > most)) throw new Rejected("the output has more than 2^63 - 1 elements");
  return { shape, repeats, out };
}

// Returns the words that answer one call, and the bytes of its output; in a batch, the key is "3.".
function answer(words, tensors, key) {
  const type = words[key + "data.type"];
  if (words[key + "op"] !== "onnx-tile-13" || !types.split(" ").includes(type) || words[key + "repeats.type"] !== "i64")
    return [{ status: "unsupported", why: "not claimed" }, null];
  try {
    const { shape, repeats, out } = understood(words, tensors, key);
    const said = { status: "ok", shape: out.join(), "out.type": type, "out.shape": out.join() };
    if (words[key + "cmd"] === "infer") return [said, null];
    if (out.includes(0n)) return [said, Buffer.alloc(0)];
    const width = Number(words[key + "element_bits"]) / 8;
    return [said, tile(shape.map(Number), repeats.map(Number), width, tensors[key + "data"])];
  } catch (why) {
    return [{ status: why instanceof Rejected ? "rejected" : "failed", why: String(why.stack) }, null];
  }
}

for (let prefix; (prefix = read(8)) !== null;) {
  const { __metadata__: words, ...entries } = JSON.parse(read(Number(prefix.readBigUInt64LE())).toString());
  const body = read(Math.max(0, ...Object.values(entries).map((entry) => entry.data_offsets[1])));
  const tensors = Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, body.subarray(...entry.data_offsets)]));
  const said = { seq: words.seq, status: "ok", ...(words.cmd === "hello" ? claim : {}) };
  const header = {};
  const outputs = [];
  let end = 0;
  const keys = words.batch ? Array.from({ length: Number(words.batch) }, (_, call) => `${call}.`) : "op" in words ? [""] : [];
  for (const key of keys) {
    const [spoken, output] = answer(words, tensors, key);
    for (const [name, word] of Object.entries(spoken)) said[key + name] = word;
    if (output === null) continue;
    header[`${key}out`] = { dtype: "U8", shape: [output.length], data_offsets: [end, end + output.length] };
    outputs.push(output);
    end += output.length;
  }
  const text = Buffer.from(JSON.stringify({ __metadata__: said, ...header }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  write(Buffer.concat([length, text, ...outputs]));
  if (words.cmd === "bye") break;
}
