import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { createClient, type LogEntry } from "../../../src/index.ts";
import { openFleet } from "../../support/clis/open-fleet.ts";
import { answers, fails } from "../../support/clis/plays.ts";
import { writeProgram } from "../../support/clis/write-program.ts";
import { openTestScope } from "../../support/test-scope.ts";

const RETRY = { retry: { retries: 1, firstDelayMs: 5 } };

function readLog(file: string): readonly LogEntry[] {
  const lines = readFileSync(file, "utf8").split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => JSON.parse(line) as LogEntry);
}

it("a log has lines of JSON about the steps of each run, in a file that only its owner can read", async () => {
  const fleet = openFleet({ a: [fails("server-error")], b: [answers("From b.")] });
  const file = join(fleet.scope.directory, "runs.jsonl");
  const client = fleet.another({ log: { file }, policies: RETRY });
  await client.run([{ provider: "a", model: "big" }, "b"], { prompt: "Say something." }).result();
  const entries = readLog(file);
  const about = entries.map(({ level, target, attempt, code, message }) => [level, target, attempt, code, message]);
  expect(about).toEqual([
    ["info", "a/big", 0, undefined, "run started"],
    ["info", "a/big", 1, undefined, "attempt 1, spawn"],
    ["warn", "a/big", 1, "server-error", expect.stringMatching(/^retry in \d+ ms: This is server-error\.$/)],
    ["info", "a/big", 2, undefined, "attempt 2, spawn"],
    ["warn", "a/big", 2, "server-error", "fallback to b: This is server-error."],
    ["info", "b", 3, undefined, "attempt 3, spawn"],
    ["info", "b", 3, undefined, expect.stringMatching(/^ended after \d+ ms: stop$/)],
  ]);
  expect(new Set(entries.map(({ runId }) => runId)).size).toBe(1);
  for (const { time } of entries) expect(new Date(time).toISOString()).toBe(time);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { failure } = await client.run("a", { prompt: "Again." }).outcome();
  expect(readLog(file).at(-1)).toMatchObject({
    level: "error",
    code: failure?.code,
    message: expect.stringMatching(/^failed after/),
  });
});

it("the level says which lines are written", async () => {
  const fleet = openFleet({ a: [fails("server-error")], b: [answers("From b.")] });
  const levelsAt = async (level: LogEntry["level"]): Promise<readonly string[]> => {
    const entries: LogEntry[] = [];
    const client = fleet.another({ log: { level, write: (entry) => entries.push(entry) }, policies: RETRY });
    await client.run(["a", "b"], { prompt: "Say something." }).result();
    await client.run("a", { prompt: "Say something." }).outcome();
    return [...new Set(entries.map((entry) => entry.level))].toSorted();
  };
  expect(await levelsAt("error")).toEqual(["error"]);
  expect(await levelsAt("warn")).toEqual(["error", "warn"]);
  expect(await levelsAt("info")).toEqual(["error", "info", "warn"]);
  expect(await levelsAt("debug")).toEqual(["debug", "error", "info", "warn"]);
});

const WRONG_OBJECT = answers('{"ANSWER-WORDS": 1}');
const SCHEMA = { type: "object", properties: { boats: { type: "number" } }, additionalProperties: false };

it("only the level debug has prompts and answers, also of answers that are refused", async () => {
  const fleet = openFleet({ plain: [answers("ANSWER-WORDS in a text.")], wrong: [WRONG_OBJECT] });
  const textAt = async (level: LogEntry["level"]): Promise<string> => {
    const entries: LogEntry[] = [];
    const client = fleet.another({ log: { level, write: (entry) => entries.push(entry) }, policies: false });
    await client.run("plain", { messages: [{ role: "user", text: "PROMPT-WORDS" }], system: "SYSTEM-WORDS" }).outcome();
    const { failure } = await client.run("wrong", { prompt: "PROMPT-WORDS", outputSchema: SCHEMA }).outcome();
    expect(failure).toMatchObject({ code: "schema-mismatch", message: expect.stringContaining("ANSWER-WORDS") });
    expect(entries.filter(({ code }) => code === "schema-mismatch" || code === "object-corrected")).toHaveLength(2);
    return JSON.stringify(entries);
  };
  expect(await textAt("info")).not.toMatch(/-WORDS/);
  const debug = await textAt("debug");
  for (const words of ["PROMPT-WORDS", "SYSTEM-WORDS", "ANSWER-WORDS in a text."]) expect(debug).toContain(words);
});

