import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** The model, with an error in the stream at the first part that breaks the order of the AI SDK's parts. */
export function withCheckedParts(model: LanguageModelV4): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    async doStream(options) {
      const { stream, ...rest } = await model.doStream(options);
      const order = new PartOrder();
      const check = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          order.see(part);
          controller.enqueue(part);
        },
        flush: () => order.end(),
      });
      return { ...rest, stream: stream.pipeThrough(check) };
    },
  };
}

/** The rules for the order of the parts of one stream; each method throws if a rule is broken. */
export class PartOrder {
  private readonly seen: string[] = [];
  private readonly used = new Set<string>();
  private open: string | undefined;
  private readonly inputs = new Map<string, string>();
  private readonly cliCalls = new Set<string>();

  see(part: LanguageModelV4StreamPart): void {
    const count = this.seen.length;
    this.seen.push(part.type);
    this.demand(!this.seen.slice(0, -1).includes("finish"), "nothing follows finish");
    this.demand((part.type === "stream-start") === (count === 0), "stream-start is the first part, and only that");
    this.demand((part.type === "response-metadata") === (count === 1), "response-metadata is the second part, and only that");
    const [kind, step] = [part.type.replace(/-(?:start|delta|end)$/, ""), /-(start|delta|end)$/.exec(part.type)?.[1]];
    if (kind === "text" || kind === "reasoning" || kind === "tool-input") this.seeBlock(part as BlockPart, kind, step ?? "");
    else if (count > 0) this.demand(this.open === undefined, "no block is open");
    if (part.type === "tool-call") this.seeCall(part);
    if (part.type === "tool-result") this.demand(this.cliCalls.delete(part.toolCallId), "a result follows a call of the CLI");
    if (part.type === "finish") this.demand(this.cliCalls.size === 0, "each call of the CLI has a result");
  }

  end(): void {
    this.demand(this.seen.at(-1) === "finish", "finish is the last part");
  }

  private seeBlock(part: BlockPart, kind: string, step: string): void {
    if (step === "start") {
      this.demand(this.open === undefined && !this.used.has(part.id), "a block begins once, and alone");
      this.used.add(part.id);
      this.open = `${kind} ${part.id}`;
      if (kind === "tool-input") this.inputs.set(part.id, "");
      return;
    }
    this.demand(this.open === `${kind} ${part.id}`, "a delta and an end belong to the open block");
    if (step === "end") this.open = undefined;
    else this.demand(part.delta !== "", "no delta is empty");
    if (kind === "tool-input") this.inputs.set(part.id, `${this.inputs.get(part.id)}${part.delta ?? ""}`);
  }

  private seeCall(part: Extract<LanguageModelV4StreamPart, { type: "tool-call" }>): void {
    if (part.providerExecuted === true) {
      this.demand(
        part.dynamic === true && !this.cliCalls.has(part.toolCallId),
        "a call of the CLI is dynamic and has its own id",
      );
      this.cliCalls.add(part.toolCallId);
    }
    this.demand(this.inputs.get(part.toolCallId) === part.input, "a call follows its whole input");
    this.inputs.delete(part.toolCallId);
  }

  private demand(holds: boolean, rule: string): void {
    if (!holds) throw new Error(`The order of parts is wrong (${rule}): ${this.seen.join(", ")}`);
  }
}

type BlockPart = { readonly id: string; readonly delta?: string };
