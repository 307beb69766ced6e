// Ends and leaves a grandchild that holds stdout and stderr open; with ANSWER it answers before.
import { answer, init, print } from "../claude-lines.mjs";
import { leaveGrandchild } from "../leave-grandchild.mjs";

leaveGrandchild({ stdio: ["ignore", "inherit", "inherit"] });
if (process.env.ANSWER) print(...answer("All good."));
else print(init());
process.exit(0);
