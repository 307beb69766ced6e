import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/spec/json.ts";
import type { RunRequest } from "../../src/spec/request.ts";
import type { FakeAnswer } from "../../src/testing/index.ts";
import type { CliRow } from "../../tests/support/real-clis/rows/cli-row.ts";
import { claudeProbes } from "./claude-probes.ts";
import { openToolCall } from "./open-tool-call.ts";
import type { Probe, ProbeRun } from "./probe.ts";
import { agent, completion, DONE } from "./probe-runs.ts";

const STATUSES = [400, 401, 403, 404, 413, 429, 500, 503, 529] as const;
const CITY: JsonObject = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const TOO_LONG = "prompt is too long: 250000 tokens > 200000 maximum. This model's maximum context length is 200000 tokens.";
const BIG_PROMPT = "All work and no play. ".repeat(140_000).slice(0, 3_000_000);

/** The probes of a CLI: those of all CLIs and its own. They are created for each version, because some count requests. */
export function probesOf(row: CliRow): readonly Probe[] {
  return [
    ...answerProbes(),
    ...toolProbes(row),
    ...errorProbes(row),
    ...sessionProbes(),
    ...(row.name === "claude" ? claudeProbes() : []),
  ];
}

function asked(name: string, answers: Probe["answers"], request: Partial<RunRequest> = {}): Probe {
  return { name, answers, runs: [completion(request)] };
}

function answerProbes(): readonly Probe[] {
  const text: FakeAnswer = { kind: "text", text: "Hello from the fake model." };
  return [
    asked("completion", text),
    asked("completion with a system prompt", text, { system: "Answer in one word." }),
    asked("reasoning", { kind: "reasoning", reasoning: "I look up.", text: "Blue." }),
    asked("output limit", { kind: "max-tokens", text: "Half an" }),
    asked("refusal", { kind: "refusal" }),
    asked("empty answer", { kind: "empty" }),
    asked("prompt of 3 MB", text, { prompt: BIG_PROMPT }),
  ];
}

function toolProbes({ name, shellCall }: CliRow): readonly Probe[] {
  const calls = (...commands: readonly string[]): readonly FakeAnswer[] => [
    { kind: "tool-calls", text: "Let me look.", calls: commands.map(shellCall) },
    DONE,
  ];
  const objectTool = OBJECT_TOOLS[name];
  const structured: FakeAnswer =
    objectTool === undefined
      ? { kind: "text", text: '{"city":"Ulm"}' }
      : { kind: "tool-calls", calls: [{ name: objectTool, input: { city: "Ulm" } }] };
  return [
    { name: "tool call", answers: calls("pwd > where.txt; echo printed"), runs: [agent()] },
    { name: "parallel tool calls", answers: calls("echo one", "echo two"), runs: [agent()] },
    { name: "tool that fails", answers: calls("echo bad >&2; exit 3"), runs: [agent()] },
    { name: "tool without permission", answers: calls("touch made.txt"), runs: [agent({ permissions: {} })] },
    { name: "tool in a completion", answers: calls("echo never"), runs: [completion()] },
    { name: "sleep and nothing else", answers: calls("sleep 30"), runs: [agent()] },
    { name: "long silent tool", answers: calls('node -e "setTimeout(() => {}, 12000)"; echo slept'), runs: [agent()] },
    {
      name: "abort while a tool runs",
      answers: calls('node -e "setTimeout(() => {}, 600000)"'),
      runs: [{ ...agent(), isAborted: true }],
    },
    asked("structured output", [structured, DONE], { outputSchema: CITY }),
  ];
}

const OBJECT_TOOLS: Readonly<Record<string, string>> = {
  claude: "StructuredOutput",
  glm: "StructuredOutput",
  qwen: "structured_output",
};

function errorProbes({ protocol, shellCall }: CliRow): readonly Probe[] {
  const open = openToolCall(protocol, shellCall("").name);
  const whole: FakeAnswer = { kind: "text", text: "A whole answer." };
  return [
    ...STATUSES.map((status) => asked(`status ${status}`, { kind: "http-error", status })),
    asked("context too long", {
      kind: "http-error",
      status: 400,
      body: { type: "error", error: { type: "invalid_request_error", code: "context_length_exceeded", message: TOO_LONG } },
    }),
    asked("cut stream", { kind: "cut", afterText: "Half an answer" }),
    asked("stream cut once", [{ kind: "cut", afterText: "Half an answer" }, whole]),
    ...(open === undefined ? [] : [{ name: "stream that ends inside a tool call", answers: [open, DONE], runs: [agent()] }]),
    asked("garbage", { kind: "garbage", body: "<html><body>Log in to the hotel network</body></html>" }),
    asked("garbled stream", { kind: "garbled-stream" }),
    { ...asked("connection refused", whole), isUnreachable: true },
  ];
}

function sessionProbes(): readonly Probe[] {
  const other = (workspace: string): string => join(workspace, "../elsewhere");
  const resume: ProbeRun["request"] = ({ workspace }, before) => ({
    prompt: "What is my name?",
    mode: "agent",
    cwd: other(workspace),
    session: { resume: before?.sessionId ?? "" },
  });
  const prepare: NonNullable<Probe["prepare"]> = ({ workspace }) => {
    mkdirSync(other(workspace));
    writeFileSync(join(other(workspace), "README.md"), "Elsewhere.\n");
  };
  const answers: FakeAnswer = { kind: "text", text: "Good evening, Ottokar." };
  const first = { prompt: "My name is Ottokar.", session: { keep: true } } as const;
  return [
    {
      name: "session resumed",
      answers,
      runs: [
        completion(first),
        { request: (_, before) => ({ prompt: "Who am I?", session: { resume: before?.sessionId ?? "" } }) },
      ],
    },
    { name: "session resumed from another directory", answers, prepare, runs: [agent(first), { request: resume }] },
    asked("session that is not there", answers, { session: { resume: "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10" } }),
  ];
}
