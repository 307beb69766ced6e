// Calls host tools as Claude Code does. Its prompt is JSON: the calls of each of its answers, {"answers":[[{"name":"look","input":{}}]]}, and what it
// says before them, {"says":["One.","Two."]}; with {"streams":false} it prints whole messages only, with {"sameIds":true} the calls of each answer have the
// same ids, and with {"dies":true} the first process exits in the middle of its first answer. Its last answer is JSON: its pid and all results that it
// got. NOTE_FILE gets a line for each answer of the model.
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { init, print, result } from "../claude-lines.mjs";

let answers = [];
let says = [];
let streams = true;
let sameIds = false;
let dies = false;
let messages = 0;
let earlier = 0;
let open = [];
const results = [];

function take(line) {
  if (line.type === "user") begin(line.message.content);
  else if (line.type === "control_request") control(line.request);
  else answered(line.response);
}

function begin([{ text }]) {
  earlier = messages;
  // A whole conversation comes as an XML thread, to which it makes no calls.
  if (text.startsWith("{")) ({ answers, says = [], streams = true, sameIds = false, dies = false } = JSON.parse(text));
  message("list", "tools/list", {});
}

function control({ subtype }) {
  if (subtype !== "interrupt") return;
  appendFileSync(process.env.NOTE_FILE, "interrupted\n");
  print({ ...result(""), subtype: "error_during_execution", is_error: true, errors: ["aborted"], total_cost_usd: 0.5 });
}

/** The next answer of the model: calls, or the last text. */
function next() {
  appendFileSync(process.env.NOTE_FILE, "answer\n");
  const calls = answers.shift();
  messages += 1;
  if (calls === undefined) return end();
  const id = `msg_${messages}`;
  const step = sameIds ? 0 : messages;
  open = calls.map(({ name, input }, index) => ({ id: `toolu_${process.pid}_${step}_${index}`, name, input }));
  stream({ type: "message_start", message: { id, usage: { input_tokens: 10, output_tokens: 1 } } });
  for (const [index, said] of says.entries()) sayText(index, id, said);
  for (const [index, call] of open.entries()) say(says.length + index, id, call);
  if (dies && readFileSync(process.env.NOTE_FILE, "utf8") === "answer\n") process.exit(1);
  stream({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } });
  stream({ type: "message_stop" });
  for (const { id: callId, name, input } of open) ask(callId, name, input);
}

function say(index, id, { id: callId, name, input }) {
  const block = { type: "tool_use", id: callId, name };
  stream({ type: "content_block_start", index, content_block: { ...block, input: {} } });
  stream({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: JSON.stringify(input) } });
  print({ type: "assistant", message: { id, role: "assistant", content: [{ ...block, input }] } });
  stream({ type: "content_block_stop", index });
}

function sayText(index, id, text) {
  stream({ type: "content_block_start", index, content_block: { type: "text", text: "" } });
  stream({ type: "content_block_delta", index, delta: { type: "text_delta", text } });
  print({ type: "assistant", message: { id, role: "assistant", content: [{ type: "text", text }] } });
  stream({ type: "content_block_stop", index });
}

function stream(event) {
  if (streams) print({ type: "stream_event", event });
}

function ask(id, name, input) {
  message(id, "tools/call", { name, arguments: input, _meta: { "claudecode/toolUseId": id } });
}

function message(id, method, params) {
  const sent = { jsonrpc: "2.0", id: 1, method, params };
  print({ type: "control_request", request_id: id, request: { subtype: "mcp_message", server_name: "host", message: sent } });
}

function answered({ request_id: id, response }) {
  const { content, isError, tools } = response.mcp_response.result;
  if (id === "list") {
    print({ ...init(), tools: tools.map(({ name }) => name) });
    return next();
  }
  results.push(content[0].text);
  print({
    type: "user",
    message: { role: "user", content: [{ tool_use_id: id, type: "tool_result", content, is_error: isError }] },
  });
  open = open.filter((call) => call.id !== id);
  if (open.length === 0) next();
}

function end() {
  const text = JSON.stringify({ pid: process.pid, results });
  const usage = { input_tokens: 10 * (messages - earlier), output_tokens: 5 * (messages - earlier) };
  print({ type: "assistant", message: { id: `msg_${messages}`, role: "assistant", content: [{ type: "text", text }] } });
  print({ ...result(text), usage });
}

createInterface({ input: process.stdin }).on("line", (line) => take(JSON.parse(line)));
