import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";
import {
  type ClaudeCliProviderOptions,
  createClaudeCliProvider,
  createCodexCliProvider,
  type ModelAdapter,
} from "../../src/adapters/langchain/index.ts";
import { createFakeCli, type FakeCall, type FakeStep } from "../../src/testing/index.ts";
import { INIT, print, resultLine } from "../support/clis/fake-claude.ts";
import { writeProgram } from "../support/clis/write-program.ts";
import { openTestScope } from "../support/test-scope.ts";

/** The CLIs with their own provider factory. */
export const CLI_NAMES = ["claude", "codex"] as const;

/** One of them. */
export type CliName = (typeof CLI_NAMES)[number];

/** A real program in the place of a CLI, in its own folder and under the CLI's name. */
export type StagedCli = {
  readonly folder: string;
  readonly cliPath: string;
  /** An adapter that runs this program. */
  adapter(options?: ClaudeCliProviderOptions): ModelAdapter;
  /** The number of starts so far. */
  starts(): number;
  /** The arguments and input of each start; waits until every process has ended by itself. */
  calls(): Promise<readonly FakeCall[]>;
  /** The prompt of each start. */
  prompts(): Promise<readonly string[]>;
};

const POLL_MS = 20;

/** Creates a program that gives these answers, one for each start, and then always the last one; it is removed after the test. */
export function stageCli(name: CliName, ...answers: readonly (string | readonly FakeStep[])[]): StagedCli {
  const folder = openFolder();
  const programs = answers.map((answer) => createFakeCli(typeof answer === "string" ? STEPS[name](answer) : answer));
  onTestFinished(() => {
    for (const program of programs) program.remove();
  });
  const cliPath = join(folder, name);
  const countFile = join(folder, "count");
  writeFileSync(countFile, "0");
  const scripts = programs.map(({ script }) => fileURLToPath(script));
  writeProgram(cliPath, launcher(countFile, scripts));
  const starts = (): number => Number(readFileSync(countFile, "utf8"));
  const calls = async (): Promise<readonly FakeCall[]> => {
    while (programs.flatMap((program) => program.calls()).length < starts()) await delay(POLL_MS);
    return programs.flatMap((program) => program.calls());
  };
  return {
    folder,
    cliPath,
    // Every start has a call, so that `calls` ends.
    adapter: (options) => FACTORIES[name]({ cliPath, warm: false, ...options }),
    starts,
    calls,
    prompts: async () => (await calls()).map((call) => promptOf(name, call)),
  };
}

/** The argument after a flag, if the flag exists. */
export function valueAfter(argv: readonly string[] | undefined, flag: string): string | undefined {
  return argv?.includes(flag) ? argv[argv.indexOf(flag) + 1] : undefined;
}

/** The steps of a Claude that reads one message and answers it. */
function claudeAnswer(text: string): readonly FakeStep[] {
  const message = { id: "msg_1", role: "assistant", model: "test-model", content: [{ type: "text", text }] };
  const spoken = { type: "assistant", message, parent_tool_use_id: null, session_id: "fake" };
  return [{ do: "read", what: "line" }, print(INIT), print(spoken), print(resultLine(text)), { do: "read", what: "all" }];
}

/** The steps of a Codex that reads its prompt and answers it. */
function codexAnswer(text: string): readonly FakeStep[] {
  return [
    { do: "read", what: "all" },
    print({ type: "thread.started", thread_id: "01a1e060-38e0-7582-83bb-70d3b1962f24" }),
    print({ type: "turn.started" }),
    print({ type: "item.completed", item: { id: "item_0", type: "agent_message", text } }),
    print({ type: "turn.completed", usage: { input_tokens: 100, cached_input_tokens: 20, output_tokens: 7 } }),
  ];
}

const STEPS = { claude: claudeAnswer, codex: codexAnswer } as const;
const FACTORIES = { claude: createClaudeCliProvider, codex: createCodexCliProvider } as const;

/** Adapters inherit the environment of this process, so it is set to point to the test's directory. */
function openFolder(): string {
  const { directory, env } = openTestScope();
  for (const variable of ["XDG_STATE_HOME", "E2E_TEST"]) vi.stubEnv(variable, env[variable]);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const folder = join(directory, "bin");
  mkdirSync(folder);
  return folder;
}

function launcher(countFile: string, scripts: readonly string[]): string {
  const start = (script: string): string => `exec "${process.execPath}" --disable-warning=ExperimentalWarning "${script}" "$@"`;
  const cases = scripts.map((script, index) => `${index === scripts.length - 1 ? "*" : index + 1}) ${start(script)} ;;`);
  return [`count=$(($(cat "${countFile}") + 1))`, `echo "$count" > "${countFile}"`, 'case "$count" in', ...cases, "esac"].join(
    "\n",
  );
}

/** Claude gets its prompt as a JSON line that ends with a blank block, Codex as plain text. */
function promptOf(name: CliName, call: FakeCall): string {
  if (name === "codex") return call.stdin;
  const line: { message: { content: readonly { text?: string }[] } } = JSON.parse(call.stdin.split("\n")[0] ?? "");
  return line.message.content[0]?.text ?? "";
}
