// Answers without reading stdin and ends at once: with EXIT_CODE, or by SIGKILL of itself.
import { answer, print } from "../claude-lines.mjs";

print(...answer("All good."));
if (process.env.EXIT_CODE === "SIGKILL") process.kill(process.pid, "SIGKILL");
process.exit(Number(process.env.EXIT_CODE ?? 0));
