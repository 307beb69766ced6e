import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { PromptRequest } from "../../src/spec/request.ts";
import type { RunResult } from "../../src/spec/result.ts";
import type { PermissionAnswer, PermissionQuestion } from "../../src/spec/stream.ts";
import type { FakeToolCall } from "../../src/testing/index.ts";
import { processesIn, untilGone } from "../support/processes/process-scan.ts";
import { AGENT_TARGETS, agentRequest, DONE, shellCall, shellCalls } from "../support/real-clis/agent-request.ts";
import { modelRequestsOf } from "../support/real-clis/model-request.ts";
import { untilLeft } from "./open-real-cli.ts";
import { type OpenResident, openResident } from "./open-resident.ts";
import { PROCESS_FOLDER } from "./same-request.ts";

const NAME = "My name is Ottokar.";
const QUESTION = "What is my name?";
const UNKNOWN = "5e9c0f6a-1b7d-4c55-9a51-3f0c2d8e7b10";
const target = AGENT_TARGETS.codex;
const resumed = (id: string | undefined, prompt: string): PromptRequest => ({ prompt, session: { resume: id ?? "" } });

describe("the sessions of a process of real codex", () => {
  it("are continued in it, in another one and in a new process, and know all earlier turns", async () => {
    const first = await openResident("codex", { answers: { kind: "text", text: "Good evening, Ottokar." } });
    const { cli } = first;
    const { sessionId } = await first.take({ prompt: NAME, session: { keep: true } });
    expect(await first.take(resumed(sessionId, "And I am 40."))).toMatchObject({ sessionId, usage: { scope: "turn" } });
    expect(await first.take(resumed(sessionId?.toUpperCase(), QUESTION))).toMatchObject({ sessionId, finish: "stop" });
    const second = await openResident("codex", { cli });
    expect(await second.take(resumed(sessionId, "Are you sure?"))).toMatchObject({ sessionId, usage: { inputTokens: 100 } });
    const anew = await cli.run(resumed(sessionId, "Really?"));
    expect(anew.result).toMatchObject({ sessionId, finish: "stop" });
    // Codex lets no other process write to the session until this one has exited.
    await untilLeft(anew);
    expect(await first.take(resumed(sessionId, "Bye."))).toMatchObject({ sessionId, finish: "stop" });
    const prompts = [NAME, "And I am 40.", QUESTION, "Are you sure?", "Really?", "Bye."];
    expect(modelRequestsOf(cli).map(({ user }) => user)).toEqual(prompts.map((_, index) => prompts.slice(0, index + 1)));
    expect(cli.api.modelRequests.at(-1)?.rawBody.match(/Good evening/g)).toHaveLength(prompts.length - 1);
  });

  it("of a new process are continued in it as in another new process: with the model, effort and system prompt of the request", async () => {
    const { cli, take } = await openResident("codex");
    // Codex migrates a new home when it starts, and only one process may do so.
    await take({ prompt: "Hello" });
    const request = { prompt: NAME, session: { keep: true }, effort: "low", system: "Be kind." } as const;
    const made = [await cli.run(request, { target }), await cli.run(request, { target })].map(({ result }) => result.sessionId);
    const asked = (id: string | undefined): PromptRequest => ({ ...resumed(id, QUESTION), system: "Be brief." });
    expect(await take(asked(made[0]))).toMatchObject({ sessionId: made[0], finish: "stop" });
    await cli.run(asked(made[1]));
    const [, , , warm, cold] = cli.api.modelRequests.map(({ body }) => withoutIds(body));
    expect(warm).toEqual(cold);
    expect(warm).toMatchObject({
      model: "gpt-6.1-sol",
      reasoning: { summary: "auto" },
      input: [{ content: [{ text: "Be brief." }] }, {}, {}, {}, {}],
    });
  });

  it("take one turn at a time, and other requests are taken meanwhile", async () => {
    const { cli, channel, take, ask } = await openResident("codex");
    const { sessionId } = await take({ prompt: NAME, session: { keep: true } });
    cli.api.answerWith(({ rawBody }) => (rawBody.includes("Wait") ? { kind: "stall" } : DONE));
    const stalled = ask(resumed(sessionId, "Wait."));
    expect(channel.canTake(resumed(sessionId, QUESTION))).toBe(false);
    expect(await take({ prompt: "Another matter." })).toMatchObject({ text: "Done." });
    await vi.waitFor(() => expect(cli.api.modelRequests.some(({ rawBody }) => rawBody.includes("Wait."))).toBe(true), 20_000);
    stalled.cancel();
    await stalled.done;
    await expect.poll(() => channel.canTake(resumed(sessionId, QUESTION)), { timeout: 10_000 }).toBe(true);
    cli.api.answerWith(DONE);
    expect(await take(resumed(sessionId, QUESTION))).toMatchObject({ sessionId, text: "Done." });
  });

  it("that are unknown or were not stored fail alone", async () => {
    const { take } = await openResident("codex");
    const { sessionId } = await take({ prompt: NAME });
    for (const id of [UNKNOWN, sessionId]) {
      const { failure } = await take(resumed(id, QUESTION));
      expect(failure).toMatchObject({ category: "not_found", code: "session-unknown" });
    }
    expect(await take({ prompt: QUESTION })).toMatchObject({ finish: "stop" });
  });
});

const PATCH = "*** Begin Patch\n*** Add File: made.txt\n+hi\n*** End Patch\n";
const AGENT: PromptRequest = { prompt: "Do it.", mode: "agent" };
/** The model asks for a command outside of the sandbox. */
const TOUCH: FakeToolCall = {
  name: "exec_command",
  input: { cmd: "touch made.txt", sandbox_permissions: "require_escalated", justification: "May I?" },
};

