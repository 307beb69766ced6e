import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { programOfDesignNames } from "../support/documents/design-names.ts";
import { openConsumerProject } from "./consumer-project.ts";
import { type Block, readBlocks, readDoors } from "./read-blocks.ts";

const execute = promisify(execFile);
const typescript = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
const hangGuardMs = 120_000;

/** One red dot. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** An MCP server that stands for the one of the documents. */
const BOATS = join(import.meta.dirname, "../support/clis/programs/turns/boats-server.mjs");

/** The output of each program when `claude` is the rehearsal CLI, in order below its heading. */
type Printed = Readonly<Record<string, readonly RegExp[]>>;

const LANGCHAIN: Printed = {
  "An agent": [/^The tool said: It is 7 °C and raining in city\.\n$/],
  "The model and its options": [/^You asked: “Why is the sky blue\?”\. .*\n\d+ stop\n$/],
  Tools: [/^multiply \{ left: 0, right: 0 \}\n$/],
  "Invalid calls": [/^The tool said: 0\n$/],
  "Structured output": [/^name 0\nname 0\n$/],
  Streaming: [/^You asked: .* without an account\.\n\d+ tokens\n$/, /^You asked: .* without an account\.$/],
  Images: [/^You asked: “What does this chart show\?”\. .*\n$/],
  Cancellation: [/^Stopped\.\n$/],
  Errors: [/^quota \/ quota-exhausted\nCredit balance is too low\n\S.*\n$/, /^You asked: .* without an account\.\n$/],
  "A model of two methods": [/^You said: Hello!\n$/, /^You asked: “<thread>\n.* without an account\.\n\d+ tokens\n$/],
};

