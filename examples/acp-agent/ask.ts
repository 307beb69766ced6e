// node examples/acp-agent/ask.ts Please take silver
import { builtinProviders, createClient } from "../../src/index.ts";
import { magpie } from "./magpie.ts";

const client = createClient({ providers: [...builtinProviders, magpie] });
const request = { prompt: process.argv.slice(2).join(" ") || "Hello", mode: "agent", cwd: process.cwd() } as const;
const run = client.run("magpie", request, {
  onPermission: ({ name, input }) => {
    console.log(`${name} ${JSON.stringify(input)}`);
    return { behavior: "allow" };
  },
});

for await (const event of run) {
  if (event.type === "text-delta") process.stdout.write(event.text);
  if (event.type === "tool-end") console.log(event.output);
  if (event.type === "run-end") console.log(event.failure === undefined ? "" : `${event.failure.message} ${event.failure.hint}`);
}
await client.close();
