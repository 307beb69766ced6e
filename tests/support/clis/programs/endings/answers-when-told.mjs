// Leaves a background process, waits until NOTE_FILE exists, answers and ends.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { assistant, init, print, result } from "../claude-lines.mjs";
import { leaveGrandchild } from "../leave-grandchild.mjs";

leaveGrandchild({ stdio: "ignore" });
print(init());
while (!existsSync(process.env.NOTE_FILE)) await sleep(20);
print(assistant("All good."), result("All good."));
process.exit(0);
