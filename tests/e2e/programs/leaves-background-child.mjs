// Answers and ends, but leaves a grandchild without any of its pipes behind.
import { answer, print } from "./claude-lines.mjs";
import { leaveGrandchild } from "./leave-grandchild.mjs";

leaveGrandchild({ stdio: "ignore" });
print(...answer("All good."));
process.exit(0);
