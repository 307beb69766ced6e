#!/usr/bin/env node
// A small agent for practice that speaks the Agent Client Protocol: it repeats its prompt, and takes what it is told to take, if it may.
import { createInterface } from "node:readline";

const sessions = new Map();
const questions = new Map();

if (process.argv.includes("--version")) console.log("magpie-agent 1.0.0");
else {
  for await (const line of createInterface({ input: process.stdin })) read(JSON.parse(line));
}

function read({ id, method, params, result }) {
  if (method === undefined) questions.get(id)?.(result);
  else if (method === "initialize") answer(id, { protocolVersion: 1, agentCapabilities: { loadSession: false } });
  else if (method === "session/new") answer(id, { sessionId: open() });
  else if (method === "session/prompt") void prompt(id, params.sessionId, params.prompt.map(({ text }) => text).join(" "));
  else if (method === "session/cancel") sessions.set(params.sessionId, { isCancelled: true });
  else if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
}

function open() {
  const sessionId = `nest-${sessions.size + 1}`;
  sessions.set(sessionId, { isCancelled: false });
  return sessionId;
}

async function prompt(id, sessionId, text) {
  if (text.includes("locked")) return send({ id, error: { code: -32000, message: "The nest is locked" } });
  const words = text.trim().match(/\S+\s*/g) ?? [];
  const taken = /take (\w+)/.exec(text)?.[1];
  if (taken !== undefined) await take(sessionId, taken);
  for (const word of words) say(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: word } });
  const stopReason = sessions.get(sessionId).isCancelled ? "cancelled" : "end_turn";
  answer(id, { stopReason, usage: { inputTokens: words.length, outputTokens: words.length } });
}

async function take(sessionId, thing) {
  const call = { toolCallId: `take-${thing}`, title: `Take ${thing}`, kind: "other", rawInput: { thing } };
  say(sessionId, { sessionUpdate: "tool_call", status: "pending", ...call });
  const isAllowed = await ask(sessionId, call);
  const content = [{ type: "content", content: { type: "text", text: isAllowed ? `got ${thing}` : "not allowed" } }];
  const status = isAllowed ? "completed" : "failed";
  say(sessionId, { sessionUpdate: "tool_call_update", toolCallId: call.toolCallId, status, content });
}

async function ask(sessionId, toolCall) {
  const id = questions.size;
  const options = [
    { optionId: "yes", name: "Take it", kind: "allow_once" },
    { optionId: "no", name: "Leave it", kind: "reject_once" },
  ];
  const { outcome } = await new Promise((resolve) => {
    questions.set(id, resolve);
    send({ id, method: "session/request_permission", params: { sessionId, toolCall, options } });
  });
  return outcome.optionId === "yes";
}

function say(sessionId, update) {
  send({ method: "session/update", params: { sessionId, update } });
}

function answer(id, result) {
  send({ id, result });
}

function send(message) {
  console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
}
