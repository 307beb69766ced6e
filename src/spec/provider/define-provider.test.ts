import { expect, it } from "vitest";
import { claude } from "../../clis/claude/provider.ts";
import { builtinProviders } from "../../clis/index.ts";
import { defineProvider } from "./define-provider.ts";
import type { Provider } from "./provider.ts";

const { traits, transports } = claude;

it.each<[string, object]>([
  ['provider has no field "fualts". Did you mean faults?', { fualts: [] }],
  ["provider.models must be a list of texts.", { models: [{ name: "opus" }] }],
  ['claude.binary has no field "name". Did you mean names?', { binary: { name: "claude" } }],
  ["provider.aliases must be a list of texts.", { aliases: undefined }],
  ["provider.sessionIds must be a regular expression.", { sessionIds: "^nest-" }],
  ["claude.traits.usage must be turn or thread or none.", { traits: { ...traits, usage: "turns" } }],
  ['claude.traits has no field "resoning". Did you mean reasoning?', { traits: { ...traits, resoning: true } }],
  ['claude.options has no field "session_resume". Did you mean session-resume?', { options: ["session_resume"] }],
  ['claude.transports has no field "spwan". Did you mean spawn?', { transports: { ...transports, spwan: {} } }],
  ["claude.transports.spawn must be an object.", { transports: { spawn: "claude" } }],
  ["claude.transports.spawn must be an object.", { transports: {} }],
  ["claude.env.apiKeys must be a list of texts.", { env: { set: {}, strip: [] } }],
  ['claude.env has no field "apiKey". Did you mean apiKeys?', { env: { ...claude.env, apiKey: [] } }],
  ["claude.transports.spawn.launch must be a function.", { transports: { spawn: { ...transports.spawn, launch: ["acp"] } } }],
])("%s", (message, changes) => {
  expect(() => defineProvider({ ...claude, ...changes } as Provider)).toThrow(new TypeError(message));
});

it("a transport may be undefined if it may be absent", () => {
  const spawnOnly = { ...claude, transports: { spawn: transports.spawn, resident: undefined } } as unknown as Provider;
  expect(defineProvider(spawnOnly)).toBe(spawnOnly);
});

it.each(builtinProviders.map((provider) => [provider.id, provider]))("%s is a provider as it is", (_id, provider) => {
  expect(defineProvider(provider as Provider)).toBe(provider);
});
