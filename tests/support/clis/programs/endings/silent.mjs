// Prints nothing and does not end.
import { stayAlive } from "./stay-alive.mjs";

stayAlive();
