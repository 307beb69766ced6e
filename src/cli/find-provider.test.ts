import { expect, test } from "vitest";
import { builtinProviders } from "../clis/index.ts";
import { type ConfigFile, readConfigFile } from "../config/read-config-file.ts";
import type { Names } from "../request/targets.ts";
import { firstInstalled, namedProvider, readTargets } from "./find-provider.ts";
import { namesWith } from "./open-client.ts";
import type { Setting, SettingSource } from "./settings.ts";

const [claude = builtinProviders[0]] = builtinProviders;
const names: Names = { providers: builtinProviders, aliases: { best: "claude/opus,codex" } };
const from = (kind: SettingSource["kind"]) => (value: string) => ({ provider: { value, from: { kind, label: "HERE" } } });
const setting = (value: string): Setting => ({ value, from: { kind: "option", label: "--model" } });

test("a misspelt provider is answered with the nearest id or alias, and where the name comes from", () => {
  expect(() => namedProvider(names, "cluade")).toThrow(
    expect.objectContaining({ hint: expect.stringMatching(/^Did you mean claude\? Choose one of: best, claude, codex, /) }),
  );
  expect(() => readTargets(names, from("environment")("codx"), true)).toThrow('There is no provider or model "codx" (HERE).');
});

test("the model of the settings is that of the first target", () => {
  const settings = { ...from("user")("claude/opus,codex"), model: setting("haiku") };
  expect(readTargets(names, settings, true)).toEqual([{ provider: "claude", model: "haiku" }, { provider: "codex" }]);
  expect(readTargets(names, settings, false)).toEqual([{ provider: "claude", model: "haiku" }]);
  expect(readTargets(names, {}, true)).toBeUndefined();
});

test("a project may choose a built-in CLI whose own tools can be switched off, and no other", () => {
  const own = { ...claude, id: "own", aliases: [], origin: { path: "/x", scope: "user" } } as typeof claude;
  const names = { providers: [...builtinProviders, own].filter((provider) => provider !== undefined) };
  expect(readTargets(names, from("project")("claude/opus"), true)).toEqual([{ provider: "claude", model: "opus" }]);
  for (const id of ["own", "grok-vibe", "ax-grok"])
    expect(() => readTargets(names, from("project")(id), true)).toThrow(`HERE cannot choose ${id}: a project may choose only`);
  expect(readTargets(names, from("user")("own"), true)).toEqual([{ provider: "own" }]);
});

test("two models in one place contradict each other; one of a more important place replaces the other", () => {
  const both = { ...from("option")("claude/opus,codex"), model: setting("haiku") };
  expect(() => readTargets(names, both, true)).toThrow("--model haiku and HERE claude/opus,codex contradict each other.");
  expect(() => readTargets(names, { ...from("option")("best"), model: setting("haiku") }, true)).toThrow("contradict");
  expect(() => readTargets(names, { ...from("option")("gpt-5.5"), model: setting("haiku") }, true)).toThrow("contradict");
  expect(readTargets(names, { ...from("environment")("claude/opus"), model: setting("haiku") }, true)).toEqual([
    { provider: "claude", model: "haiku" },
  ]);
});

test("an alias stands for its chain, but a project's file cannot use one", () => {
  const chain = [{ provider: "claude", model: "opus" }, { provider: "codex" }];
  expect(readTargets(names, from("environment")("best"), true)).toEqual(chain);
  expect(() => readTargets(names, from("project")("best"), true)).toThrow('There is no provider or model "best" (HERE).');
});

test("of the aliases of two files those of the file given by --config win", () => {
  const file = (scope: ConfigFile["scope"], aliases: Readonly<Record<string, string>>): ConfigFile => ({
    ...{ path: `/${scope}/config.json`, scope, defaults: {}, aliases, providers: [], mistakes: [] },
  });
  const files = [file("given", { best: "gemini" }), file("user", { best: "claude", mine: "codex" })];
  expect(namesWith(files).aliases).toEqual({ best: "gemini", mine: "codex" });
});

test("providers without an install command are left out of the advice", () => {
  const entry = readConfigFile("examples/own-provider/coxswain.config.json").providers;
  const bare = entry.map((provider) => ({ ...provider, install: "", binary: { names: ["no-such-program"] } }));
  const failure = firstInstalled(bare);
  expect(bare.length).toBeGreaterThan(0);
  expect(failure).toMatchObject({ hint: "Install one, or use --provider rehearsal, which needs no account" });
});
