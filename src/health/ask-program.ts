import { compileCache } from "../files/state-directory.ts";
import { planLaunch } from "../launch/prepare.ts";
import type { FoundBinary } from "../process/child/find-program.ts";
import { openProcess } from "../process/child/start-process.ts";
import { Supervisor } from "../process/child/supervise.ts";
import type { RunHost } from "../run/open-run.ts";
import type { Failure } from "../spec/failure/failure.ts";
import { type Provider, withSpawn } from "../spec/provider/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import type { ExitReport } from "../spec/wire/wire.ts";

export type ProgramHost = Pick<RunHost, "env" | "guardian" | "nextRunId" | "track">;

/** A call of a provider's program outside a run, for its version or its login. */
export type Question = {
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly target?: Target;
  readonly env?: Readonly<Record<string, string>>;
  /** True if the program uses the user's home even if runs have a private one. */
  readonly inOwnHome?: boolean;
  readonly withoutKeys?: boolean;
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

export type VersionAsker = (
  provider: Provider,
  found: FoundBinary,
  question: { readonly target: Target; readonly timeoutMs: number },
) => Promise<ProgramOutput | Failure>;

/** Asks a program once for all providers that want its version at the same moment; not cached, as the program may be updated. */
export function createVersionAsker(host: ProgramHost): VersionAsker {
  const asked = new Map<string, Promise<ProgramOutput | Failure>>();
  return async (provider, found, { target, timeoutMs }) => {
    const ask = (): Promise<ProgramOutput | Failure> =>
      askProgram(provider, found, host, { args: ["--version"], timeoutMs, target, env: compileCache(host.env) });
    const program = JSON.stringify([found.command, found.prefixArgs, target.profile, timeoutMs]);
    const pending = asked.get(program);
    if (pending !== undefined) {
      const output = await pending.catch(() => undefined);
      return output !== undefined && isReusable(output) ? output : ask();
    }
    const own = ask();
    asked.set(program, own);
    setImmediate(() => asked.delete(program));
    return own;
  };
}

/** A program may have failed because of one provider's launch environment; then each provider asks by itself. */
function isReusable(output: ProgramOutput | Failure): boolean {
  return "stdout" in output && (output.hasTimedOut || output.exitCode === 0);
}
