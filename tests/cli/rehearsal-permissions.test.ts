import { describe, expect, test } from "vitest";
import type { Permissions } from "../../src/spec/request.ts";
import { createClientInScope } from "../support/clis/rehearsal-client.ts";
import { ask } from "../support/cox/start-cox.ts";
import { startInTerminal } from "../support/cox/start-terminal.ts";

const TIME = /^It is \d\d:\d\d UTC\.$/;
const NOT_ALLOWED = "I was not allowed to look, so I do not know the time.";

/** Asks the model `tool` for the time; the host would allow every call. */
async function askForTime(permissions: Permissions) {
  let questions = 0;
  const onPermission = () => {
    questions += 1;
    return { behavior: "allow" } as const;
  };
  const request = { mode: "agent", prompt: "What time is it?", permissions } as const;
  const result = await createClientInScope().run("rehearsal/tool", request, { onPermission, keepEvents: true }).result();
  return { ...result, questions };
}

describe("the rehearsal CLI obeys permissions: it", () => {
  test.each<{ permissions: Permissions; output: string }>([
    { permissions: { deny: ["Clock"] }, output: "Permission to use Clock has been denied." },
    { permissions: { deny: ["Read", "Clock(U*)"], allow: ["Clock"] }, output: "Permission to use Clock has been denied." },
    { permissions: { mode: "bypass", deny: ["Clock"] }, output: "Permission to use Clock has been denied." },
    {
      permissions: { mode: "dont-ask", allow: ["Read", "Clock(CET)"] },
      output: "Permission to use Clock has been denied because Rehearsal is running in don't ask mode.",
    },
    {
      permissions: { mode: "plan" },
      output: "Permission to use Clock has been denied because Rehearsal is running in plan mode.",
    },
  ])("denies a call without a question and reports the denial: $permissions", async ({ permissions, output }) => {
    const { text, toolCalls, permissionDenials, questions } = await askForTime(permissions);
    expect(toolCalls).toMatchObject([{ name: "Clock", output, isError: true }]);
    expect(permissionDenials).toMatchObject([{ id: toolCalls[0]?.id, name: "Clock", input: { zone: "UTC" } }]);
    expect([text, questions]).toEqual([NOT_ALLOWED, 0]);
  });

  test.each<Permissions>([
    { allow: ["Clock"] },
    { allow: ["Bash(git *)", "Clock(UTC)"], deny: ["Read", "Clock(CET)"] },
    { mode: "dont-ask", allow: ["Clock"] },
    { mode: "plan", allow: ["Clock"] },
    { mode: "bypass" },
  ])("runs an allowed call without a question: %j", async (permissions) => {
    const { text, permissionDenials, questions } = await askForTime(permissions);
    expect(text).toMatch(TIME);
    expect([permissionDenials, questions]).toEqual([[], 0]);
  });

  test.each<Permissions>([{}, { mode: "accept-edits" }, { tools: ["Read", "Clock"] }, { deny: ["Read"], allow: ["Read"] }])(
    "asks the host about every other call: %j",
    async (permissions) => {
      const { text, questions } = await askForTime(permissions);
      expect(text).toMatch(TIME);
      expect(questions).toBe(1);
    },
  );

  test.each<readonly string[]>([[], ["Read"]])(
    "does not use a tool that is not among those of the request: %j",
    async (...tools) => {
      const { text, toolCalls, events = [] } = await askForTime({ tools });
      expect(events.find(({ type }) => type === "session-start")).toMatchObject({ tools });
      expect([text, toolCalls]).toEqual(["I have no tool Clock, so I do not know the time.", []]);
    },
  );

  test("has no tools in completion mode", async () => {
    const { toolCalls } = await createClientInScope().run("rehearsal/tool", { prompt: "What time is it?" }).result();
    expect(toolCalls).toEqual([]);
  });
});

describe.concurrent("cox ask with the rehearsal CLI", () => {
  const args = ["--agent", "--model", "tool"];

  test.each([
    { flags: ["--deny-tool", "Clock"], advice: "" },
    { flags: ["--permission-mode", "plan"], advice: " To allow all its calls: --allow-tool Clock" },
    { flags: ["--permission-mode", "dont-ask"], advice: " To allow all its calls: --allow-tool Clock" },
  ])("does not run the tool with $flags, and says so", async ({ flags, advice }) => {
    const { stdout, stderr } = await ask([...args, ...flags, "What time is it?"]);
    expect(stdout).toContain(NOT_ALLOWED);
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(`⊘ Clock(UTC) was not allowed.${advice}`);
  });

  test("asks nothing on a terminal with --allow-tool", async () => {
    const command = ["ask", "--provider", "rehearsal", ...args, "--allow-tool", "Clock", "What time is it?"];
    const { stdout } = await startInTerminal(command).ended;
    expect(stdout).toMatch(/It is \d\d:\d\d UTC\./);
    expect(stdout).not.toContain("May ");
  });
});
