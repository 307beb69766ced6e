// On SIGINT takes 200 ms to tidy up, leaves a note and ends.
import { writeFileSync } from "node:fs";
import { init, print } from "./claude-lines.mjs";
import { stayAlive } from "./stay-alive.mjs";

process.on("SIGINT", () => setTimeout(() => process.exit(void writeFileSync(process.env.NOTE_FILE, "tidied")), 200));
print(init());
stayAlive();