/** Prints its planted variables to stdout, and with its arguments and the files that they name to stderr, and fails. */
const TELLS_ALL = `case "$1" in --version) echo "2.1.326 (Claude Code)"; exit 0;; esac
env | grep -E '^(PLANTED|ANTHROPIC)' | sed 's/^/on stdout: /'
echo "says $ANTHROPIC_PLANTED_SECRET"
{
  env | grep -E '^(PLANTED|ANTHROPIC)' | sort
  for word in "$@"; do echo "argument $word"; if [ -f "$word" ]; then cat "$word"; fi; done
} >&2
exit 1`;

it("no secret of the environment, the credentials, the settings, the request and its MCP servers is in the log at any level", async () => {
  const { directory, env } = openTestScope();
  const [file, program] = [join(directory, "log"), join(directory, "claude")];
  writeProgram(program, TELLS_ALL);
  const planted = {
    PLANTED_TOKEN: "alpha-of-the-host",
    ANTHROPIC_API_KEY: "bravo-of-the-account",
    PLANTED_PASSWORD: "charlie-of-the-request",
  };
  const { PLANTED_PASSWORD, ...ofHost } = planted;
  const ofSettings = "golf-of-the-settings";
  mkdirSync(join(directory, ".claude"));
  writeFileSync(join(directory, ".claude/settings.json"), JSON.stringify({ env: { ANTHROPIC_PLANTED_SECRET: ofSettings } }));
  const [header, query, argument] = ["delta-of-a-header", "echo-of-a-query", "foxtrot-of-an-argument"];
  const client = createClient({
    env: { ...env, ...ofHost, HOME: directory },
    binaries: { claude: program },
    policies: false,
    log: { file, level: "debug" },
  });
  onTestFinished(() => client.close());
  const { failure } = await client
    .run("claude", {
      prompt: "hello",
      auth: "api-key",
      env: { PLANTED_PASSWORD, PLANTED_NAME: "Ada" },
      mcpServers: {
        far: { type: "http", url: `https://example.test/mcp?k=${query}`, headers: { authorization: `Bearer ${header}` } },
        near: { command: "near", args: ["--api-key", argument], env: { NEAR_TOKEN: PLANTED_PASSWORD } },
      },
    })
    .outcome();
  expect(failure?.evidence.stderrTail).toContain("argument");
  const text = readFileSync(file, "utf8");
  for (const secret of [...Object.values(planted), ofSettings, header, query, argument]) expect(text).not.toContain(secret);
  // What the program said reached the log, and so did what is no secret.
  for (const name of [...Object.keys(planted), "ANTHROPIC_PLANTED_SECRET"]) expect(text).toContain(`${name}=[redacted]`);
  expect(text).toContain("on stdout: PLANTED_TOKEN=[redacted]");
  expect(text).toContain("says [redacted]");
  expect(text).toContain("PLANTED_NAME=Ada");
  expect(text).toContain("https://example.test/mcp?k=[redacted]");
});

it("a log that cannot be written is refused when the client is created", () => {
  const { directory, env } = openTestScope();
  const open = (log: unknown) => () => createClient({ env, log: log as never });
  const [missing, folder] = [join(directory, "missing", "log"), join(directory, "folder")];
  mkdirSync(folder);
  expect(open({ file: missing })).toThrow(
    `The log file ${missing} cannot be written: the directory ${join(directory, "missing")} does not exist.`,
  );
  expect(open({ file: folder })).toThrow(`The log file ${folder} cannot be written: it is a directory.`);
  expect(open("log")).toThrow(new TypeError("log must be an object."));
  expect(open({})).toThrow(new TypeError("log needs either a file or a function write."));
  expect(open({ file: "", level: "info" })).toThrow(new TypeError("log.file must be a path."));
  expect(open({ file: missing, level: "trace" })).toThrow(new TypeError("log.level must be one of error, warn, info, debug."));
  expect(open({ file: missing, levle: "info" })).toThrow(new TypeError('log has no field "levle". Did you mean level?'));
});

it.each<[string, () => unknown]>([
  ["throws", () => expect.fail("no log today")],
  ["rejects", () => Promise.reject(new Error("no log today"))],
  ["rejects with a promise of another realm", () => runInNewContext('Promise.reject(new Error("no log today"))')],
])("a log whose function %s breaks no run, and gets the next line", async (_what, fail) => {
  const fleet = openFleet({ a: [answers("Answer.")] });
  const messages: string[] = [];
  const write = ({ message }: LogEntry): unknown => {
    messages.push(message);
    return fail();
  };
  expect((await fleet.another({ log: { write } }).run("a", { prompt: "hi" }).result()).text).toBe("Answer.");
  // Vitest fails a run with a rejection that is not handled.
  expect(messages).toEqual(["run started", "attempt 1, spawn", expect.stringMatching(/^ended after/)]);
});
