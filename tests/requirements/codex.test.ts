import { expect, it } from "vitest";
import { codex } from "../../src/clis/codex/provider.ts";
import { createClient } from "../../src/index.ts";
import { collect } from "../../src/run/collect.ts";
import { createFakeCli, replayRecording } from "../../src/testing/index.ts";

function replay(...lines: readonly object[]) {
  const stdout = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const [run = []] = replayRecording(codex, { format: "stream-json", stdout, exitCode: 0 });
  return { events: run, result: collect(run) };
}

const STARTED = { type: "thread.started", thread_id: "01a1e062-78d9-7732-9fc5-e860c255a14c" };
const USAGE = {
  input_tokens: 100,
  cached_input_tokens: 20,
  cache_write_input_tokens: 0,
  output_tokens: 7,
  reasoning_output_tokens: 3,
};
const said = (id: string, text: string) => ({ type: "item.completed", item: { id, type: "agent_message", text } });

it("R70 codex is the command codex, prints JSON lines and reads its prompt from stdin, with its own login", async () => {
  expect(codex).toMatchObject({
    id: "codex",
    binary: { names: ["codex"] },
    transports: { spawn: { wire: { framing: "stream-json" } } },
    login: "codex login",
  });
  using cli = createFakeCli([
    { do: "read", what: "all" },
    { do: "print", value: STARTED },
    { do: "print", value: said("item_0", "Here's my response.") },
    { do: "print", value: { type: "turn.completed", usage: USAGE } },
  ]);
  await using client = createClient({ policies: false, providers: [cli.as(codex)] });
  const { text } = await client.run("codex", { prompt: "Say --it" }).result();
  expect(text).toBe("Here's my response.");
  await client.close();
  expect(cli.calls()).toMatchObject([{ stdin: "Say --it" }]);
  expect(cli.calls()[0]?.argv.at(-1)).toBe("-");
});

it("R88 turn.started and thread.started contribute no text", () => {
  const { result, events } = replay(STARTED, { type: "turn.started" }, { type: "turn.completed", usage: USAGE });
  expect(result.text).toBe("");
  expect(events.some((event) => event.type === "text-delta")).toBe(false);
});

it("R89 turn.completed contributes no text, and its usage is kept", () => {
  const { result } = replay(STARTED, said("item_0", "Yes."), { type: "turn.completed", usage: USAGE });
  expect(result).toMatchObject({
    text: "Yes.",
    usage: { inputTokens: 100, outputTokens: 7, totalTokens: 107, cacheReadTokens: 20 },
  });
});
