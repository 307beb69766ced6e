import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import type { Permissions } from "../../src/spec/request.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";
import { installClaude } from "./claude-on-path.ts";

const HELPER_ONLY: Permissions = { mode: "dont-ask", tools: ["Bash"], allow: ["Bash(file-tools *)"] };

/** Asks the rehearsal for the time; it calls its tool `Clock` with the zone UTC. */
async function askForTime(permissions: Permissions) {
  const request = { mode: "agent", cwd: tmpdir(), prompt: "What time is it?", permissions } as const;
  return await createClientInScope().run("rehearsal/tool", request, { keepEvents: true }).result();
}

describe("the restriction of tools", () => {
  test("R154 a restricted session names its tools and patterns and denies everything else, without bypass", async () => {
    const { argv } = await installClaude().ask({ prompt: "Hi", mode: "agent", cwd: tmpdir(), permissions: HELPER_ONLY });
    const given = (flag: string): string | undefined => argv[argv.indexOf(flag) + 1];
    expect([given("--tools"), given("--allowedTools"), given("--permission-mode")]).toEqual([
      ...["Bash", "Bash(file-tools *)", "dontAsk"],
    ]);
    expect(argv.join(" ")).not.toMatch(/bypass|skip-permissions/);
  });

  test("R154 a call that a pattern names runs, and any other is denied and listed", async () => {
    const allowed = await askForTime({ mode: "dont-ask", tools: ["Clock"], allow: ["Clock(UTC)"] });
    expect(allowed).toMatchObject({ permissionDenials: [], toolCalls: [{ name: "Clock", isError: false }] });
    const denied = await askForTime({ mode: "dont-ask", tools: ["Clock"], allow: ["Clock(CET)"] });
    expect(denied.toolCalls).toMatchObject([{ name: "Clock", isError: true }]);
    expect(denied.permissionDenials).toMatchObject([{ id: denied.toolCalls[0]?.id, name: "Clock", input: { zone: "UTC" } }]);
    expect(denied.events?.filter(({ type }) => type === "permission-denied")).toHaveLength(1);
  });

  test("R154 patterns together with bypass are refused, and so is a pattern that the CLI does not keep to", () => {
    const request = { prompt: "Hi", mode: "agent", cwd: tmpdir() } as const;
    const bypass = { ...request, permissions: { mode: "bypass", allow: ["Bash(file-tools *)"] } } as const;
    const { client } = installClaude();
    expect(client.plan("claude", bypass)).toMatchObject({ failure: { code: "options-conflict" } });
    for (const target of ["opencode", "grok", "codex", "grok-vibe"])
      expect(client.plan(target, { ...request, permissions: HELPER_ONLY }), target).toMatchObject({
        failure: { category: "validation", code: "option-unsupported" },
      });
  });
});

describe("the integration tests that the document lists", () => {
  test("R171 a message gets an answer, and a resumed session remembers the one before", async () => {
    const client = createClientInScope();
    const first = await client.run("rehearsal", { prompt: "My name is Ada.", session: { keep: true } }).result();
    expect(first.text).toContain("My name is Ada.");
    const session = { resume: first.sessionId ?? "" };
    const second = await client.run("rehearsal", { prompt: "What is my name?", session }).result();
    expect(second.text).toContain("the one before was: My name is Ada.");
  });

  test("R171 a tool is used, and only an allowed one", async () => {
    expect((await askForTime({ allow: ["Clock"] })).text).toMatch(/^It is \d\d:\d\d UTC\.$/);
    expect((await askForTime({ deny: ["Clock"] })).text).toMatch(/^I was not allowed/);
  });

  test("R171 the workspace is the directory of the CLI, and further directories are given to it", async () => {
    const { events = [] } = await askForTime({ allow: ["Clock"] });
    expect(events.find(({ type }) => type === "session-start")).toMatchObject({ cwd: tmpdir() });
    const request = { prompt: "Hi", mode: "agent", cwd: tmpdir(), addDirs: [import.meta.dirname] } as const;
    const { argv } = await installClaude().ask(request);
    expect(argv[argv.indexOf("--add-dir") + 1]).toBe(import.meta.dirname);
  });
});
