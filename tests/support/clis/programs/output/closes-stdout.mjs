// Closes stdout, after an answer when ANSWER is set, and lives on.
import { closeSync } from "node:fs";
import { answer, assistant, init, print } from "../claude-lines.mjs";
import { stayAlive } from "../endings/stay-alive.mjs";

if (process.env.ANSWER) print(...answer("All good."));
else print(init(), assistant("Half an answer"));
closeSync(1);
stayAlive();
