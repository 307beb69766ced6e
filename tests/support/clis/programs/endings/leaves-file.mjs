// Leaves a file in its working directory, as a core dump would be, and answers with the files that it found there.
import { readdirSync, writeFileSync } from "node:fs";
import { answer, print } from "../claude-lines.mjs";

const found = JSON.stringify(readdirSync("."));
writeFileSync(`core.${process.pid}`, "memory");
print(...answer(found));
