import type { RunRequest } from "../../../src/spec/request.ts";
import type { FakeAnswer, FakeToolCall } from "../../../src/testing/index.ts";
import type { CliName, DeepCliName, RealCli } from "./real-cli.ts";
import { CLI_ROWS } from "./rows/index.ts";

/** The model of an agent: Codex offers a plain shell tool only to this one. */
export const AGENT_TARGETS: Readonly<Record<DeepCliName, string>> = {
  claude: agentTargetOf("claude"),
  codex: agentTargetOf("codex"),
};

/** The model's answer after its tools have run. */
export const DONE: FakeAnswer = { kind: "text", text: "Done." };

/** The target of an agent. */
export function agentTargetOf(name: CliName): string {
  return CLI_ROWS[name].agentTarget ?? CLI_ROWS[name].target;
}

/** The model's call of the CLI's own shell. */
export function shellCall(name: CliName, command: string): FakeToolCall {
  return CLI_ROWS[name].shellCall(command);
}

/** The model runs these commands, all at once, and then ends its turn. */
export function shellCalls(name: CliName, ...commands: readonly string[]): readonly FakeAnswer[] {
  return [{ kind: "tool-calls", calls: commands.map((command) => shellCall(name, command)) }, DONE];
}

/** A request in agent mode in the workspace. */
export function agentRequest(cli: RealCli, request: Partial<RunRequest> = {}): RunRequest {
  return { prompt: "Do it.", mode: "agent", cwd: cli.workspace, ...request };
}
