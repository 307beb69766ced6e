// Calls host tools by an MCP server over HTTP and prints lines as Copilot does. Its prompt is JSON: the calls of each of its answers,
// {"answers":[[{"place":"door"}]]}. A whole conversation comes as an XML thread, to which it makes no calls. Its last answer is JSON: its pid and
// all results that it got, in the order of its calls. NOTE_FILE gets a line for each answer of the model, and one for a lost server.
// Without its server it asks its model again a second later, as CLIs do; with STUBBORN also after a signal to stop.
import { appendFileSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

const { mcpServers } = JSON.parse(readFileSync(process.argv.at(-1), "utf8"));
const [[server, { url, headers }]] = Object.entries(mcpServers);
const prompt = await text(process.stdin);
const answers = prompt.startsWith("{") ? JSON.parse(prompt).answers : [];
const results = [];
let rpcId = 0;

const note = (what) => appendFileSync(process.env.NOTE_FILE, `${what}\n`);
const print = (type, data) => console.log(JSON.stringify({ type, data }));

async function rpc(method, params) {
  rpcId += 1;
  const accept = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: rpcId, method, params });
  const answer = await (await fetch(url, { method: "POST", headers: { ...headers, ...accept }, body })).text();
  return JSON.parse(/^data: (.*)$/m.exec(answer)?.[1] ?? answer).result;
}

async function call(args, index, list) {
  // The last call comes first, as Copilot's order is not that of the message.
  await new Promise((resolve) => setTimeout(resolve, 10 * (list.length - index)));
  const { content } = await rpc("tools/call", { name: "look", arguments: args });
  return content[0].text;
}

if (process.env.STUBBORN) for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
await rpc("initialize", {});
await rpc("tools/list", {});
for (const [step, calls] of answers.entries()) {
  note("answer");
  const toolRequests = calls.map((args, index) => ({ toolCallId: `${step}-${index}`, name: `${server}-look`, arguments: args }));
  print("assistant.message", { messageId: `m${step}`, content: `Step ${step}.`, toolRequests });
  try {
    results.push(...(await Promise.all(calls.map(call))));
  } catch {
    note("lost");
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  for (const { toolCallId } of toolRequests)
    print("tool.execution_complete", { toolCallId, success: true, result: { content: "" } });
}
note("answer");
print("assistant.message", { messageId: "last", content: JSON.stringify({ pid: process.pid, results }), toolRequests: [] });
console.log(JSON.stringify({ type: "result", sessionId: "s", exitCode: 0 }));
