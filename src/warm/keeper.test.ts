import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import type { KnownTarget } from "../request/targets.ts";
import type { RunRequest } from "../spec/request.ts";
import { isPlainTurn, sessionKey } from "./keeper.ts";

const TARGET: KnownTarget = { target: { provider: "claude" }, id: "claude", provider: claude };
const RESUMED: RunRequest = { prompt: "Two.", system: "Be brief.", session: { resume: "0A" } };

it("the turns of a session have one key, whatever they say, and another with other settings or another session", () => {
  const key = sessionKey(TARGET, RESUMED, "0A");
  expect(sessionKey(TARGET, { prompt: "One.", system: "Be brief.", session: { keep: true } }, "0a")).toBe(key);
  expect(sessionKey(TARGET, { ...RESUMED, system: "Be long." }, "0A")).not.toBe(key);
  expect(sessionKey(TARGET, RESUMED, "0B")).not.toBe(key);
});

it.each<[string, RunRequest]>([
  ["no session", { prompt: "Two." }],
  ["an agent", { ...RESUMED, mode: "agent" }],
  ["host tools", { ...RESUMED, tools: [{ name: "a", description: "", parameters: {} }] }],
  ["a schema", { ...RESUMED, outputSchema: {} }],
  ["a named speaker", { session: { resume: "0A" }, messages: [{ role: "user", name: "Ottokar", text: "Two." }] }],
  ["several messages", { session: { resume: "0A" }, messages: ["One.", "Two."].map((text) => ({ role: "user", text })) }],
])("a turn with %s does not continue a loaded session", (_what, request) => {
  expect(isPlainTurn(RESUMED)).toBe(true);
  expect(isPlainTurn(request)).toBe(false);
});
