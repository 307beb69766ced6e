import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openConsumerProject } from "./consumer-project.ts";
import { type Block, readBlocks } from "./read-blocks.ts";

const execute = promisify(execFile);
const typescript = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
const hangGuardMs = 120_000;

/** One red dot. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const PROGRAMS: readonly Block[] = [
  ...readBlocks("docs/langchain.md", "ts"),
  ...readBlocks("docs/policies.md", "ts"),
  ...readBlocks("docs/structured-output.md", "ts"),
  ...readBlocks("README.md", "ts").filter(({ heading }) => heading === "With LangChain"),
];

/** The output of each program when `claude` is the rehearsal CLI, in order below its heading. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
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
  "Policies: retry, fallback, cooldown, limit, budget": [/^You asked: “What does a coxswain do\?”\. .* without an account\.$/],
  "A schema of Zod": [/^name 0 persons\n$/],
  "With LangChain": [/^The tool said: It is 7 °C and raining in city\.\n$/],
};

describe("the programs in the documents", { timeout: hangGuardMs }, () => {
  it("each has an expected output, and no expectation is unused", () => {
    const written = Object.fromEntries(PROGRAMS.map(({ heading }) => [heading, below(heading).length]));
    const expected = Object.entries(PRINTED).map(([heading, patterns]) => [heading, patterns.length]);
    expect(written).toEqual(Object.fromEntries(expected));
  });

  it("all of them type-check in a strict project", async () => {
    const { folder, env, write } = openConsumerProject("source");
    const programs = [...PROGRAMS, ...readBlocks("docs/library.md", "ts")];
    const files = programs.map(({ code }, index) => write(`program-${index}.ts`, code));
    const language = { target: "ES2024", lib: ["ES2024", "ESNext.Disposable"], module: "NodeNext", types: ["node"] };
    const sources = { customConditions: ["coxswain-source"], allowImportingTsExtensions: true, skipLibCheck: true };
    write("tsconfig.json", JSON.stringify({ compilerOptions: { ...language, ...sources, strict: true, noEmit: true }, files }));
    const typeErrors = await execute(process.execPath, [typescript, "-p", folder], { env }).then(
      ({ stdout }) => stdout,
      ({ message, stdout }: Error & { readonly stdout: string }) => `${message}\n${stdout}`,
    );
    expect(typeErrors).toBe("");
  });

  it.each(
    Object.entries(PRINTED).flatMap(([heading, patterns]) =>
      patterns.map((pattern, index) => ({ heading, place: index + 1, pattern, code: below(heading)[index]?.code ?? "" })),
    ),
  )("“$heading”, program $place, runs unchanged", async ({ code, pattern }) => {
    const { folder, env, write } = openConsumerProject();
    write("chart.png", Buffer.from(PNG, "base64"));
    const { stdout, stderr } = await execute(process.execPath, [write("program.ts", code)], { cwd: folder, env });
    expect(stderr).toBe("");
    expect(stdout).toMatch(pattern);
  });
});

function below(heading: string): readonly Block[] {
  return PROGRAMS.filter((block) => block.heading === heading);
}
