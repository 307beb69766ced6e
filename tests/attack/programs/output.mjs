// Programs that print or read in a hostile way.
import { closeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { answer, print, write } from "./wires.mjs";

const MEGABYTE = Buffer.alloc(1_000_000, "x");

export const output = {
  answers: answer,
  "exits-at-once": () => process.exit(0),
  "exits-with-255": () => process.exit(255),
  "says-nothing": () => sleep(60_000),
  "floods-stdout"(wire) {
    print(wire.start());
    const lines = `${JSON.stringify(wire.streamed("lorem ipsum "))}\n`.repeat(1000);
    for (let count = 0; count < 100; count += 1) write(lines);
    print(wire.say("All good."), wire.end("All good."));
  },
  "floods-with-text"() {
    for (let count = 0; count < 30; count += 1) write("no json here\n".repeat(10_000));
  },
  "floods-without-end"(wire) {
    const lines = `${JSON.stringify(wire.streamed("lorem ipsum "))}\n`.repeat(100);
    print(wire.start());
    const flood = () => {
      write(lines);
      setTimeout(flood, 5);
    };
    flood();
  },
  "floods-stderr"(wire) {
    for (let count = 0; count < 30; count += 1) write(MEGABYTE, 2);
    answer(wire);
  },
  "floods-both"(wire) {
    for (let count = 0; count < 10; count += 1) {
      write("{}\n".repeat(100_000));
      write("noise\n".repeat(100_000), 2);
    }
    answer(wire);
  },
  "blank-lines"(wire) {
    for (let count = 0; count < 20; count += 1) write("\n \r\n\t\n".repeat(50_000));
    answer(wire);
  },
  "half-a-line"(wire) {
    print(wire.start());
    write(JSON.stringify(wire.say("All good.")).slice(0, 40));
  },
  async "half-a-line-and-waits"(wire) {
    print(wire.start());
    write(JSON.stringify(wire.say("All good.")).slice(0, 40));
    await sleep(60_000);
  },
  "no-end"(wire) {
    print(wire.start(), wire.say("All good."));
  },
  zeros(wire) {
    write("\0\0\0{\0}\n\0");
    write(`${JSON.stringify(wire.start()).replaceAll(",", ",\0")}\n`);
    answer(wire);
  },
  "broken-utf8"(wire) {
    print(wire.start());
    write(
      Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf8]), Buffer.from('"}\n')]),
    );
    const line = Buffer.from(`${JSON.stringify(wire.say("All\u00ff good."))}\n`);
    write(line.subarray(0, line.indexOf(0xc3) + 1));
    write(line.subarray(line.indexOf(0xc3) + 2));
    print(wire.end("All good."));
  },
  utf16(wire) {
    write(Buffer.from(`\ufeff${JSON.stringify(wire.start())}\n`, "utf16le"));
    answer(wire);
  },
  "huge-line"(wire) {
    print(wire.start());
    write('{"type":"huge","text":"');
    for (let count = 0; count < 50; count += 1) write(MEGABYTE);
    write('"}\n');
    print(wire.say("All good."), wire.end("All good."));
  },
  "line-over-the-limit"(wire) {
    for (let count = 0; count < 70; count += 1) write(MEGABYTE);
    write("\n");
    answer(wire);
  },
  "huge-answer"(wire) {
    print(wire.start(), wire.say(MEGABYTE.toString().repeat(20)), wire.end(MEGABYTE.toString().repeat(20)));
  },
  "only-carriage-returns"(wire) {
    for (const line of [wire.start(), wire.say("All good."), wire.end("All good.")]) write(`${JSON.stringify(line)}\r`);
  },
  "terminal-codes"(wire) {
    const codes = "\u001b]0;title\u0007\u001b[2J\u009b31m\u0090q\u009c\u202eabc\u2066\u200f\u001b[?1049h";
    write(`${codes}\n`);
    write(`${codes} Error: ${codes}\n`, 2);
    print(wire.start(), wire.say(codes), wire.fail(codes));
  },
  "byte-by-byte"(wire) {
    for (const line of [wire.start(), wire.say("\u00e9\u{1f600}"), wire.end("\u00e9\u{1f600}")])
      for (const byte of Buffer.from(`${JSON.stringify(line)}\n`)) write([byte]);
  },
  async "closes-stdout"(wire) {
    print(wire.start());
    closeSync(1);
    await sleep(60_000);
  },
  async "answers-and-closes-stdout"(wire) {
    answer(wire);
    closeSync(1);
    await sleep(60_000);
  },
  "closes-stderr"(wire) {
    closeSync(2);
    answer(wire);
  },
  async "closes-stdin"(wire) {
    closeSync(0);
    await sleep(200);
    answer(wire);
  },
  async "never-reads"(wire) {
    print(wire.start());
    await sleep(60_000);
  },
  async "answers-without-reading"(wire) {
    await sleep(100);
    answer(wire);
    await sleep(60_000);
  },
  async "asks-and-never-reads"(wire) {
    print(wire.start());
    for (let number = 0; number < 2000; number += 1) print(wire.ask(`r${number}`, { text: "x".repeat(1000) }));
    await sleep(60_000);
  },
};
