import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { cox, coxWith } from "../support/cox/start-cox.ts";
import { toLines } from "../support/cox/start-rehearsal.ts";

function fixture(name: string, file = "stdout"): string {
  return fileURLToPath(new URL(`../../fixtures/claude/${name}/${file}`, import.meta.url));
}

describe.concurrent("cox decode", () => {
  test("prints the events of a recorded output, from run-start to run-end", async () => {
    const { stdout, stderr, exitCode } = await cox(["decode", "claude", fixture("partial-tool-call")]);
    const types = toLines(stdout).map((event) => event["type"]);
    expect([types[0], types.at(-1)]).toEqual(["run-start", "run-end"]);
    expect(types).toEqual(
      expect.arrayContaining(["session-start", "text-delta", "tool-start", "tool-call", "tool-end", "usage"]),
    );
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test.each(["", "-"])("reads stdin when the file is %j", async (file) => {
    const recorded = readFileSync(fixture("partial-text"), "utf8");
    const fromStdin = await coxWith(recorded, ["decode", "claude", ...(file === "" ? [] : [file])]);
    const fromFile = await cox(["decode", "claude", fixture("partial-text")]);
    expect(fromStdin.stdout).toBe(fromFile.stdout);
    expect(fromFile.stdout).toContain("run-end");
  });

  test("gives one run for each turn of a process", async () => {
    const { stdout } = await cox(["decode", "claude", fixture("input-stream-three")]);
    const types = toLines(stdout).map((event) => event["type"]);
    expect(types.filter((type) => type === "run-start")).toHaveLength(3);
    expect(types.filter((type) => type === "run-end")).toHaveLength(3);
  });

  test("--result prints one object with every key, null for unknown values", async () => {
    const { stdout, exitCode } = await cox(["decode", "claude", fixture("partial-text"), "--result"]);
    expect(JSON.parse(stdout)).toMatchObject({
      text: "Hello from the fake API.",
      finish: "stop",
      sessionId: "c96f76e2-076f-4e08-86e7-a7d6f450ea33",
      usage: { outputTokens: 42 },
      failure: null,
      toolCalls: [],
      permissionDenials: [],
    });
    expect(exitCode).toBe(0);
  });

  test("--result of a failed run has the failure, and decoding it still worked", async () => {
    const { stdout, exitCode } = await cox(["decode", "claude", fixture("error-quota"), "--exit-code", "1", "--result"]);
    expect(JSON.parse(stdout)).toMatchObject({ text: "", usage: null, failure: { code: "quota-exhausted" } });
    expect(exitCode).toBe(0);
  });

  test("--result is about the last turn", async () => {
    const { stdout } = await cox(["decode", "claude", fixture("input-stream-error-then-ok"), "--result"]);
    expect(JSON.parse(stdout)).toMatchObject({ finish: "stop", failure: null, text: expect.stringMatching(/./) });
  });

  test("--exit-code and --stderr decide where there is no terminal event", async () => {
    const args = [
      "decode",
      "claude",
      fixture("bad-flag"),
      "--exit-code",
      "1",
      "--stderr",
      fixture("bad-flag", "stderr"),
      "--result",
    ];
    expect(JSON.parse((await cox(args)).stdout)).toMatchObject({ sessionId: null, failure: { code: "unknown-option" } });
  });

  test("--signal decodes the run as killed", async () => {
    const { stdout } = await cox(["decode", "claude", fixture("killed-sigkill"), "--signal", "SIGKILL", "--result"]);
    expect(JSON.parse(stdout)).toMatchObject({
      text: "",
      failure: { code: "crashed", partialText: expect.stringMatching(/^word0 /) },
    });
  });

  test("--format reads the other output formats", async () => {
    const json = await cox(["decode", "claude", fixture("json-format-text"), "--format", "json", "--result"]);
    const text = await cox(["decode", "claude", fixture("text-format-text"), "--format", "text", "--result"]);
    expect(JSON.parse(json.stdout).text).toBe("Hello from the fake API.");
    expect(JSON.parse(text.stdout)).toMatchObject({
      text: "Hello from the fake API.",
      sessionId: null,
      usage: { estimated: true },
    });
  });

  test("--usage-before is accepted as token counts", async () => {
    const args = [
      "decode",
      "claude",
      fixture("partial-text"),
      "--result",
      "--usage-before",
      '{"inputTokens":10,"outputTokens":2}',
    ];
    expect(JSON.parse((await cox(args)).stdout)).toMatchObject({ usage: { outputTokens: 42, scope: "turn" } });
  });

  test.each([
    { what: "an unknown provider", args: ["clod", fixture("partial-text")], says: /no provider or model "clod"/ },
    { what: "an unreadable file", args: ["claude", "/no/such/file"], says: /\/no\/such\/file cannot be read/ },
    { what: "a directory", args: ["claude", "/"], says: /cannot be read/ },
    {
      what: "an unreadable stderr",
      args: ["claude", fixture("partial-text"), "--stderr", "/no/such"],
      says: /\/no\/such cannot be read/,
    },
    { what: "a format that does not exist", args: ["claude", fixture("partial-text"), "--format", "xml"], says: /xml/ },
    {
      what: "a format the CLI does not have",
      args: ["rehearsal", fixture("partial-text"), "--format", "text"],
      says: /no format "text"/,
    },
    {
      what: "an exit code that is no number",
      args: ["claude", fixture("partial-text"), "--exit-code", "one"],
      says: /whole number/,
    },
    { what: "usage that is no object", args: ["claude", fixture("partial-text"), "--usage-before", "[1]"], says: /JSON object/ },
    { what: "no provider at all", args: [], says: /provider/ },
  ])("exits with 2 for $what", async ({ args, says }) => {
    const { stdout, stderr, exitCode } = await cox(["decode", ...args]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toMatch(/^✗ .+\n→ .+\n$/);
    expect(stderr).toMatch(says);
  });
});
