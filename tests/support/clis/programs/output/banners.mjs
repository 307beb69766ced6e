// Prints a greeting, a warning and an unknown JSON object around a good answer.
import { assistant, init, print, result, writeAll } from "../claude-lines.mjs";

writeAll("Welcome to the program!\n\n   \n");
print(init(), { type: "weather", sky: "clear" });
writeAll("(node:1) Warning: {something} is old\n");
print(assistant("All good."));
writeAll("{ not json }\n");
print(result("All good."));
