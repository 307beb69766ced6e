import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RunError } from "../../../src/index.ts";
import { openSessions } from "./open-sessions.ts";

test("a state directory that was deleted is made again", async () => {
  const { open, directory } = openSessions();
  const client = open();
  await client.session({ target: "rehearsal" }).send("one");
  rmSync(join(directory, "state"), { recursive: true });
  const after = client.session({ target: "rehearsal" });
  expect((await after.stream("two").outcome()).failure).toBeUndefined();
  expect(client.resume(after.id)?.record.turns).toBe(1);
});

test.each([
  ["system", 5],
  ["trustProject", "yes"],
  ["addDirs", "/"],
  ["permissions", { allow: "Bash" }],
  ["noSuchSetting", 1],
])("a stored session whose setting %s is wrong is session-invalid, and stays as it is stored", async (name, value) => {
  const { open, directory } = openSessions();
  const { id, record } = open().session({ target: "rehearsal", name: "notes" });
  mkdirSync(join(directory, "state/coxswain/sessions"), { recursive: true, mode: 0o700 });
  const path = join(directory, "state/coxswain/sessions", `${id}.json`);
  const stored = JSON.stringify({ ...record, settings: { [name]: value } });
  writeFileSync(path, stored);
  const client = open();
  for (const session of [client.resume(id), client.session({ target: "rehearsal", name: "notes" })]) {
    const { failure } = (await session?.stream("one").outcome()) ?? {};
    expect(failure).toMatchObject({
      code: "session-invalid",
      message: expect.stringContaining(name === "permissions" ? "allow" : name),
    });
    expect(() => session?.handOver("second")).toThrow(RunError);
    expect(() => session?.fork()).toThrow(RunError);
  }
  expect([client.sessions().length, readFileSync(path, "utf8")]).toEqual([1, stored]);
});

test.each([
  ["name", 5],
  ["targets", [{ provider: "rehearsal", model: 5 }]],
  ["leftOut", [5]],
  ["cli", { provider: "rehearsal", id: "x", totals: 5 }],
  ["usage", { inputTokens: "many" }],
  ["costUsd", "free"],
  ["answeredBy", 5],
])("a file whose field %s is wrong is no record", (name, value) => {
  const { open, directory } = openSessions();
  const { id, record } = open().session({ target: "rehearsal" });
  mkdirSync(join(directory, "state/coxswain/sessions"), { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, "state/coxswain/sessions", `${id}.json`), JSON.stringify({ ...record, [name]: value }));
  expect([open().resume(id), open().sessions()]).toEqual([undefined, []]);
});
