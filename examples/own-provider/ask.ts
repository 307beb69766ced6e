// node examples/own-provider/ask.ts Polly wants a cracker
import { builtinProviders, createClient } from "../../src/index.ts";
import { parrot } from "./parrot.ts";

const client = createClient({ providers: [...builtinProviders, parrot] });
const run = client.run("parrot", { prompt: process.argv.slice(2).join(" ") || "Hello" });

for await (const event of run) {
  if (event.type === "text-delta") process.stdout.write(event.text);
  if (event.type === "run-end") console.log(event.failure === undefined ? "" : `${event.failure.message} ${event.failure.hint}`);
}
await client.close();
