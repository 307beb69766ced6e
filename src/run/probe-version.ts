import type { FoundBinary } from "../process/find-binary.ts";
import { Supervisor } from "../process/supervise.ts";
import type { Provider } from "../spec/provider.ts";
import { planLaunch } from "./plan-launch.ts";
import type { RunHost } from "./runner.ts";
import { startProcess } from "./start-process.ts";

const PATIENCE_MS = 5000;

/** The version number that a CLI's `--version` prints, or undefined when it prints none in time; never throws. */
export async function probeVersion(provider: Provider, found: FoundBinary, host: RunHost): Promise<string | undefined> {
  const launch: Provider["launch"] = () => ({ args: ["--version"], stdin: { text: "", close: "now" } });
  const asking: Provider = { ...provider, launch, stdout: "pipe" };
  const plan = planLaunch(asking, { provider: provider.id }, { prompt: "" }, { ...found, answersPermissions: false });
  const run = host.nextRunId();
  const started = await startProcess(plan, run, host.env);
  if (!("child" in started)) return undefined;
  const { child, output, files } = started;
  const isGuarded = host.guardian?.start({ op: "start", run, pid: child.pid ?? 0, signal: "SIGTERM", files }) === true;
  return new Promise((resolve) => {
    let printed = "";
    const answer = (): void => {
      clearTimeout(patience);
      resolve(/\d+\.\d+[\w.+-]*/.exec(printed)?.[0]);
    };
    const supervisor = new Supervisor(child, {
      run,
      guardian: isGuarded ? host.guardian : undefined,
      stopSignal: "SIGTERM",
      output,
      files,
      onStdout: (chunk) => {
        if (printed.length < 4096) printed += Buffer.from(chunk).toString("utf8");
      },
      onBytes: () => {},
      onEnd: answer,
    });
    const end = (): void => {
      supervisor.stop();
      answer();
    };
    const patience = setTimeout(end, PATIENCE_MS);
    host.track({ end, gone: supervisor.gone });
    supervisor.closeInput();
  });
}
