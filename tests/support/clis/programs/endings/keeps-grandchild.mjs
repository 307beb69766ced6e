// Stays alive with a grandchild in a session of its own; with BARE the grandchild has an empty environment.
import { init, print } from "../claude-lines.mjs";
import { leaveGrandchild } from "../leave-grandchild.mjs";
import { ignoreSignals, stayAlive } from "./stay-alive.mjs";

ignoreSignals();
leaveGrandchild({ stdio: "ignore", ...(process.env.BARE ? { env: {} } : {}) });
print(init());
stayAlive();
