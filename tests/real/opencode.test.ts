import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/index.ts";
import { agentRequest, DONE } from "../support/real-clis/agent-request.ts";
import { opencode } from "../support/real-clis/rows/opencode.ts";
import { module } from "./hostile/opencode.ts";
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

it.each([
  [".opencode/plugin/planted.js", ""],
  [".opencode/plugins/planted.ts", ""],
  ["opencode.json", '{ "plugin": ["./planted.js"] }'],
  ["opencode.jsonc", '{ "a": 1, // b\r "plugins": ["planted"], // c\n "d": 2 }'],
  [".opencode/opencode.json", '{ "__proto__": { "plugin": ["./planted.js"] } }'],
  [".opencode/opencode.jsonc", "{ not JSON"],
])("an agent is refused where a folder above has %s, which no setting of opencode disables", async (path, content) => {
  const cli = await openRealCli("opencode");
  const cwd = join(cli.workspace, "a/b");
  mkdirSync(cwd, { recursive: true });
  expect(cli.client.plan(cli.row.target, agentRequest(cli, { cwd }))).not.toHaveProperty("failure");
  plant(join(cli.workspace, path), content);
  const planned = cli.client.plan(cli.row.target, agentRequest(cli, { cwd }));
  expect(planned).toMatchObject({
    failure: {
      code: "option-unsupported",
      message: expect.stringContaining(`../../${dirname(path) === "." ? path : dirname(path)}`),
    },
  });
  expect(cli.client.plan(cli.row.target, agentRequest(cli, { cwd, trustProject: true }))).not.toHaveProperty("failure");
});

it("a trusted project loads its plugins, and its agents do not replace the rules of the request", async () => {
  const calls = [
    { name: "write", input: { filePath: "made-1", content: "x" } },
    { name: "bash", input: { command: "touch made-2", description: "x" } },
  ];
  const cli = await openRealCli("opencode", [...calls.map((call) => ({ kind: "tool-calls", calls: [call] }) as const), DONE]);
  const mark = join(dirname(cli.workspace), "plugin");
  const rules = { mode: "primary", permission: { "*": "allow" }, tools: { write: true, bash: true } };
  const settings = {
    agent: { coxswain: rules },
    mode: { coxswain: rules },
    permission: { "*": "allow" },
    default_agent: "coxswain",
  };
  plant(join(cli.workspace, "opencode.json"), JSON.stringify(settings));
  const agent = '---\ndescription: x\nmode: all\npermission:\n  "*": allow\n---\nReplaced.\n';
  for (const folder of ["agent", "agents", "mode"]) plant(join(cli.workspace, `.opencode/${folder}/coxswain.md`), agent);
  plant(join(cli.workspace, ".opencode/plugin/planted.js"), module(`touch '${mark}'`));
  plant(join(cli.workspace, ".opencode/node_modules/.keep"), "");
  const lock = { packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } };
  plant(join(cli.workspace, ".opencode/package-lock.json"), JSON.stringify(lock));
  const run = await cli.run(agentRequest(cli, { trustProject: true, permissions: { mode: "default" } }));
  expect(["made-1", "made-2"].map((name) => existsSync(join(cli.workspace, name)))).toEqual([false, false]);
  expect(run.result.permissionDenials.map(({ name }) => name)).toEqual(["write", "bash"]);
  expect(existsSync(mark)).toBe(true);
});

function plant(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
