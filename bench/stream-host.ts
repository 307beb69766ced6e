// Reads one long stream in its own process, bare or with a client; prints its peak memory in MB and its time in milliseconds.
import { runBare } from "./bare.ts";
import { readWithClient } from "./read-with-client.ts";

const [how, file = ""] = process.argv.slice(2);
const began = performance.now();
if (how === "bare") await runBare("/bin/cat", [file]);
else await readWithClient(file, how === "events" ? "events" : "result")();
const ms = performance.now() - began;
process.stdout.write(JSON.stringify({ mb: process.resourceUsage().maxRSS / 1024, ms }));
