// Prints lines of every kind with 20,000 levels of JSON in them, then a good answer.
import { assistant, init, messageStart, print, result, writeAll } from "../claude-lines.mjs";

const LEVELS = 20_000;
const deep = `${'{"a":['.repeat(LEVELS / 2)}${"]}".repeat(LEVELS / 2)}`;
const streamed = (event) => ({ type: "stream_event", event });
print(init());
writeAll(`${deep}\n`);
writeAll(`{"type":"weather","sky":${deep}}\n`);
// The input of a call, in pieces that are each a good line.
print(
  messageStart("msg_deep"),
  streamed({ type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "tool_1", name: "Read", input: {} } }),
);
for (let from = 0; from < deep.length; from += 5_000)
  print(
    streamed({
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: deep.slice(from, from + 5_000) },
    }),
  );
print(streamed({ type: "content_block_stop", index: 0 }));
const call = `{"type":"tool_use","id":"tool_1","name":"Read","input":${deep}}`;
writeAll(`{"type":"assistant","message":{"id":"msg_deep","model":"test-model","content":[${call}]}}\n`);
writeAll(
  `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"tool_1","content":"x"}]},"tool_use_result":${deep}}\n`,
);
print(assistant("All good."), result("All good."));