const LIBRARY: Printed = {
  "The library": [/^You asked: “Why is the sky blue\?”\. .* without an account\.\nstop, \d+ tokens\n$/],
  Names: [
    /^\{.*provider: 'claude', model: 'opus'.*provider: 'codex' \}.*provider: 'codex', model: 'gpt-5\.5'.*There is no provider or model "cluade"\..*Did you mean claude\?/s,
  ],
  "Reading a run": [/^true run-start run-end\ntrue\n$/],
  Messages: [/^stop stop 4\n$/],
  Images: [/^You asked: “What does this chart show\?”\. .*\noption-unsupported\n$/],
  "Structured output": [/^\{ name: 'name', born: 0 \}\n$/],
  Sessions: [/^true true\n$/],
  Permissions: [
    /^allow Clock \{"zone":"UTC"\}\nIt is \d\d:\d\d UTC\. 1 0\ndeny Clock \{"zone":"UTC"\}\nI was not allowed to look, .* 1 1\n$/,
  ],
  "Timeouts and cancellation": [/^first-event-timeout\ncancelled interrupted true\n$/],
  "Outcome and failures": [
    /^authentication not-logged-in false false\nquota-exhausted: Credit balance is too low\ntrue rehearsal → claude\n$/,
  ],
  Budgets: [/^One true\nTwo budget-spent\n$/],
  "MCP servers": [
    /^stop \[\]\n$/,
    /^--mcp-config \{"mcpServers":\{"tickets":\{"httpUrl":"https:[^"]+","headers":\{\}\}\}\}\nmcp_servers\.tickets\.url="https:[^"]+"\n$/,
  ],
  "Own providers": [/^HELLO\n$/],
};

const AGENT: Printed = {
  "An agent": [/^The tool said: It is 7 °C and raining in city\.\n$/],
  "Tools of MCP servers": [/^The tool said: 8 boats\n$/],
  Approval: [/^May send_mail run with \{"to":"to"\}\?\nThe tool said: The mail to to was sent\.\n$/],
  "A question to a person": [/^The tool said: To Bergen\n$/],
  "A conversation": [/^\[ 'human', 'ai', 'human', 'ai' \]\n$/],
  "A structured answer": [/^string\n$/],
  Events: [/^step 1: count_boats → 8\nThe tool said: 8\ntrue\n$/],
  Tracing: [/^start count_boats \{\}\nend 8\n$/],
};

const DESIGN_DOCUMENTS: Printed = {
  "First and second document: a model adapter for LangChain": [/^true true\ntrue \[\] \[\]\n$/],
  "Third document: providers, output formats, errors, health": [/^rate_limit true false 30000\nHELLO\n$/],
  "Fourth document: sessions": [/^stop stop true\ntrue AuthenticationError\n$/],
  "Fifth document: an agent over Claude Code": [
    /^tool_call_start count_boats \ntool_call count_boats \ntool_call_end count_boats 8\nThe tool said: 8$/,
  ],
};

const AI_SDK: Printed = {
  "An answer": [/^You asked: “Why is the sky blue\?”\. .* without an account\.\n$/],
  "A stream": [/^You asked: .* without an account\.\n\d+ \+ \d+ tokens, claude, attempt 1\n$/],
  Tools: [/^The tool said: It is 7 °C and raining in city\.\n$/],
  "Structured output": [/^(?:so far name\n)*name 0\n$/],
  "Settings of a call": [/^.*It is \d\d:\d\d UTC\. 1\n$/s],
  Errors: [/^429 quota-exhausted\nCredit balance is too low\n$/],
};

const PAGES: readonly (readonly [document: string, printed: Printed, programs: readonly Block[]])[] = [
  ["docs/langchain.md", LANGCHAIN, readBlocks("docs/langchain.md", "ts")],
  ["docs/ai-sdk.md", AI_SDK, readBlocks("docs/ai-sdk.md", "ts")],
  [
    "docs/gateway.md",
    { "In a program": [/^You asked: “Why is the sky blue\?”\. .* account\.\nYou asked: .* account\.\nend_turn\n$/] },
    readBlocks("docs/gateway.md", "ts"),
  ],
  ["docs/agent.md", AGENT, readBlocks("docs/agent.md", "ts")],
  ["docs/library.md", LIBRARY, readBlocks("docs/library.md", "ts")],
  [
    "docs/warm.md",
    {
      "Warm processes": [/^(?:(?:spawn cold|resident warm)\nYou asked: “One word about \w+”\. .* without an account\.){3}\[/],
    },
    readBlocks("docs/warm.md", "ts"),
  ],
  [
    "docs/policies.md",
    {
      "Policies: retry, fallback, cooldown, limit, budget": [
        /^You asked: “What does a coxswain do\?”\. .* without an account\.$/,
      ],
    },
    readBlocks("docs/policies.md", "ts"),
  ],
  [
    "docs/sessions.md",
    {
      Sessions: [/^stop\nstop\n2 4\ntrue\n$/],
      "Hand-over": [/^rehearsal → claude, 2 messages\nclaude 2\n$/],
      "The provider interface": [/^stop stop\n2 undefined\n$/],
    },
    readBlocks("docs/sessions.md", "ts"),
  ],
  ["docs/design-documents.md", DESIGN_DOCUMENTS, readBlocks("docs/design-documents.md", "ts")],
  [
    "docs/tracing.md",
    {
      "A listener": [
        /^turn 1, attempt 1, rehearsal\/overloaded: attempt-start\nturn 1, attempt 1, .*: retry\nturn 1, attempt 2, .*: attempt-start\noverloaded\n$/,
      ],
      "A log": [
        /^info rehearsal\/not-logged-in 0 run started\ninfo .* 1 attempt 1, spawn\nerror .* 1 failed after \d+ ms: .*\n$/,
      ],
    },
    readBlocks("docs/tracing.md", "ts"),
  ],
  [
    "docs/permissions.md",
    {
      "What a request can say": [
        /^It is \d\d:\d\d UTC\. 0\ntool-denied Clock .*I was not allowed to look, .*\nOpenCode cannot keep to .*"file-tools \*": .*\n$/,
      ],
    },
    readBlocks("docs/permissions.md", "ts"),
  ],
  [
    "docs/host-tools.md",
    { "Host tools": [/^The tool said: get_weather: it rains in city 1\n$/] },
    readBlocks("docs/host-tools.md", "ts"),
  ],
  [
    "docs/structured-output.md",
    {
      "A schema of Zod": [/^name 0 persons\n$/],
      "While it is written": [/^(?:so far \{.*\}\n)*complete \{ name: 'name', people: 0 \}\n$/],
    },
    readBlocks("docs/structured-output.md", "ts"),
  ],
  [
    "docs/compatibility.md",
    {
      Compatibility: [
        /^option-unsupported Claude Code does not take context summarization .*\n\[\s*\{\s*code: 'feature-off',[^{]*\]\n$/,
      ],
    },
    readBlocks("docs/compatibility.md", "ts"),
  ],
  [
    "README.md",
    {
      "In a program": [/^You asked: “Why is the sky blue\?”\. .* without an account\.\{\s+inputTokens: \d+,/],
      "With what you have": [/^$/, /^$/, /^$/, /^$/],
    },
    [...readBlocks("README.md", "ts"), ...readDoors()],
  ],
];

/** Separates the outputs of the programs. */
const BORDER = "\u0000";

describe("the programs in the documents", { timeout: hangGuardMs }, () => {
  it("all of them type-check in a strict project", async () => {
    const { folder, env, write } = openConsumerProject("source");
    const files = PAGES.flatMap(([, , programs]) => programs).map(({ code }, index) => write(`program-${index}.ts`, code));
    files.push(write("design-names.ts", programOfDesignNames()));
    const language = { target: "ES2024", lib: ["ES2024", "ESNext.Disposable"], module: "NodeNext", types: ["node"] };
    const sources = { customConditions: ["coxswain-source"], allowImportingTsExtensions: true, skipLibCheck: true };
    write("tsconfig.json", JSON.stringify({ compilerOptions: { ...language, ...sources, strict: true, noEmit: true }, files }));
    const typeErrors = await execute(process.execPath, [typescript, "-p", folder], { env }).then(
      ({ stdout }) => stdout,
      ({ message, stdout }: Error & { readonly stdout: string }) => `${message}\n${stdout}`,
    );
    expect(typeErrors).toBe("");
  });

  it.each(PAGES)("those of %s run unchanged and print what is expected", async (_document, printed, programs) => {
    const outputs = await runInOneProcess(programs);
    const headings = Object.keys(Object.groupBy(programs, ({ heading }) => heading));
    const below = (heading: string): readonly string[] =>
      outputs.filter((_output, index) => programs[index]?.heading === heading);
    expect(Object.fromEntries(headings.map((heading) => [heading, below(heading)]))).toEqual(
      Object.fromEntries(
        Object.entries(printed).map(([heading, patterns]) => [
          heading,
          patterns.map((pattern) => expect.stringMatching(pattern)),
        ]),
      ),
    );
  });
});

/** What each program prints. One process runs all of them, because its start costs more than most of them. */
async function runInOneProcess(programs: readonly Block[]): Promise<readonly string[]> {
  const { folder, env, write } = openConsumerProject();
  write("chart.png", Buffer.from(PNG, "base64"));
  write("notes-server.js", readFileSync(BOATS));
  const imports = programs.map(({ code }, index) => {
    write(`program-${index}.ts`, code);
    return `await import("./program-${index}.ts");\nprocess.stdout.write("\\0");\n`;
  });
  const { stdout, stderr } = await execute(process.execPath, [write("all.ts", imports.join(""))], { cwd: folder, env });
  expect(stderr).toBe("");
  return stdout.split(BORDER).slice(0, -1);
}
