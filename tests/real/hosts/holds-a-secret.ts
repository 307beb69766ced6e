// Starts a run with planted secrets, which its model never answers, and waits for SIGKILL.
import { createClient } from "../../../src/index.ts";
import { CLI_ROWS } from "../clis/index.ts";
import { plantedRequest } from "../planted-request.ts";
import { type CliName, providerAt } from "../real-cli.ts";

const { HOST_CLI = "", HOST_API = "", HOST_SECRET = "" } = process.env;
const name = HOST_CLI as CliName;
const provider = providerAt(name, HOST_API);
const client = createClient({ policies: false, providers: [provider] });
await client.run(CLI_ROWS[name].target, plantedRequest(HOST_SECRET, provider)).outcome();
