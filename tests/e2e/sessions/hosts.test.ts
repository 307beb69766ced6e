import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../src/index.ts";
import { openTestScope } from "../../support/test-scope.ts";
import { startHost } from "../host-process.ts";
import type { ClaimsReport } from "../hosts/claims-a-session.ts";
import type { HeldSessionReport } from "../hosts/holds-a-session.ts";

test("R171 a session is busy while another process takes a turn, and is resumed after that process was killed in the middle of it", async () => {
  const host = startHost<HeldSessionReport>("holds-a-session");
  const { id, cliId } = await host.report;
  const env = { ...process.env, XDG_STATE_HOME: join(host.directory, "state") };
  const client = createClient({ policies: false, env });
  onTestFinished(() => client.close());
  const session = client.resume(id);
  const refused = await session?.stream("three").outcome();
  expect(refused?.failure).toMatchObject({ code: "session-busy", message: expect.stringContaining(`process ${host.pid}`) });
  expect(() => client.removeSession(id)).toThrow(/is in use/);
  process.kill(host.pid, "SIGKILL");
  await host.exit;
  session?.handOver("rehearsal/friendly");
  const { text, sessionId } = (await session?.send("three")) ?? {};
  // The rehearsal CLI stored the message of the turn that died; Coxswain counts only the first one.
  expect(text).toContain("This is prompt 3 of this session; the one before was: two");
  expect(sessionId).toBe(cliId);
  expect(session?.record).toMatchObject({ turns: 2, name: "held" });
});

test("of many processes only one holds a session at a time, also when some are killed while they hold it", async () => {
  const { directory } = openTestScope();
  writeFileSync(join(directory, "count"), "0");
  const hosts = ["killed", "by itself", "killed", "by itself", "killed"].map((ending) =>
    startHost<ClaimsReport>("claims-a-session", { CLAIMS: directory, ENDING: ending }),
  );
  const reports = await Promise.all(hosts.map(({ report }) => report));
  await Promise.all(hosts.map(({ exit }) => exit));
  const claims = reports.reduce((sum, report) => sum + report.claims, 0);
  expect(Number(readFileSync(join(directory, "count"), "utf8"))).toBe(claims);
});
