import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/index.ts";
import { AGENT_TARGETS, agentRequest, shellCalls } from "../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { eventsOf, type OpenRealCli, openRealCli, untilLeft } from "./open-real-cli.ts";

const [CHOSEN, OTHER] = ["5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10", "6e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10"];
const NAME = "My name is Ottokar.";
const QUESTION = "What is my name?";

describe.each(["claude", "codex"] as const)("the sessions of real %s", (name) => {
  it(`a stored session of ${name} is resumed under its id, and the model gets the first turn again`, async () => {
    const cli = await openRealCli(name, { kind: "text", text: "Good evening, Ottokar." });
    const first = await cli.run({ prompt: NAME, session: { keep: true } });
    const second = await cli.run({ prompt: QUESTION, session: { resume: sessionOf(first) } });
    expect(second.failure).toBeUndefined();
    expect(sessionOf(second)).toBe(sessionOf(first));
    expect(modelRequestsOf(cli)[0]?.user).not.toContain(QUESTION);
    expect(modelRequestsOf(cli)[1]?.user.slice(-2)).toEqual([NAME, QUESTION]);
    expect(cli.api.modelRequests[1]?.rawBody).toContain("Good evening, Ottokar.");
  });

  it(`a stored session of ${name} is complete even when its client is closed at once`, async () => {
    const cli = await openRealCli(name, { kind: "text", text: "Good evening, Ottokar." });
    const first = await cli.run({ prompt: NAME, session: { keep: true } });
    await cli.client.close();
    const client = createClient({ policies: false, env: cli.env, providers: [cli.provider] });
    onTestFinished(() => client.close());
    const second = await cli.run({ prompt: QUESTION, session: { resume: sessionOf(first) } }, { client });
    expect(second.failure).toBeUndefined();
    expect(modelRequestsOf(cli)[1]?.user.slice(-2)).toEqual([NAME, QUESTION]);
    expect(cli.api.modelRequests[1]?.rawBody).toContain("Good evening, Ottokar.");
  });

  it(`an agent's session of ${name} is resumed in its directory, although the request did not ask to keep it`, async () => {
    const cli = await openRealCli(name);
    const target = AGENT_TARGETS[name];
    const first = await cli.run(agentRequest(cli, { prompt: NAME }), { target });
    const session = { resume: sessionOf(first) };
    const second = await cli.run(agentRequest(cli, { prompt: QUESTION, session }), { target });
    expect(sessionOf(second)).toBe(sessionOf(first));
    expect(modelRequestsOf(cli)[1]?.user).toEqual(expect.arrayContaining([NAME, QUESTION]));
  });

  it(`an unknown session of ${name} is reported as such, and no model request is sent`, async () => {
    const cli = await openRealCli(name);
    const run = await cli.run({ prompt: QUESTION, session: { resume: CHOSEN } });
    expect(run.failure).toMatchObject({
      category: "not_found",
      code: "session-unknown",
      shouldRetry: false,
      shouldFallback: false,
    });
    expect(run.failure?.message).toContain(CHOSEN);
    expect(cli.api.modelRequests).toEqual([]);
  });

  it(`a completion of ${name} stores no session`, async () => {
    const cli = await openRealCli(name);
    const first = await cli.run({ prompt: NAME });
    await untilLeft(first);
    expect(transcriptsOf(cli)).toEqual([]);
    const second = await cli.run({ prompt: QUESTION, session: { resume: sessionOf(first) } });
    expect(second.failure).toMatchObject({ category: "not_found", code: "session-unknown" });
  });

  it(`a malformed session id is refused before ${name} is started`, async () => {
    const cli = await openRealCli(name);
    const run = await cli.run({ prompt: QUESTION, session: { resume: "--last" } });
    expect(run.failure).toMatchObject({ category: "validation", code: "session-invalid" });
    expect(run.events).toHaveLength(2);
  });
});

