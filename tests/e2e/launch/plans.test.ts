import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { builtinProviders } from "../../../src/clis/index.ts";
import { type Client, createClient } from "../../../src/index.ts";
import type { RunRequest, Target } from "../../../src/spec/request.ts";
import type { RunContext } from "../../../src/spec/stream.ts";
import { writeProgram } from "../../support/clis/write-program.ts";
import { openTestScope } from "../../support/test-scope.ts";
import { createWarmClient } from "../warm/warm-run.ts";

/** What the CLIs need so that they do not refuse a request. */
const KEYS = { ZAI_API_KEY: "key", GROK_API_KEY: "key" };
const MODELS: Readonly<Record<string, string>> = { opencode: "some/model" };
const CLIS = builtinProviders.filter(({ id }) => id !== "rehearsal");
const LOOK = { name: "look", parameters: { type: "object", properties: { city: { type: "string" } } } };

type Variant = {
  readonly what: string;
  readonly target?: Partial<Target>;
  readonly request?: Partial<RunRequest>;
  readonly context?: RunContext;
};

const VARIANTS: readonly Variant[] = [
  { what: "a completion" },
  { what: "an agent", request: { mode: "agent", cwd: "/" } },
  {
    what: "an agent that asks",
    request: { mode: "agent", cwd: "/" },
    context: { onPermission: () => ({ behavior: "deny", message: "no" }) },
  },
  { what: "a resident process", target: { transport: "resident" } },
  { what: "a resident agent", target: { transport: "resident" }, request: { mode: "agent", cwd: "/" } },
  { what: "a process for one turn", target: { transport: "spawn" } },
  { what: "a kept session", request: { session: { keep: true } } },
  { what: "tools of a function", request: { tools: [LOOK] }, context: { callTool: () => "" } },
  { what: "tools of the caller", request: { tools: [LOOK] } },
  { what: "a conversation", request: { prompt: undefined, messages: conversation() } as never },
];

it.each(CLIS)("the plan of $id has the transport and the arguments of the process that runs", async ({ id }) => {
  const cli = openRecorder(id);
  for (const { what, target: given, request: asked, context = {} } of VARIANTS) {
    const target = { provider: id, ...(MODELS[id] !== undefined && { model: MODELS[id] }), ...given };
    const request = { prompt: "Hello", ...asked } as RunRequest;
    const planned = cli.client.plan(target, request, context);
    const { failure, events = [] } = await cli.client.run(target, request, { ...context, keepEvents: true }).outcome();
    const args = cli.takeStart();
    if ("failure" in planned) {
      expect({ what, args, failure }).toEqual({ what, args: undefined, failure: planned.failure });
      continue;
    }
    const { transport, warm, args: shown } = planned.plan;
    const attempt = events.find(({ type }) => type === "attempt-start");
    expect({ what, attempt, args }).toMatchObject({ what, attempt: { transport, warm }, args: shown.map(toPattern) });
  }
});

it("the plan of a request that a warm process takes has the arguments of that process", async () => {
  const { client, ask, warmUp, env } = createWarmClient({ processes: 1 });
  const plan = () => client.plan("bad", { prompt: "hello", env });
  expect(plan()).toMatchObject({ plan: { transport: "spawn", warm: false } });
  await warmUp();
  const [waiting] = client.warmProcesses();
  const planned = plan();
  if ("failure" in planned) throw new Error(planned.failure.message);
  const { transport, warm, args } = planned.plan;
  expect([transport, warm]).toEqual(["resident", true]);
  const started = readFileSync(`/proc/${waiting?.pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  expect(started.slice(-args.length)).toEqual(args.map(toPattern));
  expect(await ask({})).toMatchObject({ attempts: [{ transport, warm }], memory: { pid: waiting?.pid } });
});

type Recorder = { readonly client: Client; takeStart(): readonly string[] | undefined };

/** A client whose CLI writes its arguments to a file and fails; `takeStart` returns those of its first start since the last call. */
function openRecorder(id: string): Recorder {
  const { directory, env } = openTestScope();
  const [program, file] = [join(directory, "cli"), join(directory, "arguments")];
  writeProgram(program, `[ -e '${file}' ] || printf '%s\\0' "$@" > '${file}'\nexit 1`);
  const client = createClient({ policies: false, env: { ...env, ...KEYS, HOME: directory }, binaries: { [id]: program } });
  onTestFinished(() => client.close());
  const takeStart = (): readonly string[] | undefined => {
    if (!existsSync(file)) return undefined;
    const args = readFileSync(file, "utf8").split("\0").slice(0, -1);
    rmSync(file);
    return args;
  };
  return { client, takeStart };
}

/** An argument of a plan; the path of a private file is known when the process starts. */
function toPattern(argument: string): unknown {
  const parts = argument.split(/\0[^\0]*\0/).map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  return parts.length === 1 ? argument : expect.stringMatching(new RegExp(`^${parts.join("/[^\\0]*")}$`));
}

function conversation(): RunRequest["messages"] {
  return [
    { role: "user", text: "Hello" },
    { role: "assistant", text: "Hi" },
    { role: "user", text: "And now?" },
  ];
}
