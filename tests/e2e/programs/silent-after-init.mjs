// Names its session and then says nothing more.
import { init, print } from "./claude-lines.mjs";
import { stayAlive } from "./stay-alive.mjs";

print(init());
stayAlive();
