// Asks whether a tool may run, with an input of LEVELS levels; answers with the reply that it got.
import { assistant, init, print, result, writeAll } from "./claude-lines.mjs";

const levels = Number(process.env.LEVELS ?? 1);
const input = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const request = `{"subtype":"can_use_tool","tool_name":"Bash","tool_use_id":"tool_1","input":${input}}`;
print(init());
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
