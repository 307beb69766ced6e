// Starts a run with planted secrets, which its model never answers, and waits for SIGKILL. With the way "warm" it has answers before it.
import { createClient } from "../../../src/index.ts";
import { agentTargetOf } from "../../support/real-clis/agent-request.ts";
import { type CliName, providerAt } from "../../support/real-clis/real-cli.ts";
import { CLI_ROWS } from "../../support/real-clis/rows/index.ts";
import { answersBefore, type PlantedWay, plantedRequest } from "../planted-request.ts";

const { HOST_CLI = "", HOST_API = "", HOST_SECRET = "", HOST_WAY = "", HOST_WORKSPACE = "" } = process.env;
const name = HOST_CLI as CliName;
const way = HOST_WAY as PlantedWay;
const provider = providerAt(name, HOST_API);
const client = createClient({ policies: false, providers: [provider], ...(way !== "warm" && { warm: false }) });
const target = way === "agent" ? agentTargetOf(name) : CLI_ROWS[name].target;
const request = plantedRequest({ secret: HOST_SECRET, way, workspace: HOST_WORKSPACE }, provider);
for (let answers = 0; answers <= answersBefore(way); answers += 1) await client.run(target, request).outcome();
