// A process of its own that asks the CLI described in ASKED once and prints how that ended, and which quotas it knows to be spent.
import { createClient } from "../../../src/index.ts";
import { playedCli } from "../policies-cli.ts";

const changes = JSON.parse(process.env.ASKED);
const provider = { ...playedCli, ...changes, env: { ...playedCli.env, ...changes.env } };
const client = createClient({ providers: [provider], policies: { retry: false } });
const { text, failure } = await client.run(provider.id, { prompt: "Say something." }).outcome();
process.stdout.write(JSON.stringify({ text, failure, spent: client.spentQuotas() }));
await client.close();
