import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import { DEFAULT_WARM } from "../request/defaults.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import type { RunRequest } from "../spec/request.ts";
import { isPlainTurn, Keeper, sessionKey } from "./keeper.ts";

const TARGET: ResolvedTarget = { target: { provider: "claude" }, provider: claude };
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

it("a kept turn goes on with the results of all its calls, and is ended if one is missing", () => {
  const keeper = new Keeper(DEFAULT_WARM);
  const ended: string[] = [];
  const calls = ["a", "b"].map((id) => ({ id, name: "look", args: {} }));
  const asked: RunRequest = { messages: [{ role: "user", text: "Look." }] };
  const keep = (name: string): void => {
    const turn = { waitsFor: "results", isOpen: true, end: () => ended.push(name), channel: { pid: () => undefined } };
    const kept = {
      provider: "claude",
      transport: "spawn",
      identity: "",
      text: "",
      calls: new Map(calls.map(({ id }) => [id, id])),
    };
    keeper.keep({ ...kept, turn } as never, TARGET, asked, { texts: [""], toolCalls: calls });
  };
  const continuedWith = (ids: readonly string[]) => {
    const results = ids.map((callId) => ({ role: "tool" as const, callId, name: "look", text: callId }));
    const answer = { role: "assistant" as const, text: "", toolCalls: calls };
    return keeper.continuation(TARGET, { messages: [...(asked.messages ?? []), answer, ...results] }, 1000)?.results.size;
  };
  keep("one result");
  expect([continuedWith(["a"]), ended]).toEqual([undefined, ["one result"]]);
  keep("both results");
  expect([continuedWith(["a", "b"]), ended]).toEqual([2, ["one result"]]);
});
