// Takes any number of turns. Its answer is JSON: its pid, its system prompt and all prompts that it got so far.
// "die" exits without an answer, "die once" kills the first process that gets it, "fail" reports an error of the service, "hang" answers only after an interrupt. It answers each system prompt, "refused" with an error. What NOTE_FILE said at the start is its login ("old", "busy" and "limited" fail);
// it is noted in another file.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { assistant, init, print, result } from "../claude-lines.mjs";

const FAILURES = {
  old: { error: "authentication_failed", text: "Not logged in · Please run /login" },
  fail: { error: "server_error", text: "API Error: 500 Internal server error" },
  busy: { error: "invalid_request", text: "The thread already has an active writer" },
  limited: { error: "rate_limit", text: "Too many requests" },
};
const prompts = [];
let system;
let isHanging = false;
const login = readNote();
if (process.env.NOTE_FILE !== undefined) appendFileSync(`${process.env.NOTE_FILE}.found`, `${login}\n`);

function readNote() {
  try {
    return readFileSync(process.env.NOTE_FILE ?? "", "utf8");
  } catch {
    return "";
  }
}

function isFirstToDie() {
  const died = `${process.env.NOTE_FILE}.died`;
  if (existsSync(died)) return false;
  appendFileSync(died, "");
  return true;
}

function take({ type, request_id, request, message }) {
  if (type === "control_request") return control(request_id, request);
  const [{ text: prompt }] = message.content;
  prompts.push(prompt);
  if (/^(?:die|<thread>\s*<event [^>]*>die<\/event>\s*<\/thread>)$/.test(prompt)) process.exit(3);
  if (prompt === "die once" && isFirstToDie()) process.kill(process.pid, "SIGKILL");
  print(init());
  if (prompt === "hang") isHanging = true;
  else if (prompt === "fail") fail(FAILURES.fail);
  else if (login in FAILURES) fail(FAILURES[login]);
  else end(JSON.stringify({ pid: process.pid, system, prompts }));
}

function control(request_id, { subtype, systemPrompt }) {
  if (subtype === "initialize") {
    system = systemPrompt;
    print({ type: "control_response", response: { subtype: system === "refused" ? "error" : "success", request_id } });
  }
  if (subtype !== "interrupt" || !isHanging) return;
  isHanging = false;
  print({ ...result(""), subtype: "error_during_execution", is_error: true, errors: ["aborted"] });
}

function fail({ error, text }) {
  print({ ...assistant(text), error }, { ...result(text), is_error: true });
}

function end(text) {
  print(assistant(text, `msg_${prompts.length}`), result(text));
}

createInterface({ input: process.stdin }).on("line", (line) => take(JSON.parse(line)));
