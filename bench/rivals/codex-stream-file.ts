import { closeSync, openSync, writeSync } from "node:fs";

/** Writes the JSONL of `codex exec --json` of about the given size: reasoning and messages of one turn, as of a model without tools. */
export function writeCodexStreamFile(path: string, megabytes: number): void {
  const file = openSync(path, "w");
  const line = (value: object): number => writeSync(file, `${JSON.stringify(value)}\n`);
  let bytes = line({ type: "thread.started", thread_id: "5f0c9a52-2c52-4c53-8f2f-0d6c8f7f9b11" });
  bytes += line({ type: "turn.started" });
  for (let step = 0; bytes < megabytes * 1024 * 1024; step += 1) bytes += writeStep(line, step);
  line({ type: "item.completed", item: { id: "item_last", type: "agent_message", text: "Done." } });
  const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_output_tokens: 0 };
  line({ type: "turn.completed", usage });
  closeSync(file);
}

function writeStep(line: (value: object) => number, step: number): number {
  const said = Array.from({ length: 40 }, (_, index) => `word${index} `).join("");
  const answer = `${said}${"0123456789 abcdefghij\n".repeat(20 + (step % 60))}`;
  return (
    line({ type: "item.completed", item: { id: `item_${step}_reasoning`, type: "reasoning", text: said } }) +
    line({ type: "item.completed", item: { id: `item_${step}_message`, type: "agent_message", text: answer } })
  );
}
