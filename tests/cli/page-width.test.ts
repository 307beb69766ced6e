import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configView } from "../../src/cli/config.ts";
import { ACTS } from "../../src/cli/demo/acts.ts";
import { DemoView } from "../../src/cli/demo/demo.ts";
import { type DoctorFindings, healthView } from "../../src/cli/doctor/health-view.ts";
import { createProgram } from "../../src/cli/main.ts";
import { modelsView } from "../../src/cli/models.ts";
import { type ProviderFacts, providerDetail, providerTable } from "../../src/cli/providers/provider-view.ts";
import { type MatrixRow, matrixDetail, matrixTable } from "../../src/cli/providers/providers.ts";
import { quotaTable } from "../../src/cli/quota.ts";
import { AnswerView } from "../../src/cli/show/answer-view.ts";
import { summaryLine } from "../../src/cli/show/summary-line.ts";
import { colorsFor } from "../../src/cli/terminal/screen.ts";
import { commandLines, tableLines } from "../../src/cli/terminal/table.ts";
import { textWidth } from "../../src/cli/terminal/text-width.ts";
import { cellsOf } from "../../src/compatibility/matrix.ts";
import { builtinProviders, capabilitiesOf, type HealthReport, type ModelReport } from "../../src/index.ts";
import { createFailure, type Provider } from "../../src/provider.ts";

const plain = colorsFor(Object.assign(Object.create(process.stdout), { isTTY: false }));
const WIDTHS = [50, 80] as const;

function expectToFit(text: string, width: number): void {
  expect(text.trim()).not.toBe("");
  expect(text.split("\n").filter((line) => textWidth(line) > width)).toEqual([]);
}

describe.each(WIDTHS)("on a page of %d columns no line is wider:", (width) => {
  const page = { width, isStrict: true };
  const before = process.stdout.columns;
  beforeEach(() => {
    process.stdout.columns = width;
  });
  afterEach(() => {
    process.stdout.columns = before;
  });

  test("the help of cox and of each command", () => {
    const printed: string[] = [];
    const program = createProgram(() => undefined).configureOutput({ writeOut: (text) => printed.push(text) });
    const all = [program, ...program.commands, ...program.commands.flatMap((command) => command.commands)];
    for (const command of all) command.configureOutput({ writeOut: (text) => printed.push(text) }).outputHelp();
    expect(printed.filter((text) => text.includes("Exit codes:")).length).toBe(all.length);
    for (const text of printed) expectToFit(text, width);
  });

  test("cox providers, with and without a name", () => {
    const long = "/home/somebody/.nvm/versions/node/v22.19.0/lib/node_modules/.bin/claude";
    const facts = builtinProviders.map((provider, index) => factsOf(provider, index % 2 === 0 ? long : null));
    expectToFit(providerTable(facts, plain, page), width);
    for (const each of facts) expectToFit(providerDetail(each, plain, page), width);
    expect(providerTable(facts, plain, page)).toMatch(/^PROVIDER .*FOUND\n/);
  });

  test("cox providers --matrix, with and without a name", () => {
    const rows = builtinProviders.map((provider): MatrixRow => ({ ...provider, features: cellsOf(provider) }));
    const langchain = { id: "langchain", label: "LangChain", features: cellsOf("langchain") };
    const table = matrixTable([...rows, langchain], plain, page);
    expectToFit(table, width);
    expect(table).toMatch(/^FEATURE {2,}CLAUDE \+\d+ .*LANGCHAIN\nstreaming {2,}automatic .*automatic\n/);
    for (const { id } of rows) expect(table).toMatch(new RegExp(`\\b${id}\\b`, "i"));
    for (const row of rows) expectToFit(matrixDetail(row, plain, page), width);
  });

  test("cox models", () => {
    expectToFit(modelsView([], [], plain, page), width);
    const report: ModelReport = {
      provider: "claude",
      label: "Claude Code",
      models: ["opus", "haiku"],
      defaultModel: "opus",
      source: "built-in",
    };
    expectToFit(modelsView([report], [], plain, page), width);
  });

  test("cox doctor", () => {
    const findings: DoctorFindings = {
      diagnoses: builtinProviders.map((provider, index) => ({
        report: reportOf(provider, index),
        from: index === 3 ? "~/a/project/with/a/rather/long/name/coxswain.config.json" : "",
        install: provider.install,
        spent: [],
      })),
      mistakes: ["~/a/project/with/a/rather/long/name/coxswain.config.json:12: `providers[0].binary` must be a list of names"],
      warnings: [{ code: "path-relative", message: "PATH has relative entries.", hint: "Coxswain skips them." }],
      ending: {
        foundBy: "limit",
        survivesHost: true,
        message: "All processes of a run are ended with it, daemons too, also if Coxswain is killed.",
      },
      unasked: [{ id: "mine", from: "coxswain.config.json" }],
    };
    expectToFit(healthView(findings, plain, page), width);
  });

  test("cox quota", () => {
    const spent = builtinProviders.map(({ id }) => ({
      provider: id,
      model: "a-model-with-a-long-name",
      profile: "/home/somebody/.claude-second-account",
      resetAt: "2026-11-24T19:04:00Z",
      seenAt: "2026-11-16T19:04:00Z",
      message: "You've hit your weekly limit · resets Nov 24 at 7:04pm (UTC), see https://example.org/limits/of/your/plan",
    }));
    expectToFit(quotaTable(spent, plain, page), width);
  });

  test("cox config", () => {
    const label = "/home/somebody/a/project/with/a/long/name/coxswain.config.json";
    const common = { option: "--system", variable: "COXSWAIN_SYSTEM", from: "project", label } as const;
    const settings = [{ ...common, name: "system", value: "Answer in a few words, please, and in English." } as const];
    const findings = {
      settings,
      files: [{ path: label, scope: "project" as const }],
      mistakes: [`${label}:12: \`defaults\` is wrong`],
    };
    expectToFit(configView(findings, plain, page), width);
  });

  test("cox demo", () => {
    const printed: string[] = [];
    const out = (text: string): void => void printed.push(text);
    const view = new DemoView({ out, note: out, isTerminal: true, outColors: plain, noteColors: plain }, width);
    view.opening();
    for (const [index, act] of ACTS.entries()) {
      const answer = view.act(act, index + 1);
      answer.show({ type: "text-delta", messageId: "m", text: "Several words of an answer. ".repeat(9), seq: 0, atMs: 0 });
      answer.show({ type: "run-end", finish: "stop", seq: 1, atMs: 0 });
      view.verdict({
        isRight: true,
        line: `start, arguments and result are events; Clock returned "${new Date(0).toISOString()}"`,
      });
    }
    view.closing(true);
    expectToFit(printed.join(""), width);
  });

  test("errors, their hints and notes, which are wrapped at words", () => {
    const message = "The service says that the limit of this plan was reached and that it will not answer before tomorrow.";
    const fixCommand = "npm install -g a-package-with-a-name --and-an-option its-value";
    const failure = createFailure("rate-limited", message, { fixCommand });
    const printed: string[] = [];
    const note = (text: string): void => void printed.push(text);
    const screen = { out: note, note, isTerminal: true, noteWidth: () => width, outColors: plain, noteColors: plain };
    const view = new AnswerView(screen, { targets: [{ provider: "claude" }], attempts: 3 });
    view.show({ type: "retry", by: "coxswain", attempt: 1, delayMs: 1200, failure, seq: 0, atMs: 0 });
    view.show({ type: "run-end", finish: "error", failure, seq: 1, atMs: 0 });
    const text = printed.join("");
    expectToFit(text, width);
    expect(text.replace(/(?: \\)?\n +/g, " ")).toBe(
      `· claude: ${message.replace(/\.$/, "")} (rate-limited). Retry in 1.2 s, attempt 2 of 3.\n✗ ${message}\n→ Retry in a moment. Run: ${fixCommand}\n`,
    );
  });

  test("the line after an answer, which cuts the name of the model", () => {
    const usage = { inputTokens: 1_234_567, outputTokens: 89_012, estimated: false, scope: "turn" } as const;
    const result = { text: "", toolCalls: [], permissionDenials: [], warnings: [], finish: "stop", usage, costUsd: 1.5 } as const;
    const line = summaryLine({ ...result, provider: "claude", model: "a-model-with-a-name-of-forty-characters-1" }, 4200, width);
    expectToFit(line, width);
    expect(line).toMatch(/^claude · a-m.* · (?:1\.2M|1,234,567) in, 89(?:K|,012) out · \$1\.50 · 4\.2 s$/);
  });
});

