import { planLaunch } from "../launch/prepare.ts";
import type { FoundBinary } from "../process/child/find-program.ts";
import { openProcess } from "../process/child/start-process.ts";
import { Supervisor } from "../process/child/supervise.ts";
import type { RunHost } from "../run/open-run.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { type Provider, withSpawn } from "../spec/provider/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import type { ExitReport } from "../spec/wire/wire.ts";

/** The parts of a run host that a question needs. */
export type ProgramHost = Pick<RunHost, "env" | "guardian" | "nextRunId" | "track">;

/** A call of a provider's program outside a run, for its version or its login. */
export type Question = {
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly target?: Target;
  /** Variables in addition to those of a run. */
  readonly env?: Readonly<Record<string, string>>;
  /** True if the program uses the user's home even if runs have a private one. */
  readonly inOwnHome?: boolean;
  /** True if API keys are removed from the environment. */
  readonly withoutKeys?: boolean;
  /** How many characters of stdout are kept; 4096 by default. */
  readonly longest?: number;
};

/** The output and exit of a program. After a timeout it has the output so far, without exit code and signal. */
export type ProgramOutput = ExitReport & { readonly stdout: string; readonly stderr: string; readonly hasTimedOut: boolean };

const LONGEST_ANSWER = 4096;

/** Runs a program until it exits or the timeout ends; returns a failure if it cannot be started. Never throws. */
export async function askProgram(
  provider: Provider,
  found: FoundBinary,
  host: ProgramHost,
  question: Question,
): Promise<ProgramOutput | Failure> {
  const plan = planQuestion(provider, found, host, question);
  const { longest = LONGEST_ANSWER } = question;
  // A chunk may end inside a character.
  const decoder = new TextDecoder();
  let stdout = "";
  const { promise, resolve } = Promise.withResolvers<ProgramOutput>();
  const supervisor = await openProcess(plan, {
    run: host.nextRunId(),
    env: host.env,
    guardian: host.guardian,
    stopSignal: "SIGTERM",
    onStdout: (chunk) => {
      if (stdout.length < longest) stdout += decoder.decode(chunk, { stream: true });
    },
    onEnd: (exit) => answer(exit),
  });
  if (!(supervisor instanceof Supervisor)) return supervisor;
  const answer = (exit: ExitReport, hasTimedOut = false): void => {
    clearTimeout(timer);
    resolve({ ...exit, stdout, stderr: supervisor.stderr().stderrTail, hasTimedOut });
  };
  const end = (): void => {
    supervisor.stop();
    answer({}, true);
  };
  const timer = setTimeout(end, question.timeoutMs);
  host.track({ end, gone: supervisor.gone });
  supervisor.closeInput();
  return promise;
}

function planQuestion(
  provider: Provider,
  found: FoundBinary,
  host: ProgramHost,
  question: Question,
): ReturnType<typeof planLaunch> {
  const { args, target = { provider: provider.id }, env = {}, inOwnHome, withoutKeys } = question;
  const { privateHome, ...rest } = provider;
  const inHome: Provider = { ...rest, ...(inOwnHome !== true && privateHome && { privateHome }) };
  const asked = withSpawn(inHome, { launch: () => ({ args, env }), stdout: "pipe" });
  const request: PromptRequest = { prompt: "", ...(withoutKeys === true && { auth: "subscription" }) };
  return planLaunch(asked, target, request, { ...found, answersPermissions: false, env: host.env });
}
