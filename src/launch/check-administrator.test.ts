import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeProgram } from "../../tests/support/clis/write-program.ts";
import { createClient } from "../client.ts";
import { claude } from "../clis/claude/provider.ts";
import { glm } from "../clis/glm/provider.ts";
import type { Permissions } from "../spec/request.ts";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "administrator-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** The failure of an agent of Claude Code in this version, without a version for a program whose files tell none; and whether it was started. */
async function agentOf(version: string | undefined, permissions: Permissions, base = claude) {
  const bin = version === undefined ? "bin" : `claude/versions/${version}`;
  writeProgram(join(root, bin, "claude"), `touch '${root}/started'`);
  const places = ["managed-settings.json", "managed-settings.d"].map((name) => ({ folder: join(root, "etc"), name }));
  const administrator = { ...claude.administrator, places: [...(claude.administrator?.places ?? []), ...places] };
  const provider = { ...base, administrator } as typeof claude;
  const env = { PATH: `${join(root, bin)}:/usr/bin:/bin`, HOME: join(root, "home"), ZAI_API_KEY: "key" };
  await using client = createClient({ env, providers: [provider], policies: false });
  const request = { mode: "agent", cwd: root, prompt: "Work.", permissions } as const;
  const { failure } = await client.run(base.id, request).outcome();
  const isStarted = existsSync(join(root, "started"));
  rmSync(join(root, "started"), { force: true });
  return { message: failure?.code === "option-unsupported" ? failure.message : undefined, isStarted };
}

const STARTED = { message: undefined, isStarted: true };
const OFF = '{ "disableAllHooks": true }';

it.each([
  ["etc/managed-settings.json", OFF],
  ["etc/managed-settings.d/10-hooks.json", OFF],
  ["etc/managed-settings.json", '{ "disableAllHooks": true, broken'],
  ["home/.claude/remote-settings.json", '{ "settings": { "disable\\u0041llHooks": true } }'],
])("an agent that an old Claude Code would not keep to its permissions, because of %s, is refused", async (path, content) => {
  write(path, content);
  for (const [version, base] of [
    ["2.1.197", claude],
    ["2.1.325", glm],
    [undefined, claude],
  ] as const) {
    const refused = await agentOf(version, { mode: "plan" }, base);
    expect(refused).toEqual({ message: expect.stringContaining(join(root, path)), isStarted: false });
  }
  expect((await agentOf("2.1.197", { mode: "bypass", tools: ["Read"] })).isStarted).toBe(false);
  expect(await agentOf("2.1.197", { mode: "bypass" })).toEqual(STARTED);
  expect(await agentOf("2.1.326", { mode: "plan" })).toEqual(STARTED);
});

it("other settings of an administrator, a link to nothing and the user's own settings refuse nothing", async () => {
  write("etc/managed-settings.json", '{ "disableAllHooks": false, "allowManagedHooksOnly": true }');
  write("etc/managed-settings.d/note.txt", OFF);
  symlinkSync(join(root, "nowhere"), join(root, "etc/managed-settings.d/x.json"));
  write("home/.claude/settings.json", OFF);
  expect(await agentOf("2.1.197", {})).toEqual(STARTED);
});
