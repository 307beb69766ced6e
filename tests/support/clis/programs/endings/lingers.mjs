// Writes its pid to PID_FILE, answers, stays alive for LINGER_MS (a minute by default) and then writes a note; with STUBBORN it ignores SIGINT
// and SIGTERM.
import { writeFileSync } from "node:fs";
import { answer, print } from "../claude-lines.mjs";
import { ignoreSignals } from "./stay-alive.mjs";

if (process.env.STUBBORN) ignoreSignals();
writeFileSync(process.env.PID_FILE, String(process.pid));
print(...answer("All good."));
setTimeout(() => writeFileSync(process.env.NOTE_FILE, "lingered"), Number(process.env.LINGER_MS ?? 60_000));
