import { expect, it, onTestFinished, vi } from "vitest";
import { createClient, type RunResult, type Session } from "../../../src/index.ts";
import { capabilitiesOf } from "../../../src/spec/provider/cli-data.ts";
import { type FakeAnswer, findRunProcesses } from "../../../src/testing/index.ts";
import { agentRequest, agentTargetOf } from "../../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../../support/real-clis/model-request.ts";
import { CLI_ROWS, type CliName } from "../../support/real-clis/rows/index.ts";
import { type OpenRealCli, openRealCli } from "../open-real-cli.ts";
import { endQuietly } from "../stopped-run.ts";
import { unknownSessionOf } from "./describe-sessions.ts";
import { errorAnswer } from "./upstream-errors.ts";

const [ONE, TWO, THREE, FOUR] = ["My name is Ottokar.", "I am a porter.", "I live in Ulm.", "Who am I?"];
const FIVE = "Do you know me?";
const SAID = "Good evening.";
const STALLED: FakeAnswer = { kind: "stall", afterText: "Half an answer" };

/** A guard against hanging: a test starts a CLI up to five times, and OpenCode takes long on a busy machine. */
const HANG_MS = 300_000;

/** OpenCode 1.18.33 prints nothing in another directory and waits. */
const WAITING: Readonly<Partial<Record<CliName, number>>> = { opencode: 8_000 };

/** CLIs whose start costs one second of processor time or more, and GLM, which is Claude Code with another service. */
export const SLOW_STARTERS: readonly CliName[] = ["copilot", "gemini", "glm", "opencode", "qwen"];

// A start of some CLIs costs two seconds of processor time, so each test goes through several turns.

/** Turns in two clients, a fork, and the transcript of a session of a CLI that has sessions. */
export function describeSessionTurns(name: CliName): void {
  it(`a session of ${name} has a fork, goes on in a new client without it, its transcript is found and removed, and it is unknown then`, {
    timeout: HANG_MS,
  }, async () => {
    const cli = await openRealCli(name, { kind: "text", text: SAID });
    const { options, transcripts } = cli.provider;
    const session = openSession(cli);
    const { sessionId: first } = await session.send(ONE);
    expect(first).toBe(session.record.cli?.id);
    if (options.includes("session-fork")) {
      const fork = session.fork();
      await fork.send(THREE);
      expectHeard(cli, ONE, THREE);
      expect(fork.record.cli?.id).not.toBe(session.record.cli?.id);
    }
    await cli.client.close();
    const client = createClient({ policies: false, env: cli.env, providers: [cli.provider] });
    onTestFinished(() => client.close());
    const second = await client.resume(session.id)?.send(TWO);
    expect(second?.sessionId).toBe(first);
    expectSecondTurn(cli);
    const removal = client.removeSession(session.id, { transcript: true });
    // Gemini begins another file with a resumed session.
    expect((removal?.transcripts.length ?? 0) > 0).toBe(transcripts !== undefined);
    const resume = (transcripts === undefined ? undefined : first) ?? unknownSessionOf(cli.provider);
    const { failure } = await client.run(cli.row.target, { prompt: FIVE, session: { resume } }).outcome();
    expect(failure).toMatchObject({ category: "not_found", code: "session-unknown", shouldRetry: false });
    // Grok has sent the request when it reports that the removed session is unknown; describeSessions tests an id that it never had.
    if (name !== "grok") expect(cli.api.modelRequests.filter(({ rawBody }) => rawBody.includes(FIVE))).toEqual([]);
  });
}

/** The last request contains both turns in order, the answer of the first and the system prompt, and nothing of the fork. */
function expectSecondTurn(cli: OpenRealCli): void {
  expectHeard(cli, ONE, TWO);
  expect(lastHeard(cli).lastIndexOf(TWO)).toBeGreaterThan(lastHeard(cli).indexOf(ONE));
  expect(lastHeard(cli)).not.toContain(THREE);
  expect(cli.api.modelRequests.at(-1)?.rawBody).toContain(SAID);
  const { systemPrompt } = capabilitiesOf(cli.provider);
  if (systemPrompt !== "none") expect(JSON.stringify(modelRequestsOf(cli).at(-1)?.body)).toContain("You are polite.");
}

