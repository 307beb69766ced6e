// Reads one long stream in its own process, bare or with a client, and prints its peak memory in MB.
import { runBare } from "./bare.ts";
import { readWithClient } from "./read-with-client.ts";

const [how, file = ""] = process.argv.slice(2);
if (how === "bare") await runBare("/bin/cat", [file]);
else await readWithClient(file, how === "events" ? "events" : "result")();
process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
