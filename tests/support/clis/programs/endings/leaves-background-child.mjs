// Answers and ends, but leaves a grandchild that has none of its pipes.
import { answer, print } from "../claude-lines.mjs";
import { leaveGrandchild } from "../leave-grandchild.mjs";

leaveGrandchild({ stdio: "ignore" });
print(...answer("All good."));
process.exit(0);
