import type { RunRequest } from "../../src/spec/request.ts";
import type { FakeAnswer, FakeToolCall } from "../../src/testing/index.ts";
import { CLI_ROWS } from "./clis/index.ts";
import type { CliName, DeepCliName, RealCli } from "./real-cli.ts";

/** The model with which an agent runs: Codex offers a plain shell tool to one only. */
export const AGENT_TARGETS: Readonly<Record<DeepCliName, string>> = {
  claude: agentTargetOf("claude"),
  codex: agentTargetOf("codex"),
};

/** What the model says when its tools have run. */
export const DONE: FakeAnswer = { kind: "text", text: "Done." };

/** The target with which an agent runs. */
export function agentTargetOf(name: CliName): string {
  return CLI_ROWS[name].agentTarget ?? CLI_ROWS[name].target;
}

/** A call of the CLI's own shell as the model makes it. */
export function shellCall(name: CliName, command: string): FakeToolCall {
  return CLI_ROWS[name].shellCall(command);
}

/** The model runs these commands, all at once, and is done when they are. */
export function shellCalls(name: CliName, ...commands: readonly string[]): readonly FakeAnswer[] {
  return [{ kind: "tool-calls", calls: commands.map((command) => shellCall(name, command)) }, DONE];
}

/** A request in agent mode in the workspace. */
export function agentRequest(cli: RealCli, request: Partial<RunRequest> = {}): RunRequest {
  return { prompt: "Do it.", mode: "agent", cwd: cli.workspace, ...request };
}
