import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agentRequest } from "../support/real-clis/agent-request.ts";
import type { RealCli } from "../support/real-clis/real-cli.ts";
import { eventsOf, openRealCli } from "./open-real-cli.ts";
import { untilSeen } from "./running-processes.ts";
import type { SetupName } from "./sleeping-tool.ts";
import { expectAllStopped, prepareSleepingCli, readToEnd } from "./stopped-run.ts";

/** Long enough for the programs that three CLIs start first. */
const FIRST_EVENT_MS = 12_000;

/** Both CLIs print before they ask the model, so the test stalls them with the user's programs that they start before. */
const STALLS: readonly (readonly [SetupName, string, (cli: RealCli, command: string) => void])[] = [
  ["claude", "a hook of the user", plantHook],
  ["codex", "a server that the user requires", plantServer],
  ["codex by its launcher", "a server that the user requires", plantServer],
];

const WAITING = STALLS.map(([name, what]) => `${name} that waits for ${what}`).join(", ");
it(`${WAITING}: each is ended by the first-event timeout, with the program that it waits for`, async () => {
  const stops = STALLS.map(async ([name, what, plant]) => {
    const sleeping = await prepareSleepingCli(name);
    plant(sleeping.cli, sleeping.tool.command);
    const reading = readToEnd(sleeping.start({ timeouts: { firstEventMs: FIRST_EVENT_MS } }));
    await untilSeen(() => sleeping.tool.find(), `${name}: ${what}`);
    const reported = await reading;
    expect(sleeping.cli.api.modelRequests, name).toEqual([]);
    const stop = `${name} at ${what}: the first-event timeout`;
    return { sleeping, stop: { what: stop, since: reported.reportedAt, reported, code: "first-event-timeout" } as const };
  });
  await expectAllStopped(stops);
});

it("claude that answers our own line and its hook's, but not the model's, is also ended by the first-event timeout", async () => {
  const cli = await openRealCli("claude");
  const first = await cli.run(agentRequest(cli));
  plantHook(cli, "while true; do echo waiting; sleep 0.2; done");
  const session = { resume: eventsOf(first, "session-start")[0]?.sessionId ?? "" };
  const run = await cli.run(agentRequest(cli, { session, timeouts: { firstEventMs: FIRST_EVENT_MS } }));
  expect(run.failure).toMatchObject({ category: "timeout", code: "first-event-timeout" });
  expect(cli.api.modelRequests).toHaveLength(1);
});

function plantHook(cli: RealCli, command: string): void {
  mkdirSync(join(cli.home, ".claude"), { recursive: true });
  const hooks = { SessionStart: [{ hooks: [{ type: "command", command, timeout: 600 }] }] };
  writeFileSync(join(cli.home, ".claude/settings.json"), JSON.stringify({ hooks }));
}

/** Codex starts servers without most of its environment, so this one does not have the marker of the run. */
function plantServer(cli: RealCli, command: string): void {
  const [program, ...args] = command.split(" ");
  const lines = [`command = ${JSON.stringify(program)}`, `args = ${JSON.stringify(args)}`, "startup_timeout_sec = 600"];
  writeFileSync(join(cli.home, ".codex/config.toml"), ["[mcp_servers.stalls]", ...lines, "required = true", ""].join("\n"));
}