describe("the sessions of real claude", () => {
  it("a session has the id that the request chose, once", async () => {
    const cli = await openRealCli("claude");
    const first = await cli.run({ prompt: NAME, session: { id: CHOSEN } });
    expect(sessionOf(first)).toBe(CHOSEN);
    await untilLeft(first);
    expect(transcriptsOf(cli)).toEqual([`${CHOSEN}.jsonl`]);
    const again = await cli.run({ prompt: NAME, session: { id: CHOSEN } });
    expect(again.failure).toMatchObject({ category: "validation", code: "session-busy" });
    expect(cli.api.modelRequests).toHaveLength(1);
  });

  it("a fork knows the earlier turns and leaves the session unchanged", async () => {
    const cli = await openRealCli("claude");
    await cli.run({ prompt: NAME, session: { id: CHOSEN } });
    const fork = await cli.run({ prompt: "Forget it.", session: { fork: CHOSEN, id: OTHER } });
    expect(sessionOf(fork)).toBe(OTHER);
    const nameless = await cli.run({ prompt: "Never mind.", session: { fork: CHOSEN } });
    expect([CHOSEN, OTHER]).not.toContain(sessionOf(nameless));
    await cli.run({ prompt: QUESTION, session: { resume: CHOSEN } });
    const [, ...later] = modelRequestsOf(cli).map(({ user }) => user.filter((text) => !text.startsWith("<system-reminder>")));
    expect(later).toEqual([
      [NAME, "Forget it."],
      [NAME, "Never mind."],
      [NAME, QUESTION],
    ]);
  });

  it("an agent's session is resumed in another directory, or is unknown there with 2.1.197, and is never another one", async () => {
    const cli = await openRealCli("claude");
    const first = await cli.run(agentRequest(cli, { prompt: NAME }));
    const elsewhere = agentRequest(cli, { prompt: QUESTION, cwd: cli.home, session: { resume: sessionOf(first) } });
    const second = await cli.run(elsewhere);
    if (eventsOf(first, "session-start")[0]?.cliVersion === "2.1.197") {
      expect(second.failure).toMatchObject({ category: "not_found", code: "session-unknown" });
      return;
    }
    expect(second.failure).toBeUndefined();
    expect(eventsOf(second, "session-start")).toMatchObject([{ sessionId: sessionOf(first), cwd: cli.home }]);
    expect(modelRequestsOf(cli)[1]?.user).toEqual(expect.arrayContaining([NAME, QUESTION]));
    const third = await cli.run(agentRequest(cli, { prompt: NAME, session: { resume: sessionOf(first) } }));
    expect(third.failure).toBeUndefined();
    expect(modelRequestsOf(cli)[2]?.user).toEqual(expect.arrayContaining([NAME, QUESTION]));
  });

  it("a resumed session has the system prompt of its request", async () => {
    const cli = await openRealCli("claude");
    await cli.run({ prompt: NAME, system: "You are the porter.", session: { id: CHOSEN } });
    await cli.run({ prompt: QUESTION, system: "You are the cook.", session: { resume: CHOSEN } });
    expect(modelRequestsOf(cli).map(({ system }) => system.at(-1))).toEqual(["You are the porter.", "You are the cook."]);
  });
});

it.each([
  ["an id of the caller's choice", { id: CHOSEN }],
  ["a fork", { fork: CHOSEN }],
] as const)("codex does not support a session with %s: it is refused before a process is started", async (_what, session) => {
  const cli = await openRealCli("codex");
  const run = await cli.run({ prompt: NAME, session });
  expect(run.failure).toMatchObject({ category: "validation", code: "option-unsupported" });
  expect(run.events).toHaveLength(2);
});

describe("the manual recipes of the fourth document with real claude", () => {
  it("R172 a prompt on stdin, a system prompt, and resuming by the id of the first result", async () => {
    const cli = await openRealCli("claude", { kind: "text", text: "Good evening, Ottokar." });
    const session = cli.client.session({ target: "claude", system: "You are the porter." });
    const { sessionId = "" } = await session.send(NAME);
    await cli.client.run("claude", { prompt: QUESTION, system: "You are the porter.", session: { resume: sessionId } }).result();
    const [first, second] = modelRequestsOf(cli);
    expect(first?.user.at(-1)).toBe(NAME);
    expect([first?.system.at(-1), second?.system.at(-1)]).toEqual(["You are the porter.", "You are the porter."]);
    expect(second?.user.slice(-2)).toEqual([NAME, QUESTION]);
  });

  it("R172 only the allowed commands of the one allowed tool run, in a workspace that can be read", async () => {
    const cli = await openRealCli("claude", shellCalls("claude", "cat package.json", "touch made.txt"));
    const permissions = { mode: "dont-ask", tools: ["Bash"], allow: ["Bash(cat *)"] } as const;
    const session = cli.client.session({ target: "claude", mode: "agent", cwd: cli.workspace, permissions });
    const outcome = await session.stream("Do it.").outcome();
    expect(outcome.failure).toMatchObject({ code: "tool-denied", partialText: "Done." });
    expect(outcome.permissionDenials).toMatchObject([{ name: "Bash", input: { command: "touch made.txt" } }]);
    expect(outcome.toolCalls[0]?.output).toContain("SECRET-OF-THE-WORKSPACE");
    expect(readdirSync(cli.workspace)).toEqual(["package.json"]);
    expect(modelRequestsOf(cli)[0]?.tools).toEqual(["Bash"]);
  });
});

function sessionOf(run: Parameters<typeof eventsOf>[0]): string {
  return eventsOf(run, "session-start")[0]?.sessionId ?? "none";
}

/** The names of the transcripts that the CLI has stored. */
function transcriptsOf(cli: OpenRealCli): readonly string[] {
  const folder = join(cli.home, cli.name === "claude" ? ".claude/projects" : ".codex/sessions");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile()).map((file) => file.name);
}
