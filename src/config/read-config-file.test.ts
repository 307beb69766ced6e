import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../spec/json.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";
import { type ConfigFile, describeMistake, readConfigFile } from "./read-config-file.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coxswain-config-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An entry with every field. */
const FULL: JsonObject = {
  providerId: "new-provider",
  command: "new-cli",
  label: "New",
  install: "npm install -g new-cli",
  login: "new-cli login",
  defaultArgs: ["--json"],
  outputFormat: "stream-json",
  promptStyle: "arg",
  promptFlag: "--prompt",
  endOfOptions: true,
  models: [{ modelId: "m1", name: "Model One" }, { modelId: "m2" }],
  defaultModel: "m1",
  modelFlag: "--model",
  maxTokens: 4096,
  maxTokensFlag: "--max-tokens",
  timeout: 120_000,
  apiKeys: ["NEW_API_KEY"],
  versionsChecked: { oldest: "1.0.0", newest: "1.0.0" },
  requires: { files: ["~/.new/config"], binaries: ["git"] },
  extraction: {
    content: "delta.text",
    error: ["error.words"],
    sessionId: "id",
    inputTokens: "in",
    outputTokens: ["out"],
    end: { type: "done" },
  },
  errors: [{ text: "limit", exitCode: 3, code: "rate-limited", hint: "Wait.", fixCommand: "sleep 9" }],
};

it("a file with every field gives its provider", () => {
  const file = read({ $schema: "x", providers: [FULL] });
  expect(file.mistakes).toEqual([]);
  expect(file.providers).toMatchObject([
    { id: "new-provider", label: "New", models: ["m1", "m2"], defaultModel: "m1", origin: { scope: "given", path: file.path } },
  ]);
});

describe("each mistake is reported with its position", () => {
  it.each([
    ["[]", "[]", "the file must be an object, not []"],
    ['{"providers": {}}', "{}", "providers must be a list, not {}"],
    ['{"provider": []}', '"provider"', 'there is no "provider" in the file; did you mean "providers"?'],
    ['{"providers": [{"command": "a"}]}', '{"command', 'providers[0] lacks "providerId"'],
    [entry('"promtStyle": "arg"'), '"promtStyle"', 'there is no "promtStyle" in providers[0]; did you mean "promptStyle"?'],
    [entry('"outputFormat": "jsn"'), '"jsn"', 'providers[0].outputFormat must be one of text, json, stream-json, not "jsn"'],
    [entry('"timeout": "5s"'), '"5s"', 'providers[0].timeout must be a whole number, not "5s"'],
    [entry('"timeout": 0'), "0", "providers[0].timeout must be at least 1, not 0"],
    [entry('"timeout": 1.5'), "1.5", "providers[0].timeout must be a whole number, not 1.5"],
    [entry('"defaultArgs": ["-x", 5]'), "5", "providers[0].defaultArgs[1] must be a text, not 5"],
    [entry('"modelFlag": "model"'), '"model"', 'providers[0].modelFlag must look like ^-[^\\u0000]*$, not "model"'],
    [entry('"models": [{"modelId": "m1"}], "defaultModel": "m3"'), '"m3"', '"m3" is not in models'],
    [entry('"promptFlag": "-p"'), '"-p"', 'promptFlag needs promptStyle "arg"'],
    [entry('"extraction": {"content": "c"}'), '{"content"', "extraction needs outputFormat json or stream-json"],
    [entry('"outputFormat": "json", "extraction": {"end": {"e": 1}}'), '{"e"', "end is only for outputFormat stream-json"],
    [entry('"errors": [{"code": "crashed"}]'), '{"code"', "a rule needs text or exitCode"],
    [
      entry('"errors": [{"code": "crash", "exitCode": 1}]'),
      '"crash"',
      "providers[0].errors[0].code must be one of quota-exhausted,",
    ],
    [entry('"errors": [{"code": "crashed", "text": "("}]'), '"("', "Invalid regular expression: /(/i: Unterminated group"],
    [
      '{"providers": [{"providerId": "claude", "command": "x"}]}',
      '"claude"',
      '"claude" is the id of another provider; choose a different id',
    ],
    ['{"providers": [{"providerId": "Big", "command": "x"}]}', '"Big"', "providers[0].providerId must look like"],
  ])("%s", (text, at, message) => {
    for (const written of [text, text.replaceAll(", ", ",\n  ")]) {
      const { mistakes, path } = readText(written, ["claude"]);
      const before = written.slice(0, written.indexOf(at)).split("\n");
      const place = `${path}:${before.length}:${(before.at(-1) ?? "").length + 1}: `;
      expect(mistakes.map(describeMistake).join("\n")).toContain(place + message);
      expect(mistakes).toHaveLength(1);
    }
  });

  it("of two entries with one id the second is the mistake", () => {
    const providers = [
      { providerId: "b", command: "x" },
      { providerId: "b", command: "y" },
    ];
    const file = read({ providers });
    expect(file.providers).toHaveLength(1);
    expect(file.mistakes).toMatchObject([{ message: '"b" is the id of another provider; choose a different id' }]);
    expect(file.mistakes[0]?.column).toBe(JSON.stringify({ providers }).lastIndexOf('"b"') + 1);
  });

  it("a file that does not exist, or is a folder, is a mistake too", () => {
    expect(readConfigFile(join(folder, "nowhere.json")).mistakes).toMatchObject([
      { line: 1, column: 1, message: "there is no such file" },
    ]);
    expect(readConfigFile(folder).mistakes).toMatchObject([{ message: "this cannot be read (EISDIR)" }]);
  });

  it("entries without mistakes are used all the same", () => {
    const { providers, mistakes } = read({
      providers: [{ providerId: "a", command: "a" }, { providerId: "b" }, { providerId: "c", command: "c" }],
    });
    expect([providers.map(({ id }) => id), mistakes.length]).toEqual([["a", "c"], 1]);
  });
});

