import { warmOptions } from "./claude-startup.mjs";

/**
 * @anthropic-ai/claude-agent-sdk: one `query()` whose prompt is a stream, so that every call continues the same conversation. It stores
 * the session, as the session that it is compared with.
 */
export async function prepare({ load, system, ...settings }) {
  const { query } = await (await import(load)).load("@anthropic-ai/claude-agent-sdk");
  let next = Promise.withResolvers();
  async function* prompts() {
    for (;;) {
      const content = await next.promise;
      if (content === undefined) return;
      next = Promise.withResolvers();
      yield { type: "user", message: { role: "user", content }, parent_tool_use_id: null };
    }
  }
  const messages = query({ prompt: prompts(), options: { ...warmOptions(settings, system), persistSession: true } })[
    Symbol.asyncIterator
  ]();
  return {
    async ask({ prompt }, _signal, onText) {
      next.resolve(prompt);
      for (;;) {
        const { value: message, done } = await messages.next();
        if (done) throw new Error("the conversation has ended");
        if (message.type === "stream_event" && message.event.delta?.type === "text_delta") onText();
        if (message.type === "result") return message.result;
      }
    },
    close: () => next.resolve(undefined),
  };
}
