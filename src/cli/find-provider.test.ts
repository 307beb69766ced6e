import { expect, test } from "vitest";
import { builtinProviders } from "../clis/index.ts";
import { readConfigFile } from "../config/read-config-file.ts";
import { findProvider, firstInstalled, readTargets } from "./find-provider.ts";
import type { Setting, SettingSource } from "./settings.ts";

const [claude = builtinProviders[0]] = builtinProviders;
const from = (kind: SettingSource["kind"]) => (value: string) => ({ provider: { value, from: { kind, label: "HERE" } } });
const setting = (value: string): Setting => ({ value, from: { kind: "option", label: "--model" } });

test("a misspelt provider is answered with the nearest id or alias, and where the name comes from", () => {
  expect(() => findProvider(builtinProviders, "cluade")).toThrow(
    expect.objectContaining({ hint: expect.stringMatching(/^Did you mean claude\? Choose one of: claude, codex, /) }),
  );
  expect(() => readTargets(builtinProviders, from("environment")("codx"), true)).toThrow('There is no provider "codx" (HERE).');
});

test("the model of the settings is that of the first target", () => {
  const settings = { ...from("user")("claude/opus,codex"), model: setting("haiku") };
  expect(readTargets(builtinProviders, settings, true)).toEqual([{ provider: "claude", model: "haiku" }, { provider: "codex" }]);
  expect(readTargets(builtinProviders, settings, false)).toEqual([{ provider: "claude", model: "haiku" }]);
  expect(readTargets(builtinProviders, {}, true)).toBeUndefined();
});

test("a project may choose a built-in CLI whose own tools can be switched off, and no other", () => {
  const own = { ...claude, id: "own", aliases: [], origin: { path: "/x", scope: "user" } } as typeof claude;
  const providers = [...builtinProviders, own].filter((provider) => provider !== undefined);
  expect(readTargets(providers, from("project")("claude/opus"), true)).toEqual([{ provider: "claude", model: "opus" }]);
  for (const id of ["own", "grok-vibe", "ax-grok"])
    expect(() => readTargets(providers, from("project")(id), true)).toThrow(
      `HERE cannot choose ${id}: a project may choose only`,
    );
  expect(readTargets(providers, from("user")("own"), true)).toEqual([{ provider: "own" }]);
});

test("providers without an install command are left out of the advice", () => {
  const entry = readConfigFile("examples/own-provider/coxswain.config.json").providers;
  const bare = entry.map((provider) => ({ ...provider, install: "", binary: { names: ["no-such-program"] } }));
  const failure = firstInstalled(bare);
  expect(bare.length).toBeGreaterThan(0);
  expect(failure).toMatchObject({ hint: "Install one, or use --provider rehearsal, which needs no account" });
});
