import { expect, test } from "vitest";
import type { ConfigDefaults, ConfigFile } from "../config/read-config-file.ts";
import { readSettings } from "./settings.ts";

const file = (scope: ConfigFile["scope"], defaults: ConfigDefaults): ConfigFile => ({
  path: `/${scope}/config.json`,
  scope,
  defaults,
  aliases: {},
  providers: [],
  mistakes: [],
});
const all = { provider: "claude", model: "opus", system: "Be brief." };

test("an option wins over the environment, that over the project's file, and that over the user's file", () => {
  const files = [file("user", all), file("project", { provider: "codex", model: "gpt" })];
  const env = { COXSWAIN_PROVIDER: "gemini", COXSWAIN_MODEL: "flash", COXSWAIN_SYSTEM: "Rhyme." };
  expect(readSettings({ provider: "qwen", model: "coder", system: "" }, env, files)).toMatchObject({
    provider: { value: "qwen", from: { kind: "option", label: "--provider" } },
    model: { value: "coder", from: { kind: "option" } },
    system: { value: "", from: { kind: "option" } },
  });
  expect(readSettings({}, env, files)).toMatchObject({
    provider: { value: "gemini", from: { kind: "environment", label: "COXSWAIN_PROVIDER" } },
    model: { value: "flash" },
    system: { value: "Rhyme." },
  });
  expect(readSettings({}, {}, files)).toMatchObject({
    provider: { value: "codex", from: { kind: "project", label: "defaults.provider in /project/config.json" } },
    model: { value: "gpt", from: { kind: "project" } },
    system: { value: "Be brief.", from: { kind: "user" } },
  });
  expect(readSettings({}, {}, [])).toEqual({});
});

test("a model is left out if a more important place names the provider, and kept if it names the model alone", () => {
  const files = [file("user", all)];
  expect(readSettings({ provider: "codex" }, {}, files).model).toBeUndefined();
  expect(readSettings({ provider: "codex" }, { COXSWAIN_MODEL: "opus" }, []).model).toBeUndefined();
  expect(readSettings({ model: "haiku" }, {}, files)).toMatchObject({ provider: { value: "claude" }, model: { value: "haiku" } });
  expect(readSettings({}, { COXSWAIN_MODEL: "haiku" }, []).model?.value).toBe("haiku");
});

test("an empty variable counts as unset", () => {
  const env = { COXSWAIN_PROVIDER: "", COXSWAIN_MODEL: "", COXSWAIN_SYSTEM: "" };
  expect(readSettings({}, env, [file("user", all)]).provider?.from.kind).toBe("user");
});

test("an empty model is a mistake", () => {
  expect(() => readSettings({ model: "" }, {}, [])).toThrow("--model is empty.");
  expect(() => readSettings({ provider: "claude", model: " " }, {}, [])).toThrow("--model is empty.");
});
