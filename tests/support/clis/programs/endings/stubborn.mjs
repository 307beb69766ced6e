// Ignores SIGINT and SIGTERM, writes each to NOTE_FILE, and does not end.
import { appendFileSync } from "node:fs";
import { init, print } from "../claude-lines.mjs";
import { ignoreSignals, stayAlive } from "./stay-alive.mjs";

ignoreSignals((signal) => appendFileSync(process.env.NOTE_FILE, `${signal}\n`));
print(init());
stayAlive();
