import type { FoundBinary } from "../process/find-binary.ts";
import { askProgram, type ProgramWords } from "../run/ask-program.ts";
import type { RunHost } from "../run/run-host.ts";
import type { Failure } from "../spec/failure.ts";
import type { Provider } from "../spec/provider.ts";
import type { Target } from "../spec/request.ts";
import { compileCache } from "./compile-cache.ts";

/** What a program answers to `--version`, at most as long as patience lasts; never rejects. */
export type VersionAsker = (
  provider: Provider,
  found: FoundBinary,
  question: { readonly target: Target; readonly patienceMs: number },
) => Promise<ProgramWords | Failure>;

/**
 * Asks a program that several providers have in common once for all who want to know at the same moment. Nothing is kept for
 * later: by then somebody may have updated it.
 */
export function createVersionAsker(host: RunHost): VersionAsker {
  const asked = new Map<string, Promise<ProgramWords | Failure>>();
  return async (provider, found, { target, patienceMs }) => {
    const ask = (): Promise<ProgramWords | Failure> =>
      askProgram(provider, found, host, { args: ["--version"], patienceMs, target, env: compileCache(host.env) });
    const program = JSON.stringify([found.command, found.prefixArgs, target.profile, patienceMs]);
    const pending = asked.get(program);
    if (pending !== undefined) {
      const words = await pending.catch(() => undefined);
      return words !== undefined && isOfTheProgram(words) ? words : ask();
    }
    const own = ask();
    asked.set(program, own);
    setImmediate(() => asked.delete(program));
    return own;
  };
}

/** That it did not start, or failed, may be for what one provider puts around it. */
function isOfTheProgram(words: ProgramWords | Failure): boolean {
  return "stdout" in words && (words.isLate || words.exitCode === 0);
}
