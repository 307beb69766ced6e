import { randomInt } from "node:crypto";
import type { Provider } from "../../src/spec/provider/provider.ts";
import type { RunRequest } from "../../src/spec/request.ts";
import type { FakeAnswer, FakeToolCall } from "../../src/testing/index.ts";
import { agentTargetOf, shellCall } from "../support/real-clis/agent-request.ts";
import { type CliName, providerAt } from "../support/real-clis/real-cli.ts";
import { type RunningProcess, runningProcesses } from "./running-processes.ts";

/** How a CLI is started and which of its tools is called. */
export type ToolSetup = {
  readonly cli: CliName;
  readonly target: string;
  readonly request: Partial<RunRequest>;
  readonly provider: (url: string) => Provider;
  /** The model's call of the shell tool. */
  readonly call: (command: string) => FakeToolCall;
};

/** The installations that users have: the CLI found on PATH, with Codex's native program behind its launcher or not. */
export type SetupName = CliName | "codex by its launcher";

/** The setups with a test for every way to stop; the others have only the tests of the matrix. */
export const DEEP_SETUPS: readonly SetupName[] = ["claude", "codex", "codex by its launcher"];

const CODEX: ToolSetup = {
  ...toSetup("codex"),
  request: { permissions: { mode: "accept-edits" } },
  call: (command) => ({ name: "exec_command", input: { cmd: command, yield_time_ms: 30_000 } }),
};

/** What a setup needs. */
export function setupOf(name: SetupName): ToolSetup {
  if (name === "codex") return CODEX;
  if (name === "claude") {
    return {
      ...toSetup("claude"),
      request: { permissions: { allow: ["Bash"] } },
      call: (command) => ({ name: "Bash", input: { command: `(${command})`, timeout: 600_000, description: "Waits." } }),
    };
  }
  if (name !== "codex by its launcher") return toSetup(name);
  return {
    ...CODEX,
    request: {
      permissions: { mode: "bypass" },
      // On a newer Node the launcher replaces itself; without that it starts a child, as on an older one.
      env: { NODE_OPTIONS: "--import=data:text/javascript,process.execve=undefined" },
    },
    provider: (url) => ({ ...providerAt("codex", url), binary: { names: ["codex"] } }),
  };
}

function toSetup(cli: CliName): ToolSetup {
  return {
    cli,
    target: agentTargetOf(cli),
    request: { permissions: { mode: "bypass" } },
    provider: (url) => providerAt(cli, url),
    // Qwen Code and Claude Code 2.1.325 refuse a command that only sleeps.
    call: (command) => shellCall(cli, `(${command})`),
  };
}

/** A request that allows the tool of a setup to run. */
export function toolRequest(setup: ToolSetup, cwd: string): RunRequest {
  return { prompt: "Wait.", mode: "agent", cwd, ...setup.request };
}

/** A tool call that sleeps for a unique time, so that its process is found without any marker. */
export class SleepingTool {
  readonly command: string = `sleep ${600_000_000 + randomInt(99_999_999)}`;

  /** The model calls the tool once and then sends nothing more. */
  answers(setup: ToolSetup): readonly FakeAnswer[] {
    return [{ kind: "tool-calls", calls: [setup.call(this.command)] }, { kind: "stall" }];
  }

  /** The sleeping process itself, once it runs. */
  find(): RunningProcess | undefined {
    return runningProcesses().find(({ command }) => command.join(" ").trim() === this.command);
  }

  /** Every process that belongs to the call or has the marker of the run. */
  findAll(runId: string): readonly RunningProcess[] {
    return this.findAllWith(`COXSWAIN_RUN=${runId}`);
  }

  /** Every process that belongs to the call or has this entry in its environment. */
  findAllWith(entry: string): readonly RunningProcess[] {
    return runningProcesses().filter(
      ({ command, environment }) => environment.includes(entry) || command.join(" ").includes(this.command),
    );
  }
}

/** The run of a process, by its environment. */
export function runOf(process: RunningProcess): string | undefined {
  return process.environment.find((entry) => entry.startsWith("COXSWAIN_RUN="))?.slice("COXSWAIN_RUN=".length);
}

/** The guardians of the host that started a run. */
export function guardiansOf(runId: string): readonly RunningProcess[] {
  const marker = `COXSWAIN_GUARDIAN=${runId.slice(0, runId.lastIndexOf("."))}`;
  return runningProcesses().filter(({ environment }) => environment.includes(marker));
}
