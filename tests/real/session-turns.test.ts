import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../src/index.ts";
import { capabilitiesOf } from "../../src/spec/provider/cli-data.ts";
import { CLI_ROWS, type CliName } from "../support/real-clis/rows/index.ts";
import {
  describeBrokenTurns,
  describeOtherDirectory,
  describeSessionTurns,
  expectHeard,
  openSession,
  SLOW_STARTERS,
} from "./matrix/describe-session-turns.ts";
import { openRealCli } from "./open-real-cli.ts";

const NAMES = Object.keys(CLI_ROWS) as readonly CliName[];
const WITH_SESSIONS = NAMES.filter((name) => capabilitiesOf(CLI_ROWS[name].providerAt("")).sessions);
const [ONE, FOUR] = ["My name is Ottokar.", "Who am I?"];
const SAID = "Good evening.";

describe.each(WITH_SESSIONS)("a session of real %s", (name) => {
  describeSessionTurns(name);
  // Seven starts more; nightly/sessions.test.ts has those of the CLIs that start slowly.
  if (SLOW_STARTERS.includes(name)) return;
  describeBrokenTurns(name);
  describeOtherDirectory(name);
});

it("a session of grok-vibe, which has none, is the stored thread", async () => {
  const cli = await openRealCli("grok-vibe", { kind: "text", text: SAID });
  const session = openSession(cli);
  await session.send(ONE);
  const { sessionId } = await session.send(FOUR);
  expectHeard(cli, ONE, SAID, FOUR);
  expect(sessionId).toBeUndefined();
});

it("a session of real claude is handed over to real codex, which gets the thread", async () => {
  const cli = await openRealCli("claude", { kind: "text", text: SAID });
  const other = await openRealCli("codex", { kind: "text", text: SAID });
  const client = createClient({ policies: false, env: { ...other.env, ...cli.env }, providers: [cli.provider, other.provider] });
  onTestFinished(() => client.close());
  const session = client.session({ target: "claude" });
  await session.send(ONE);
  session.handOver(other.row.target);
  const { events } = await session.send(FOUR, { keepEvents: true });
  expect(events?.some(({ type }) => type === "handover")).toBe(true);
  expectHeard(other, ONE, SAID, FOUR);
});
