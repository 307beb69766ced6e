import type { FoundBinary } from "../process/find-binary.ts";
import { openProcess } from "../process/open-process.ts";
import { Supervisor } from "../process/supervise.ts";
import { planLaunch } from "../run/plan-launch.ts";
import type { RunHost } from "../run/run-host.ts";
import { withSpawn } from "../spec/define-provider.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { PromptRequest, Target } from "../spec/request.ts";
import type { ExitReport } from "../spec/wire.ts";

/** What a question shares with runs: the environment, the guardian and the list of processes. */
export type ProgramHost = Pick<RunHost, "env" | "guardian" | "nextRunId" | "track">;

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
  host: ProgramHost,
  question: Question,
): Promise<ProgramWords | Failure> {
  const plan = planQuestion(provider, found, host, question);
  let stdout = "";
  const { promise, resolve } = Promise.withResolvers<ProgramWords>();
  const supervisor = await openProcess(plan, {
    run: host.nextRunId(),
    env: host.env,
    guardian: host.guardian,
    stopSignal: "SIGTERM",
    onStdout: (chunk) => {
      if (stdout.length < LONGEST_ANSWER) stdout += Buffer.from(chunk).toString("utf8");
    },
    onEnd: (exit) => answer(exit),
  });
  if (!(supervisor instanceof Supervisor)) return supervisor;
  const answer = (exit: ExitReport, isLate = false): void => {
    clearTimeout(patience);
    resolve({ ...exit, stdout, stderr: supervisor.stderr().stderrTail, isLate });
  };
  const end = (): void => {
    supervisor.stop();
    answer({}, true);
  };
  const patience = setTimeout(end, question.patienceMs);
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
