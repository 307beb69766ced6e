import { fstatSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { createFailure, type Failure, toSeconds } from "../../spec/failure/failure.ts";
import type { RunRequest } from "../../spec/request.ts";
import { toMilliseconds } from "../options/read-option.ts";
import { UsageError } from "../usage-error.ts";
import { readFileParts } from "./read-attachments.ts";
import { decodeText } from "./read-file.ts";

const PATIENCE_MS = 3000;

/** The parts of a prompt besides stdin, and what ends the wait for stdin. */
export type PromptParts = {
  readonly words: readonly string[];
  readonly files: readonly string[];
  readonly signal: AbortSignal;
  /** How long stdin may take; no limit by default. */
  readonly timeoutMs?: number | undefined;
};

export type ReadPrompt = { readonly prompt: string; readonly waitedMs: number };

export function toPromptParts(
  words: readonly string[],
  { file = [], timeout }: { readonly file?: readonly string[]; readonly timeout?: number },
): Omit<PromptParts, "signal"> {
  return { words, files: readFileParts(file), timeoutMs: toMilliseconds(timeout) };
}

/** The timeout of the run: the time that the wait for stdin left. */
export function timeoutsAfter(
  { timeoutMs }: Pick<PromptParts, "timeoutMs">,
  { waitedMs }: ReadPrompt,
): Pick<RunRequest, "timeouts"> {
  return timeoutMs === undefined ? {} : { timeouts: { totalMs: Math.max(1, timeoutMs - Math.round(waitedMs)) } };
}

/** The prompt: arguments, files and stdin with blank lines between them; a failure after the timeout, undefined after a cancel. */
export async function readPrompt(parts: PromptParts): Promise<ReadPrompt | { readonly failure: Failure } | undefined> {
  const startedAt = performance.now();
  const piped = isPiped() ? await readStdin(parts) : "";
  if (typeof piped !== "string") return piped;
  const prompt = [parts.words.join(" "), ...parts.files, piped].filter((part) => part.trim() !== "").join("\n\n");
  if (prompt !== "") return { prompt, waitedMs: isPiped() ? performance.now() - startedAt : 0 };
  throw new UsageError("There is no prompt.", "Write one after the command, in quotes, or pipe it in.");
}

/** Only files, pipes and sockets are read; a terminal or /dev/null is not. */
function isPiped(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isFile() || stdin.isSocket();
  } catch {
    return false;
  }
}

async function readStdin({ signal, timeoutMs }: PromptParts): Promise<string | { readonly failure: Failure } | undefined> {
  let isLate = false;
  const stop = (): void => void process.stdin.destroy(new Error("stopped"));
  const impatience = setTimeout(() => {
    process.stderr.write("Waiting for EOF on stdin. If stdin has no input, start cox with </dev/null.\n");
  }, PATIENCE_MS);
  const giveUp = (): void => {
    isLate = true;
    stop();
  };
  const deadline = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return decodeText(await buffer(process.stdin), "stdin");
  } catch (error) {
    if (signal.aborted) return undefined;
    if (isLate) return { failure: createFailure("total-timeout", `stdin did not end within ${toSeconds(timeoutMs ?? 0)}.`) };
    throw error;
  } finally {
    clearTimeout(impatience);
    clearTimeout(deadline);
    signal.removeEventListener("abort", stop);
  }
}
