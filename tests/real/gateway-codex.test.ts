import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { expect, it, onTestFinished } from "vitest";
import { createGateway } from "../../src/gateway/create-gateway.ts";
import { createClient } from "../../src/index.ts";
import { listOf, objectOf } from "../../src/spec/json.ts";
import type { FakeAnswer, FakeToolCall } from "../../src/testing/index.ts";
import { agentRequest } from "../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { prepareRealCli, providerAt, type RealCli } from "../support/real-clis/real-cli.ts";
import { type OpenRealCli, openRealCli, type RealRun } from "./open-real-cli.ts";

/** Codex whose model API is the gateway, and Claude Code behind the gateway with its fake API. */
type Pair = {
  readonly codex: OpenRealCli;
  readonly claude: RealCli;
  /** The headers of the answers that Codex got. */
  readonly headers: readonly Headers[];
  run(): Promise<RealRun>;
};

/** Opens the pair; the gateway answers with Claude Code for this model name of Codex. */
async function openPair(model: string, answers: readonly FakeAnswer[]): Promise<Pair> {
  const codex = await openRealCli("codex");
  const claude = await prepareRealCli("claude", answers);
  const behind = createClient({
    ...{ policies: false, env: claude.env, providers: [claude.provider], aliases: { [model]: "claude" } },
  });
  const app = createGateway({ client: behind, token: false });
  const headers: Headers[] = [];
  const server = serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const response = await app.fetch(request);
      headers.push(response.headers);
      return response;
    },
  });
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const front = createClient({ policies: false, env: codex.env, providers: [providerAt("codex", url)], warm: false });
  onTestFinished(async () => {
    await front.close();
    await new Promise((resolve) => server.close(resolve));
    await behind.close();
    await claude[Symbol.asyncDispose]();
  });
  const request = agentRequest(codex, { permissions: { mode: "bypass" } });
  return { codex, claude, headers, run: () => codex.run(request, { target: `codex/${model}`, client: front }) };
}

const calls = (...made: readonly FakeToolCall[]): FakeAnswer => ({ kind: "tool-calls", text: "I do it.", calls: made });
const shell = (cmd: string): FakeToolCall => ({ name: "exec_command", input: { cmd } });
const DONE: FakeAnswer = { kind: "text", text: "Done." };

it("real Codex works in three steps on real Claude Code, which keeps one turn for all of them", async () => {
  const pair = await openPair("claude", [
    calls(shell("echo one > one.txt")),
    calls(shell("cat one.txt"), shell("echo two > two.txt")),
    calls(shell("ls")),
    DONE,
  ]);
  const { result } = await pair.run();
  expect(result).toMatchObject({ finish: "stop", usage: { inputTokens: 400, outputTokens: 80 } });
  expect(result.text).toBe("Done.");
  expect(readFileSync(join(pair.codex.workspace, "two.txt"), "utf8")).toBe("two\n");
  expect(pair.headers.map((headers) => headers.get("x-coxswain-warm"))).toEqual(["false", "true", "true", "true"]);
  expect(pair.headers[0]?.get("x-coxswain-ignored")).toBe("tools.web_search");
  const requests = modelRequestsOf(pair.claude);
  expect(requests.map(({ user }) => user.at(-1)?.split("Output:\n")[1])).toEqual([
    undefined,
    "",
    "",
    "one.txt\npackage.json\ntwo.txt\n",
  ]);
  expect(requests[0]?.tools).toEqual(expect.arrayContaining(["exec_command", "multi_agent_v1__spawn_agent"]));
  // Claude Code cuts descriptions of tools at 2,048 characters; Codex describes this tool with 5,033.
  const spawning = listOf(requests[0]?.body["tools"]).find((tool) => objectOf(tool)?.["name"] === "multi_agent_v1__spawn_agent");
  expect(String(objectOf(objectOf(spawning)?.["input_schema"])?.["description"]).length).toBeGreaterThan(5000);
});

it("the custom tools of Codex get free text: a patch, and a program in a namespace of tools", async () => {
  const patch = "*** Begin Patch\n*** Add File: note.txt\n+hello\n*** End Patch\n";
  const patching = await openPair("gpt-5.5", [calls({ name: "apply_patch", input: { input: patch } }), DONE]);
  expect((await patching.run()).result.text).toBe("Done.");
  expect(readFileSync(join(patching.codex.workspace, "note.txt"), "utf8")).toBe("hello\n");
  const program = 'text((await tools.exec_command({ cmd: "echo six > six.txt; cat six.txt" })).output);';
  const running = await openPair("gpt-6.1-sol", [calls({ name: "functions__exec", input: { input: program } }), DONE]);
  expect((await running.run()).result.text).toBe("Done.");
  expect(readFileSync(join(running.codex.workspace, "six.txt"), "utf8")).toBe("six\n");
  expect(modelRequestsOf(running.claude)[1]?.user.at(-1)).toContain("six");
});

it("an error of the model behind the gateway is an error of Codex's own kind", async () => {
  const pair = await openPair("claude", [{ kind: "http-error", status: 529 }]);
  const { failure } = await pair.run();
  expect(failure).toMatchObject({ category: "server" });
  expect(pair.headers[0]?.get("retry-after")).toBe("5");
});
