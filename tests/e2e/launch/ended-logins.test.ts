import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { gemini } from "../../../src/clis/gemini/provider.ts";
import { qwen } from "../../../src/clis/qwen/provider.ts";
import { createClient } from "../../../src/index.ts";
import { makeMachine } from "../../support/clis/write-program.ts";
import { openTestScope } from "../../support/test-scope.ts";

type Machine = { readonly files?: Readonly<Record<string, string>>; readonly env?: Readonly<Record<string, string>> };

const GOOGLE = ".gemini/oauth_creds.json";
const QWEN = ".qwen/oauth_creds.json";
const SETTINGS = ".gemini/settings.json";
const selected = (type: string): string => JSON.stringify({ security: { auth: { selectedType: type } } });

test.for<[what: string, provider: string, machine: Machine]>([
  ["a Google login without a selected kind", "gemini", { files: { [GOOGLE]: "" } }],
  [
    "a selected Google login beside a key",
    "gemini",
    { files: { [GOOGLE]: "", [SETTINGS]: selected("oauth-personal") }, env: { GEMINI_API_KEY: "k" } },
  ],
  ["a login of Qwen OAuth", "qwen", { files: { [QWEN]: "" } }],
])("the check warns of %s with the words of the vendor, and the CLI stays usable", async ([, provider, machine]) => {
  const report = await check(provider, machine);
  const words = {
    gemini: '"This client is no longer supported for Gemini Code Assist for individuals"',
    qwen: '"Qwen OAuth free tier was discontinued on 2026-04-15."',
  };
  expect(report).toMatchObject({
    usable: true,
    warnings: [{ code: "login-ended", message: expect.stringContaining(Reflect.get(words, provider)) }],
  });
});

test.for<[what: string, provider: string, machine: Machine]>([
  ["no login at all", "gemini", {}],
  ["a project, as accounts of companies need one", "gemini", { files: { [GOOGLE]: "" }, env: { GOOGLE_CLOUD_PROJECT: "p" } }],
  ["a project in Gemini's own .env", "gemini", { files: { [GOOGLE]: "", ".gemini/.env": "GOOGLE_CLOUD_PROJECT=p\n" } }],
  ["a selected key", "gemini", { files: { [GOOGLE]: "", [SETTINGS]: selected("gemini-api-key") } }],
  ["Vertex AI", "gemini", { files: { [GOOGLE]: "" }, env: { GOOGLE_GENAI_USE_VERTEXAI: "true" } }],
  ["no login at all", "qwen", {}],
  ["a key", "qwen", { files: { [QWEN]: "" }, env: { OPENAI_API_KEY: "k" } }],
])("%s of %s is no ended login", async ([, provider, machine]) => {
  const { warnings } = await check(provider, machine);
  expect(warnings.map(({ code }) => code)).not.toContain("login-ended");
});

test("the file of a login is not read", async () => {
  const report = await check("qwen", {}, (home) => mkdirSync(join(home, QWEN), { recursive: true }));
  expect(report.warnings.map(({ code }) => code)).toContain("login-ended");
});

test("the file of another profile is looked for in its home", async () => {
  const { client, home } = open({ files: { "work/oauth_creds.json": "" } });
  const codes = async (profile: string): Promise<readonly string[]> =>
    (await client.check({ provider: "qwen", profile: join(home, profile) })).warnings.map(({ code }) => code);
  expect(await codes("work")).toContain("login-ended");
  expect(await codes("play")).not.toContain("login-ended");
});

function check(provider: string, machine: Machine, prepare: (home: string) => void = () => {}) {
  const { client, home } = open(machine);
  prepare(home);
  return client.check(provider);
}

function open({ files = {}, env = {} }: Machine) {
  const { directory, env: outer } = openTestScope();
  const { home, searchPath, install } = makeMachine(directory);
  install("gemini", "echo 0.61.0");
  install("qwen", "echo 0.24.4");
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content);
  }
  const clean = Object.entries(outer).filter(([name]) => !/API_KEY|^(?:GEMINI|GOOGLE|QWEN|OPENAI|CLOUD)_/.test(name));
  const client = createClient({
    providers: [gemini, qwen],
    env: { ...Object.fromEntries(clean), HOME: home, PATH: searchPath, ...env },
  });
  onTestFinished(() => client.close());
  return { client, home };
}
