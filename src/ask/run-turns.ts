import { onKeptTurn } from "../attempt/attempt.ts";
import { isThread } from "../prompts/to-prompt.ts";
import type { KnownTarget } from "../request/targets.ts";
import type { Attempt, PartContext } from "../run/part.ts";
import type { RunHost } from "../run/run-host.ts";
import type { NativeTool } from "../spec/message.ts";
import type { PromptRequest, RunRequest } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { ToolAnswer } from "../spec/stream.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { Continuation } from "../warm/keeper.ts";
import type { KeptTurn } from "../warm/kept-turns.ts";

export type RunParts = { readonly attempt: Attempt; readonly host: RunHost; readonly target: KnownTarget };

export type TurnOptions = {
  /** The host tools that are tools of the CLI; a turn that waits for results of their calls is left. */
  readonly nativeTools?: readonly NativeTool[];
  /** A longer result does not fit into a turn. */
  readonly resultBytes?: number;
  readonly keepsProcess?: boolean | undefined;
};

/** The turns of one run: the kept one that it continues, and the one that it leaves for a later run. */
export class RunTurns {
  /** The turn that the last attempt has left. */
  left: KeptTurn | undefined;
  private readonly parts: RunParts;
  private readonly request: RunRequest;
  private readonly nativeTools: readonly NativeTool[] | undefined;
  private continuation: Continuation | undefined;
  private readonly expectsMessage: boolean;
  /** True if the conversation of the turn was sent as the text of a thread. */
  private isThread = false;

  constructor(parts: RunParts, request: RunRequest, { nativeTools, resultBytes = 0, keepsProcess = false }: TurnOptions) {
    const { keeper } = parts.host;
    this.parts = parts;
    this.request = request;
    this.nativeTools = nativeTools;
    this.continuation = keeper?.continuation(parts.target, request, resultBytes);
    this.expectsMessage = keeper?.expectsMessage(parts.target, request, keepsProcess) === true;
  }

  /** Makes an attempt. It continues the kept turn, or sends the whole conversation if there is none or its process is lost. */
  async ask(cli: KnownTarget, encode: () => PromptRequest, context: PartContext): Promise<RunEnd> {
    const { continuation } = this;
    this.continuation = undefined;
    const parking = this.withParking(context);
    if (continuation !== undefined) {
      this.isThread = continuation.kept.isThread === true;
      const prompt = this.withTools(continuation.prompt ?? encode());
      const end = await onKeptTurn(this.parts.host, continuation, { cli, prompt, context: parking });
      if (end !== undefined) return end;
    }
    const prompt = this.withTools(encode());
    this.isThread = prompt.conversation === undefined && isThread(this.request);
    return await this.parts.attempt(cli, prompt, parking);
  }

  /** Gives the results to the turn that was left; undefined if its process was lost. */
  async answer(
    results: ReadonlyMap<string, ToolAnswer>,
    cli: KnownTarget,
    encode: () => PromptRequest,
    context: PartContext,
  ): Promise<RunEnd | undefined> {
    const { left: kept } = this;
    if (kept === undefined) return undefined;
    this.left = undefined;
    const asked = { cli, prompt: this.withTools(encode()), context: this.withParking(context) };
    return await onKeptTurn(this.parts.host, { kept, results }, asked);
  }

  /** Keeps the turn for the next one of its session, or under the conversation with this answer, whose text may have more than one form. */
  keep(texts: readonly string[], { hostCalls = [], model }: Pick<RunResult, "hostCalls" | "model">): void {
    const { left, request, isThread } = this;
    const { host, target } = this.parts;
    if (left === undefined || (request.session !== undefined && left.session === undefined)) return;
    const kept = { ...left, isThread, ...(model !== undefined && { model }) };
    host.keeper?.keep(kept, target, request, { texts, toolCalls: hostCalls });
    this.left = undefined;
  }

  /** Ends the turns that no later run continues. */
  discard(): void {
    this.continuation?.kept.turn.end();
    this.left?.turn.end();
  }

  private withTools(prompt: PromptRequest): PromptRequest {
    return this.nativeTools === undefined ? prompt : { ...prompt, nativeTools: this.nativeTools };
  }

  private withParking(context: PartContext): PartContext {
    const parksCalls = this.nativeTools !== undefined;
    if (!parksCalls && !this.expectsMessage) return context;
    const park = (left: KeptTurn): void => {
      this.left = left;
    };
    return { ...context, park: { ...(parksCalls && { results: park }), ...(this.expectsMessage && { message: park }) } };
  }
}
