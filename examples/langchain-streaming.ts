// Prints an answer while it streams; Ctrl-C ends it and the CLI. Usage: langchain-streaming.ts [provider[/model] [question]]
import { RunError, toChatModel } from "coxswain/langchain";

const [target = "claude", question = "Why is the sky blue? Two sentences."] = process.argv.slice(2);

const stopping = new AbortController();
process.once("SIGINT", () => stopping.abort());

try {
  const stream = await toChatModel(target).stream(question, { signal: stopping.signal });
  for await (const chunk of stream) process.stdout.write(chunk.text);
  console.log();
} catch (error) {
  if (stopping.signal.aborted) console.error("\nStopped.");
  else if (RunError.is(error)) console.error(`\n${error.failure.message}\n${error.failure.hint}`);
  else throw error;
  process.exitCode = 1;
}
