import type { FoundBinary } from "../process/find-binary.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { Target } from "../spec/request.ts";
import { askProgram, type ProgramHost, type ProgramWords } from "./ask-program.ts";
import { compileCache } from "./compile-cache.ts";

/** The output of `--version`, within `patienceMs`; never rejects. */
export type VersionAsker = (
  provider: Provider,
  found: FoundBinary,
  question: { readonly target: Target; readonly patienceMs: number },
) => Promise<ProgramWords | Failure>;

/** Asks a program once for all providers that want its version at the same moment; not cached, as the program may be updated. */
export function createVersionAsker(host: ProgramHost): VersionAsker {
  const asked = new Map<string, Promise<ProgramWords | Failure>>();
  return async (provider, found, { target, patienceMs }) => {
    const ask = (): Promise<ProgramWords | Failure> =>
      askProgram(provider, found, host, { args: ["--version"], patienceMs, target, env: compileCache(host.env) });
    const program = JSON.stringify([found.command, found.prefixArgs, target.profile, patienceMs]);
    const pending = asked.get(program);
    if (pending !== undefined) {
      const words = await pending.catch(() => undefined);
      return words !== undefined && isReusable(words) ? words : ask();
    }
    const own = ask();
    asked.set(program, own);
    setImmediate(() => asked.delete(program));
    return own;
  };
}

/** A program may have failed because of one provider's launch environment; then each provider asks by itself. */
function isReusable(words: ProgramWords | Failure): boolean {
  return "stdout" in words && (words.isLate || words.exitCode === 0);
}
