import { expect, it } from "vitest";
import type { ModelCall } from "./model-call.ts";
import { cooldownKey, type ModelClient } from "./model-client.ts";
import { createAbleClient, endOf, runDecided } from "./predict-decided.ts";

const KEY = cooldownKey({ provider: "a" });
const UNKNOWN_RESET = { a: [{ end: "quota-exhausted", output: "nothing" }] } as const;
const KNOWN_RESET = { a: [{ end: "quota-exhausted", output: "nothing", resetAt: 9000 }] } as const;

function endAt(client: ModelClient, now: number, call: Partial<ModelCall> = {}): string {
  return endOf(runDecided(client, call, now));
}

it("a failure of the category `quota` closes the provider until `resetAt`", () => {
  const client = createAbleClient();
  runDecided(client, { script: KNOWN_RESET });
  expect([endAt(client, 8999), endAt(client, 9000)]).toEqual(["quota-exhausted", "answer"]);
});

it("with a known `resetAt` this is kept in a file of its own per key, so that other processes and later ones know it", () => {
  const files = new Map<string, number>();
  const { quotas } = runDecided(createAbleClient({}, files), { script: KNOWN_RESET });
  expect(quotas).toEqual([{ key: KEY, where: "file", until: { min: 9000, max: 9000 } }]);
  expect([...files]).toEqual([[KEY, 9000]]);
  expect(endAt(createAbleClient({}, files), 1)).toBe("quota-exhausted");
});

it("without one the client alone remembers it, for `quotaMs` (default 5 minutes)", () => {
  const files = new Map<string, number>();
  const client = createAbleClient({}, files);
  const { quotas } = runDecided(client, { script: UNKNOWN_RESET });
  expect(quotas).toEqual([{ key: KEY, where: "memory", until: { min: 300_000, max: 300_000 } }]);
  expect(endAt(createAbleClient({}, files), 1)).toBe("answer");
  expect([endAt(client, 299_999), endAt(client, 300_000)]).toEqual(["quota-exhausted", "answer"]);
});

it("while it is closed a run ends at once with `quota-exhausted`, that `resetAt`, and nothing is started", () => {
  const client = createAbleClient();
  runDecided(client, { script: KNOWN_RESET });
  const { outcome, processes, events } = runDecided(client, {}, 5);
  expect(outcome).toEqual({ answer: false, failure: { code: "quota-exhausted", resetAt: 9000 } });
  expect([processes, events]).toEqual([{}, []]);
});

it("a closed provider leads to the next target", () => {
  const client = createAbleClient();
  runDecided(client, { script: UNKNOWN_RESET });
  expect(endAt(client, 1, { targets: [{ provider: "a" }, { provider: "b" }] })).toBe("answer");
});

it("an answer of the provider also clears it", () => {
  const files = new Map([[KEY, 100]]);
  const client = createAbleClient({}, files);
  expect(runDecided(client, {}, 100).quotas).toEqual([]);
  expect([...files]).toEqual([]);
});

it('remembers, per provider and profile (and apart for `auth: "api-key"`), which CLI need not be asked at all', () => {
  const client = createAbleClient();
  runDecided(client, { script: UNKNOWN_RESET });
  expect(endAt(client, 1)).toBe("quota-exhausted");
  expect(endAt(client, 1, { targets: [{ provider: "a", model: "other" }] })).toBe("quota-exhausted");
  expect(endAt(client, 1, { targets: [{ provider: "b" }] })).toBe("answer");
  expect(endAt(client, 1, { targets: [{ provider: "a", profile: "work" }] })).toBe("answer");
  expect(endAt(client, 1, { request: { auth: "api-key" } })).toBe("answer");
});

it("an answer clears the memory of the client alone", () => {
  const client = createAbleClient();
  runDecided(client, { script: UNKNOWN_RESET });
  runDecided(client, {}, 300_000);
  expect(client.memory.quotas.size).toBe(0);
});

it.each([{ resetAt: 9000 }, {}])("if the text of a spent quota is about one model, only that model is closed (%o)", (reset) => {
  const client = createAbleClient();
  const targets = [{ provider: "a", model: "big" }];
  const script = { a: [{ end: "quota-exhausted", output: "nothing", isAboutModel: true, ...reset }] } as const;
  const { quotas } = runDecided(client, { targets, script });
  expect(quotas.map(({ key }) => key)).toEqual([cooldownKey({ provider: "a", model: "big" })]);
  expect(endAt(client, 1)).toBe("answer");
  expect(endAt(client, 2, { targets: [{ provider: "a", model: "small" }] })).toBe("answer");
  expect(endAt(client, 3, { targets })).toBe("quota-exhausted");
});

it("a spent quota that is not about one model closes all models of the provider", () => {
  const client = createAbleClient();
  runDecided(client, { targets: [{ provider: "a", model: "big" }], script: UNKNOWN_RESET });
  expect([endAt(client, 1), endAt(client, 1, { targets: [{ provider: "a", model: "small" }] })]).toEqual([
    "quota-exhausted",
    "quota-exhausted",
  ]);
});

it("a spent quota of one model closes the whole provider when the target names no model", () => {
  const client = createAbleClient();
  runDecided(client, { script: { a: [{ end: "quota-exhausted", output: "nothing", isAboutModel: true }] } });
  expect(endAt(client, 1, { targets: [{ provider: "a", model: "big" }] })).toBe("quota-exhausted");
});

it("of two spent quotas the one that opens last is reported", () => {
  const client = createAbleClient();
  client.quotaFiles.set(KEY, 100).set(cooldownKey({ provider: "a", model: "big" }), 200);
  const { outcome } = runDecided(client, { targets: [{ provider: "a", model: "big" }] }, 1);
  expect(outcome).toEqual({ answer: false, failure: { code: "quota-exhausted", resetAt: 200 } });
});

it("a quota whose reset time has passed closes nothing", () => {
  const client = createAbleClient();
  expect(runDecided(client, { script: KNOWN_RESET }, 9000).quotas).toEqual([]);
  expect(endAt(client, 9000)).toBe("answer");
});

it("a quota that was spent after a tool ran is still remembered", () => {
  const client = createAbleClient();
  runDecided(client, { script: { a: [{ end: "quota-exhausted", output: "tool", resetAt: 9000 }] } });
  expect(endAt(client, 1)).toBe("quota-exhausted");
});

it("without cooldown nothing is remembered and the memory of others is not read", () => {
  const files = new Map([[KEY, 9000]]);
  const client = createAbleClient({ cooldown: false }, files);
  expect(endAt(client, 1, { script: UNKNOWN_RESET })).toBe("quota-exhausted");
  expect([endAt(client, 1), files.size]).toEqual(["answer", 1]);
});
