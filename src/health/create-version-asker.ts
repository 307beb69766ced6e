import { compileCache } from "../files/state-directory.ts";
import type { FoundBinary } from "../process/child/find-program.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { Target } from "../spec/request.ts";
import { askProgram, type ProgramHost, type ProgramOutput } from "./ask-program.ts";

/** The output of `--version`, within `timeoutMs`; never rejects. */
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