describe("a process of real codex with agents", () => {
  it.each([
    ["a command", TOUCH, "command_execution", { command: expect.stringContaining("touch made.txt"), reason: "May I?" }],
    ["a change of files", { name: "apply_patch", input: PATCH }, "file_change", { changes: [{ kind: "add" }] }],
  ] as const)("asks before %s, which runs if the host allows it", async (_what, call, name, input) => {
    const { made, questions, result } = await asked(call, { behavior: "allow" });
    expect(questions).toMatchObject([{ name, input }]);
    expect(made).toEqual(["made.txt"]);
    expect(result).toMatchObject({ text: "Done.", permissionDenials: [], toolCalls: [{ name, isError: false }] });
  });

  it.each([
    ["a command", TOUCH, "command_execution"],
    ["a change of files", { name: "apply_patch", input: PATCH }, "file_change"],
  ] as const)("reports %s that the host denies, and the turn goes on", async (_what, call, name) => {
    const { made, result } = await asked(call, { behavior: "deny", message: "No." });
    expect(made).toEqual([]);
    expect(result).toMatchObject({ text: "Done.", permissionDenials: [{ name }], toolCalls: [{ name, isError: true }] });
  });

  it("does not run a command that the host would have changed", async () => {
    const { made, result } = await asked(TOUCH, { behavior: "allow", updatedInput: { command: "touch other.txt" } });
    expect(made).toEqual([]);
    expect(result).toMatchObject({
      permissionDenials: [{ name: "command_execution" }],
      warnings: [{ code: "input-unchangeable" }],
    });
  });

  it("is told that nobody answers another question, and the turn goes on", async () => {
    const options = [{ label: "Red", description: "red" }];
    const question = { id: "colour", header: "Colour", question: "Which colour?", options };
    const { result, open } = await asked({ name: "request_user_input", input: { questions: [question] } }, { behavior: "allow" });
    expect(result).toMatchObject({ text: "Done.", finish: "stop" });
    expect(open.channel.canTake()).toBe(true);
  });

  it("sends what a new process sends, in each permission mode, and writes no configuration", async () => {
    for (const mode of ["default", "accept-edits", "bypass"] as const) {
      const request: PromptRequest = { ...AGENT, permissions: { mode }, addDirs: ["/var/tmp"] };
      const { cli, take } = await openResident("codex", { request, target, answers: DONE });
      await take(request);
      await cli.run(agentRequest(cli, request), { target });
      const [warm, cold] = cli.api.modelRequests.map(({ body }) => withoutIds(body));
      expect(warm).toEqual(cold);
      expect(existsSync(join(cli.home, ".codex/config.toml"))).toBe(false);
    }
  });

  it("has the sandbox of each request, and nothing asks when nobody answers", async () => {
    const { cli, take } = await openResident("codex", { request: AGENT, target, answers: shellCalls("codex", "touch made.txt") });
    expect(await take(AGENT)).toMatchObject({ text: "Done." });
    expect(modelRequestsOf(cli)[1]?.user.at(-1)).toContain("Read-only file system");
    expect(madeIn(cli.workspace)).toEqual([]);
    cli.api.answerWith(shellCalls("codex", "touch made.txt"));
    expect(await take({ ...AGENT, permissions: { mode: "bypass" } })).toMatchObject({
      text: "Done.",
      toolCalls: [{ isError: false }],
    });
    expect(madeIn(cli.workspace)).toEqual(["made.txt"]);
  });

  it("leaves no command running after its turn", async () => {
    const call = shellCall("codex", "sleep 300");
    const background = { ...call, input: { cmd: "sleep 300", yield_time_ms: 250 } };
    const request: PromptRequest = { ...AGENT, permissions: { mode: "bypass" } };
    const answers = [{ kind: "tool-calls", calls: [background] }, DONE] as const;
    const { cli, channel, take } = await openResident("codex", { request, target, answers });
    expect(await take(request)).toMatchObject({ text: "Done.", finish: "stop" });
    const pid = channel.pid();
    await untilGone(async () => (await processesIn(cli.workspace)).filter((other) => other !== pid));
    expect(channel.pid()).toBe(pid);
  });
});

type Asked = {
  readonly open: OpenResident;
  readonly result: RunResult;
  readonly questions: readonly PermissionQuestion[];
  readonly made: readonly string[];
};

async function asked(call: FakeToolCall, answer: PermissionAnswer): Promise<Asked> {
  const answers = [{ kind: "tool-calls", calls: [call] }, DONE] as const;
  const open = await openResident("codex", { request: AGENT, answersPermissions: true, target, answers });
  const questions: PermissionQuestion[] = [];
  const onPermission = (question: PermissionQuestion): PermissionAnswer => {
    questions.push(question);
    return answer;
  };
  const result = await open.take(AGENT, { onPermission });
  return { open, result, questions, made: madeIn(open.cli.workspace) };
}

function madeIn(workspace: string): readonly string[] {
  return readdirSync(workspace).filter((name) => name !== "package.json");
}

/** The metadata names the thread; the rest is what the model gets. */
function withoutIds(body: unknown): unknown {
  const { client_metadata: _, prompt_cache_key: __, ...said } = body as Readonly<Record<string, unknown>>;
  const text = JSON.stringify(said).replaceAll(/(?:msg_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|msg_\d+/g, "<id>");
  return JSON.parse(text.replaceAll(PROCESS_FOLDER, "/<folder>/"));
}
