import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { FakeAnswer } from "../../src/testing/index.ts";
import { agentTargetOf, DONE, shellCall } from "../support/real-clis/agent-request.ts";
import { prepareRealCli } from "../support/real-clis/real-cli.ts";

const ENDS = [
  ["success", DONE],
  ["failure", { kind: "http-error", status: 401, body: { error: { message: "Wrong key." } } }],
  ["abort", { kind: "stall", afterText: "Hello" }],
  ["close", { kind: "stall", afterText: "Hello" }],
] as const satisfies readonly (readonly [string, FakeAnswer])[];

const TRANSPORTS = ["spawn", "resident"] as const;

/** The workspace of a test is below /tmp, as its folder `outside` is. */
it.each(TRANSPORTS)(
  "accept-edits by %s writes in the workspace alone, and codex's settings stay as they are",
  async (transport) => {
    const patch = (path: string): string => `apply_patch <<'E'\n*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\nE`;
    const commands = [
      "touch made-in; touch link/made-link; touch ../outside/made-path",
      ...["made-patch", "link/made-patch-link", "../outside/made-patch-path"].map(patch),
    ];
    const answers = commands.map((command) => ({ kind: "tool-calls", calls: [shellCall("codex", command)] }) as const);
    await using cli = await prepareRealCli("codex", [...answers, DONE], undefined, transport);
    const outside = join(dirname(cli.workspace), "outside");
    mkdirSync(outside);
    execFileSync("ln", ["-s", outside, join(cli.workspace, "link")]);
    execFileSync("git", ["init", "--quiet", cli.workspace]);
    const request = { prompt: "Do it.", mode: "agent", cwd: cli.workspace, permissions: { mode: "accept-edits" } } as const;
    const { failure } = await cli.client.run(agentTargetOf("codex"), request).outcome();
    expect(failure).toBeUndefined();
    expect(readdirSync(cli.workspace)).toEqual(expect.arrayContaining(["made-in", "made-patch"]));
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(cli.home, ".codex/config.toml"))).toBe(false);
  },
);

it.each(TRANSPORTS)("no file with the environment is left of %s, whichever way a run ends", async (transport) => {
  for (const [end, answer] of ENDS) {
    await using cli = await prepareRealCli("codex", answer, undefined, transport);
    const abort = new AbortController();
    const outcome = cli.client.run("codex", { prompt: "Hello" }, { signal: abort.signal }).outcome();
    if (end === "abort" || end === "close") await expect.poll(() => cli.api.modelRequests.length).toBe(1);
    if (end === "abort") abort.abort();
    if (end === "close") await cli.client.close();
    await outcome;
    await cli.client.close();
    expect([end, ...snapshotsBelow(dirname(cli.home))]).toEqual([end]);
  }
});

function snapshotsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /shell_snapshots\/./.test(path));
}
