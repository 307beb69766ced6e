// On SIGINT cleans up for 200 ms, writes a note and ends.
import { writeFileSync } from "node:fs";
import { init, print } from "../claude-lines.mjs";
import { stayAlive } from "./stay-alive.mjs";

process.on("SIGINT", () => setTimeout(() => process.exit(void writeFileSync(process.env.NOTE_FILE, "tidied")), 200));
print(init());
stayAlive();
