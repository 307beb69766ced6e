import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import { qwen } from "../clis/qwen/provider.ts";
import { type Provider, withoutNativeTools, withSpawn } from "../spec/provider/provider.ts";
import { atVersion } from "./find-cli.ts";

const provider: Provider = {
  ...withSpawn(claude, { limits: { promptBytes: 10 } }),
  limitations: ["old"],
  env: { ...claude.env, set: { A: "old", B: "old" } },
  versionsChecked: { oldest: "1.0.0", newest: "2.0.0" },
  changes: [
    { since: "1.5.0", limits: { promptBytes: 5 }, set: { B: "1.5", C: "1.5" } },
    { since: "2.0.0", limits: { promptBytes: 7 }, limitations: [] },
  ],
};

it.each([
  ["1.0.0", 10, ["old"], { A: "old", B: "old" }],
  ["1.4.9", 10, ["old"], { A: "old", B: "old" }],
  ["1.5.0", 5, ["old"], { A: "old", B: "1.5", C: "1.5" }],
  ["2.0.0", 7, [], { A: "old", B: "1.5", C: "1.5" }],
  ["9.0.0", 7, [], { A: "old", B: "1.5", C: "1.5" }],
  [undefined, 7, [], { A: "old", B: "1.5", C: "1.5" }],
])("at %s the provider has the changes up to that version", (version, promptBytes, limitations, set) => {
  const at = atVersion(provider, version);
  expect([at.transports.spawn.limits, at.limitations, at.env.set]).toEqual([{ promptBytes }, limitations, set]);
  expect(at.env.strip).toEqual(claude.env.strip);
});

it("a provider without changes is returned unchanged", () => {
  const { changes: _, ...plain } = provider;
  expect(atVersion(plain, "1.0.0")).toBe(plain);
});

it("a change of the native tools does not give them to a provider without them", () => {
  const proxiesAt = (version: string) => atVersion(qwen, version).transports.spawn.nativeTools?.proxyVariables;
  expect(proxiesAt("0.15.10")).toContain("HTTPS_PROXY");
  expect(proxiesAt("0.24.4")).toBeUndefined();
  expect(atVersion(qwen, "0.24.4").transports.spawn.nativeTools).toBeDefined();
  expect(atVersion(withoutNativeTools(qwen), "0.24.4").transports.spawn.nativeTools).toBeUndefined();
});
