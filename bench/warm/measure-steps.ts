import { setTimeout as delay } from "node:timers/promises";
import { freeServerName } from "../../src/host-tools/native-tools.ts";
import { type Client, createClient } from "../../src/index.ts";
import type { Message } from "../../src/spec/message.ts";
import type { RunRequest, Target } from "../../src/spec/request.ts";
import type { RunResult } from "../../src/spec/result.ts";
import { prepareRealCli } from "../../tests/support/real-clis/real-cli.ts";
import { CLI_ROWS, type CliName } from "../../tests/support/real-clis/rows/index.ts";
import { median } from "../measure.ts";
import { awaitQuiet } from "../rivals/await-quiet.ts";

/** The medians until the first text of a step that brings the result of a host tool. */
export type StepFigures = { readonly parkedMs: number; readonly textMs: number; readonly steps: number; readonly parked: number };

const RESULT = "rain in Oslo";
const WARM_UP = 1;
const PAUSE_MS = 1000;
const tools = [
  { name: "get_weather", description: "Weather of a city", parameters: { type: "object", properties: {} } },
] as const;

/** Steps of a tool loop: continued in a parked turn, and by text in a new process, in turn. Undefined for a CLI that parks no turn. */
export async function measureSteps(name: CliName, rounds: number): Promise<StepFigures | undefined> {
  const { spawn, resident } = CLI_ROWS[name].providerAt("").transports;
  // A CLI with a bridge gives the tool a name of its own.
  const call = { name: spawn.nativeTools?.bridgeName?.(freeServerName(), "get_weather") ?? "get_weather", input: {} };
  const cli = await prepareRealCli(name, ({ rawBody }) =>
    rawBody.includes(RESULT) ? { kind: "text", text: "It rains." } : { kind: "tool-calls", calls: [call] },
  );
  const canPark = [spawn, resident].some((transport) => transport?.nativeTools?.canPark === true);
  const client = createClient({ policies: false, env: cli.env, providers: [cli.provider] });
  try {
    return canPark ? await measureInTurn(client, name, rounds) : undefined;
  } finally {
    await client.close();
    await cli[Symbol.asyncDispose]();
  }
}

async function measureInTurn(client: Client, provider: CliName, rounds: number): Promise<StepFigures> {
  const [parked, byText]: [Step[], Step[]] = [[], []];
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    const messages: readonly Message[] = [{ role: "user", text: `Question ${round}: what is the weather?` }];
    const first = await client.run(provider, { messages, tools }).result();
    parked.push(await timeStep(client, { provider }, { messages: withResult(messages, first), tools }));
    const alone = {
      messages: withResult([{ role: "user", text: "What is the weather?" }], first),
      tools,
      hostTools: "text",
    } as const;
    byText.push(await timeStep(client, { provider, transport: "spawn" }, alone));
  }
  const [continued, anew] = [parked.slice(WARM_UP), byText.slice(WARM_UP)];
  return {
    parkedMs: median(continued.map(({ firstTextMs }) => firstTextMs)),
    textMs: median(anew.map(({ firstTextMs }) => firstTextMs)),
    steps: rounds,
    parked: continued.filter(({ isWarm }) => isWarm).length,
  };
}

type Step = { readonly firstTextMs: number; readonly isWarm: boolean };

async function timeStep(client: Client, target: Target, request: RunRequest): Promise<Step> {
  await delay(PAUSE_MS);
  await awaitQuiet();
  const startedAt = performance.now();
  let [firstTextMs, isWarm] = [Number.NaN, false];
  for await (const event of client.run(target, request)) {
    if (event.type === "attempt-start") isWarm = event.warm;
    if (event.type === "text-delta" && Number.isNaN(firstTextMs)) firstTextMs = performance.now() - startedAt;
  }
  return { firstTextMs, isWarm };
}

function withResult(messages: readonly Message[], { text, hostCalls = [] }: RunResult): readonly Message[] {
  const results = hostCalls.map(({ id }) => ({ role: "tool", callId: id, text: RESULT }) as const);
  return [...messages, { role: "assistant", text, toolCalls: hostCalls }, ...results];
}
