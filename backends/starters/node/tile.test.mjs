// The worker speaks the protocol and keeps its claim: certile, which is on the PATH, certifies it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { tile } from "./tile.mjs";

function certile(...words) {
  const run = spawnSync("certile", words, { encoding: "utf8" });
  assert.equal(run.status, 0, `${run.error ?? ""}${run.stdout}${run.stderr}`);
}

test("the kernel repeats each axis", () => {
  assert.deepEqual([...tile([1, 2], [2, 2], 1, Buffer.from([7, 9]))], [7, 9, 7, 9, 7, 9, 7, 9]);
});

test("the messages are right", () => certile("worker-check", "node worker.mjs"));

test("the worker is conformant", () => {
  certile("certify", "worker:node worker.mjs", "--tier", "smoke"); // without --tier smoke the core tier, which a certificate rests on
});
