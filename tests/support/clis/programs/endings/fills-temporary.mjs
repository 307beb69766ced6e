// Writes files into its temporary directory and makes that again whenever it is missing, also while it is being stopped.
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { init, print } from "../claude-lines.mjs";
import { ignoreSignals, stayAlive } from "./stay-alive.mjs";

ignoreSignals();
function write() {
  mkdirSync(tmpdir(), { recursive: true });
  writeFileSync(join(tmpdir(), "left-by-the-cli"), "");
}
write();
setInterval(write, 5);
print(init());
stayAlive();