test("a table omits its spare columns first and then cuts the widest; without a page it is whole", () => {
  const rows = [["ID", "NOTE", "NUMBER"].map((text) => ({ text })), ["one", "a long note", "1"].map((text) => ({ text }))];
  expect(tableLines(rows)).toEqual(["ID   NOTE         NUMBER", "one  a long note  1"]);
  expect(tableLines(rows, { width: 20, isStrict: true }, [2])).toEqual(["ID   NOTE", "one  a long note"]);
  expect(tableLines(rows, { width: 12, isStrict: true }, [2])).toEqual(["ID   NOTE", "one  a long…"]);
  const wide = [["漢字", "a"].map((text) => ({ text })), ["ab", "b"].map((text) => ({ text }))];
  expect(tableLines(wide)).toEqual(["漢字  a", "ab    b"]);
});

test("a command is broken between its words, so that a shell reads the same", () => {
  expect(commandLines('cox ask --json "two words" < file.txt', 20)).toEqual([
    "cox ask --json \\",
    '  "two words" \\',
    "  < file.txt",
  ]);
  expect(commandLines("cox ask", 20)).toEqual(["cox ask"]);
});

function factsOf(provider: Provider, found: string | null): ProviderFacts {
  const { id, label, install, login = null, models, defaultModel = null, versionsChecked = null, limitations = [] } = provider;
  const common = { id, label, install, login, models, defaultModel, versionsChecked, limitations };
  return { ...common, ...capabilitiesOf(provider), builtIn: false, found, origin: null };
}

function reportOf({ id }: Provider, index: number): HealthReport {
  const missing = createFailure("cli-missing", `The program ${id} was not found on PATH.`, { evidence: { errno: "ENOENT" } });
  const fixCommand = `${id} auth login --with-a-long-option and-its-value --and another`;
  const lost = createFailure("not-logged-in", "Nobody is logged in to /home/somebody/.config/of/this/cli/auth.json.", {
    fixCommand,
  });
  const failures = [[missing], [lost], []][index % 3] ?? [];
  return {
    provider: id,
    usable: failures.length === 0,
    version: "2.1.325-beta.20261116",
    login: { state: "unknown" },
    failures,
    warnings: [],
  } as unknown as HealthReport;
}
