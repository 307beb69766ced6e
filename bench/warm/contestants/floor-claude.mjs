import { spawn } from "node:child_process";
import { eachLine } from "../../rivals/contestants/each-line.mjs";

/** Claude Code: a process waits for each call, and the next one is started after it. */
export function prepareClaude({ launch: { command, args, cwd } }) {
  const start = () => spawn(command, args, { cwd, stdio: ["pipe", "pipe", "ignore"] });
  let spare = start();
  const ask = ({ prompt, system }, _signal, onText) =>
    new Promise((resolve, reject) => {
      const child = spare;
      eachLine(child.stdout, (line) => {
        if (line.type === "stream_event" && line.event.delta?.type === "text_delta") onText();
        if (line.type !== "result") return;
        child.stdin.end();
        spare = start();
        resolve(line.result);
      });
      child.on("close", (code) => reject(new Error(`exited with ${code} before its terminal event`)));
      const initialize = { subtype: "initialize", systemPrompt: system };
      const content = [prompt, " "].map((text) => ({ type: "text", text }));
      child.stdin.write(
        `${JSON.stringify({ type: "control_request", request_id: "1", request: initialize })}\n` +
          `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`,
      );
    });
  return { ask, close: () => spare.stdin.end() };
}
