import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createClient } from "../../src/index.ts";
import type { RunContext } from "../../src/spec/stream.ts";
import { agentTargetOf, DONE } from "../support/real-clis/agent-request.ts";
import { prepareRealCli, REAL_CLIS, type RealCli, type TransportName } from "../support/real-clis/real-cli.ts";
import { plantHostile } from "./hostile/hostile-row.ts";
import { HOSTILE_ROWS } from "./hostile/index.ts";

/** Hooks and servers start in parallel to the CLI; a test waits this long for their marks. */
const START_GRACE_MS = 1_000;

const HOOKS = {
  gemini: { folder: ".gemini", event: "BeforeAgent" },
  qwen: { folder: ".qwen", event: "UserPromptSubmit" },
} as const;

it.each([
  ["gemini", "spawn"],
  ["gemini", "resident"],
  ["qwen", "resident"],
] as const)(
  "%s (%s) in a project that is not trusted starts the user's hooks and reads the project's text",
  async (name, transport) => {
    const row = HOSTILE_ROWS.find((other) => other.name === name);
    if (row === undefined) throw new Error(`no hostile project for ${name}`);
    await using cli = await prepareRealCli(name, DONE, undefined, transport);
    const mark = join(dirname(cli.home), "started-by-the-user");
    addUserHook(cli, HOOKS[name], `touch '${mark}'`);
    const { cwd, started } = plantHostile(row, dirname(cli.home));
    const run = cli.client.run(agentTargetOf(name), { prompt: "Do it.", mode: "agent", cwd }, hostOf(transport));
    const result = await run.outcome();
    expect([result.text, result.failure, result.warnings.map(({ code }) => code)]).toEqual([
      "Done.",
      undefined,
      ["project-not-trusted"],
    ]);
    expect([started(), existsSync(mark)]).toEqual([[], true]);
    expect(JSON.stringify(cli.api.modelRequests[0]?.body)).toContain("The text of the project.");
  },
);

const INSTALLED = [
  { name: "qwen", version: "newest", folder: REAL_CLIS },
  { name: "qwen", version: "oldest", folder: join(REAL_CLIS, "oldest") },
  { name: "gemini", version: "newest", folder: REAL_CLIS },
] as const;
const LOST = (["spawn", "resident"] as const).flatMap((transport) => INSTALLED.map((each) => ({ transport, ...each })));

it.each(LOST)(
  "$version $name ($transport) starts nothing of a project that is not trusted if its launcher drops the program that hides it",
  async ({ name, transport, folder }) => {
    const row = HOSTILE_ROWS.find((other) => other.name === name);
    if (row === undefined) throw new Error(`no hostile project for ${name}`);
    await using cli = await prepareRealCli(name, DONE, folder, transport);
    const launcher = join(dirname(cli.home), "launcher");
    mkdirSync(launcher);
    const real = join(folder, "node_modules/.bin", name);
    writeFileSync(join(launcher, name), `#!/bin/sh\nunset NODE_OPTIONS\nexec '${real}' "$@"\n`, { mode: 0o755 });
    const env = { ...cli.env, PATH: `${launcher}:${cli.env["PATH"]}` };
    await using client = createClient({ policies: false, env, providers: [cli.provider], warm: false });
    const { cwd, started } = plantHostile(row, dirname(cli.home));
    const { failure } = await client
      .run(agentTargetOf(name), { prompt: "Do it.", mode: "agent", cwd }, hostOf(transport))
      .outcome();
    await sleep(START_GRACE_MS);
    expect(started()).toEqual([]);
    // Gemini's protocol for hosts works in a folder that is not trusted.
    if (name === "qwen") expect([failure === undefined, cli.api.modelRequests]).toEqual([false, []]);
  },
);

it.each(["spawn", "resident"] as const)(
  "codex (%s) starts nothing of a project by a link to it, although the user's settings trust the project",
  async (transport) => {
    const row = HOSTILE_ROWS.find((other) => other.name === "codex");
    if (row === undefined) throw new Error("no hostile project for codex");
    const answers = [...(row.calls ?? []).map((call) => ({ kind: "tool-calls" as const, calls: [call] })), DONE];
    await using cli = await prepareRealCli("codex", answers, undefined, transport);
    const { cwd: real, started } = plantHostile(row, dirname(cli.home));
    const cwd = join(dirname(cli.home), "link");
    symlinkSync(real, cwd);
    const trusted = [real, dirname(real)].map((folder) => `[projects."${folder}"]\ntrust_level = "trusted"\n`);
    mkdirSync(join(cli.home, ".codex"), { recursive: true });
    writeFileSync(join(cli.home, ".codex/config.toml"), trusted.join(""));
    const request = { prompt: "Do it.", mode: "agent", cwd, permissions: { mode: "bypass" } } as const;
    const { failure } = await cli.client.run(agentTargetOf("codex"), request).outcome();
    expect([failure, started()]).toEqual([undefined, []]);
  },
);

function addUserHook({ home }: RealCli, { folder, event }: (typeof HOOKS)[keyof typeof HOOKS], command: string): void {
  const path = join(home, folder, "settings.json");
  mkdirSync(dirname(path), { recursive: true });
  const settings = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  writeFileSync(path, JSON.stringify({ ...settings, hooks: { [event]: [{ hooks: [{ type: "command", command }] }] } }));
}

function hostOf(transport: TransportName): RunContext {
  return transport === "spawn" ? {} : { onPermission: () => ({ behavior: "deny", message: "No." }) };
}
