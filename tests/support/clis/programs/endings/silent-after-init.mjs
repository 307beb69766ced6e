// Prints its session line and then nothing more.
import { init, print } from "../claude-lines.mjs";
import { stayAlive } from "./stay-alive.mjs";

print(init());
stayAlive();
