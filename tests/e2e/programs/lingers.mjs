// Answers, then stays for 5 s and leaves a note when it has stayed that long; STUBBORN makes it ignore polite signals.
import { writeFileSync } from "node:fs";
import { answer, print } from "./claude-lines.mjs";
import { ignoreSignals } from "./stay-alive.mjs";

if (process.env.STUBBORN) ignoreSignals();
print(...answer("All good."));
setTimeout(() => writeFileSync(process.env.NOTE_FILE, "lingered"), 5_000);
