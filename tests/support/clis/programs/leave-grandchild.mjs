// Starts a process in a session of its own that ignores SIGINT and SIGTERM, and writes its pid to PID_FILE.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

export function leaveGrandchild(options) {
  const child = spawn("/bin/sh", ["-c", "trap '' INT TERM HUP; exec sleep 600"], { detached: true, ...options });
  child.unref();
  writeFileSync(process.env.PID_FILE, String(child.pid));
}
