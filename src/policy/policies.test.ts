import { expect, it } from "vitest";
import { createClient } from "../client.ts";
import type { PolicyOptions } from "../spec/client-options.ts";

it.each<[string, unknown]>([
  ["a number of retries below 0", { retry: { retries: -1 } }],
  ["retries that are no number", { retry: { retries: "2" } }],
  ["a delay that is not a number at all", { retry: { firstDelayMs: Number.NaN } }],
  ["a breaker that needs no failure", { cooldown: { failures: 0 } }],
  ["no place for a provider", { limit: { perProvider: 0 } }],
  ["no place at all", { limit: { total: 0 } }],
  ["a queue below 0", { limit: { queue: -1 } }],
  ["a budget below 0", { budget: { usd: -1 } }],
  ["true for a part", { retry: true }],
  ["null for a part", { limit: null }],
])("%s is a TypeError at once", (_name, policies) => {
  expect(() => Reflect.apply(createClient, undefined, [{ policies, providers: [] }])).toThrow(TypeError);
});

it.each<[string, PolicyOptions | false]>([
  ["nothing", {}],
  ["false", false],
  ["false for each part", { retry: false, fallback: false, cooldown: false, limit: false, budget: false }],
  ["bounds that are none", { limit: { perProvider: Number.POSITIVE_INFINITY }, budget: { usd: Number.POSITIVE_INFINITY } }],
  ["the least of everything", { retry: { retries: 0, firstDelayMs: 0 }, limit: { perProvider: 1, total: 1, queue: 0 } }],
])("%s is valid", async (_name, policies) => {
  await createClient({ policies, providers: [] }).close();
});

it.each<[string, unknown]>([
  ["a number of processes below 0", { processes: -1 }],
  ["a part of a process", { parked: 1.5 }],
  ["a time that is no number", { parkedMs: "300" }],
  ["a time that no timer can wait", { idleMs: Number.POSITIVE_INFINITY }],
  ["an option that does not exist", { procesess: 1 }],
  ["true", true],
])("%s for warm processes is a TypeError at once", (_name, warm) => {
  expect(() => Reflect.apply(createClient, undefined, [{ warm, providers: [] }])).toThrow(TypeError);
});
