import { keyboardOf } from "../../../src/cli/terminal/keyboard.ts";

// Discards what was typed while the event loop is blocked for longer than the keyboard waits for input.
const keyboard = keyboardOf(process.stdin);
const signal = new AbortController().signal;
await keyboard.readLine(signal);
const discarded = keyboard.discard(signal);
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
await discarded;
console.log("question");
console.log(`answer: ${await keyboard.readLine(signal)}.`);
