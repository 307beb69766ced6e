import { spawn } from "node:child_process";
import { eachLine } from "./each-line.mjs";

/** The CLI itself: spawned with Coxswain's launch plan and read by a minimal reader; its terminal event ends the call. */
export function prepare({ cli, command, workspace, plans, plain }) {
  const read = cli === "claude" ? readClaude : readCodex;
  const ask = (question, signal, onText) =>
    new Promise((resolve, reject) => {
      const { args, env, stdin } = question.variant === "plain" ? plain : plans[question.variant];
      const child = spawn(command, args, { cwd: workspace, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "ignore"] });
      const heard = { text: "" };
      child.stdin.on("error", () => {}).write(stdin.text);
      if (stdin.close === "now") child.stdin.end();
      signal.addEventListener("abort", () => child.kill(), { once: true });
      eachLine(child.stdout, (line) => {
        if (!read(line, heard, onText)) return;
        child.stdin.end();
        if (heard.error === undefined) resolve(heard.text);
        else reject(heard.error);
      });
      child.on("error", reject);
      child.on("close", (code, killed) => reject(new Error(`exited with ${killed ?? code} before its terminal event`)));
    });
  return { ask };
}

/** True at the terminal event. */
function readClaude(line, heard, onText) {
  if (line.type === "stream_event" && line.event.delta?.type === "text_delta") onText();
  if (line.type !== "result") return false;
  if (line.is_error) heard.error = new Error(line.result);
  heard.text = line.result;
  return true;
}

function readCodex(line, heard, onText) {
  if (line.type === "item.completed" && line.item.type === "agent_message") {
    onText();
    heard.text = line.item.text;
  }
  if (line.type === "turn.failed") heard.error = new Error(line.error.message);
  return line.type === "turn.completed" || line.type === "turn.failed";
}
