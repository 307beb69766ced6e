import { onKeptTurn } from "../attempt/attempt.ts";
import { chooseToolWay, refuseWay, type ToolWay } from "../host-tools/native-tools.ts";
import { findInstalled } from "../launch/find-cli.ts";
import { isThread, toPromptRequest } from "../prompts/to-prompt.ts";
import { validateConversation } from "../request/settle.ts";
import type { ResolvedTarget } from "../request/targets.ts";
import type { RunHost } from "../run/open-run.ts";
import { type Attempt, cancelledEnd, failedEnd, hasTimeFor, type Part, type PartContext, waitFor } from "../run/part.ts";
import { createFailure, thrownMessage } from "../spec/failure/failure.ts";
import { resumedBy } from "../spec/fields.ts";
import type { NativeTool } from "../spec/message.ts";
import type { Provider } from "../spec/provider/provider.ts";
import type { PromptRequest, RunRequest, Target } from "../spec/request.ts";
import type { RunResult } from "../spec/result.ts";
import type { RunContext, ToolAnswer } from "../spec/stream.ts";
import type { RunEnd } from "../spec/wire/events.ts";
import type { Continuation } from "../warm/keeper.ts";
import type { KeptTurn } from "../warm/kept-turns.ts";
import type { RunParts } from "./function-calls.ts";
import type { Turns } from "./parked-calls.ts";

/**
 * Makes a part of attempts: it writes the conversation into one prompt and decides how host tools reach the model. They are tools of the CLI
 * or part of the prompt; a function of the caller runs the calls, or the part ends with them. docs/host-tools.md has the rules.
 */
export function ask(host: RunHost, attemptOnce: Attempt): Part {
  return async ([target], request, context) => {
    try {
      const { tools = [] } = request;
      const attempt = awaitSession(attemptOnce, request);
      const invalid = validateConversation(request);
      if (invalid !== undefined) return failedEnd(invalid);
      if (tools.length === 0) return await askPlainly({ attempt, host, target }, request, context);
      const { findSchemaProblem } = await import("../schemas/validate-schema.ts");
      const unusable = findSchemaProblem(request);
      if (unusable !== undefined) return failedEnd(createFailure("schema-unreadable", unusable));
      const way = toolWayOf(host, findInstalled(host, target.provider).provider, target.target, request, context.callTool);
      const refused = refuseWay(request, way);
      if (refused !== undefined) return failedEnd(refused);
      return await askWithTools({ attempt, host, target }, way, request, context);
    } catch (error) {
      // Nested values of a request, and a provider from outside this package, can throw anything.
      return failedEnd(createFailure("bad-request", `The request cannot be executed: ${thrownMessage(error)}`));
    }
  };
}

/** Loads only what the way needs: the readers and validators import libraries. */
async function askWithTools(parts: RunParts, way: ToolWay, request: RunRequest, context: PartContext): Promise<RunEnd> {
  const { callTool } = context;
  if (callTool !== undefined) {
    const { callNatively, loopByText } = await import("./function-calls.ts");
    if ("tools" in way) return await callNatively({ ...parts, way }, request, context, callTool);
    return await loopByText(parts, request, context, callTool);
  }
  if ("tools" in way) {
    const { endWithCalls } = await import("./parked-calls.ts");
    const { keepsProcess } = context;
    const turnsOf = (attempt: Attempt, resultBytes: number): RunTurns =>
      new RunTurns({ ...parts, attempt }, request, { nativeTools: way.tools, resultBytes, keepsProcess });
    return await endWithCalls({ ...parts, way, turnsOf }, request, context);
  }
  return await askByText(parts, request, context);
}

async function askByText({ attempt, target }: RunParts, request: RunRequest, context: PartContext): Promise<RunEnd> {
  const text = await import("./text-tools.ts");
  return await text.askByText(attempt, target, request, context);
}

/** Asks a question without tools on the channel that has answered its conversation, or anew; the turn of the answer may be kept. */
async function askPlainly(parts: RunParts, request: RunRequest, context: PartContext): Promise<RunEnd> {
  const { target } = parts;
  // A structured answer may be corrected, so that no turn is kept for it.
  if (request.outputSchema !== undefined) return await askByText(parts, request, context);
  const turns = new RunTurns(parts, request, { keepsProcess: context.keepsProcess });
  try {
    const end = await turns.ask(target, () => toPromptRequest(request, target.provider), context);
    if (end.failure === undefined && turns.left !== undefined) turns.keep([turns.left.text], context.resultAt(end));
    return end;
  } finally {
    turns.discard();
  }
}

/** Longer than a session stays loaded after its turn (`LOADED_MS` in warm/kept-turns.ts). */
const AWAITED_MS = 3_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 400;

/**
 * Makes attempts that are repeated for three seconds while another process has their session: the process of the last turn may be exiting or
 * have the session loaded for its next turn (Codex lets only one process have it).
 */
function awaitSession(attempt: Attempt, request: RunRequest): Attempt {
  if (resumedBy(request) === undefined) return attempt;
  return async (cli, prompt, context) => {
    let end = await attempt(cli, prompt, context);
    const deadline = performance.now() + Math.min(AWAITED_MS, request.maxWaitMs ?? AWAITED_MS);
    for (let delayMs = FIRST_DELAY_MS; isInUse(end); delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
      if (performance.now() + delayMs > deadline || !hasTimeFor(context, delayMs)) return end;
      if (delayMs === LONGEST_DELAY_MS) context.writer.warnOnce(request, IN_USE);
      if ((await waitFor(context, delayMs)) === "cancelled") return cancelledEnd();
      context.writer.repeats(end.failure);
      end = await attempt(cli, prompt, context);
    }
    return end;
  };
}

const IN_USE = {
  code: "session-in-use",
  message: "Another process has the session. Coxswain tries again for three seconds.",
} as const;

/** A CLI that has shown something had the session. */
function isInUse({ failure }: RunEnd): boolean {
  return failure?.code === "session-busy" && failure.partialText === undefined;
}

export function toolWayOf(
  host: RunHost,
  provider: Provider,
  target: Target,
  request: RunRequest,
  callTool: RunContext["callTool"],
): ToolWay {
  const runner = callTool === undefined ? "caller" : "function";
  const canPark = host.keeper?.keeps("results") === true;
  return chooseToolWay({ provider, target }, request, { runner, canPark, env: host.env });
}

type TurnOptions = {
  /** The host tools that are tools of the CLI; a turn that waits for results of their calls is left. */
  readonly nativeTools?: readonly NativeTool[];
  /** A longer result does not fit into a turn. */
  readonly resultBytes?: number;
  readonly keepsProcess?: boolean | undefined;
};

/** The turns of one run: the kept one that it continues, and the one that it leaves for a later run. */
class RunTurns implements Turns {
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
  async ask(cli: ResolvedTarget, encode: () => PromptRequest, context: PartContext): Promise<RunEnd> {
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

  async answer(
    results: ReadonlyMap<string, ToolAnswer>,
    cli: ResolvedTarget,
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
