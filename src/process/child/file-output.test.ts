import { appendFileSync, writeSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { FileOutput } from "./file-output.ts";
import { type Child, spawnChild } from "./spawn-child.ts";

const outputs: FileOutput[] = [];
const children: Child[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const output of outputs.splice(0)) output.close();
});

it("all output reaches the sink in order, and then onClose is called", async () => {
  const { text, closed } = follow(
    "for (let n = 0; n < 3000; n += 1) process.stdout.write((n + ' ').repeat(50)); process.exit(3)",
  );
  await closed;
  expect(text()).toBe(Array.from({ length: 3_000 }, (_, n) => `${n} `.repeat(50)).join(""));
});

it("onClose is not called before the program has exited, even if it has closed stderr", async () => {
  const { text, closed } = follow(`
    require("node:fs").closeSync(2);
    process.stdout.write("one ");
    setTimeout(() => process.stdout.write("two"), 300);
  `);
  await closed;
  expect(text()).toBe("one two");
});

it("settle() passes on everything printed so far, also while the program prints", async () => {
  const output = openOutput();
  let bytes = 0;
  output.follow(spawnIdle(), { onChunk: (chunk) => (bytes += chunk.byteLength), onClose: () => {} });
  for (let megabytes = 1; megabytes <= 3; megabytes += 1) {
    writeSync(output.childEnd, Buffer.alloc(1_000_000));
    await output.settle();
    expect(bytes).toBe(megabytes * 1_000_000);
  }
});

it("settle() resolves although the program never stops printing", async () => {
  const output = openOutput();
  let bytes = 0;
  const print = (): number => writeSync(output.childEnd, Buffer.alloc(65_536));
  // For each chunk that is read there is another one.
  const onChunk = (chunk: Uint8Array): void => {
    bytes += chunk.byteLength;
    print();
  };
  output.follow(spawnIdle(), { onChunk, onClose: () => {} });
  for (let times = 1; times <= 3; times += 1) {
    const before = bytes;
    print();
    await output.settle();
    expect(bytes).toBeGreaterThan(before);
  }
});

it("after ignore() nothing is passed on, and settle() resolves at once", async () => {
  const { output, text } = follow("setInterval(() => process.stdout.write('x'), 5)");
  await expect.poll(() => text().length, { timeout: 20_000 }).toBeGreaterThan(0);
  const settled = output.settle();
  output.ignore();
  await settled;
  const before = text();
  await output.settle();
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(text()).toBe(before);
  output.close();
});

it("a small chunk does not keep a large buffer in memory", async () => {
  const output = openOutput();
  const pieces: Uint8Array[] = [];
  output.follow(spawnIdle(), { onChunk: (chunk) => pieces.push(chunk), onClose: () => {} });
  for (const word of ["one", "two"]) {
    appendFileSync(output.childEnd, word);
    await output.settle();
  }
  expect(pieces.map((piece) => Buffer.from(piece).toString())).toEqual(["one", "two"]);
  for (const piece of pieces) expect(piece.buffer.byteLength).toBeLessThan(16_384);
});

type Followed = { readonly output: FileOutput; readonly text: () => string; readonly closed: Promise<void> };

function follow(script: string): Followed {
  const output = openOutput();
  const child = spawnScript(script, output.childEnd);
  output.closeChildEnd();
  child.stderr.resume();
  let text = "";
  const closed = new Promise<void>((onClose) => {
    output.follow(child, { onChunk: (chunk) => (text += Buffer.from(chunk).toString("latin1")), onClose });
  });
  return { output, text: () => text, closed };
}

function openOutput(): FileOutput {
  const output = new FileOutput();
  outputs.push(output);
  return output;
}

/** A program that prints nothing: the test itself writes into the file. */
function spawnIdle(): Child {
  return spawnScript("setTimeout(() => {}, 60_000)");
}

function spawnScript(script: string, stdout?: number): Child {
  const options = { command: process.execPath, args: ["-e", script], env: {}, cwd: "/" };
  const child = spawnChild({ run: "test.1", ...options, ...(stdout !== undefined && { stdout }) });
  if ("errno" in child) throw new Error("the program did not start");
  children.push(child);
  return child;
}
