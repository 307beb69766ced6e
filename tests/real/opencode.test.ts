import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/index.ts";
import { agentRequest } from "./agent-request.ts";
import { opencode } from "./clis/opencode.ts";
import { describeCli } from "./matrix/describe-cli.ts";
import { openRealCli } from "./open-real-cli.ts";

describeCli(opencode);

it("a prompt without a model is sent neither to opencode's own service nor to any other", async () => {
  const cli = await openRealCli("opencode");
  const client = createClient({
    policies: false,
    env: { ...cli.env, OPENCODE_CONFIG_CONTENT: undefined },
    providers: [cli.provider],
  });
  onTestFinished(() => client.close());
  const completion = await cli.run({ prompt: "Hello" }, { client, target: "opencode" });
  expect(completion.failure).toMatchObject({ category: "not_found", code: "model-unknown", fixCommand: "opencode models" });
  expect(completion.events).toHaveLength(2);
  // In a separate network namespace opencode retries an outside request for longer than this.
  const agent = agentRequest(cli, { timeouts: { totalMs: 60_000 } });
  expect((await cli.run(agent, { client, target: "opencode" })).failure).toMatchObject({ code: "unclassified" });
  expect(cli.api.requests).toEqual([]);
});
