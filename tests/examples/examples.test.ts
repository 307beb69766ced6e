import { execFile } from "node:child_process";
import { globSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { failureSentences } from "../../src/spec/failure/failure.ts";
import { type Started, startScript } from "../support/cox/start-program.ts";
import { openConsumerProject } from "./consumer-project.ts";
import { openExampleSurroundings } from "./example-surroundings.ts";
import { readBlocks } from "./read-blocks.ts";

const execute = promisify(execFile);
const checkout = join(import.meta.dirname, "../..");
const hangGuardMs = 120_000;

const EXAMPLES = globSync("examples/*.ts", { cwd: checkout }).map((file) => basename(file, ".ts"));
const COMMANDS = readBlocks("examples/README.md", "sh").flatMap(({ code }) => code.trim().split("\n"));

const CALLED = "→ get_weather: It is 7 °C and raining in Oslo.";
const TOLD = "The tool said: It is 7 °C and raining in Oslo.";
const SKY =
  "You asked: “Why is the sky blue? Two sentences.”. No model stands behind this answer: I am the rehearsal CLI, " +
  "a real program that streams, calls tools and fails like the others, without an account.";
/** The output of each example with the rehearsal CLI. */
const PRINTED: Readonly<Record<string, string>> = {
  agent: `${CALLED}\n${TOLD}\n`,
  "ai-sdk-agent": `${CALLED}\n${TOLD}\n`,
  "gateway-anthropic": `${SKY}\nend_turn\n`,
  "gateway-openai": `${CALLED}\n${TOLD}\n`,
  "host-tools": `${CALLED}\n${TOLD}\n`,
  "langchain-agent": `human: Do I need an umbrella in Oslo today?\n${CALLED}\nai: ${TOLD}\n`,
  "langchain-streaming": `${SKY}\n`,
  "langchain-structured-output": "name, born 0, known for knownFor\n",
  "mcp-client": `${SKY}\n`,
};

describe("the commands on the page of examples", { timeout: hangGuardMs }, () => {
  it("there is one for each example, and each has an expected output", () => {
    expect(COMMANDS.map(exampleIn).toSorted()).toEqual(EXAMPLES.toSorted());
    expect(Object.keys(PRINTED)).toEqual(EXAMPLES.toSorted());
  });

  it("npm run example runs the sources", async () => {
    // npm keeps its own compile cache in the temporary directory.
    const env = { ...openExampleSurroundings("built").env, NODE_DISABLE_COMPILE_CACHE: "1" };
    const command = COMMANDS.find((one) => exampleIn(one) === "langchain-agent") ?? "";
    const [npm = "", ...args] = command.split(" ");
    const { stdout } = await execute(npm, args, { cwd: checkout, env });
    expect(stdout.replace(/^\n(?:> .*\n)+\n/, "")).toBe(PRINTED[exampleIn(command)]);
  });

  it.each(COMMANDS)("%s, with the built package", async (command) => {
    const [, , , , ...args] = command.split(" ");
    const outcome = await startExample(exampleIn(command), args).ended;
    expect(outcome).toEqual({ exitCode: 0, signal: null, stdout: PRINTED[exampleIn(command)], stderr: "" });
  });
});

it("Ctrl-C in the middle of a streamed answer ends it, and the CLI with it", async () => {
  const example = startExample("langchain-streaming", ["rehearsal/slow"]);
  await example.until((stdout) => stdout.startsWith("You asked:"));
  example.child.kill("SIGINT");
  expect(await example.ended).toMatchObject({ exitCode: 1, signal: null, stderr: "\nStopped.\n" });
  expect(example.stdout()).not.toContain("account.");
});

describe.each(EXAMPLES)("%s when it fails", { timeout: hangGuardMs }, (name) => {
  it(`${name} reports that the account is used up, and what to do`, async () => {
    const outcome = await startExample(name, ["rehearsal/quota"]).ended;
    const hint = "Use another model or provider, or add credit to this account. This does not end by itself.";
    const told = reported(name, 429, "Credit balance is too low", hint);
    expect({ ...outcome, stderr: outcome.stderr.trim() }).toEqual({ exitCode: 1, signal: null, stdout: "", stderr: told });
  });

  it(`${name} asks claude by default and reports that it is not installed, and what to do`, async () => {
    const outcome = await startExample(name, [], { hasPrograms: false }).ended;
    const message = "Claude Code was not found (searched for claude on PATH).";
    const fix = name === "mcp-client" ? "\nCommand for it: npm install -g @anthropic-ai/claude-code" : "";
    const told = `${reported(name, 404, message, "Install Claude Code or set its path.")}${fix}`;
    expect({ ...outcome, stderr: outcome.stderr.trim() }).toEqual({ exitCode: 1, signal: null, stdout: "", stderr: told });
  });
});

/** What an example prints about a failure: two lines, or the message of an API's error. */
function reported(name: string, status: number, message: string, hint: string): string {
  if (!name.startsWith("gateway-")) return `${message}\n${hint}`;
  return `${name === "gateway-openai" ? `${status} ` : ""}${failureSentences({ message, hint })}`;
}

function exampleIn(command: string): string {
  return /^npm run example examples\/(\S+)\.ts rehearsal/.exec(command)?.[1] ?? command;
}

function startExample(name: string, args: readonly string[], { hasPrograms = true } = {}): Started {
  const { folder, env, write } = openConsumerProject();
  const program = write(`${name}.ts`, readFileSync(join(checkout, `examples/${name}.ts`)));
  const empty = join(folder, "empty");
  mkdirSync(empty);
  return startScript(program, args, { env: { ...env, ...(!hasPrograms && { PATH: empty }) } });
}
