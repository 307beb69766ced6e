// Runs a CLI whose tool sleeps, as a user's program would; prints when it gets the call and reads on until it is ended.
import { writeSync } from "node:fs";
import { createClient } from "../../../src/index.ts";
import { type SetupName, setupOf, toolRequest } from "../sleeping-tool.ts";

const { HOST_SETUP, HOST_API = "", HOST_WORKSPACE = "" } = process.env;
const setup = setupOf(HOST_SETUP as SetupName);
const client = createClient({ guardian: process.env["HOST_GUARDIAN"] !== "none", providers: [setup.provider(HOST_API)] });
for await (const event of client.run(setup.target, toolRequest(setup, HOST_WORKSPACE))) {
  if (event.type === "tool-call") writeSync(1, `${event.name}\n`);
}