describe("the published schema", () => {
  it("is the one that validates files", () => {
    const published = readFileSync(new URL("../../schemas/coxswain.config.schema.json", import.meta.url), "utf8");
    expect(JSON.parse(published)).toEqual(CONFIG_SCHEMA);
  });

  it("rejects the same files as readConfigFile", () => {
    const accepts = new Ajv({ allowUnionTypes: true }).compile(CONFIG_SCHEMA);
    const value = fc.oneof(
      fc.constantFrom("", "-x", "x", "arg", "json", "stream-json", 0, 1, 1.5, -1, true, null),
      fc.constantFrom([], ["a"], [1], {}, { a: 1 }, { content: "" }, { modelId: "m" }, [{ modelId: "" }]),
    );
    const change = fc.tuple(fc.constantFrom(...Object.keys(FULL), "unknown"), fc.oneof(value, fc.constant(undefined)));
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(fc.array(change, { maxLength: 2 }), (changes) => {
        const changed = { ...FULL, defaultModel: "m1", ...Object.fromEntries(changes) };
        const document = JSON.parse(JSON.stringify({ providers: [changed] }));
        const isAccepted = accepts(document);
        const ours = read(document).mistakes;
        seen[isAccepted ? "accepted" : "refused"] += 1;
        // The schema cannot express the checks of checkMeaning.
        const ofSchema = ours.filter(({ message }) => /^providers\b|^there is no "/.test(message));
        expect({ document, isAccepted: ofSchema.length === 0 }).toEqual({ document, isAccepted });
      }),
      { seed: 7, numRuns: 1500 },
    );
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(200);
  });
});

function entry(fields: string): string {
  return `{"providers": [{"providerId": "a", "command": "a", ${fields}}]}`;
}

function read(document: JsonObject): ConfigFile {
  return readText(JSON.stringify(document));
}

function readText(text: string, taken: readonly string[] = []): ConfigFile {
  const path = join(folder, "coxswain.config.json");
  // A file that is written over is flushed to the disk at once on ext4, which takes milliseconds on a busy one.
  rmSync(path, { force: true });
  writeFileSync(path, text);
  return readConfigFile(path, "given", taken);
}

/** Writes a configuration file and returns its path. */
function write(content: string): string {
  const path = join(folder, "defaults.json");
  writeFileSync(path, content);
  return path;
}

describe("defaults of cox ask", () => {
  const DEFAULTS = { provider: "claude,codex", model: "opus", system: "Be brief." };

  it.each(["user", "given"] as const)("are read from the file of the scope %s", (scope) => {
    const file = readConfigFile(write(JSON.stringify({ defaults: DEFAULTS })), scope);
    expect(file).toMatchObject({ defaults: DEFAULTS, mistakes: [] });
    expect(readConfigFile(write("{}"), scope).defaults).toEqual({});
  });

  it("a project's file sets neither a system prompt nor a chain of providers, and none of its defaults is used then", () => {
    const { defaults, mistakes } = readConfigFile(write(JSON.stringify({ defaults: DEFAULTS })), "project");
    expect(defaults).toEqual({});
    expect(mistakes.map(({ column, message }) => [column, message])).toEqual([
      [25, "a project's file cannot choose more than one provider"],
      [55, "a project's file cannot set a system prompt"],
    ]);
    const fine = { provider: "claude", model: "opus" };
    expect(readConfigFile(write(JSON.stringify({ defaults: fine })), "project")).toMatchObject({ defaults: fine, mistakes: [] });
  });

  it("a mistake in them leaves the providers in use, and a mistake in a provider leaves the defaults in use", () => {
    const own = { providerId: "own", command: "own" };
    const wrong = readConfigFile(write(JSON.stringify({ providers: [own], defaults: { modle: "x" } })), "user");
    expect(wrong).toMatchObject({ defaults: {}, providers: [{ id: "own" }] });
    expect(wrong.mistakes[0]?.message).toBe('there is no "modle" in defaults; did you mean "model"?');
    const other = readConfigFile(write(JSON.stringify({ defaults: { model: "x" }, providers: [{ ...own, x: 1 }] })), "user");
    expect(other).toMatchObject({ defaults: { model: "x" }, providers: [], mistakes: [{ column: expect.any(Number) }] });
  });
});

describe("aliases", () => {
  const aliases = { best: "claude/opus,codex" };

  it("are read from the user's file and from a given one; a project's file cannot set them", () => {
    const file = write(JSON.stringify({ aliases, defaults: { model: "opus" } }));
    expect(readConfigFile(file, "user")).toMatchObject({ aliases, mistakes: [] });
    expect(readConfigFile(file, "given")).toMatchObject({ aliases, mistakes: [] });
    const project = readConfigFile(file, "project");
    expect(project).toMatchObject({ aliases: {}, defaults: { model: "opus" } });
    expect(project.mistakes).toMatchObject([{ line: 1, column: 2, message: "a project's file cannot set aliases" }]);
  });

  it("with a mistake are left out, and the rest of the file is used", () => {
    const wrong = readConfigFile(write(JSON.stringify({ aliases: { best: 7 }, defaults: { model: "opus" } })), "user");
    expect(wrong).toMatchObject({ aliases: {}, defaults: { model: "opus" }, mistakes: [{ column: expect.any(Number) }] });
  });
});
