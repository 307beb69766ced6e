import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/cox/start-cox.ts";
import { type Served, serve } from "../support/serve-gateway.ts";

const askIn = (served: Served, headers: Record<string, string>): Promise<Response> =>
  served.ask("rehearsal/tool", {}, { headers: { "x-coxswain-mode": "agent", ...headers } });

test("agent mode is off unless the gateway allows a directory", async () => {
  const served = await serve();
  const refused = await askIn(served, {});
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining("--allow-agent") } });
  expect(served.entries).toMatchObject([{ status: 403 }]);
});

test("an agent works in the allowed directory and below it, and nowhere else", async () => {
  using folder = temporaryFolder();
  const [allowed, below, outside] = ["allowed", "allowed/below", "outside"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [allowed, below, outside]) mkdirSync(path);
  symlinkSync(outside, join(allowed, "link"));
  const served = await serve({ agent: { directory: allowed, permissions: { allow: ["Clock"] } } });
  const status = async (cwd: string): Promise<number> => (await askIn(served, { "x-coxswain-cwd": cwd })).status;
  for (const cwd of [outside, folder.path, join(allowed, ".."), join(allowed, "link"), "/", "below", join(allowed, "none")])
    expect(await status(cwd), cwd).toBe(403);
  const answer = await askIn(served, { "x-coxswain-cwd": below });
  expect(answer.status).toBe(200);
  expect(JSON.stringify(await answer.json())).toContain("It is ");
  expect((await askIn(served, {})).status).toBe(200);
});

test("a directory without agent mode, and an unknown mode, are refused", async () => {
  const served = await serve({ agent: { directory: "/" } });
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await served.ask("rehearsal", {}, { headers })).status;
  expect(await status({ "x-coxswain-cwd": "/tmp" })).toBe(400);
  expect(await status({ "x-coxswain-mode": "root" })).toBe(400);
  expect(await status({ "x-coxswain-mode": "completion" })).toBe(200);
});
