// Takes prompts by JSON-RPC, several at the same time. The first word of a prompt says what becomes of it:
//   alone    its words are said at once
//   pair     its words are said in turn with those of the next pair
//   hang     nothing, until it is interrupted
//   patient  its words are said when another prompt was interrupted
//   die      complains and exits with code 7
import { createInterface } from "node:readline";

const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const say = (id, text) => print({ method: "said", params: { id, text } });
const end = (id) => print({ id, result: { finish: "stop" } });
const pair = [];
const patient = [];

function sayAll(...prompts) {
  const longest = Math.max(...prompts.map(({ words }) => words.length));
  for (let at = 0; at < longest; at += 1) for (const { id, words } of prompts) if (at < words.length) say(id, words[at]);
  for (const { id } of prompts) end(id);
}

function take(id, [what, ...words]) {
  if (what === "alone") sayAll({ id, words });
  if (what === "hang") say(id, process.argv[2] ?? "hanging");
  if (what === "patient") patient.push({ id, words });
  if (what === "pair" && pair.push({ id, words }) === 2) sayAll(...pair.splice(0));
  if (what === "die") process.stderr.write("Error: out of breath\n", () => process.exit(7));
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "hello") print({ id, result: {} });
  if (method === "prompt") take(id, params.prompt.split(" "));
  if (method === "interrupt") sayAll(...patient.splice(0));
}
