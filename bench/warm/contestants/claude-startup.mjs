import { claudeOptions } from "../../rivals/contestants/claude-agent-sdk.mjs";

/** @anthropic-ai/claude-agent-sdk: a handle of `startup()` waits for each call, and the next one is started after it. */
export async function prepare({ load, system, ...settings }) {
  const { startup } = await (await import(load)).load("@anthropic-ai/claude-agent-sdk");
  const open = () => startup({ options: warmOptions(settings, system) });
  let spare = open();
  return {
    async ask({ prompt }, _signal, onText) {
      const handle = await spare;
      let text = "";
      for await (const message of handle.query(prompt)) {
        if (message.type === "stream_event" && message.event.delta?.type === "text_delta") onText();
        if (message.type === "result") text = message.result;
      }
      spare = open();
      return text;
    },
    close: async () => (await spare).close(),
  };
}

/** The same options as for a cold call. */
export function warmOptions({ command, workspace, model }, system) {
  const common = { pathToClaudeCodeExecutable: command, model, cwd: workspace, includePartialMessages: true };
  return { ...common, ...claudeOptions("pure", system) };
}
