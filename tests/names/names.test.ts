import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import { onTestFinished, test } from "vitest";
import { createCoxswain } from "../../src/adapters/ai-sdk/index.ts";
import { ChatCli, createCliProvider } from "../../src/adapters/langchain/index.ts";
import { createAgent } from "../../src/agent/index.ts";
import { createGateway } from "../../src/gateway/index.ts";
import { type Client, type ClientOptions, createClient, type Failure, RunError } from "../../src/index.ts";
import { failureSentences } from "../../src/spec/failure/failure.ts";
import { openMcpIn } from "../support/cox/open-mcp.ts";
import { cox } from "../support/cox/start-cox.ts";
import { openTestScope } from "../support/test-scope.ts";

const aliases = { best: "codex/gpt-5.5, claude", quick: "claude/haiku", broken: "claude,nope" };

const known = "best, quick, broken, claude, codex";

/** What each name means: its targets in their order, or the refusal. */
const MEANINGS: readonly (readonly [name: string, meaning: readonly string[] | string])[] = [
  ["claude", ["claude"]],
  ["claude-code/opus", ["claude/opus"]],
  ["codex/gpt-5.5", ["codex/gpt-5.5"]],
  ["claude/opus,codex/gpt-5.5", ["claude/opus", "codex/gpt-5.5"]],
  ["gpt-5.5", ["codex/gpt-5.5"]],
  ["claude-opus-4-5", ["claude/claude-opus-4-5"]],
  ["best", ["codex/gpt-5.5", "claude"]],
  ["codex/gpt-5.5,quick", ["codex/gpt-5.5", "claude/haiku"]],
  ["cluade", `There is no provider or model "cluade". Did you mean claude? Choose one of: ${known}, `],
  ["claude,nope", `There is no provider or model "nope" (in "claude,nope"). Choose one of: ${known}, `],
  ["claude/", `The name "claude/" has no model after its slash. Did you mean claude? Choose one of: ${known}, `],
  ["broken", `There is no provider or model "nope" (in "broken"). Choose one of: ${known}, `],
];

type Machine = {
  readonly log: string;
  readonly config: string;
  readonly options: ClientOptions & { readonly env: Readonly<Record<string, string | undefined>> };
};

const inProcess: Readonly<Record<string, (name: string, client: Client) => Promise<unknown>>> = {
  "client.run": async (name, client) => (await client.run(name, { prompt: "Hello" }).outcome()).failure,
  ChatCli: (provider, client) => new ChatCli({ provider, client }).invoke("Hello"),
  createCliProvider: (name, client) => createCliProvider(name, { client }).invoke([new HumanMessage("Hello")]),
  "AI SDK": async (name, client) => {
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hello" }] }];
    await createCoxswain({ client })(name).doGenerate({ prompt });
  },
  createAgent: async (name, client) =>
    (
      await createAgent({ model: `cli:${name}`, client, tools: [] })
        .ask("Hello")
        .outcome()
    ).failure,
  "Chat Completions": (model, client) => post(client, "/v1/chat/completions", { model, messages: HELLO }),
  Responses: (model, client) => post(client, "/v1/responses", { model, input: "Hello" }),
  Messages: (model, client) => post(client, "/v1/messages", { model, max_tokens: 100, messages: HELLO }),
};

const HELLO = [{ role: "user", content: "Hello" }];

async function post(client: Client, path: string, body: object): Promise<string> {
  const headers = { "content-type": "application/json", host: "localhost" };
  const request = new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = (await (await createGateway({ client, token: false }).fetch(request)).json()) as {
    error?: { message?: string };
  };
  return answer.error?.message ?? "";
}

test.for(Object.entries(inProcess))("%s", async ([, ask], { expect }) => {
  const machine = openMachine();
  const client = createClient({ ...machine.options, log: { file: machine.log } });
  onTestFinished(() => client.close());
  expect(await readAll(machine, async (name) => wordsOf(await ask(name, client).catch((error: unknown) => error)))).toEqual(
    MEANINGS,
  );
});

test.for([["ask"], ["run"]])("cox %s", async ([command = ""], { expect }) => {
  const machine = openMachine();
  const told = await readAll(machine, async (name) => {
    const args = [command, "-p", name, "--config", machine.config, "--log-file", machine.log, "Hello"];
    const { stderr } = await cox(command === "ask" ? [...args, "--retries", "0"] : args, { env: machine.options.env });
    return stderr.replace(/^✗ /, "").replaceAll("\n→ ", " ");
  });
  expect(told).toEqual(MEANINGS);
});

test("cox mcp", async ({ expect }) => {
  const machine = openMachine();
  const mcp = await openMcpIn(
    { PATH: machine.options.env["PATH"] ?? "" },
    "--config",
    machine.config,
    "--log-file",
    machine.log,
    "--quiet",
  );
  const told = await readAll(machine, async (target) => {
    const { data } = await mcp.call("ask", { prompt: "Hello", target });
    return wordsOf(data["failure"]);
  });
  expect(told).toEqual(MEANINGS);
});

/** What a door made of each name, in the form of the table above. */
async function readAll({ log }: Machine, ask: (name: string) => Promise<string>): Promise<typeof MEANINGS> {
  const told: (readonly [string, readonly string[] | string])[] = [];
  for (const [name, meaning] of MEANINGS) {
    writeFileSync(log, "");
    const words = await ask(name);
    const entries = readFileSync(log, "utf8").split("\n").filter(Boolean);
    const targets = entries.flatMap((line) => {
      const { message, target } = JSON.parse(line) as { message: string; target: string };
      return /^attempt \d/.test(message) ? [target] : [];
    });
    told.push([name, targets.length > 0 ? targets : words.slice(0, meaning.length)]);
  }
  return told;
}

function wordsOf(outcome: unknown): string {
  if (typeof outcome === "string") return outcome;
  const failure = RunError.is(outcome) ? outcome.failure : outcome;
  if (failure instanceof Error) return failure.message;
  return failureSentences(failure as Failure);
}

/** A machine with a claude and a codex that know no model, so that every chain is walked to its end. */
function openMachine(): Machine {
  const { directory, env } = openTestScope();
  const bin = join(directory, "bin");
  mkdirSync(bin);
  for (const name of ["claude", "codex"]) {
    const file = join(bin, name);
    writeFileSync(
      file,
      '#!/bin/sh\n[ "$1" = --version ] && echo 1.0.0 && exit\nread -r line\necho "API Error: 404 model not found" >&2\nexit 1\n',
    );
    chmodSync(file, 0o755);
  }
  const config = join(directory, "config.json");
  writeFileSync(config, JSON.stringify({ aliases }));
  const policies = { retry: { retries: 0 }, cooldown: false } as const;
  const options = { aliases, policies, warm: false, env: { ...env, PATH: `${bin}:${process.env["PATH"]}` } } as const;
  return { log: join(directory, "log.jsonl"), config, options };
}
