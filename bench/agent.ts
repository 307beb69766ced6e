import { AIMessage } from "@langchain/core/messages";
import { interleave } from "./measure.ts";

type BuiltAgent = Pick<typeof import("../src/agent/index.ts"), "createAgent">;

const STEPS = 20;
const CALL = new AIMessage({ content: "", tool_calls: [{ name: "look", args: {}, id: "look", type: "tool_call" }] });
const ANSWER = new AIMessage("Done.");

/** The host CPU time in milliseconds that the loop of an agent adds to one step, with a model that answers at once and one tool call. */
export async function measureAgentStep(): Promise<number> {
  const url = new URL("../dist/agent/index.js", import.meta.url).href;
  const { createAgent } = (await import(url)) as BuiltAgent;
  let asked = 0;
  const model = { invoke: async () => (++asked % STEPS === 0 ? ANSWER : CALL) };
  const agent = createAgent({ model, tools: [{ name: "look", run: () => "seen" }] });
  const { bare, loop } = await interleave(60, {
    bare: async () => {
      for (let step = 0; step < STEPS; step += 1) await model.invoke();
    },
    loop: () => agent.ask("Go").result(),
  });
  if (bare === undefined || loop === undefined) throw new Error("nothing was measured");
  return (loop.cpuMs - bare.cpuMs) / STEPS;
}
