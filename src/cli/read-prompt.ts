import { fstatSync } from "node:fs";
import { text } from "node:stream/consumers";
import { UsageError } from "./usage-error.ts";

const PATIENCE_MS = 3000;

/** The prompt: the arguments, stdin, or both with a blank line between them; undefined when reading was cancelled. */
export async function readPrompt(words: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  const typed = words.join(" ");
  const piped = isPiped() ? await readStdin(signal) : "";
  if (piped === undefined) return undefined;
  const prompt = [typed, piped].filter((part) => part.trim() !== "").join("\n\n");
  if (prompt === "") {
    throw new UsageError("There is no prompt.", 'Write one after the command (cox ask "What is a coxswain?"), or pipe it in.');
  }
  return prompt;
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

async function readStdin(signal: AbortSignal): Promise<string | undefined> {
  const impatience = setTimeout(() => {
    process.stderr.write("Waiting for EOF on stdin. If stdin has no input, start cox with </dev/null.\n");
  }, PATIENCE_MS);
  const stop = (): void => void process.stdin.destroy(new Error("stopped"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await text(process.stdin);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(impatience);
    signal.removeEventListener("abort", stop);
  }
}