/** A session goes on after turns that did not end well. */
export function describeBrokenTurns(name: CliName): void {
  it(`a session of ${name} goes on after its CLI was killed in a turn, after an interrupted turn and after a failed one`, {
    timeout: HANG_MS,
  }, async () => {
    const refused = errorAnswer(CLI_ROWS[name].protocol, "wrong key");
    // By the words of the request, because some CLIs repeat a request.
    const cli = await openRealCli(name, ({ rawBody }) => {
      if (rawBody.includes(FOUR) || !rawBody.includes(TWO)) return { kind: "text", text: SAID };
      return rawBody.includes(THREE) ? refused : STALLED;
    });
    const session = openSession(cli);
    await session.send(ONE);
    const killed = await endInTheMiddle(cli, session, (runId) => {
      for (const pid of findRunProcesses(runId)) endQuietly(pid);
    });
    expect(killed.failure).toBeDefined();
    expect(session.record.turns).toBe(1);
    const interrupted = await endInTheMiddle(cli, session, () => session.interrupt());
    expect(interrupted.failure?.code).toBe("interrupted");
    expectHeard(cli, ONE, TWO);
    const failed = await session.stream(THREE).outcome();
    expect(failed.failure).toBeDefined();
    const { failure } = await session.stream(FOUR).outcome();
    expect(failure).toBeUndefined();
    expectHeard(cli, ONE, FOUR);
    expect(session.record.turns).toBe(3);
  });
}

/** A session belongs to its directory. */
export function describeOtherDirectory(name: CliName): void {
  it(`an agent's session of ${name} in another directory is unknown or the same, and never another one`, {
    timeout: HANG_MS,
  }, async () => {
    const cli = await openRealCli(name, { kind: "text", text: SAID });
    const target = agentTargetOf(name);
    const first = await cli.client.run(target, agentRequest(cli, { prompt: ONE })).result();
    const session = { resume: first.sessionId ?? "none" };
    const timeouts = { firstEventMs: WAITING[name] ?? HANG_MS };
    const request = agentRequest(cli, { prompt: FOUR, cwd: cli.home, session, timeouts });
    const again = await cli.client.run(target, request).outcome();
    const refused = WAITING[name] === undefined ? "session-unknown" : "first-event-timeout";
    if (again.failure !== undefined) expect(again.failure).toMatchObject({ code: refused });
    else expect(again.sessionId).toBe(first.sessionId);
  });
}

/** A session in completion mode with a system prompt, where the CLI has one. */
export function openSession(cli: OpenRealCli): Session {
  const { systemPrompt } = capabilitiesOf(cli.provider);
  return cli.client.session({ target: cli.row.target, ...(systemPrompt !== "none" && { system: "You are polite." }) });
}

/** The messages of the last request to the model, without its system prompt. */
function lastHeard(cli: OpenRealCli): string {
  const { messages, input, contents } = modelRequestsOf(cli).at(-1)?.body ?? {};
  return JSON.stringify(messages ?? input ?? contents ?? "");
}

/** The last request to the model contained these user texts. */
export function expectHeard(cli: OpenRealCli, ...texts: readonly string[]): void {
  for (const text of texts) expect(lastHeard(cli)).toContain(text);
}

/** Sends a message whose answer stalls, and ends its turn as `end` does. */
async function endInTheMiddle(cli: OpenRealCli, session: Session, end: (runId: string) => void): Promise<RunResult> {
  const before = cli.api.modelRequests.length;
  const stream = session.stream(TWO);
  let runId = "";
  const reading = (async () => {
    for await (const event of stream) if (event.type === "run-start") runId = event.runId;
  })();
  await vi.waitFor(() => expect(cli.api.modelRequests.length).toBeGreaterThan(before), { timeout: 60_000, interval: 20 });
  end(runId);
  await reading;
  return await stream.outcome();
}
