import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/index.ts";
import type { RunRequest } from "../../src/spec/request.ts";
import type { RunEvent } from "../../src/spec/wire/events.ts";
import { withoutHeldGuardian } from "../support/built/hold-guardian.ts";
import { processesWith } from "../support/processes/process-scan.ts";
import { type DeepCliName, prepareRealCli } from "../support/real-clis/real-cli.ts";

const CLIS: readonly DeepCliName[] = ["claude", "codex"];
const OVER_LIMIT: Readonly<Record<DeepCliName, readonly string[]>> = {
  claude: ["a".repeat(10 * 1024 * 1024 + 1), "\u00e9".repeat(5 * 1024 * 1024 + 1)],
  codex: ["a".repeat(1_048_577), "\u{1f308}".repeat(1_048_577)],
};
const BLANK = ["", " ", "\n", " \t\r\n\u00a0\u2028\ufeff "];
const MALFORMED = ["\0", "a\0b", "a\ud800", "\udc00b", "\udc00\ud800"];

describe.each(CLIS)("%s is not started for a prompt that cannot be sent", (name) => {
  it(`${name} is started for a valid prompt, and the test detects the start`, async () => {
    const { events, isStarted, requests } = await attempt(name, { prompt: "hi" });
    expect(events.at(-1)).toMatchObject({ type: "run-end", finish: "stop" });
    expect({ isStarted, requests: requests > 0 }).toEqual({ isStarted: true, requests: true });
  });

  it.each(BLANK)(`${name} is not started for the blank prompt %j`, async (prompt) => {
    await expectRefusal(name, { prompt }, "prompt-blank");
  });

  it.each(MALFORMED)(`${name} is not started for the prompt %j`, async (prompt) => {
    await expectRefusal(name, { prompt }, "prompt-malformed");
  });

  it.each(MALFORMED)(`${name} is not started for the system prompt %j`, async (system) => {
    await expectRefusal(name, { prompt: "hi", system }, "prompt-malformed");
  });

  it(`${name} is not started for a prompt that is too long by one character`, async () => {
    for (const prompt of OVER_LIMIT[name]) await expectRefusal(name, { prompt }, "prompt-too-large");
  });
});

async function expectRefusal(name: DeepCliName, request: RunRequest, code: string): Promise<void> {
  const { events, ...traces } = await withoutHeldGuardian(() => attempt(name, request));
  expect(events.map((event) => event.type)).toEqual(["run-start", "run-end"]);
  expect(events.at(-1)).toMatchObject({ finish: "error", failure: { category: "validation", code } });
  expect(traces).toEqual({ isStarted: false, requests: 0, processes: [] });
}

type Attempt = {
  readonly events: readonly RunEvent[];
  readonly isStarted: boolean;
  readonly requests: number;
  /** Processes of the run and of the guardian that every started run has. */
  readonly processes: readonly number[];
};

/** Runs the CLI through a program of the same name that writes a file before it starts the real one. */
async function attempt(name: DeepCliName, request: RunRequest): Promise<Attempt> {
  await using cli = await prepareRealCli(name);
  const folder = join(dirname(cli.home), "noting");
  const note = join(folder, "started");
  mkdirSync(folder);
  writeFileSync(join(folder, name), `#!/bin/sh\necho started > '${note}'\nPATH='${cli.env["PATH"]}' exec ${name} "$@"\n`, {
    mode: 0o755,
  });
  const env = { ...cli.env, PATH: [folder, cli.env["PATH"]].join(delimiter) };
  await using client = createClient({ policies: false, env, providers: [cli.provider] });
  const events: RunEvent[] = [];
  for await (const event of client.run(name, request)) events.push(event);
  const runId = events[0]?.type === "run-start" ? events[0].runId : "";
  const hostId = runId.slice(0, runId.lastIndexOf("."));
  const processes = [...(await processesWith("COXSWAIN_RUN", runId)), ...(await processesWith("COXSWAIN_GUARDIAN", hostId))];
  return { events, isStarted: existsSync(note), requests: cli.api.requests.length, processes };
}
