import type { FoundBinary } from "../process/find-binary.ts";
import { Supervisor } from "../process/supervise.ts";
import type { ExitReport } from "../spec/dialect.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import { planLaunch } from "./plan-launch.ts";
import type { RunHost } from "./run-host.ts";
import { startProcess } from "./start-process.ts";

/** A question to the program of a provider that is no run: its version, its login. */
export type Question = {
  readonly args: readonly string[];
  readonly patienceMs: number;
  readonly target?: Target;
  /** Variables that it finds besides those of a run. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it finds the user's own home even where runs have a private one. */
  readonly inOwnHome?: boolean;
  /** Whether it sees no API keys. */
  readonly withoutKeys?: boolean;
};

/** What the program said, as far as it came; without an exit code and a signal it was still running when patience ended. */
export type ProgramWords = ExitReport & { readonly stdout: string; readonly stderr: string; readonly isLate: boolean };

const LONGEST_ANSWER = 4096;

/** Asks a program and waits for its end, at most as long as patience lasts; gives a failure when it cannot be started; never throws. */
export async function askProgram(
  provider: Provider,
  found: FoundBinary,
  host: RunHost,
  question: Question,
): Promise<ProgramWords | Failure> {
  const plan = planQuestion(provider, found, host, question);
  const run = host.nextRunId();
  const started = await startProcess(plan, run, host.env);
  if (!("child" in started)) return started;
  const { child, output, files } = started;
  const isGuarded = host.guardian?.start({ op: "start", run, pid: child.pid ?? 0, signal: "SIGTERM", files }) === true;
  return new Promise((resolve) => {
    let stdout = "";
    const answer = (exit: ExitReport, isLate = false): void => {
      clearTimeout(patience);
      resolve({ ...exit, stdout, stderr: supervisor.stderr().stderrTail, isLate });
    };
    const supervisor = new Supervisor(child, {
      run,
      guardian: isGuarded ? host.guardian : undefined,
      stopSignal: "SIGTERM",
      output,
      files,
      onStdout: (chunk) => {
        if (stdout.length < LONGEST_ANSWER) stdout += Buffer.from(chunk).toString("utf8");
      },
      onEnd: answer,
    });
    const end = (): void => {
      supervisor.stop();
      answer({}, true);
    };
    const patience = setTimeout(end, question.patienceMs);
    host.track({ end, gone: supervisor.gone });
    supervisor.closeInput();
  });
}

function planQuestion(provider: Provider, found: FoundBinary, host: RunHost, question: Question): ReturnType<typeof planLaunch> {
  const { args, target = { provider: provider.id }, env = {}, inOwnHome, withoutKeys } = question;
  const { privateHome, ...rest } = provider;
  const launch: Provider["launch"] = () => ({ args, env, stdin: { text: "", close: "now" } });
  const asked: Provider = { ...rest, ...(inOwnHome !== true && privateHome && { privateHome }), launch, stdout: "pipe" };
  const request: PromptRequest = { prompt: "", ...(withoutKeys === true && { auth: "subscription" }) };
  return planLaunch(asked, target, request, { ...found, answersPermissions: false, env: host.env });
}
