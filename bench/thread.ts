import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { pairedRatio } from "./measure.ts";

type Built = Pick<typeof import("../src/adapters/langchain/index.ts"), "messagesToXml" | "messagesToPrompt">;

/** How much longer a message takes in a thread of 10,000 than in one of 1,000: 1 if the cost grows only with the size. */
export async function measureThreads(): Promise<Readonly<Record<string, number>>> {
  const built = (await import(new URL("../dist/adapters/langchain/index.js", import.meta.url).href)) as Built;
  const [short, long] = [conversation(1_000), conversation(10_000)];
  const tenfold = async (encode: (messages: BaseMessage[]) => string): Promise<number> => {
    const tenShort = async (): Promise<void> => {
      for (let round = 0; round < 10; round += 1) encode(short);
    };
    return 1 / (await pairedRatio(15, tenShort, async () => encode(long)));
  };
  return { messagesToXml: await tenfold(built.messagesToXml), messagesToPrompt: await tenfold(built.messagesToPrompt) };
}

/** Questions, calls and results in turn, each with characters that must be escaped. */
function conversation(length: number): BaseMessage[] {
  return Array.from({ length }, (_, index) => {
    const id = `call_${Math.floor(index / 3)}`;
    if (index % 3 === 0) return new HumanMessage(`Is ${index} < ${index + 1} & "true"? ${"word ".repeat(40)}`);
    if (index % 3 === 1) return new AIMessage({ content: "", tool_calls: [{ id, name: "compare", args: { left: index } }] });
    return new ToolMessage({ tool_call_id: id, content: `<yes>\n[User]\n${"line\n".repeat(20)}` });
  });
}
