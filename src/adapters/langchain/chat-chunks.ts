import { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import type { RunEvent } from "../../spec/events.ts";
import { RunError } from "../../spec/run-error.ts";
import type { RunStream } from "../../spec/stream.ts";
import { withoutResult } from "./langchain-error.ts";
import { StopSequences } from "./stop-sequences.ts";
import { type About, toResponseMetadata, withUsage } from "./to-ai-message.ts";

/**
 * The chunks of one run: text as it arrives, then a chunk for each call, then one with usage and metadata. LangChain has no
 * reset: text that a CLI repeats after a reset is dropped as long as it is the same; otherwise the stream fails.
 */
export async function* toChunks(run: RunStream, about: About, stop: readonly string[]): AsyncGenerator<ChatGenerationChunk> {
  const text = new ShownText(stop);
  let calls = 0;
  for await (const event of run) {
    if (event.type === "text-delta" && event.parentToolId === undefined) {
      const shown = text.push(event.messageId, event.text);
      if (shown !== "") yield chunk({ content: shown });
    } else if (event.type === "text-reset" && event.parentToolId === undefined) text.reset(event.messageId);
    else if (event.type === "reasoning-delta" && event.parentToolId === undefined)
      yield chunk({ content: "", additional_kwargs: { reasoning_content: event.text } });
    else if (event.type === "tool-call" && event.executor === "host") {
      yield callChunk(event, calls + (text.isEmpty ? 0 : 1));
      calls += 1;
    }
    if (text.isStopped) break;
  }
  const rest = text.end();
  if (rest !== "") yield chunk({ content: rest });
  yield await lastChunk(run, about, text.isStopped);
}

function chunk(fields: ConstructorParameters<typeof AIMessageChunk>[0] & object): ChatGenerationChunk {
  const message = new AIMessageChunk(fields);
  return new ChatGenerationChunk({ message, text: typeof message.content === "string" ? message.content : "" });
}

/** Text is block 0 for LangChain, so calls after text are counted from 1. */
function callChunk({ id, name, input }: Extract<RunEvent, { type: "tool-call" }>, index: number): ChatGenerationChunk {
  return chunk({ content: "", tool_call_chunks: [{ type: "tool_call_chunk", index, id, name, args: JSON.stringify(input) }] });
}

async function lastChunk(run: RunStream, about: About, isStopped: boolean): Promise<ChatGenerationChunk> {
  const result = await run.result().catch((error: unknown) => {
    if (isStopped && RunError.is(error)) return { ...error.result, finish: "stop" as const };
    throw error;
  });
  return chunk(withUsage({ content: "", response_metadata: toResponseMetadata(result, about) }, result.usage));
}

/** The text shown so far, over all messages. */
class ShownText {
  private readonly stop: StopSequences;
  private messageId: string | undefined;
  /** The shown text of the current message. */
  private said = "";
  /** Text that was reset but stays shown; the next message must begin with it. */
  private owed = "";
  private hasShown = false;

  constructor(stop: readonly string[]) {
    this.stop = new StopSequences(stop);
  }

  get isEmpty(): boolean {
    return !this.hasShown;
  }

  get isStopped(): boolean {
    return this.stop.isReached;
  }

  push(messageId: string, text: string): string {
    const isNext = this.messageId !== messageId;
    const separator = isNext && this.hasShown && this.owed === "" ? "\n\n" : "";
    if (isNext) this.said = "";
    this.messageId = messageId;
    const fresh = this.withoutOwed(text);
    this.said += text;
    if (fresh === "") return "";
    this.hasShown = true;
    return this.stop.push(separator + fresh);
  }

  reset(messageId: string): void {
    if (messageId !== this.messageId) return;
    this.owed = this.said + this.owed;
    this.said = "";
  }

  end(): string {
    return this.stop.end();
  }

  private withoutOwed(text: string): string {
    const length = Math.min(text.length, this.owed.length);
    if (text.slice(0, length) !== this.owed.slice(0, length)) {
      throw withoutResult("stream-diverged", "The CLI restarted its answer with different text than had been shown.");
    }
    this.owed = this.owed.slice(length);
    return text.slice(length);
  }
}
