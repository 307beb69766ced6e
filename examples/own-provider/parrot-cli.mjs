#!/usr/bin/env node
// A small CLI for practice: it repeats its input, word by word, as JSON lines.
import { text } from "node:stream/consumers";

if (process.argv.includes("--version")) {
  console.log("parrot-cli 1.0.0");
} else {
  const pieces = (await text(process.stdin)).trim().match(/\S+\s*/g) ?? [];
  if (pieces.some((piece) => /[A-Z]{4}/.test(piece))) {
    console.error("parrot-cli: that was too loud, try again in 5 minutes");
    process.exit(3);
  }
  for (const piece of pieces) console.log(JSON.stringify({ kind: "word", word: piece }));
  console.log(JSON.stringify({ kind: "end", heard: pieces.length, said: pieces.length }));
}
