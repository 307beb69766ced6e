// Writes its umask to NOTE_FILE and answers.
import { writeFileSync } from "node:fs";
import { answer, print } from "../claude-lines.mjs";

writeFileSync(process.env.NOTE_FILE, process.umask().toString(8).padStart(3, "0"));
print(...answer("All good."));
