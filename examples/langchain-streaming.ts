// Shows an answer while it comes; Ctrl-C ends it and the CLI. Usage: langchain-streaming.ts [provider[/model] [question]]
import { RunError, toChatModel } from "coxswain/langchain";

const [target = "claude", question = "Why is the sky blue? Two sentences."] = process.argv.slice(2);

const stopping = new AbortController();
process.once("SIGINT", () => stopping.abort());

try {
  for await (const chunk of await toChatModel(target).stream(question, { signal: stopping.signal })) {
    process.stdout.write(chunk.text);
    if (chunk.usage_metadata !== undefined) console.log(`\n(${chunk.usage_metadata.output_tokens} tokens)`);
  }
} catch (error) {
  process.exitCode = 1;
  if (stopping.signal.aborted) console.log("\n(stopped)");
  else if (RunError.is(error)) console.error(`${error.failure.message}\n${error.failure.hint}`);
  else throw error;
}
