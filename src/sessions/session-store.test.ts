import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { SessionRecord } from "../spec/session.ts";
import { newRecord } from "./session-record.ts";
import { SessionStore } from "./session-store.ts";

let directory = "";
let store: SessionStore;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "coxswain-sessions-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  store = new SessionStore({ XDG_STATE_HOME: directory });
});

const folder = (): string => join(directory, "coxswain/sessions");

function record(changes: Partial<SessionRecord> = {}): SessionRecord {
  const about = { targets: [{ provider: "rehearsal" }] as const, cwd: "/project", now: Date.UTC(2026, 0, 1) };
  return { ...newRecord({ target: "rehearsal", system: "Be brief." }, about), ...changes };
}

test("a record is found by its id, its name and the id of its CLI's session", () => {
  const named = { ...newRecord({ target: "a", name: "notes" }, { targets: [{ provider: "a" }], cwd: "/", now: 0 }), turns: 1 };
  const other = record({ cli: { provider: "rehearsal", id: "0B9F7C52-cli" } });
  store.write(named);
  store.write(other);
  expect(store.find("notes")).toEqual(named);
  expect(store.find(other.id.toUpperCase())).toEqual(other);
  expect(store.find("0b9f7c52-CLI")).toEqual(other);
  for (const unknown of ["", "Notes", "../sessions", "0b9f7c52-2f1e-4d3c-8f11-00000000dead"])
    expect(store.find(unknown)).toBeUndefined();
});

test("records are listed with the last used first, and files that are none are ignored", () => {
  const [old, young] = [record({ updatedAt: "2026-01-01T00:00:00.000Z" }), record({ updatedAt: "2026-02-01T00:00:00.000Z" })];
  store.write(old);
  store.write(young);
  writeFileSync(join(folder(), "0b9f7c52-2f1e-4d3c-8f11-00000000dead.json"), '{"id":"half');
  writeFileSync(join(folder(), "0b9f7c52-2f1e-4d3c-8f11-00000000beef.json"), JSON.stringify(old));
  expect(store.list().map(({ id }) => id)).toEqual([young.id, old.id]);
});

test("a host that died between the temporary file and its new name leaves the old record, and its file is removed later", () => {
  const before = record({ turns: 1 });
  store.write(before);
  const left = join(folder(), `${before.id}.json.4194305-0123abcd`);
  writeFileSync(left, JSON.stringify({ ...before, turns: 2 }));
  expect(store.list()).toEqual([before]);
  expect(readdirSync(folder())).toHaveLength(2);
  utimesSync(left, 1, 1);
  expect(store.list()).toEqual([before]);
  expect(readdirSync(folder())).toEqual([`${before.id}.json`]);
});

test("the thread has the turns that the record counts, each once, also after a host died while it wrote one", () => {
  const { id } = record();
  store.addTurn(id, 1, [{ role: "user", text: "one" }]);
  appendFileSync(join(folder(), `${id}.jsonl`), '{"turn":2,"messages":[{"role":"us');
  store.addTurn(id, 2, [{ role: "user", text: "lost" }]);
  expect(store.readThread(record({ id, turns: 1 }))).toEqual([{ role: "user", text: "one" }]);
  store.addTurn(id, 2, [{ role: "user", text: "two" }]);
  expect(store.readThread(record({ id, turns: 2 })).map(({ text }) => text)).toEqual(["one", "two"]);
});

test("all files have access for their owner only, and a session is removed with all its files", () => {
  const stored = record();
  store.write(stored);
  store.addTurn(stored.id, 1, []);
  store.claim(stored.id);
  const modes = readdirSync(folder()).map((name) => statSync(join(folder(), name)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600]);
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
  store.remove(stored.id);
  expect(readdirSync(folder())).toEqual([]);
});

test("the record of a CLI's session is found without reading the others, also one from before the index", () => {
  const old = record({ cli: { provider: "rehearsal", id: "old" } });
  store.write(old);
  rmSync(join(directory, "coxswain/sessions-by-cli"), { recursive: true });
  expect(store.find("OLD")).toEqual(old);
  const young = record({ cli: { provider: "rehearsal", id: "young" } });
  store.write(young);
  const unread = join(folder(), "0b9f7c52-2f1e-4d3c-8f11-00000000beef.json");
  writeFileSync(unread, JSON.stringify(record()));
  utimesSync(unread, 1, 1);
  expect([store.find("young"), store.find("old"), store.find("none")]).toEqual([young, old, undefined]);
  expect(statSync(unread).atimeMs).toBe(1000);
  const moved = { ...young, cli: { provider: "rehearsal", id: "moved" } };
  store.write(moved);
  expect([store.find("young"), store.find("moved")]).toEqual([undefined, moved]);
  store.remove(moved.id);
  expect(store.find("moved")).toBeUndefined();
});
