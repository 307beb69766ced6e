// Asks whether a tool may run, with an input of LEVELS levels, or none with UNTOLD; answers with the reply that it got. NOTE_FILE gets a line for the question. Without its
// host it asks its model a second later, which is another line; with STUBBORN also after a signal to stop.
import { appendFileSync } from "node:fs";
import { assistant, init, print, result, writeAll } from "../claude-lines.mjs";

const levels = Number(process.env.LEVELS ?? 1);
const input = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const request = `{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"tool_1"${process.env.UNTOLD ? "" : `,"input":${input}`}}`;
const { NOTE_FILE, STUBBORN } = process.env;
const note = (what) => NOTE_FILE && appendFileSync(NOTE_FILE, `${what}\n`);
if (STUBBORN) for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
print(init());
note("question");
process.stdin.on("end", () => setTimeout(() => note("answer"), 1000));
writeAll(`{"type":"control_request","request_id":"question_1","request":${request}}\n`);
let got = "";
process.stdin.on("data", (chunk) => {
  got += chunk;
  const reply = got.split("\n").find((line) => line.includes('"control_response"'));
  if (reply === undefined || !got.endsWith("\n")) return;
  const text = JSON.stringify(JSON.parse(reply).response.response);
  print(assistant(text), result(text));
  process.exit(0);
});
