import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/index.ts";
import type { JsonObject } from "../../src/spec/json.ts";
import { openGateway, type SeenRequest } from "../gateway/anthropic-gateway.ts";
import { callBlock } from "../support/clis/call-blocks.ts";
import { openCli } from "../support/clis/open-cli.ts";
import { answers } from "../support/clis/plays.ts";
import { agentRequest } from "../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { eventsOf, type OpenRealCli, openRealCli, type RealRun } from "./open-real-cli.ts";

type Step = { readonly name: string; readonly args: JsonObject };

/** What the model does, as calls of Claude Code's own tools: it writes a file, reads it, and reads one that does not exist. */
function stepsIn(workspace: string): readonly [Step, Step, Step] {
  return [
    { name: "Bash", args: { command: "echo one > written.txt", description: "Writes a file" } },
    { name: "Read", args: { file_path: join(workspace, "written.txt") } },
    { name: "Read", args: { file_path: join(workspace, "missing.txt") } },
  ];
}

/** The models that Claude Code asks for, as names of the CLI behind the gateway. */
const namesOf = (provider: string) => ({ "claude-haiku-4-5-20251001": provider, "claude-haiku-5-5": provider });

/** Runs real claude as an agent whose model API is the gateway. */
async function runClaude(
  claude: OpenRealCli,
  client: Client,
  model: string,
): Promise<RealRun & { requests: readonly SeenRequest[] }> {
  const { url, requests } = await openGateway(client);
  const request = agentRequest(claude, {
    prompt: "Write one into written.txt, then read it.",
    permissions: { mode: "bypass" },
    env: { ANTHROPIC_BASE_URL: url },
  });
  const run = await claude.run(request, { target: `claude/${model}` });
  return { ...run, requests };
}

function expectLoop(run: RealRun, claude: OpenRealCli): void {
  expect(run.failure).toBeUndefined();
  expect(run.result).toMatchObject({ text: "I have read it.", finish: "stop" });
  const ends = eventsOf(run, "tool-end").map(({ name, isError }) => ({ name, isError }));
  expect(ends).toEqual([
    { name: "Bash", isError: false },
    { name: "Read", isError: false },
    { name: "Read", isError: true },
  ]);
  expect(readFileSync(join(claude.workspace, "written.txt"), "utf8")).toBe("one\n");
  expect(claude.api.modelRequests).toEqual([]);
}

it("real claude works for three steps on real codex, in one turn of codex that waits for each result", async () => {
  const codex = await openRealCli("codex");
  const claude = await openRealCli("claude");
  const steps = stepsIn(claude.workspace);
  codex.api.answerWith([
    ...steps.map(({ name, args }) => ({ kind: "tool-calls", calls: [{ name, input: args }] }) as const),
    { kind: "reasoning", reasoning: "The work is done.", text: "I have read it." },
  ]);
  const client = createClient({
    policies: false,
    env: codex.env,
    providers: [codex.provider],
    aliases: namesOf("codex"),
    warm: {},
  });
  onTestFinished(() => client.close());
  const run = await runClaude(claude, client, "codex");
  expectLoop(run, claude);
  expect(
    eventsOf(run, "reasoning-delta")
      .map(({ text }) => text)
      .join(""),
  ).toBe("The work is done.");
  const asked = run.requests.filter(({ line }) => line.startsWith("POST /v1/messages"));
  expect(asked.map(({ line, status }) => ({ line, status }))).toEqual(
    Array(4).fill({ line: "POST /v1/messages?beta=true", status: 200 }),
  );
  expect(asked.map(({ isWarm }) => isWarm)).toEqual([false, true, true, true]);
  const [first, , , last] = modelRequestsOf(codex);
  for (const tool of ["Bash", "Read", "Edit", "Write"]) expect(first?.tools).toContain(tool);
  expect(first?.tools).not.toContain("DeferredToolPlaceholder");
  expect(last?.user.join("\n")).toContain("one");
});

it("real claude works for three steps on real claude, whose own tools have the same names", async () => {
  const behind = await openRealCli("claude");
  const claude = await openRealCli("claude");
  const steps = stepsIn(claude.workspace);
  behind.api.answerWith([
    ...steps.map(({ name, args }) => ({ kind: "tool-calls", calls: [{ name: `host_${name}`, input: args }] }) as const),
    { kind: "text", text: "I have read it." },
  ]);
  const client = createClient({
    policies: false,
    env: behind.env,
    providers: [behind.provider],
    aliases: namesOf("claude"),
    warm: {},
  });
  onTestFinished(() => client.close());
  const run = await runClaude(claude, client, "claude");
  expectLoop(run, claude);
  const asked = run.requests.filter(({ line }) => line.startsWith("POST /v1/messages"));
  expect(asked.map(({ status, isWarm }) => ({ status, isWarm }))).toEqual(
    [false, true, true, true].map((isWarm) => ({ status: 200, isWarm })),
  );
  const [first, , , last] = modelRequestsOf(behind);
  for (const tool of ["host_Agent", "host_Bash", "host_Read", "host_ToolSearch"]) expect(first?.tools).toContain(tool);
  expect(first?.tools).not.toContain("Bash");
  expect(last?.user.join("\n")).toContain("one");
});

it("real claude works for three steps on a CLI that gets tools by text", async () => {
  const claude = await openRealCli("claude");
  const steps = stepsIn(claude.workspace);
  const cli = openCli([...steps.map((step) => answers(callBlock(step))), answers("I have read it.")]);
  const run = await runClaude(claude, cli.another({ aliases: namesOf("plain") }), "plain");
  expectLoop(run, claude);
  const calls = await cli.calls();
  expect(calls).toHaveLength(4);
  expect(calls[0]?.prompt).toContain("Write one into written.txt, then read it.");
  expect(calls[0]?.told.system).not.toContain("x-anthropic-billing-header");
  expect(calls[3]?.prompt).toContain("missing.txt");
});

it("real claude counts the tokens of its context by the gateway, and no CLI is started for it", async () => {
  const claude = await openRealCli("claude");
  const cli = openCli([answers("never")]);
  const { url, requests } = await openGateway(cli.client);
  const env = { ...claude.env, ANTHROPIC_BASE_URL: url };
  const running = promisify(execFile)(claude.client.locate("claude") ?? "claude", ["-p", "/context", "--model", "plain"], {
    env,
    cwd: claude.workspace,
  });
  running.child.stdin?.end();
  expect((await running).stdout).toMatch(/System tools/);
  const counted = requests.filter(({ line }) => line.startsWith("POST"));
  expect(counted.length).toBeGreaterThan(3);
  expect(new Set(counted.map(({ line, status }) => `${line} ${status}`))).toEqual(
    new Set(["POST /v1/messages/count_tokens?beta=true 200"]),
  );
  expect(cli.starts()).toBe(0);
});
