import { describe, expect, test } from "vitest";
import { createClientInScope, UUID } from "../support/clis/rehearsal-client.ts";
import { installClaude } from "./claude-on-path.ts";
import { resultOf } from "./recorded-runs.ts";

const CHOSEN = "11111111-1111-4111-8111-111111111111";

describe("a new session", () => {
  test("R148 a new session carries the id that was chosen, and the CLI takes it", async () => {
    const client = createClientInScope();
    const stream = client.run("rehearsal", { prompt: "Hi", session: { id: CHOSEN } });
    expect((await stream.result()).sessionId).toBe(CHOSEN);
    const seen = await installClaude().ask({ prompt: "Hi", session: { id: CHOSEN } });
    expect(seen.argv[seen.argv.indexOf("--session-id") + 1]).toBe(CHOSEN);
    expect(seen.argv).not.toContain("--resume");
  });

  test("R148 an id that is no UUID is refused before anything is started", () => {
    for (const id of ["tuesday", "", `${CHOSEN}0`, "--help"]) {
      const outcome = installClaude().client.plan("claude", { prompt: "Hi", session: { id } });
      expect(outcome, id).toMatchObject({ failure: { category: "validation", code: "session-invalid" } });
    }
  });

  test("R148 a new session without an id gets one from the CLI", async () => {
    const client = createClientInScope();
    const first = await client.run("rehearsal", { prompt: "Hi", session: { keep: true } }).result();
    const second = await client.run("rehearsal", { prompt: "Hi", session: { keep: true } }).result();
    expect([first.sessionId, second.sessionId]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    expect(first.sessionId).not.toBe(second.sessionId);
    expect((await installClaude().ask({ prompt: "Hi" })).argv).not.toContain("--session-id");
  });
});

describe("what the fourth document leaves out", () => {
  test("R173 several sessions run in one process, each under its own id", async () => {
    const client = createClientInScope();
    const ids = [CHOSEN, "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"];
    const runs = ids.map((id) => client.run("rehearsal", { prompt: `I am ${id}`, session: { id } }).result());
    const results = await Promise.all(runs);
    expect(results.map(({ sessionId }) => sessionId)).toEqual(ids);
    for (const [index, { text }] of results.entries()) expect(text).toContain(`I am ${ids[index]}`);
  });

  test("R173 a request may require an API key, and a missing one is reported before a process is started", () => {
    const request = { prompt: "Hi", auth: "api-key" } as const;
    const without = installClaude({ ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "" }).client.plan("claude", request);
    expect(without).toMatchObject({ failure: { code: "not-logged-in", hint: expect.stringContaining("ANTHROPIC_API_KEY") } });
    expect(installClaude({ ANTHROPIC_API_KEY: "sk-ant-test" }).client.plan("claude", request)).toHaveProperty("plan");
  });

  test("R173 tools of custom MCP servers are called", () => {
    expect(resultOf("mcp-stdio").toolCalls).toMatchObject([{ name: "mcp__demo__add", output: "42", isError: false }]);
  });
});

describe("structured output", () => {
  test("R199 structured output is asked of the CLI itself and comes back as an object", async () => {
    const outputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const outcome = installClaude().client.plan("claude", { prompt: "Hi", outputSchema });
    const [settings = ""] = "plan" in outcome ? outcome.plan.stdin.text.split("\n") : [];
    expect(JSON.parse(settings)).toMatchObject({ request: { subtype: "initialize", jsonSchema: outputSchema } });
    const { object } = await createClientInScope().run("rehearsal", { prompt: "Hi", outputSchema }).result();
    expect(object).toEqual({ city: expect.any(String) });
  });

  test("R199 structured output of the real CLI is read", () => {
    expect(resultOf("structured-output").object).toEqual({ name: "Ada", age: 36 });
  });
});
