import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LogEntry } from "../../src/index.ts";
import { cox, coxWith, startCox, temporaryFolder } from "../support/cox/start-cox.ts";

type Place = { readonly path: string; readonly file: string; readonly env: Readonly<Record<string, string>> };

/** A folder with a file for the log and a state directory. */
function openPlace(): Place {
  const { path, ...folder } = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const env = { XDG_STATE_HOME: path, XDG_CONFIG_HOME: path, COX_TEST: randomUUID() };
  return { path, file: join(path, "runs.jsonl"), env };
}

function readLog({ file }: Place): readonly LogEntry[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as LogEntry);
}

test("cox ask --log-file adds lines to a private file; they have no prompt, no answer and no secret", async () => {
  const place = openPlace();
  const env = { ...place.env, REHEARSED_TOKEN: "alpha-of-the-host" };
  const args = ["ask", "-p", "rehearsal", "--log-file", place.file];
  const answered = await cox([...args, "PROMPT-WORDS"], { env });
  expect(answered).toMatchObject({ exitCode: 0, stderr: "" });
  expect(statSync(place.file).mode & 0o777).toBe(0o600);
  expect(readLog(place).map(({ level, message }) => `${level} ${message}`)).toEqual([
    "info run started",
    "info attempt 1, spawn",
    expect.stringMatching(/^info ended after \d+ ms: stop$/),
  ]);
  expect(readFileSync(place.file, "utf8")).not.toContain("PROMPT-WORDS");
  const failed = await cox([...args, "-m", "not-logged-in", "--log-level", "debug", "PROMPT-WORDS alpha-of-the-host"], { env });
  expect(failed.exitCode).toBe(3);
  const entries = readLog(place);
  expect(entries[0]?.message).toBe("run started");
  expect(entries.at(-1)).toMatchObject({ level: "error", code: "not-logged-in", target: "rehearsal/not-logged-in" });
  expect(entries.find(({ message }) => message === "request")).toMatchObject({ data: { prompt: "PROMPT-WORDS [redacted]" } });
  expect(readFileSync(place.file, "utf8")).not.toContain("alpha-of-the-host");
});

test("a log file that cannot be written and a level without a file are usage errors before a CLI starts", async () => {
  const place = openPlace();
  const missing = join(place.path, "missing", "log");
  const unwritable = await cox(["ask", "-p", "rehearsal", "--log-file", missing, "hi"], { env: place.env });
  expect(unwritable).toMatchObject({ exitCode: 2, stdout: "" });
  expect(unwritable.stderr.replaceAll(/\s+/g, " ")).toContain(`the directory ${join(place.path, "missing")} does not exist.`);
  expect(existsSync(join(place.path, "coxswain"))).toBe(false);
  const alone = await cox(["compare", "-p", "rehearsal,rehearsal/slow", "--log-level", "debug", "hi"], { env: place.env });
  expect(alone).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("--log-level needs --log-file.") });
  const wrong = await cox(["chat", "--log-file", place.file, "--log-level", "trace"], { env: place.env });
  expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("error, warn, info, debug") });
  expect(existsSync(place.file)).toBe(false);
});

test("cox chat, cox run and cox compare write it too, with the session, the agent and each target", async () => {
  const place = openPlace();
  const log = ["--log-file", place.file];
  expect((await coxWith("one\ntwo\n", ["chat", "-p", "rehearsal", ...log], { env: place.env })).exitCode).toBe(0);
  expect((await cox(["run", "-p", "rehearsal", ...log, "hi"], { env: place.env })).exitCode).toBe(0);
  expect((await cox(["compare", "-p", "rehearsal,rehearsal/crash", ...log, "hi"], { env: place.env })).exitCode).toBe(0);
  const entries = readLog(place);
  expect(entries.flatMap(({ turn, message }) => (message.startsWith("ended") && turn !== undefined ? [turn] : []))).toEqual([
    1, 2,
  ]);
  const started = entries.flatMap(({ message }) => (message.endsWith(" started") ? [message] : []));
  expect(started).toEqual(["session started", "session started", "agent started", "run started", "run started", "run started"]);
  expect(entries.filter(({ level }) => level === "error")).toMatchObject([{ target: "rehearsal/crash", code: "crashed" }]);
});

test("cox serve logs the runs of its gateway; cox ask with a log runs in its own process beside it", async () => {
  const place = openPlace();
  const { env } = place;
  const started = startCox(["serve", "--port", "0", "--no-auth", "--log-file", place.file], { env });
  onTestFinished(async () => {
    started.child.kill("SIGKILL");
    await started.ended;
  });
  await started.until((stdout) => /http:\/\/[\d.]+:\d+/.test(stdout));
  const url = /http:\/\/[\d.]+:\d+/.exec(started.stdout())?.[0] ?? "";
  const body = JSON.stringify({ model: "rehearsal", messages: [{ role: "user", content: "PROMPT-WORDS" }] });
  const headers = { "content-type": "application/json" };
  expect((await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body })).status).toBe(200);
  const served = readLog(place);
  expect(served.at(-1)).toMatchObject({ message: expect.stringMatching(/^ended after/), attempt: 1 });
  expect(JSON.stringify(served)).not.toContain("PROMPT-WORDS");
  const own = { ...place, file: join(place.path, "own.jsonl") };
  await cox(["ask", "-p", "rehearsal", "--log-file", own.file, "hi"], { env });
  expect(readLog(own).at(-1)).toMatchObject({ message: expect.stringMatching(/^ended after/) });
  expect(readLog(place)).toHaveLength(served.length);
});
