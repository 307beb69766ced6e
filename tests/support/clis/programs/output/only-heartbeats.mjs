// Prints heartbeats and nothing else; with FIRST=init after its session line.
import { init, print } from "../claude-lines.mjs";

if (process.env["FIRST"] === "init") print(init());
const lines = [
  { type: "system", subtype: "hook_started", hook_name: "SessionStart" },
  { type: "tool_progress", tool_use_id: "t1", elapsed_time_seconds: 1 },
];
setInterval(() => print(...lines), 20);
