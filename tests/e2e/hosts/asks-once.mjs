// A separate process that asks the CLI described in ASKED once and prints the end of the run and the used-up quotas it knows.
import { createClient } from "../../../src/index.ts";
import { playedCli } from "../../support/clis/played-cli.ts";

const changes = JSON.parse(process.env.ASKED);
const provider = { ...playedCli, ...changes, env: { ...playedCli.env, ...changes.env } };
const client = createClient({ providers: [provider], policies: { retry: false } });
const { text, failure } = await client.run(provider.id, { prompt: "Say something." }).outcome();
process.stdout.write(JSON.stringify({ text, failure, spent: client.spentQuotas() }));
await client.close();
